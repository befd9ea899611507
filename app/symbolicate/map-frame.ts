import type { Frame } from "../domain/event.ts";
import { decideMappedInApp } from "../domain/in-app.ts";
import type { FrameReport, ResolvedWith } from "../domain/symbolication.ts";
import { isUselessName, nameAtCall, resolveScopeName } from "./function-names.ts";
import type { FunctionScopes } from "./function-scopes.ts";
import type { LineContext, SourceLines } from "./source-lines.ts";
import type { Mapping, SourceMap } from "./source-map.ts";
import { describeSource } from "./source-paths.ts";
import { UNMAPPED } from "./start-report.ts";

/** Everything that a file's frames are mapped with. */
export interface LoadedFile {
  map: SourceMap;
  scopes: FunctionScopes | null;
  /** URL of the map, as the frame's `data` names it. */
  mapUrl: string;
  /** URL of the generated file: what names of sources are relative to. */
  generatedUrl: string;
  resolvedWith: ResolvedWith;
  /** Loads a source whose text the map does not contain, if it was uploaded as a file. */
  loadSource(absPath: string): Promise<SourceLines | null>;
}

/** The frame that called the one at hand. */
export interface Caller {
  frame: Frame;
  file: LoadedFile | null;
}

export interface MappedFrame {
  /** The mapped frame. Null: the frame stays as it is. */
  frame: Frame | null;
  mapping: FrameReport["mapping"];
}

/** Longer names are cut, because anybody can make a map. Characters. */
const MAX_NAME_CHARACTERS = 256;
const MAX_PATH_CHARACTERS = 2_048;

/** Maps a frame with a known line. */
export async function mapFrame(
  frame: Frame,
  platform: string,
  file: LoadedFile,
  caller: Caller | null,
): Promise<MappedFrame> {
  const { map } = file;
  const line = (frame.lineno ?? 0) - 1;
  if (frame.colno === undefined || frame.colno < 1)
    return { frame: null, mapping: { ...UNMAPPED, state: "missing", error: "no_column" } };
  const mapping = map.find(line, frame.colno - 1);
  if (mapping === null) {
    // If the map does not have the line, it belongs to another build.
    const state = line >= map.generatedLineCount ? "mismatch" : "missing";
    return { frame: null, mapping: { ...UNMAPPED, state, error: "invalid_location" } };
  }
  const sourceName = map.sourceName(mapping.source);
  if (sourceName === null || sourceName === "")
    return { frame: null, mapping: { ...UNMAPPED, state: "missing", error: "missing_source" } };
  const paths = describeSource(sourceName.slice(0, MAX_PATH_CHARACTERS), file.generatedUrl);
  const lines = map.sourceLines(mapping.source) ?? (await file.loadSource(paths.absPath));
  const context = lines?.context(mapping.line, mapping.column) ?? null;
  const { name, from } = nameFunction(frame, file, mapping, caller);
  const mapped = toMappedFrame(frame, file, mapping, context, name);
  mapped.abs_path = paths.absPath;
  mapped.filename = paths.filename;
  if (paths.module !== null) mapped.module = paths.module;
  mapped.in_app = map.isIgnored(mapping.source) ? false : decideMappedInApp(mapped, platform);
  return {
    frame: mapped,
    mapping: {
      state: "found",
      error: context === null ? "missing_source_content" : null,
      source: sourceName.slice(0, MAX_PATH_CHARACTERS),
      lineno: mapping.line + 1,
      colno: mapping.column + 1,
      hasContent: context !== null,
      functionFrom: from,
    },
  };
}

function toMappedFrame(
  frame: Frame,
  { mapUrl, resolvedWith }: LoadedFile,
  mapping: Mapping,
  context: LineContext | null,
  name: string | null,
): Frame {
  // The sent lines are those of the generated file.
  const { context_line, pre_context, post_context, module, ...kept } = frame;
  const mapped: Frame = {
    ...kept,
    lineno: mapping.line + 1,
    colno: mapping.column + 1,
    data: { ...frame.data, sourcemap: mapUrl, resolved_with: resolvedWith, symbolicated: true },
  };
  if (name !== null) mapped.function = name.slice(0, MAX_NAME_CHARACTERS);
  if (context !== null) {
    mapped.context_line = context.contextLine;
    mapped.pre_context = context.preContext;
    mapped.post_context = context.postContext;
  }
  return mapped;
}

interface NamedFunction {
  /** Null: as it was sent. */
  name: string | null;
  from: FrameReport["mapping"]["functionFrom"];
}

function nameFunction(frame: Frame, file: LoadedFile, mapping: Mapping, caller: Caller | null): NamedFunction {
  const byFunctionMap = file.map.findFunctionName(mapping.source, mapping.line, mapping.column);
  if (byFunctionMap !== null && !isUselessName(byFunctionMap)) return { name: byFunctionMap, from: "function-map" };
  const asSent: NamedFunction = { name: null, from: "as-sent" };
  if (file.scopes !== null) {
    const scope = file.scopes.find({ line: (frame.lineno ?? 1) - 1, column: (frame.colno ?? 1) - 1 });
    // Code of the file itself, or of a function that somebody else calls: no caller has a word for it.
    if (scope === null) return asSent;
    const byScope = resolveScopeName(scope, file.map);
    if (byScope !== null) return { name: byScope, from: "scope" };
    if (scope.wrapper !== null) return asSent;
  }
  const byCaller = caller === null ? null : nameByCaller(caller);
  return byCaller === null ? asSent : { name: byCaller, from: "caller" };
}

function nameByCaller({ frame, file }: Caller): string | null {
  if (file === null || frame.lineno === undefined || frame.colno === undefined) return null;
  return nameAtCall(file.map, frame.lineno - 1, frame.colno - 1);
}
