import type { SentryEvent, SentryException } from "../../domain/event.ts";
import { canonicalEngineMessage } from "./engine-messages.ts";
import type { ExceptionParts } from "./exception-parts.ts";
import { hashKey, keyPart } from "./key.ts";
import type { GroupingRules } from "./rules.ts";
import type { Variant } from "./stack-parts.ts";

/**
 * The keys by which reports of one error from different JavaScript engines find each other, although the engines saw different stacks.
 *
 * JavaScriptCore drops every frame whose last act is a call (`return charge(order)`; minifiers make most functions so), and has no name for
 * functions assigned to members. SpiderMonkey and JavaScriptCore list the constructors of error classes, which V8 does not. So a key made
 * of the frames of one report never equals that of the other. A coarser key is no solution: it would join errors of one engine that only
 * share a helper.
 *
 * So a report leaves keys for which only *other* engines look, and looks for keys that other engines left, never for those of its own
 * engine. Each key is a pair of functions, a caller and the innermost one, with the type and the message. A report that may lack frames
 * uses its innermost pair. A report that may have more frames uses all pairs near its innermost function.
 */
export interface EngineKin {
  /** Keys to store with the issue when the main key is new to it. 32 hex characters each. */
  leave: string[];
  /** Keys to look up, in this order, when no key of the event itself is known. */
  seek: string[];
}

type Engine = "v8" | "spidermonkey" | "javascriptcore";

/** By engine: the engines whose reports of the same error may have more frames. */
const MAY_KNOW_MORE: Record<Engine, readonly Engine[]> = {
  v8: ["spidermonkey", "javascriptcore"],
  spidermonkey: [],
  javascriptcore: ["v8", "spidermonkey"],
};

const ENGINES: readonly Engine[] = ["v8", "spidermonkey", "javascriptcore"];

/** How many callers of the innermost function are tried: a report that lost frames may have any of them as the caller. */
const MAX_CALLERS = 4;

/** Null if the error has nothing by which other engines could recognize it. */
export function engineKinOf(
  event: SentryEvent,
  parts: ExceptionParts,
  variant: Variant,
  rules: GroupingRules,
): EngineKin | null {
  const exception = event.exception?.values[parts.index];
  if (exception === undefined || parts.stack === null || parts.type === null) return null;
  const names = parts.stack[variant].flatMap(({ functionName }) => functionName ?? []);
  if (names.length === 0) return null;
  const engine = engineOf(event, exception);
  const about = keyPart("T", parts.type) + keyPart("V", wordsOf(exception, rules));
  const innermost = pairKey(names, names.length - 2, names.length - 1, about);
  const near = nearPairs(names, about);
  const leave = near.map((pair) => taggedKey("near", engine, pair, rules));
  if (MAY_KNOW_MORE[engine].length > 0) leave.push(taggedKey("innermost", engine, innermost, rules));
  const seek = MAY_KNOW_MORE[engine].map((other) => taggedKey("near", other, innermost, rules));
  for (const other of ENGINES) {
    if (MAY_KNOW_MORE[other].includes(engine))
      for (const pair of near) seek.push(taggedKey("innermost", other, pair, rules));
  }
  return { leave, seek };
}

/**
 * The pairs by which a report with fewer frames might know this one: the innermost function under each near caller (frames
 * between them were lost), and its caller under its own near ones (the innermost frame was lost).
 */
function nearPairs(names: readonly string[], about: string): string[] {
  const last = names.length - 1;
  const pairs: string[] = [];
  for (let caller = last - 1; caller >= Math.max(-1, last - MAX_CALLERS); caller--)
    pairs.push(pairKey(names, caller, last, about));
  if (last > 0) {
    for (let caller = last - 2; caller >= Math.max(-1, last - 3); caller--)
      pairs.push(pairKey(names, caller, last - 1, about));
  }
  return pairs;
}

/** Caller −1 is the bottom of the stack: nothing with a name called the function. */
function pairKey(names: readonly string[], caller: number, callee: number, about: string): string {
  return about + keyPart("c", names[caller] ?? "") + keyPart("n", names[callee] ?? "");
}

function taggedKey(kind: "innermost" | "near", engine: Engine, pair: string, { version }: GroupingRules): string {
  return hashKey(`kin ${kind} ${engine} ${pair}`, version);
}

/** The message in words that every engine shares: JavaScriptCore does not know the value of a computed property. */
function wordsOf({ type, value }: SentryException, rules: GroupingRules): string {
  if (value === undefined) return "";
  const canonical = canonicalEngineMessage(type, value);
  return canonical === null
    ? rules.parameterizeMessage(value)
    : canonical.replace(/^property ".*" of /, "property of ");
}

/** The engine by the browser's own name, or else by its marks in messages and stacks. */
function engineOf(event: SentryEvent, exception: SentryException): Engine {
  const userAgent = event.request?.headers?.find(([name]) => name === "User-Agent")?.[1];
  if (userAgent?.startsWith("Mozilla/")) {
    if (/ (?:Headless)?(?:Chrome|Chromium)\//.test(userAgent)) return "v8";
    if (userAgent.includes(" Gecko/") && userAgent.includes("Firefox/")) return "spidermonkey";
    if (userAgent.includes("AppleWebKit/")) return "javascriptcore";
  }
  const value = exception.value ?? "";
  const frames = exception.stacktrace?.frames ?? [];
  if (
    value.includes(" (evaluating '") ||
    frames.some((frame) => isJavascriptCorePlace(frame.function) || isJavascriptCorePlace(frame.filename))
  ) {
    return "javascriptcore";
  }
  const isSpidermonkey =
    value.startsWith("can't access ") || frames.some((frame) => frame.function?.endsWith("<") === true);
  return isSpidermonkey ? "spidermonkey" : "v8";
}

function isJavascriptCorePlace(text: string | undefined): boolean {
  return text === "[native code]" || text === "module code" || text === "global code";
}
