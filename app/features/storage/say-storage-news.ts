import type { StorageState } from "../../domain/storage/storage-state.ts";
import { DAY_MS } from "../../domain/time.ts";
import { listExpiries } from "./list-expiries.ts";

/** Announced so long before. */
const ANNOUNCED_MS = 7 * DAY_MS;

/** What every page says of the data folder; null: nothing. */
export interface StorageNews {
  title: string;
  text: string;
}

/** Says that days will be deleted because the data folder would be full. What goes by its age is no news. */
export function sayStorageNews(state: StorageState | null, now: number): StorageNews | null {
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
