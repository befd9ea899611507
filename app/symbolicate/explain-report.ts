import { quoteWord } from "../domain/quote-for-shell.ts";
import type {
  FileReport,
  FrameReport,
  NearMiss,
  PublicFetch,
  SkipReason,
  StepState,
  SymbolicationReport,
} from "../domain/symbolication.ts";
import {
  describeRelease,
  type ExplainContext,
  injectCommand,
  prefixOf,
  type UploadOptions,
  uploadCommand,
  withDashes,
} from "./upload-command.ts";

export interface ExplainedStep {
  step: "event" | "upload" | "generated-file" | "source-map" | "mapping";
  state: StepState;
  /** A sentence or two. */
  text: string;
}

export interface Fix {
  /** The fix, in one sentence. */
  text: string;
  /** Lines for a shell; null: it is a setting, or nothing can be done. */
  command: string | null;
}

export interface ExplainedFile {
  absPath: string;
  isMapped: boolean;
  /** One sentence: the first problem, or that there is none. */
  summary: string;
  steps: ExplainedStep[];
  /** The most helpful fix first. Empty when nothing is wrong. */
  fixes: Fix[];
}

const SKIPPED: Record<SkipReason, string> = {
  "no-path": "The frame names no file.",
  "native-code": "The frame is code of the engine itself.",
  "anonymous-code": "The code has no file: it was evaluated from a text.",
  "data-url": "The code is in a data: URL, which no upload can answer for.",
  "browser-extension": "The code is a browser extension's.",
  "runtime-code": "The frame is code of Node itself.",
  webassembly: "WebAssembly has no source map of this kind.",
  "no-line": "The frame has no line number.",
  "inline-script": "The script stands in the page itself.",
  "not-generated": "The frame names a source already: a development server evaluated it.",
};

/** Why frames were left as they are, in words. */
export function explainSkip(reason: SkipReason): string {
  return SKIPPED[reason];
}

/** Explains each file of a report in words, with the commands and settings that fix it. */
export function explainReport(report: SymbolicationReport, context: ExplainContext): ExplainedFile[] {
  return report.files.map((file, index) =>
    explainFile(
      file,
      report.frames.filter(({ fileIndex }) => fileIndex === index),
      context,
    ),
  );
}

export function explainFile(file: FileReport, frames: readonly FrameReport[], context: ExplainContext): ExplainedFile {
  const steps = [
    explainEvent(file),
    explainUpload(file),
    explainGenerated(file),
    explainMap(file),
    explainMapping(frames),
  ];
  const bad = steps.find(({ state }) => state !== "found" && state !== "skipped");
  const isMapped = frames.some(({ mapping }) => mapping.state === "found");
  return {
    absPath: file.absPath,
    isMapped,
    summary: bad?.text ?? (isMapped ? "The frames are mapped to their sources." : "There was nothing to map."),
    steps,
    fixes: findFixes(file, frames, context),
  };
}

function explainEvent({ identity, upload }: FileReport): ExplainedStep {
  const { debugId, release, dist, otherDebugIds } = identity;
  // A fetched file needs neither.
  const state = upload.resolvedWith === "scraping" && identity.state === "missing" ? "skipped" : identity.state;
  if (debugId !== null)
    return { step: "event", state, text: `The event names debug id ${withDashes(debugId)} for this file.` };
  const others =
    otherDebugIds > 0
      ? ` ${count(otherDebugIds, "other file")} of the event ${otherDebugIds === 1 ? "has" : "have"} one, so this file was built or served without the injected snippet.`
      : "";
  if (release !== null)
    return {
      step: "event",
      state,
      text: `The event has no debug id for this file; it is looked for by its URL among the uploads of ${describeRelease(release, dist)}.${others}`,
    };
  return {
    step: "event",
    state,
    text: `The event has neither a debug id for this file nor a release: nothing says which upload belongs to it.${others}`,
  };
}

function explainUpload(file: FileReport): ExplainedStep {
  const { step, state, text } = explainAnswer(file);
  const failed = file.upload.state === "found" ? undefined : file.publicFetches.find(({ reason }) => reason !== null);
  return { step, state, text: failed === undefined ? text : `${text} ${describeFetch(failed)}` };
}

/** Why a file was not fetched. */
function describeFetch({ url, outcome, reason }: PublicFetch): string {
  return `${url} ${outcome === "refused" ? "is not fetched" : "could not be fetched"}: ${reason}.`;
}

