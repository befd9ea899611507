import type { WantedMapType } from "../symbolication.ts";
import type { IssueOccurrence } from "./occurrence.ts";

/** Missing source maps that are kept for one event. */
export const MAX_MISSING_OF_EVENT = 20;

/** One missing source map of an issue, summed over events. Empty texts stand for null. */
export interface MissingSourceMapSum {
  type: WantedMapType;
  debugId: string;
  release: string;
  dist: string;
  eventCount: number;
  firstSeenAt: number;
  lastSeenAt: number;
  sampleUrl: string;
  isForeign: boolean;
}

/** Adds what an event misses to the sums of its issue, by key. Each key counts once an event. */
export function addMissingSourceMaps(
  sums: Map<string, MissingSourceMapSum>,
  { missingSourceMaps = [], occurredAt }: Pick<IssueOccurrence, "missingSourceMaps" | "occurredAt">,
): void {
  const at = Math.floor(occurredAt);
  const seen = new Set<string>();
  for (const wanted of missingSourceMaps.slice(0, MAX_MISSING_OF_EVENT)) {
    const debugId = wanted.debugId ?? "";
    const release = wanted.release ?? "";
    const dist = wanted.dist ?? "";
    const key = `${debugId}\n${release}\n${dist}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const sum = sums.get(key);
    if (sum === undefined) {
      const { type, sampleUrl, isForeign } = wanted;
      const seenAt = { firstSeenAt: at, lastSeenAt: at };
      sums.set(key, { type, debugId, release, dist, eventCount: 1, ...seenAt, sampleUrl, isForeign });
      continue;
    }
    sum.eventCount++;
    sum.firstSeenAt = Math.min(sum.firstSeenAt, at);
    sum.lastSeenAt = Math.max(sum.lastSeenAt, at);
    // A URL of the project's own code says more to people than one of somebody else's.
    if (sum.isForeign && !wanted.isForeign) Object.assign(sum, { isForeign: false, sampleUrl: wanted.sampleUrl });
  }
}
