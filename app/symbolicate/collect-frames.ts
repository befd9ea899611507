import type { Frame, SentryEvent, Stacktrace } from "../domain/event.ts";
import type { SkipReason, StackPlace } from "../domain/symbolication.ts";
import { cleanPath, pathOfFrame, skipReason } from "./frame-urls.ts";
import { toDebugId } from "./source-map.ts";

/** The parts of an event that mapping reads and may change. */
export type SymbolicationEvent = Pick<
  SentryEvent,
  "platform" | "release" | "dist" | "exception" | "threads" | "stacktrace" | "raw_stacktrace" | "debug_meta" | "errors"
>;

export interface FoundStack {
  place: StackPlace;
  /** The stack trace as it was sent. */
  raw: Stacktrace;
  /** The stack trace as the event has it now: mapped earlier, or the same as `raw`. */
  current: Stacktrace;
}

export interface FoundFrame {
  stack: FoundStack;
  frameIndex: number;
  frame: Frame;
  platform: string;
  /** Null: it is unknown, or the frame is not mapped. */
  path: string | null;
  skipReason: SkipReason | null;
}

const MAPPED_PLATFORMS = new Set(["javascript", "node"]);
/** Sources that development servers evaluate by themselves. */
const NOT_GENERATED = /^(?:webpack-internal|turbopack|rsc):/;
/** `https://host/`, `https://host/cart`, `index.html`: the path of a page, not of a script. */
const PAGE =
  /^(?:[a-z]+:\/\/)?[^?#]*\.html?(?:[?#]|$)|^https?:\/\/[^/?#]+\/?(?:[?#]|$)|^https?:\/\/[^?#]*\/(?:[?#]|$)/i;

/** The stack traces of an event that have frames. Those that are mapped already are taken as they were sent. */
export function collectStacks(event: SymbolicationEvent): FoundStack[] {
  const stacks: FoundStack[] = [];
  const add = (kind: StackPlace["kind"], index: number, current?: Stacktrace, raw?: Stacktrace): void => {
    if (!Array.isArray(current?.frames) || current.frames.length === 0) return;
    // SDKs may send a raw stack trace themselves; what we mapped bears our mark.
    const isOurs = raw !== undefined && Array.isArray(raw.frames) && current.frames.some(isSymbolicated);
    stacks.push({ place: { kind, index }, raw: isOurs ? raw : current, current });
  };
  for (const [index, exception] of (event.exception?.values ?? []).entries())
    add("exception", index, exception.stacktrace, exception.raw_stacktrace);
  for (const [index, thread] of (event.threads?.values ?? []).entries())
    add("thread", index, thread.stacktrace, thread.raw_stacktrace);
  add("stacktrace", 0, event.stacktrace, event.raw_stacktrace);
  return stacks;
}

export function isSymbolicated(frame: Frame): boolean {
  return frame.data?.symbolicated === true;
}

/** Frames of platforms that have source maps, in the order of the event. */
export function collectFrames(event: SymbolicationEvent): FoundFrame[] {
  const found: FoundFrame[] = [];
  const debugIds = collectDebugIds(event);
  for (const stack of collectStacks(event)) {
    for (const [frameIndex, frame] of stack.raw.frames.entries()) {
      const platform = frame.platform ?? event.platform;
      if (!MAPPED_PLATFORMS.has(platform)) continue;
      const path = pathOfFrame(frame);
      const reason = skipReason(frame, platform) ?? skipReasonOfPath(path, debugIds);
      found.push({ stack, frameIndex, frame, platform, path, skipReason: reason });
    }
  }
  return found;
}

function skipReasonOfPath(path: string | null, debugIds: ReadonlyMap<string, string>): SkipReason | null {
  if (path === null || debugIds.has(path)) return null;
  if (NOT_GENERATED.test(path)) return "not-generated";
  return PAGE.test(path) ? "inline-script" : null;
}

/** Debug ids that the event brings, by the path of the generated file. */
export function collectDebugIds(event: SymbolicationEvent): Map<string, string> {
  const ids = new Map<string, string>();
  for (const image of event.debug_meta?.images ?? []) {
    const { type, code_file: codeFile } = image;
    const id = toDebugId(image.debug_id);
    if (type !== "sourcemap" || typeof codeFile !== "string" || id === null) continue;
    ids.set(cleanPath(codeFile), id);
  }
  return ids;
}
