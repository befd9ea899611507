import { MAX_MISSING_OF_EVENT } from "../domain/issues/missing-source-maps.ts";
import type { SymbolicationReport, WantedMap } from "../domain/symbolication.ts";
import { collectErrors, collectWanted } from "./collect-findings.ts";
import { collectFrames, type SymbolicationEvent } from "./collect-frames.ts";
import { collectWorks } from "./start-report.ts";

/**
 * The result of mapping an event of a project without any upload: the same event except its errors, and the missing source maps. Needs no
 * query and no other thread, because the answer is known.
 */
export function symbolicateWithoutUploads<Event extends SymbolicationEvent>(
  event: Event,
): { event: Event; wanted: WantedMap[] } {
  const frames = collectFrames(event);
  // Nothing is looked up, so no candidates are needed.
  const works = collectWorks(event, frames, () => []);
  const active = [...works.values()];
  const errors = collectErrors(event, active, frames, []);
  const wanted = collectWanted(event, active, frames, works);
  if (errors.length === 0 && event.errors === undefined) return { event, wanted };
  const { errors: _, ...rest } = event;
  return { event: { ...rest, ...(errors.length > 0 ? { errors } : {}) } as Event, wanted };
}

/** Maps named by files of a report that were not read in time: an upload may be there already. At most 20. */
export function listUnreadMaps(report: SymbolicationReport): WantedMap[] {
  const { release, dist } = report;
  const unread = new Map<string, WantedMap>();
  for (const { absPath, identity, sourceMap } of report.files) {
    if (sourceMap.state !== "timed_out" || unread.size >= MAX_MISSING_OF_EVENT) continue;
    const { debugId } = identity;
    if (debugId === null && release === null) continue;
    const key = debugId ?? "";
    if (!unread.has(key)) unread.set(key, { debugId, release, dist, sampleUrl: absPath, isForeign: false });
  }
  return [...unread.values()];
}

/** Whether every frame that a source map could help has been mapped. True of an event without such frames. */
export function isWhollySymbolicated(event: SymbolicationEvent): boolean {
  return collectFrames(event).every(
    ({ skipReason, stack, frameIndex }) =>
      skipReason !== null || stack.current.frames[frameIndex]?.data?.symbolicated === true,
  );
}
