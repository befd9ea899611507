import type { Frame, Stacktrace } from "../../domain/event.ts";
import { asyncMarkOf } from "./clean-javascript-function.ts";
import { cleanFilename, isUrl } from "./clean-names.ts";
import type { CountedFrame } from "./counted-frame.ts";
import { keyPart } from "./key.ts";
import { errorConstructorStart } from "./left-out-frames.ts";
import { type PlatformFamily, platformFamily } from "./platform-family.ts";
import type { GroupingRules, RuleReason } from "./rules.ts";

/** Which frames form the key: those of the app alone, or all. */
export type Variant = "app" | "system";

export type FrameOmissionReason = RuleReason | "recursion" | "error-constructor";

export interface StackParts {
  /** Why an in-app frame was left out of `app`, by index. Absent: it counts, or has nothing that could. */
  leftOutOfApp: ReadonlyMap<number, FrameOmissionReason>;
  /** The same for any frame, and `system`. */
  leftOutOfSystem: ReadonlyMap<number, FrameOmissionReason>;
  /** Outermost first. Runs of calls of a function to itself are in it once, with the innermost. */
  app: CountedFrame[];
  system: CountedFrame[];
  /**
   * True if the innermost frame that no rule leaves out has no name, only an address. The callers alone do not tell this error from others.
   */
  isCrashNameless: boolean;
}

export interface StackOptions {
  /** Type of the exception whose stack it is, or null. */
  errorType: string | null;
  /** True when the error is that the stack was full. */
  isExhausted: boolean;
  rules: GroupingRules;
}

/** Looks at every frame once, and forms both variants. `platform` is the event's; frames may have their own. */
export function toStackParts(
  { frames }: Stacktrace,
  platform: string,
  { errorType, isExhausted, rules }: StackOptions,
): StackParts {
  const eventFamily = platformFamily(platform);
  const machineryStart = rules.machineryStart(frames, eventFamily);
  const constructorStart =
    eventFamily === "javascript" && errorType !== null ? errorConstructorStart(frames, errorType) : frames.length;
  const app: CountedFrame[] = [];
  const system: CountedFrame[] = [];
  const leftOutOfApp = new Map<number, FrameOmissionReason>();
  const leftOutOfSystem = new Map<number, FrameOmissionReason>();
  let isCrashNameless: boolean | null = null;
  let isPast = false;
  for (let i = frames.length - 1; i >= 0; i--) {
    const frame = frames[i];
    if (frame === undefined) continue;
    const family = frame.platform === undefined ? eventFamily : platformFamily(frame.platform);
    const isBrowser = family === "javascript" && (frame.platform ?? platform) === "javascript";
    if (isBrowser && !isPast && frame.function !== undefined) isPast = asyncMarkOf(frame.function) === "this-and-outer";
    let reason: FrameOmissionReason | null;
    if (i >= machineryStart) reason = "panic-machinery";
    else if (i >= constructorStart) reason = "error-constructor";
    else reason = isPast ? "async-caller" : rules.leftOutReason(frame, family, isBrowser);
    const isInApp = frame.in_app === true;
    if (reason !== null) {
      leftOutOfSystem.set(i, reason);
      if (isInApp) leftOutOfApp.set(i, reason);
      continue;
    }
    const counted = countFrame(frame, { index: i, family, rules });
    isCrashNameless ??= counted === null && family === "javascript";
    if (counted === null) continue;
    if (callsItself(counted, system.at(-1), frames)) leftOutOfSystem.set(i, "recursion");
    else system.push(counted);
    if (!isInApp) continue;
    if (callsItself(counted, app.at(-1), frames)) leftOutOfApp.set(i, "recursion");
    else app.push(counted);
  }
  app.reverse();
  system.reverse();
  const ofSystem = rules.collapse(system, frames, isExhausted);
  // Calls that repeat in the app also repeat in the whole stack.
  const ofApp = ofSystem === null ? null : rules.collapse(app, frames, isExhausted);
  for (const index of ofSystem?.leftOut ?? []) leftOutOfSystem.set(index, "recursion");
  for (const index of ofApp?.leftOut ?? []) leftOutOfApp.set(index, "recursion");
  for (const index of ofSystem?.cut ?? []) leftOutOfSystem.set(index, "stack-rule");
  for (const index of ofApp?.cut ?? []) leftOutOfApp.set(index, "stack-rule");
  return {
    leftOutOfApp,
    leftOutOfSystem,
    app: ofApp?.kept ?? app,
    system: ofSystem?.kept ?? system,
    isCrashNameless: isCrashNameless ?? false,
  };
}

