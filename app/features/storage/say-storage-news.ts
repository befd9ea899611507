import type { StorageState } from "../../domain/storage/storage-state.ts";
import type { LostDay } from "../../domain/storage/storage-watch.ts";
import { DAY_MS } from "../../domain/time.ts";
import { listExpiries } from "./list-expiries.ts";
import { formatDay, listSignals } from "./signal-words.ts";

/** How long before a deletion it is announced. */
const ANNOUNCED_MS = 7 * DAY_MS;

/** News of the data folder for every page. Null: there are none. */
export interface StorageNews {
  title: string;
  text: string;
}

/** Both kinds of news as one, because pages have room for one. Lost days come first. */
export function sayStorageNews(state: StorageState | null, lost: readonly LostDay[], now: number): StorageNews | null {
  const [missing, early] = [sayLostDays(lost, now), sayEarlyDeletions(state, now)];
  if (missing === null || early === null) return missing ?? early;
  return { title: missing.title, text: `${missing.text} ${early.title}. ${early.text}` };
}

/** Says which rows no search finds any more. */
export function sayLostDays(lost: readonly LostDay[], now: number): StorageNews | null {
  if (lost.length === 0) return null;
  const signals = [...new Set(lost.map(({ signal }) => signal))];
  const days = [...new Set(lost.map(({ day }) => day))].toSorted((a, b) => a - b);
  const [first, last] = [formatDay(days[0] as number, now), formatDay(days.at(-1) as number, now)];
  const when = days.length === 1 ? first : `${days.length} days from ${first} to ${last}`;
  const files = lost.length === 1 ? "its file is" : "their files are";
  return {
    title: `${listSignals(signals)} of ${when} are missing: ${files} damaged`,
    text: "Lists, searches and traces leave them out. Issues and errors are not touched, and graphs still count what was summed before.",
  };
}

/** Says that days will be deleted because the data folder would be full. Deletions by age are not announced. */
function sayEarlyDeletions(state: StorageState | null, now: number): StorageNews | null {
  if (state === null) return null;
  const { plan } = state;
  if (plan.isTooSmall) {
    return {
      title: "The data folder is nearly full",
      text: "Deleting all days before today does not make enough room. New events may be refused.",
    };
  }
  const early = plan.upcoming.filter(({ reason, at }) => reason === "space" && at <= now + ANNOUNCED_MS);
  const [first, ...others] = listExpiries([...plan.due, ...early], now);
  if (first === undefined) return null;
  const rest = others.length === 0 ? "" : " More days go after that.";
  return {
    title: `On ${first.on}, this will be deleted: ${first.what}`,
    text: `The data folder would be full otherwise.${rest}`,
  };
}
