import { formatDuration } from "../../ui/format-duration.ts";
import type { TimelineCause, TimelineItem, TimelineLane } from "./timeline.ts";

/** The length of a failure through four services: a query, and an answer and an error of each. */
const MAX_CAUSES = 8;
/** Microseconds. An earlier failure is probably unrelated. */
const WITHIN_US = 60_000_000;

/**
 * Failures in the minute before the throw, oldest first: the last failed query, for each service the failed call that ended last,
 * and other errors. The error itself is the last. `earlierCount`: failures that are left out at the beginning.
 */
export function listCauses(lanes: readonly TimelineLane[]): { causes: TimelineCause[]; earlierCount: number } {
  const found: Array<{ item: TimelineItem; name: string; words: string; atUs: number }> = [];
  let own: TimelineCause | null = null;
  for (const { kind, items } of lanes) {
    if (kind === "errors") {
      for (const item of items) {
        const { type, rest } = splitTitle(item.label);
        if (item.isThis) own = { key: item.key, name: type, words: rest };
        else found.push({ item, name: type, words: item.note, atUs: item.fromUs });
      }
    }
    if (kind !== "queries" && kind !== "service") continue;
    const failed = items.filter((item) => item.isFailed && isBefore(endOf(item)));
    const last = failed.toSorted((a, b) => endOf(b) - endOf(a) || a.row - b.row)[0];
    if (last === undefined) continue;
    const name = kind === "queries" ? last.label : (last.service ?? last.label);
    const took = formatDuration(endOf(last) - last.fromUs);
    found.push({ item: last, name, words: `${last.note || "failed"} after ${took}`, atUs: endOf(last) });
  }
  const before = found.filter(({ atUs }) => isBefore(atUs)).sort((a, b) => a.atUs - b.atUs);
  const causes = before
    .slice(-MAX_CAUSES)
    .map(({ item, name, words }) => ({ key: item.key, name: name.slice(0, 80), words }));
  return { causes: own === null ? causes : [...causes, own], earlierCount: Math.max(0, before.length - MAX_CAUSES) };
}

function isBefore(us: number): boolean {
  return us <= 0 && us > -WITHIN_US;
}

function endOf({ fromUs, toUs }: TimelineItem): number {
  return toUs ?? fromUs;
}

/** Splits `TypeError: x is undefined` into its type and the rest. */
function splitTitle(title: string): { type: string; rest: string } {
  const [, type, rest] = /^([\w.$]{1,60}): (.+)$/s.exec(title) ?? [];
  return type === undefined || rest === undefined ? { type: title, rest: "" } : { type, rest: rest.slice(0, 120) };
}
