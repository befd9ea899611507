import type { SentryEvent, SentryException } from "../../domain/event.ts";
import { canonicalEngineMessage, canonicalEngineType, isNetworkFailure } from "./engine-messages.ts";
import { keyPart } from "./key.ts";
import { platformFamily } from "./platform-family.ts";
import type { GroupingRules } from "./rules.ts";
import { type StackParts, toStackParts, type Variant } from "./stack-parts.ts";

/** The parts of an exception that count (protocol 6.4). */
export interface ExceptionParts {
  /** Index in the exceptions of the event. */
  index: number;
  /** Null if it is missing, or made up by the SDK. */
  type: string | null;
  /** Domain and code of an `NSError`. */
  nsError: string | null;
  stack: StackParts | null;
  /** The value for the hash: parameterised, or common words for a message that every browser words differently. */
  value: string | null;
}

export function toExceptionParts(
  exception: SentryException,
  index: number,
  event: SentryEvent,
  rules: GroupingRules,
): ExceptionParts {
  const { type, value, mechanism } = exception;
  const kind = rules.kindOf(exception);
  const options = { errorType: type ?? null, isExhausted: isStackExhausted(exception), rules };
  const stack =
    exception.stacktrace === undefined || kind?.isAlone
      ? null
      : toStackParts(exception.stacktrace, event.platform, options);
  const isBrowser = event.platform === "javascript";
  return {
    index,
    type:
      type === undefined || type === "" || mechanism?.synthetic === true
        ? null
        : isBrowser
          ? canonicalEngineType(type, value)
          : type,
    nsError: nsErrorOf(mechanism?.meta),
    stack,
    value:
      kind?.words ??
      (value !== undefined && doesValueCount(stack, exception, event.platform, rules)
        ? countedValue(type, value, { isBrowser, rules })
        : null),
  };
}

/**
 * Words count only where no frame does. In browsers also where the frames do not tell: when the place of the error has no
 * name (arrow functions in minified code), and for failed requests, whose frames differ in each engine.
 */
function doesValueCount(
  stack: StackParts | null,
  exception: SentryException,
  platform: string,
  rules: GroupingRules,
): boolean {
  if (stack === null || stack.system.length === 0) return true;
  if (rules.hasMadeUpPlace(exception, stack.app.length > 0, platformFamily(platform))) return true;
  const { type, value } = exception;
  return platform === "javascript" && (stack.isCrashNameless || isNetworkFailure(type, value ?? ""));
}

function countedValue(
  type: string | undefined,
  value: string,
  { isBrowser, rules }: { isBrowser: boolean; rules: GroupingRules },
): string | null {
  const words = rules.parameterizeMessage((isBrowser ? canonicalEngineMessage(type, value) : null) ?? value);
  return words === "" ? null : words;
}

/** True when the error is that calls went too deep: which function the last one was is chance. */
function isStackExhausted({ type, value }: SentryException): boolean {
  if (type === undefined) return false;
  if (type === "RecursionError" || type === "StackOverflowError" || type.endsWith(".StackOverflowError")) return true;
  if (type === "SystemStackError" || type.endsWith("StackOverflowException")) return true;
  return (
    (type === "RangeError" || type === "InternalError") &&
    value !== undefined &&
    /^(?:Maximum call stack size exceeded|too much recursion)/.test(value)
  );
}

function nsErrorOf(meta: Record<string, unknown> | undefined): string | null {
  const nsError = meta?.ns_error;
  if (typeof nsError !== "object" || nsError === null) return null;
  const domain = "domain" in nsError ? nsError.domain : undefined;
  const code = "code" in nsError ? nsError.code : undefined;
  const isNamed = typeof domain === "string" && domain !== "";
  const isNumbered = typeof code === "number" || typeof code === "string";
  return isNamed || isNumbered ? `${isNamed ? domain : ""}${isNumbered ? ` ${code}` : ""}` : null;
}

/** The exception's share of a key; empty where nothing of it counts. */
export function exceptionKey({ type, nsError, stack, value }: ExceptionParts, variant: Variant): string {
  let key = type === null ? "" : keyPart("T", type);
  if (nsError !== null) key += keyPart("N", nsError);
  if (stack !== null) for (const frame of stack[variant]) key += frame.key;
  if (value !== null) key += keyPart("V", value);
  return key === "" ? "" : keyPart("E", key);
}
