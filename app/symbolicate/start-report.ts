import type { FileReport, FrameReport, SymbolicationReport } from "../domain/symbolication.ts";
import { collectDebugIds, collectFrames, type FoundFrame, type SymbolicationEvent } from "./collect-frames.ts";
import { candidateUrls } from "./frame-urls.ts";
import { collectMappings } from "./proguard/load-mappings.ts";
import { retraceEvent } from "./proguard/retrace-event.ts";
import type { FileWork } from "./resolve-files.ts";
import { toDebugId } from "./source-map.ts";

/** An event may name any number of files; each costs lookups. */
const MAX_FILES = 200;

/** The report of an event without any lookup: every frame stays as it is. */
export function reportFailure(
  event: SymbolicationEvent,
  failure: NonNullable<SymbolicationReport["failure"]>,
): SymbolicationReport {
  const frames = collectFrames(event);
  const works = collectWorks(event, frames);
  const active = [...works.values()];
  for (const { report } of active) markTimedOut(report);
  const mappings = collectMappings(event);
  for (const { report } of mappings) report.state = "timed_out";
  return {
    release: event.release ?? null,
    dist: event.dist ?? null,
    files: active.map(({ report }) => report),
    frames: frames.map((found) => {
      const work = workOf(found, works);
      return startFrameReport(found, work === null ? null : active.indexOf(work));
    }),
    retrace: retraceEvent(event, mappings).report,
    failure,
  };
}

/** The report of an event without a frame that a map could help. */
export function reportNothing(event: SymbolicationEvent): SymbolicationReport {
  const frames = collectFrames(event).map((found) => startFrameReport(found, null));
  return { release: event.release ?? null, dist: event.dist ?? null, files: [], frames, retrace: null, failure: null };
}

/** The files that frames of an event are in, at most 200, by path; nothing is looked up yet. */
export function collectWorks(
  event: SymbolicationEvent,
  frames: readonly FoundFrame[],
  urlsOf = candidateUrls,
): Map<string, FileWork> {
  const debugIds = collectDebugIds(event);
  const works = new Map<string, FileWork>();
  for (const { path, skipReason, frame } of frames) {
    if (path === null || skipReason !== null) continue;
    const known = works.get(path);
    if (known !== undefined) {
      known.report.frameCount++;
      continue;
    }
    if (works.size >= MAX_FILES) continue;
    const debugId = debugIds.get(path) ?? toDebugId(frame.debug_id);
    const candidates = urlsOf(path);
    const release = event.release ?? null;
    const report: FileReport = {
      absPath: path,
      frameCount: 1,
      skipReason: null,
      identity: {
        state: debugId !== null || release !== null ? "found" : "missing",
        debugId,
        otherDebugIds: debugIds.size - (debugIds.has(path) ? 1 : 0),
        release,
        dist: event.dist ?? null,
        candidateUrls: release === null ? [] : candidates,
      },
      upload: {
        state: "not_uploaded_yet",
        resolvedWith: null,
        olderUploadIds: [],
        nearMisses: [],
        releaseHasUploads: null,
      },
      generatedFile: { state: "skipped", file: null },
      sourceMap: {
        state: "skipped",
        file: null,
        reference: null,
        lookedFor: [],
        error: null,
        problem: null,
        sourceCount: null,
        mappingCount: null,
      },
      publicFetches: [],
    };
    // No upload can help if the frame has nothing to look up.
    if (report.identity.state === "missing") report.upload.state = "skipped";
    works.set(path, {
      path,
      debugId,
      candidates,
      report,
      generated: null,
      map: null,
      mapsOfId: [],
      filesOfId: [],
      isInline: false,
    });
  }
  return works;
}

export function workOf({ path, skipReason }: FoundFrame, works: ReadonlyMap<string, FileWork>): FileWork | null {
  return path === null || skipReason !== null ? null : (works.get(path) ?? null);
}

export function markTimedOut(report: FileReport): void {
  if (report.sourceMap.file === null) report.upload.state = "timed_out";
  report.sourceMap.state = "timed_out";
}

export const UNMAPPED: FrameReport["mapping"] = {
  state: "skipped",
  error: null,
  source: null,
  lineno: null,
  colno: null,
  hasContent: false,
  functionFrom: null,
};

export function startFrameReport(
  { stack, frameIndex, frame, skipReason }: FoundFrame,
  fileIndex: number | null,
): FrameReport {
  return {
    place: stack.place,
    frameIndex,
    fileIndex,
    skipReason,
    lineno: frame.lineno ?? null,
    colno: frame.colno ?? null,
    mapping: { ...UNMAPPED },
  };
}
