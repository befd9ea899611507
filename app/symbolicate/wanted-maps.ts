import { MAX_MISSING_OF_EVENT } from "../domain/issues/missing-source-maps.ts";
import type { SymbolicationReport, WantedMap } from "../domain/symbolication.ts";
import { collectErrors, collectWanted } from "./collect-findings.ts";
import { collectFrames, type SymbolicationEvent } from "./collect-frames.ts";
import { collectMappings, listWantedMappings, namesMapping } from "./proguard/load-mappings.ts";
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
  const wanted = [...collectWanted(event, active, frames, works), ...listWantedMappings(event, collectMappings(event))];
  if (errors.length === 0 && event.errors === undefined) return { event, wanted };
  const { errors: _, ...rest } = event;
  return { event: { ...rest, ...(errors.length > 0 ? { errors } : {}) } as Event, wanted };
}

/** Maps and mappings of a report that were not read in time: an upload may be there already. At most 20 maps and 10 mappings. */
export function listUnreadMaps(report: SymbolicationReport): WantedMap[] {
  const { release, dist } = report;
  const unread = new Map<string, WantedMap>();
  for (const { absPath, identity, sourceMap } of report.files) {
    if (sourceMap.state !== "timed_out" || unread.size >= MAX_MISSING_OF_EVENT) continue;
    const { debugId } = identity;
    if (debugId === null && release === null) continue;
    const key = debugId ?? "";
    if (!unread.has(key))
      unread.set(key, { type: "source_map", debugId, release, dist, sampleUrl: absPath, isForeign: false });
  }
  const mappings = report.retrace?.mappings.filter(({ state }) => state === "timed_out") ?? [];
  for (const { debugId } of mappings)
    unread.set(debugId, { type: "proguard_mapping", debugId, release, dist, sampleUrl: "", isForeign: false });
  return [...unread.values()];
}

/**
 * Whether every frame that a source map could help has been mapped. True of an event without such frames. An event that names a ProGuard
 * mapping is never whole: who looks at it is told which one its names are from.
 */
export function isWhollySymbolicated(event: SymbolicationEvent): boolean {
  if (namesMapping(event)) return false;
  return collectFrames(event).every(
    ({ skipReason, stack, frameIndex }) =>
      skipReason !== null || stack.current.frames[frameIndex]?.data?.symbolicated === true,
  );
}
