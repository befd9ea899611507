import type { EventError } from "../domain/event.ts";
import {
  type FrameReport,
  SYMBOLICATION_ERRORS,
  type SymbolicationErrorType,
  type WantedMap,
} from "../domain/symbolication.ts";
import { MAX_WANTED_OF_EVENT } from "../stores/wanted-source-map-store.ts";
import type { FoundFrame, SymbolicationEvent } from "./collect-frames.ts";
import type { FileWork } from "./resolve-files.ts";
import { workOf } from "./start-report.ts";

const OUR_ERRORS: ReadonlySet<string> = new Set(SYMBOLICATION_ERRORS);

/** The event's errors, with ours anew: each once per file. */
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
    // Without a debug id nothing says that a map was ever made.
    else if (upload.state === "not_uploaded_yet" && debugId !== null) add("missing_sourcemap", path);
  }
  for (const [index, { mapping }] of reports.entries()) {
    const path = frames[index]?.path;
    if (mapping.error !== null && path != null) add(mapping.error, path);
  }
  return [...others, ...ours.values()];
}

/** Of files in which frames of the project's own code wait: one entry per debug id, one for the release. */
export function collectWanted(
  event: SymbolicationEvent,
  works: readonly FileWork[],
  frames: readonly FoundFrame[],
  byPath: ReadonlyMap<string, FileWork>,
): WantedMap[] {
  const ownFiles = new Set<FileWork>();
  for (const found of frames) {
    const work = workOf(found, byPath);
    if (work !== null && found.frame.in_app !== false) ownFiles.add(work);
  }
  const wanted = new Map<string, WantedMap>();
  const release = event.release ?? null;
  const dist = event.dist ?? null;
  for (const work of works) {
    const { debugId, path, report } = work;
    const { state } = report.sourceMap;
    if (!ownFiles.has(work) || state === "found" || state === "timed_out") continue;
    if (debugId === null && release === null) continue;
    const key = debugId ?? "";
    if (!wanted.has(key) && wanted.size < MAX_WANTED_OF_EVENT)
      wanted.set(key, { debugId, release, dist, sampleUrl: path });
  }
  return [...wanted.values()];
}
