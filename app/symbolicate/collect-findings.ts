import type { EventError } from "../domain/event.ts";
import { isForeignPath } from "../domain/in-app.ts";
import { MAX_MISSING_OF_EVENT } from "../domain/issues/missing-source-maps.ts";
import {
  type FrameReport,
  SYMBOLICATION_ERRORS,
  type SymbolicationErrorType,
  type WantedMap,
} from "../domain/symbolication.ts";
import type { FoundFrame, SymbolicationEvent } from "./collect-frames.ts";
import { isPlainSource } from "./plain-source.ts";
import type { FileWork } from "./resolve-files.ts";
import { workOf } from "./start-report.ts";

const OUR_ERRORS: ReadonlySet<string> = new Set(SYMBOLICATION_ERRORS);

/** The event's errors, with new ones of ours in place of the old ones, each once per file. */
export function collectErrors(
  event: SymbolicationEvent,
  works: readonly FileWork[],
  frames: readonly FoundFrame[],
  reports: readonly FrameReport[],
): EventError[] {
  const others = (event.errors ?? []).filter(({ type }) => !OUR_ERRORS.has(type));
  const ours = new Map<string, EventError>();
  const add = (type: SymbolicationErrorType, url: string, value?: string): void => {
    const key = `${type} ${url}`;
    if (!ours.has(key)) ours.set(key, value === undefined ? { type, url } : { type, url, value });
  };
  for (const { report, path, debugId } of works) {
    const { sourceMap, upload } = report;
    if (sourceMap.error !== null) add(sourceMap.error, path, sourceMap.problem ?? undefined);
    // Without a debug id, it is unknown whether a map was ever made.
    else if (upload.state === "not_uploaded_yet" && debugId !== null) add("missing_sourcemap", path);
  }
  for (const [index, { mapping }] of reports.entries()) {
    const path = frames[index]?.path;
    if (mapping.error !== null && path != null) add(mapping.error, path);
  }
  return [...others, ...ours.values()];
}

/** Files of installed packages. Nobody uploads maps for them unless a build gave them a debug id. */
const INSTALLED_PACKAGE = /(?:^|[\\/])node_modules[\\/]/;

/**
 * The missing maps of files with frames: one entry per debug id, and one for the release, those that people should upload first. Maps of
 * other people's code count as well, marked as foreign: a map changes the names of the frames, and may show that they are the project's
 * own.
 */
export function collectWanted(
  event: SymbolicationEvent,
  works: readonly FileWork[],
  frames: readonly FoundFrame[],
  byPath: ReadonlyMap<string, FileWork>,
): WantedMap[] {
  const askedFiles = findAskedFiles(frames, byPath);
  const waiting = works.filter(({ report: { sourceMap } }) => !["found", "timed_out"].includes(sourceMap.state));
  const wanted = new Map<string, WantedMap>();
  const release = event.release ?? null;
  const dist = event.dist ?? null;
  for (const isForeign of [false, true]) {
    for (const work of waiting) {
      const { debugId, path } = work;
      if (askedFiles.has(work) === isForeign) continue;
      if (debugId === null && (release === null || (isForeign && INSTALLED_PACKAGE.test(path)))) continue;
      const key = debugId ?? "";
      if (!wanted.has(key) && wanted.size < MAX_MISSING_OF_EVENT)
        wanted.set(key, { type: "source_map", debugId, release, dist, sampleUrl: path, isForeign });
    }
  }
  return [...wanted.values()];
}

/**
 * The files whose maps people are asked for: those with frames in the app. If no frame is marked as in the app (many clients do not say),
 * all files that are not known to be other people's. For code that is readable without a map, nobody is asked, unless a build gave it a
 * debug id.
 */
function findAskedFiles(frames: readonly FoundFrame[], byPath: ReadonlyMap<string, FileWork>): Set<FileWork> {
  const hasInApp = frames.some(({ frame }) => frame.in_app !== false);
  const askedFiles = new Set<FileWork>();
  for (const found of frames) {
    const work = workOf(found, byPath);
    if (work === null) continue;
    const isOwn = hasInApp ? found.frame.in_app !== false : !isForeignPath(work.path);
    if (isOwn && (work.debugId !== null || !isPlainSource(found.frame, work.path))) askedFiles.add(work);
  }
  return askedFiles;
}