function explainAnswer({ upload, identity }: FileReport): ExplainedStep {
  const { state, resolvedWith, nearMisses, releaseHasUploads } = upload;
  const step = "upload";
  if (state === "found" && resolvedWith === "scraping")
    return { step, state, text: "Nothing was uploaded; the file was fetched from where the application serves it." };
  if (state === "found") {
    const by =
      resolvedWith === "debug-id"
        ? "by its debug id"
        : `by its URL in ${describeRelease(identity.release, identity.dist)}`;
    return { step, state, text: `An upload was found ${by}.` };
  }
  if (state === "timed_out") return { step, state, text: "Looking it up took too long; the next look may find it." };
  if (state === "skipped") return { step, state, text: "Not looked for." };
  const [nearest] = nearMisses;
  if (nearest !== undefined) return { step, state, text: describeNearMiss(nearest, identity) };
  if (identity.debugId !== null)
    return { step, state, text: `No upload of this project has debug id ${withDashes(identity.debugId)}.` };
  const urls = identity.candidateUrls.join(", ");
  const release = describeRelease(identity.release, identity.dist);
  if (releaseHasUploads === true)
    return { step, state, text: `${capitalize(release)} has uploads, but none with one of the URLs ${urls}.` };
  if (releaseHasUploads === false) return { step, state, text: `Nothing was uploaded for ${release}.` };
  return { step, state, text: `No upload for ${release} has one of the URLs ${urls}.` };
}

function describeNearMiss({ kind, url, release, dist, debugId }: NearMiss, identity: FileReport["identity"]): string {
  switch (kind) {
    case "other-dist":
      return `${url} was uploaded for ${describeRelease(release, dist)}, but the event is of ${describeRelease(identity.release, identity.dist)}: the dist must be the same.`;
    case "other-release":
      return `${url} was uploaded for ${describeRelease(release, dist)}, but the event is of ${describeRelease(identity.release, identity.dist)}.`;
    case "other-path":
      return `The release has ${url}: the same file name under another path than the ${identity.candidateUrls.at(-1) ?? "URL"} that the event names.`;
    case "other-build":
      return `The release has ${url}, which looks like the same file of another build.`;
    case "has-debug-id":
      return `${url} was uploaded with debug id ${withDashes(debugId ?? "")}, but the event brings no debug id for this file: what runs is not what was injected.`;
    case "other-debug-id": {
      const of = release === null ? "" : ` for ${describeRelease(release, dist)},`;
      return `${url} was uploaded${of} with debug id ${withDashes(debugId ?? "")}, but the event names ${withDashes(identity.debugId ?? "")}: the file that runs is of another build.`;
    }
  }
}

function explainGenerated({ generatedFile, upload }: FileReport): ExplainedStep {
  const { state, file } = generatedFile;
  const step = "generated-file";
  if (file !== null && upload.resolvedWith === "scraping")
    return { step, state, text: `The generated file is ${file.url}, fetched ${formatDate(file.uploadedAt)}.` };
  if (file !== null)
    return {
      step,
      state,
      text: `The generated file is ${file.url ?? file.path}, uploaded ${formatDate(file.uploadedAt)}.`,
    };
  const text =
    upload.state === "found"
      ? "The generated file was not uploaded; the map suffices, but names of functions are read from it."
      : "Not looked at.";
  return { step, state, text };
}

function explainMap({ sourceMap, generatedFile, publicFetches }: FileReport): ExplainedStep {
  const { state, file, reference, lookedFor, problem, sourceCount } = sourceMap;
  const step = "source-map";
  if (state === "timed_out")
    return {
      step,
      state,
      text: "Reading the source map took too long for now; it goes on, and the next look may have it.",
    };
  if (state === "skipped") return { step, state, text: "Not looked for." };
  if (state === "found") {
    const where = reference === "data:" ? "in the generated file itself" : (file?.url ?? file?.path ?? "");
    return { step, state, text: `The source map is ${where}, with ${count(sourceCount ?? 0, "source")}.` };
  }
  if (problem !== null) return { step, state, text: `${capitalize(problem)}.` };
  const name = generatedFile.file?.url ?? "The generated file";
  if (reference === null)
    return {
      step,
      state,
      text: `${name} names no source map: it has neither a sourceMappingURL comment nor a header.`,
    };
  const failed = publicFetches.find(({ reason }) => reason !== null);
  if (failed !== undefined) return { step, state, text: `${name} names ${reference}. ${describeFetch(failed)}` };
  return { step, state, text: `${name} names ${reference}, but none of ${lookedFor.join(", ")} was uploaded.` };
}

