import type { ArtifactFileType } from "./artifact.ts";

/** The state of a step on the way from a frame to its source. */
export const STEP_STATES = [
  "found",
  /** It is not where it should be, and nothing says that it will come. */
  "missing",
  /** Something was found, but it does not fit: another dist, another path, or a map that cannot be read. */
  "mismatch",
  /** Nothing was uploaded for it, but that may still happen. */
  "not_uploaded_yet",
  /** Not needed, or not tried because of an earlier step. */
  "skipped",
  /** It took too long this time. The next attempt may find it. */
  "timed_out",
] as const;
export type StepState = (typeof STEP_STATES)[number];

/** Why frames of a file are left as they are. */
export type SkipReason =
  | "no-path"
  | "native-code"
  | "anonymous-code"
  | "data-url"
  | "browser-extension"
  | "runtime-code"
  | "webassembly"
  | "no-line"
  /** A script inside the page itself. */
  | "inline-script"
  /** The path is that of a source: the engine mapped it itself, or it was never bundled. */
  | "not-generated";

/** How a map was found, in the words of frames' `data.resolved_with`. */
export type ResolvedWith = "debug-id" | "release" | "scraping";

/** Problems of a file or frame; words of the event's `errors`. Source: protocol 7.4. */
export const SYMBOLICATION_ERRORS = [
  "invalid_location",
  "invalid_abs_path",
  "no_column",
  "missing_source_content",
  "missing_source",
  "malformed_sourcemap",
  "missing_sourcemap",
  "invalid_base64_sourcemap",
  "sourcemap_too_large",
] as const;
export type SymbolicationErrorType = (typeof SYMBOLICATION_ERRORS)[number];

/** Something that was uploaded and nearly fits. */
export interface NearMiss {
  /**
   * - `other-dist`: the same URL, for another dist of the release
   * - `other-release`: the same URL, for another release
   * - `other-path`: the same file name under another path or host
   * - `other-build`: the same name except the part that bundlers derive from the content
   * - `has-debug-id`: the same file name, with a debug id: the event brought none for this file
   * - `other-debug-id`: the same file name, with another debug id than the event brought
   */
  kind: "other-dist" | "other-release" | "other-path" | "other-build" | "has-debug-id" | "other-debug-id";
  url: string;
  release: string | null;
  dist: string | null;
  debugId: string | null;
}

/** The file that answered a step, as it was uploaded. */
export interface FoundFile {
  /** 0: it was fetched from where the application serves it. */
  bundleId: number;
  path: string;
  url: string | null;
  type: ArtifactFileType;
  debugId: string | null;
  release: string | null;
  dist: string | null;
  bytes: number;
  /** Milliseconds since 1970. */
  uploadedAt: number;
}

/** The way from a generated file to its sources. Steps in their order; one that is not reached is `skipped`. */
export interface FileReport {
  /** The URL as frames name it, without prefixes like `async `. */
  absPath: string;
  frameCount: number;
  skipReason: SkipReason | null;
  /** The event's facts about the file, used to find it. */
  identity: {
    state: StepState;
    debugId: string | null;
    /** The number of other files of the event with a debug id. If there are any, the tool that injects debug ids was run. */
    otherDebugIds: number;
    release: string | null;
    dist: string | null;
    candidateUrls: string[];
  };
  /** An upload that has the file or its map. */
  upload: {
    state: StepState;
    resolvedWith: ResolvedWith | null;
    /** Older uploads that also have the file, newest first. The newest upload of all was taken. */
    olderUploadIds: number[];
    nearMisses: NearMiss[];
    releaseHasUploads: boolean | null;
  };
  /** The generated file. With a debug id the map suffices. */
  generatedFile: { state: StepState; file: FoundFile | null };
  sourceMap: {
    state: StepState;
    file: FoundFile | null;
    /** The generated file's reference to its map, from its header or last comment; an inline map is `data:`. */
    reference: string | null;
    /** The URLs that the reference means. */
    lookedFor: string[];
    error: SymbolicationErrorType | null;
    /** What is wrong with the map, as a sentence for people. */
    problem: string | null;
    sourceCount: number | null;
    mappingCount: number | null;
  };
  /** Requests in their order. Empty: the project does not allow them, or an upload had the file. */
  publicFetches: PublicFetch[];
}

/** A file that was wished for from where the application serves it. */
export interface PublicFetch {
  url: string;
  /** `refused`: it must not be fetched. */
  outcome: "fetched" | "refused" | "failed";
  /** A sentence for people. Null: the file was fetched. */
  reason: string | null;
}

/** The place of a stack trace in an event. */
export interface StackPlace {
  kind: "exception" | "thread" | "stacktrace";
  /** Index among the exceptions or threads; 0 for the event's own. */
  index: number;
}

export interface FrameReport {
  place: StackPlace;
  frameIndex: number;
  /** Index in `files`. Null: the frame is of another platform, or names no file. */
  fileIndex: number | null;
  skipReason: SkipReason | null;
  /** Generated position, 1-based. */
  lineno: number | null;
  colno: number | null;
  mapping: {
    state: StepState;
    error: SymbolicationErrorType | null;
    /** Source as the map names it. */
    source: string | null;
    /** 1-based. */
    lineno: number | null;
    colno: number | null;
    /** Whether the map, or an upload, has the source's text. */
    hasContent: boolean;
    /** The source of the function's name. */
    functionFrom: "scope" | "caller" | "function-map" | "as-sent" | null;
  };
}

/** A mapping of R8 or ProGuard that the event names. */
export interface MappingReport {
  /** 32 lower-case hex characters; the `uuid` of the event's debug image. */
  debugId: string;
  state: StepState;
  /** Null: nothing was uploaded for it. */
  file: FoundFile | null;
  /** Why the upload cannot be used, as a sentence for people without its full stop. */
  problem: string | null;
}

/** How the names of Java and Kotlin code were restored that R8 or ProGuard had shortened. */
export interface RetraceReport {
  mappings: MappingReport[];
  /** Frames of Java and Kotlin as they were sent, and how many of their classes the mappings have. */
  frameCount: number;
  foundCount: number;
}

/** How the frames of one event were mapped, or why not: plain data, for a page and for JSON. */
export interface SymbolicationReport {
  release: string | null;
  dist: string | null;
  files: FileReport[];
  frames: FrameReport[];
  /** Null: the event names no mapping of R8 or ProGuard. */
  retrace: RetraceReport | null;
  /** Null: all that was needed could be looked at. */
  failure: "timed_out" | "thread_died" | "closed" | "failed" | null;
}

export type WantedMapType = "source_map" | "proguard_mapping";

/** A source map or ProGuard mapping that a later upload could bring. */
export interface WantedMap {
  type: WantedMapType;
  /** 32 lower-case hex characters. A ProGuard mapping always has one. */
  debugId: string | null;
  release: string | null;
  dist: string | null;
  /** The URL of a frame's file; for a ProGuard mapping, the class of a frame. */
  sampleUrl: string;
  /** See MissingSourceMap. */
  isForeign: boolean;
}