/** Characters. Longer names are generated; the end of one would only cost time. */
const MAX_NAME_CHARS = 1024;
/** Characters, protocol 6.3: longer lines are minified or generated. */
const MAX_CONTEXT_LINE_CHARS = 120;

function countFrame(
  frame: Frame,
  { index, family, rules }: { index: number; family: PlatformFamily; rules: GroupingRules },
): CountedFrame | null {
  const path = frame.abs_path ?? frame.filename;
  const hasUrl = path !== undefined && isUrl(path);
  const module = countedModule(frame, family, rules);
  const filename =
    module !== null || frame.filename === undefined || hasUrl ? null : cleanFilename(frame.filename, family);
  let functionName = frame.function === undefined ? null : rules.cleanFunction(bounded(frame.function), family);
  let contextLine: string | null = null;
  if (frame.context_line !== undefined && hasMeaningfulLines(family)) {
    contextLine = cleanContextLine(frame.context_line);
    if (contextLine !== null && family === "javascript") {
      // A line of the code that the browser loaded tells nothing without a function. With a source map, it tells more than the name.
      if (functionName === null && hasUrl) contextLine = null;
      else if (isSourceMapped(frame)) functionName = null;
    }
  }
  if (module === null && filename === null && functionName === null && contextLine === null) {
    const address = family === "native" ? rules.addressOf(frame) : null;
    if (address === null) return null;
    const key = keyPart("F", keyPart("a", address));
    return { index, module, filename, functionName, contextLine, address, key };
  }
  let key = module !== null ? keyPart("m", module) : filename !== null ? keyPart("f", filename) : "";
  if (functionName !== null) key += keyPart("n", functionName);
  if (contextLine !== null) key += keyPart("c", contextLine);
  return { index, module, filename, functionName, contextLine, address: null, key: keyPart("F", key) };
}

function countedModule(frame: Frame, family: PlatformFamily, rules: GroupingRules): string | null {
  const { module } = frame;
  if (module === undefined || module === "" || module === "(unknown)" || module === "<unknown>") return null;
  // The SDK made it of the address: it holds no more than that.
  if (family === "javascript" && module.includes("/") && frame.abs_path?.endsWith(module)) return null;
  return rules.cleanModule(bounded(module), family);
}

function hasMeaningfulLines(family: PlatformFamily): boolean {
  return family === "javascript" || family === "python" || family === "php" || family === "ruby";
}

function cleanContextLine(line: string): string | null {
  // Indentation is cut before the length is looked at, but a minified file is not walked for it.
  if (line.length > 4 * MAX_CONTEXT_LINE_CHARS) return null;
  const text = line.trim().replace(/\s+/g, " ");
  return text === "" || text.length > MAX_CONTEXT_LINE_CHARS ? null : text;
}

function isSourceMapped({ data }: Frame): boolean {
  return data !== undefined && (data.sourcemap !== undefined || data.symbolicated === true);
}

/**
 * Whether two calls in a row are of the same function, wherever in it the call is: the depth of a recursion, and the branches that it goes
 * through, depend on the data. Without a function's name, only the exact same place counts as the same.
 */
function callsItself(outer: CountedFrame, inner: CountedFrame | undefined, frames: readonly Frame[]): boolean {
  if (inner === undefined || outer.functionName !== inner.functionName) return false;
  if (outer.module !== inner.module || outer.filename !== inner.filename) return false;
  if (outer.address !== inner.address) return false;
  const a = frames[outer.index];
  const b = frames[inner.index];
  if (a === undefined || b === undefined || a.abs_path !== b.abs_path || a.package !== b.package) return false;
  if (outer.functionName !== null) return true;
  return a.function === b.function && a.lineno === b.lineno && a.colno === b.colno;
}

function bounded(name: string): string {
  return name.length > MAX_NAME_CHARS ? name.slice(0, MAX_NAME_CHARS).toWellFormed() : name;
}
