import type { Frame, Stacktrace } from "../domain/event.ts";
import { decideInApp, readStackWords, type StackWords } from "../domain/in-app.ts";
import { isRecord } from "../domain/is-record.ts";
import { isNoObject, type JsonObject } from "./json-object.ts";
import type { MetaRecorder } from "./meta.ts";
import { createFieldRules, FLAG, normalizeFields, OWN, object, text } from "./normalize-fields.ts";
import { keepEntries } from "./object-list.ts";
import type { CodeContext } from "./place-in-image.ts";
import { LIMITS, TREE_LIMITS, toTrimmedObject } from "./trimming.ts";

const FRAME_TEXT = text(LIMITS.frameText);
const ADDRESS = { kind: "address" } as const;
const POSITION = { kind: "position" } as const;
const LINES = { kind: "lines" } as const;

const FRAME_RULES = createFieldRules({
  filename: FRAME_TEXT,
  abs_path: text(LIMITS.url),
  module: FRAME_TEXT,
  function: FRAME_TEXT,
  raw_function: FRAME_TEXT,
  package: FRAME_TEXT,
  lineno: POSITION,
  colno: POSITION,
  context_line: { kind: "message", maxLength: LIMITS.frameText },
  pre_context: LINES,
  post_context: LINES,
  source_link: text(LIMITS.url),
  in_app: FLAG,
  stack_start: FLAG,
  vars: OWN,
  instruction_addr: ADDRESS,
  symbol_addr: ADDRESS,
  image_addr: ADDRESS,
  function_id: ADDRESS,
  addr_mode: FRAME_TEXT,
  platform: FRAME_TEXT,
  symbol: FRAME_TEXT,
  trust: FRAME_TEXT,
  lock: object(TREE_LIMITS.small),
  data: object(TREE_LIMITS.small),
  debug_id: FRAME_TEXT,
});

/** Null: the stack trace has no usable frames, so it counts as absent. The place of `meta` is what has the stack trace at `key`. */
export function normalizeStacktrace(
  value: unknown,
  code: CodeContext,
  meta: MetaRecorder,
  key: string,
): Stacktrace | null {
  if (isNoObject(value)) return null;
  // A bare list can only be a list of frames.
  const stacktrace: JsonObject | null = Array.isArray(value) ? { frames: value } : isRecord(value) ? value : null;
  if (stacktrace === null) {
    meta.invalid(key, "expected a stack trace", value);
    return null;
  }
  const { frames } = stacktrace;
  if (!Array.isArray(frames)) {
    if (!isNoObject(frames)) meta.invalid(key, "expected a list of frames", frames);
    else noteText(stacktrace, key, meta);
    return null;
  }
  meta.enter(key);
  const originalCount = frames.length;
  meta.enter("frames");
  keepEntries(frames, isRecord, LIMITS.frames + LIMITS.outermostFrames, meta, LIMITS.outermostFrames);
  meta.leave();
  if (frames.length === 0) {
    meta.leave();
    if (originalCount === 0) noteText(stacktrace, key, meta);
    return null;
  }
  normalizeFields(stacktrace, STACKTRACE_RULES, meta);
  normalizeOmission(stacktrace, originalCount);
  meta.enter("frames");
  for (let index = 0; index < frames.length; index++) {
    meta.enter(index);
    normalizeFields(frames[index], FRAME_RULES, meta);
    meta.leave();
  }
  const words = readStackWords(frames);
  for (const frame of frames) {
    code.placeInImage(frame);
    noteInApp(frame, code.platform, words);
  }
  if (frames.length > LIMITS.framesWithContext) stripMiddle(frames, meta);
  // After the strip, so that no work is wasted on removed frames.
  for (let index = 0; index < frames.length; index++) {
    if (frames[index].vars !== undefined) normalizeVars(frames[index], index, meta);
  }
  meta.leave();
  meta.leave();
  // Narrowed field by field above.
  return stacktrace as unknown as Stacktrace;
}

/** Some senders only have the stack as a text. It is no stack trace, but it gets a note. */
function noteText(stacktrace: JsonObject, key: string, meta: MetaRecorder): void {
  const isText = ([name, value]: [string, unknown]) =>
    typeof value === "string" && value !== "" && !WORDS_ABOUT_FRAMES.includes(name);
  if (Object.entries(stacktrace).some(isText)) meta.invalid(key, "expected a list of frames", stacktrace);
}

const WORDS_ABOUT_FRAMES: readonly string[] = ["lang", "instruction_addr_adjustment"];

const STACKTRACE_RULES = createFieldRules({
  frames: OWN,
  frames_omitted: OWN,
  registers: object(TREE_LIMITS.small),
});

function noteInApp(frame: JsonObject & Frame, platform: string, words: StackWords): void {
  const inApp = decideInApp(frame, platform, words);
  if (typeof frame.in_app === "boolean" && frame.in_app !== inApp) {
    frame.data ??= {};
    frame.data.orig_in_app ??= frame.in_app;
  }
  if (frame.in_app !== inApp) frame.in_app = inApp;
}

function normalizeVars(frame: JsonObject & Frame, index: number, meta: MetaRecorder): void {
  const vars: unknown = frame.vars;
  meta.enter(index);
  const trimmed = toTrimmedObject(Array.isArray(vars) ? { ...vars } : vars, TREE_LIMITS.vars, meta, "vars");
  meta.leave();
  if (trimmed !== vars) frame.vars = trimmed ?? undefined;
}

/** Notes which frames are missing between the outermost and the innermost, in the sender's numbering. */
function normalizeOmission(stacktrace: JsonObject, originalCount: number): void {
  const { frames_omitted: omitted, frames } = stacktrace;
  const isRange =
    Array.isArray(omitted) && omitted.length === 2 && omitted.every((at) => Number.isInteger(at) && Number(at) >= 0);
  if (isRange) return;
  const keptCount = LIMITS.frames + LIMITS.outermostFrames;
  const cutCount = Array.isArray(frames) && originalCount > keptCount ? originalCount - frames.length : 0;
  if (cutCount > 0) stacktrace.frames_omitted = [LIMITS.outermostFrames, LIMITS.outermostFrames + cutCount];
  else if (omitted !== undefined) stacktrace.frames_omitted = undefined;
}

/**
 * Takes locals and surrounding lines from as many frames as are too many: those of the system first, from the middle
 * outwards, because the outermost and the innermost tell the story.
 */
function stripMiddle(frames: Array<JsonObject & Frame>, meta: MetaRecorder): void {
  let toStrip = frames.length - LIMITS.framesWithContext;
  let hasStripped = false;
  const middle = Math.floor(frames.length / 2);
  for (const inApp of [false, true]) {
    for (let step = 0; step < frames.length && toStrip > 0; step++) {
      const frame = frames[step % 2 === 0 ? middle + step / 2 : middle - (step + 1) / 2];
      if (frame === undefined || frame.in_app !== inApp) continue;
      toStrip--;
      if (frame.vars === undefined && frame.pre_context === undefined && frame.post_context === undefined) continue;
      frame.vars = undefined;
      frame.pre_context = undefined;
      frame.post_context = undefined;
      hasStripped = true;
    }
  }
  if (hasStripped) meta.removed(null);
}