function explainMapping(frames: readonly FrameReport[]): ExplainedStep {
  const step = "mapping";
  const worst =
    frames.find(({ mapping }) => mapping.state === "mismatch") ??
    frames.find(({ mapping }) => mapping.state === "missing") ??
    frames.find(({ mapping }) => mapping.state === "found" && !mapping.hasContent) ??
    frames.find(({ mapping }) => mapping.state === "found");
  if (worst === undefined) return { step, state: "skipped", text: "Not reached." };
  const { state, error, source, lineno } = worst.mapping;
  const place = `line ${worst.lineno ?? "?"}, column ${worst.colno ?? "?"}`;
  if (state === "found") {
    const text = `${place} is ${source}:${lineno}.`;
    return {
      step,
      state,
      text: worst.mapping.hasContent
        ? capitalize(text)
        : `${capitalize(text)} The map has no text of that source, so no lines are shown.`,
    };
  }
  if (error === "no_column") return { step, state, text: "The frame has no column, and a minified line has many." };
  if (error === "missing_source")
    return { step, state, text: `The map says that ${place} comes from a source without a name.` };
  return {
    step,
    state,
    text:
      state === "mismatch"
        ? `The source map has no ${place}: it belongs to another build of the file.`
        : `The source map says nothing of ${place}: code of the bundler, or a map of another build.`,
  };
}

function findFixes(file: FileReport, frames: readonly FrameReport[], context: ExplainContext): Fix[] {
  const { identity, upload, sourceMap } = file;
  const fixes: Fix[] = [];
  if (upload.state === "timed_out" || sourceMap.state === "timed_out")
    return [{ text: "Look again in a few seconds.", command: null }];
  if (upload.state !== "found") {
    if (identity.debugId !== null) {
      fixes.push({
        text: "Upload the files of the build that runs, as they were injected:",
        command: uploadCommand(context, {}),
      });
      return fixes;
    }
    fixes.push(...upload.nearMisses.slice(0, 1).map((miss) => fixNearMiss(miss, file, context)));
    fixes.push({
      text: `${fixes.length > 0 ? "Or use" : "Use"} debug ids: they match files to maps without a release name or a path. Inject them, deploy the injected files, and upload the same files.`,
      command: [injectCommand(), uploadCommand(context, {})].join("\n"),
    });
    if (identity.release !== null && upload.nearMisses.length === 0)
      fixes.push({
        text: "Or upload for the release, with the prefix under which the files are served:",
        command: uploadCommand(context, {
          release: identity.release,
          dist: identity.dist,
          urlPrefix: prefixOf(identity.candidateUrls),
        }),
      });
    return fixes;
  }
  if (sourceMap.state === "missing")
    fixes.push({
      text: "Make the bundler write source maps, and upload the folder with the .js and the .map files together:",
      command: uploadCommand(context, releaseOptions(file)),
    });
  if (sourceMap.state === "mismatch")
    fixes.push({
      text: "Build again and upload the new files:",
      command: uploadCommand(context, releaseOptions(file)),
    });
  if (frames.some(({ mapping }) => mapping.state === "mismatch"))
    fixes.push({
      text: "Upload the files of the very build that is deployed: build once, inject, upload, deploy.",
      command: [injectCommand(), uploadCommand(context, releaseOptions(file))].join("\n"),
    });
  if (frames.some(({ mapping }) => mapping.error === "no_column"))
    fixes.push({ text: "Nothing to upload: the engine gave no column. Newer browsers do.", command: null });
  if (frames.some(({ mapping }) => mapping.state === "found" && !mapping.hasContent))
    fixes.push({
      text: "Let the bundler put the sources into the map (sourcesContent), or upload them too.",
      command: null,
    });
  return fixes;
}

function fixNearMiss(miss: NearMiss, { identity }: FileReport, context: ExplainContext): Fix {
  const { release, dist, candidateUrls } = identity;
  switch (miss.kind) {
    case "other-dist":
      return {
        text:
          dist === null
            ? `Let the SDK send dist ${quoteWord(miss.dist ?? "")} (option dist of its init), or upload without --dist:`
            : `Upload with --dist ${dist}, or let the SDK send what the upload has:`,
        command: uploadCommand(context, { release, dist, urlPrefix: prefixOf([miss.url]) }),
      };
    case "other-release":
      return {
        text: `Upload for the release that the SDK sends, or let it send ${quoteWord(miss.release ?? "")} (option release of its init):`,
        command: uploadCommand(context, { release, dist, urlPrefix: prefixOf([miss.url]) }),
      };
    case "other-path":
      return {
        text: "Upload with the prefix under which the files are served:",
        command: uploadCommand(context, { release, dist, urlPrefix: prefixOf(candidateUrls) }),
      };
    case "has-debug-id":
      return {
        text: "Deploy the files that `sourcemaps inject` changed, the same that were uploaded.",
        command: injectCommand(),
      };
    case "other-debug-id":
    case "other-build":
      return {
        text: "Upload the files of the build that runs:",
        command: uploadCommand(context, { release, dist, urlPrefix: prefixOf(candidateUrls) }),
      };
  }
}

function releaseOptions({ upload, identity }: FileReport): UploadOptions {
  if (upload.resolvedWith !== "release") return {};
  return { release: identity.release, dist: identity.dist, urlPrefix: prefixOf(identity.candidateUrls) };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function formatDate(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
