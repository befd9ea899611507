import type { EventError, Frame } from "../domain/event.ts";
import type { FrameReport, SymbolicationReport, WantedMap } from "../domain/symbolication.ts";
import type { ArtifactIndex } from "../stores/state/artifact-index.ts";
import type { ArtifactLookups } from "./artifact-lookups.ts";
import { chooseMap } from "./choose-map.ts";
import { collectErrors, collectWanted } from "./collect-findings.ts";
import { collectFrames, type FoundStack, isSymbolicated, type SymbolicationEvent } from "./collect-frames.ts";
import { diagnoseFiles } from "./diagnose-file.ts";
import { loadFile } from "./load-file.ts";
import { type LoadedFile, mapFrame } from "./map-frame.ts";
import type { MapShare } from "./map-memory.ts";
import { collectMappings, listWantedMappings, loadMappings } from "./proguard/load-mappings.ts";
import { retraceEvent } from "./proguard/retrace-event.ts";
import type { PublicFiles } from "./public-files.ts";
import { createReadTurns } from "./read-turns.ts";
import { replaceStack } from "./replace-stack.ts";
import { resolveFiles } from "./resolve-files.ts";
import type { SourceMapCache } from "./source-map-cache.ts";
import { collectWorks, markTimedOut, startFrameReport, workOf } from "./start-report.ts";

export interface SymbolicationOptions {
  projectId: number;
  lookups: ArtifactLookups;
  artifacts: Pick<ArtifactIndex, "listArtifactFiles" | "listReleaseUrls" | "listArtifactBundles" | "findFilesByUrl">;
  files: SourceMapCache;
  /** Absent: nothing is fetched from where applications serve their files. */
  publicFiles?: PublicFiles;
  /**
   * Files that are not loaded until it is settled are left for later. The file that is being read then is kept, so each
   * request for the same event gets further.
   */
  deadline?: Promise<void>;
  /** Also looks for uploads that nearly fit, for people. It needs some more queries. */
  withDiagnosis?: boolean;
}

export interface SymbolicationResult {
  /** The given event if nothing changed. Otherwise a new one, which shares the unchanged parts. */
  event: SymbolicationEvent;
  report: SymbolicationReport;
  isChanged: boolean;
  /** Source maps that a later upload could bring, at most 20, and ProGuard mappings, at most 10. */
  wanted: WantedMap[];
}

/**
 * Maps the frames of an event to their sources, chained exceptions and threads included. Stack traces of JavaScript and Node are mapped by
 * source maps, those of Java and Kotlin by the mappings of R8 or ProGuard. The sent frames stay as `raw_stacktrace`, and are mapped again
 * when the event comes again. Frames that were mapped at an earlier time and cannot be mapped now stay as they are.
 */
export async function symbolicateEvent<Event extends SymbolicationEvent>(
  event: Event,
  options: SymbolicationOptions,
): Promise<SymbolicationResult & { event: Event }> {
  const share = options.files.memory.openShare();
  try {
    return await symbolicateWithin(share, event, options);
  } finally {
    share.release();
  }
}

async function symbolicateWithin<Event extends SymbolicationEvent>(
  share: MapShare,
  event: Event,
  options: SymbolicationOptions,
): Promise<SymbolicationResult & { event: Event }> {
  const frames = collectFrames(event);
  let works = collectWorks(event, frames);
  let mappings = collectMappings(event);
  /** Loaded files by path. */
  const loaded = new Map<string, LoadedFile>();
  let isLate = false;
  const late = options.deadline?.then(() => {
    isLate = true;
  });
  const context = {
    projectId: options.projectId,
    release: event.release ?? null,
    dist: event.dist ?? null,
    lookups: options.lookups,
    artifacts: options.artifacts,
    files: options.files,
    share,
    turns: createReadTurns(() => isLate),
    isLate: () => isLate,
    publicFiles: options.publicFiles,
  };
  let active = [...works.values()];
  const load = async (): Promise<void> => {
    const wanted = active;
    await resolveFiles(wanted, context);
    // Files are loaded one after the other, each map together with its code. Otherwise, if not all fit into the cache, no file would ever
    // have both. The crash is the last of the frames, and people look at it first.
    for (const work of wanted.toReversed()) {
      await chooseMap(work, frames, context);
      const file = await loadFile(work, context);
      if (file !== null && !isLate) loaded.set(work.path, file);
    }
    await loadMappings(mappings, context);
  };
  await (late === undefined ? load() : Promise.race([load(), late]));
  if (isLate) {
    // Work that continues in the background must not change the answer any more.
    active = active.map((work) => ({ ...work, report: structuredClone(work.report) }));
    works = new Map(active.map((work) => [work.path, work]));
    for (const { path, report } of active) if (!loaded.has(path)) markTimedOut(report);
    mappings = mappings.map((work) => ({ ...work, report: structuredClone(work.report) }));
    for (const { report, mapping } of mappings) if (mapping === null) report.state = "timed_out";
  }
  const reports: FrameReport[] = [];
  const mapped = new Map<FoundStack, Array<Frame | null>>();
  for (const [index, found] of frames.entries()) {
    const previous = frames[index - 1];
    const work = workOf(found, works);
    const file = work === null ? null : (loaded.get(work.path) ?? null);
    const report = startFrameReport(found, work === null ? null : active.indexOf(work));
    reports.push(report);
    if (file === null) continue;
    const isCalled = previous?.stack === found.stack && previous.frameIndex === found.frameIndex - 1;
    const callerWork = isCalled ? workOf(previous, works) : null;
    const caller = isCalled
      ? { frame: previous.frame, file: callerWork === null ? null : (loaded.get(callerWork.path) ?? null) }
      : null;
    const answer = await mapFrame(found.frame, found.platform, file, caller);
    report.mapping = answer.mapping;
    if (answer.frame === null) continue;
    const stack = mapped.get(found.stack) ?? [];
    mapped.set(found.stack, stack);
    stack[found.frameIndex] = answer.frame;
  }
  // The remaining searches only serve the explanation.
  const failure = isLate ? "timed_out" : null;
  if (options.withDiagnosis) await diagnoseFiles(active, context, options.artifacts, () => isLate);
  const errors = collectErrors(event, active, frames, reports);
  const { event: next, report: retrace } = retraceEvent(applyResult(event, mapped, errors), mappings);
  return {
    event: next,
    report: {
      release: context.release,
      dist: context.dist,
      files: active.map(({ report }) => report),
      frames: reports,
      retrace,
      failure,
    },
    isChanged: next !== event,
    wanted: [...collectWanted(event, active, frames, works), ...listWantedMappings(event, mappings)],
  };
}

function applyResult<Event extends SymbolicationEvent>(
  event: Event,
  mapped: ReadonlyMap<FoundStack, ReadonlyArray<Frame | null>>,
  errors: EventError[],
): Event {
  let next = event;
  for (const [stack, frames] of mapped) {
    const merged = stack.raw.frames.map((raw, index) => {
      const current = stack.current.frames[index];
      return frames[index] ?? (current !== undefined && isSymbolicated(current) ? current : raw);
    });
    if (JSON.stringify(merged) === JSON.stringify(stack.current.frames)) continue;
    next = replaceStack(next, stack, { ...stack.raw, frames: merged });
  }
  const hasSameErrors = JSON.stringify(errors) === JSON.stringify(event.errors ?? []);
  if (hasSameErrors) return next;
  const { errors: _, ...rest } = next;
  return { ...rest, ...(errors.length > 0 ? { errors } : {}) } as Event;
}
