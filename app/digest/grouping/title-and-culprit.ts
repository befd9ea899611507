import type { Frame, SentryEvent, SentryException } from "../../domain/event.ts";
import { crashFrameOf, mainStackOf } from "./v1/crash-frame.ts";
import { type PlatformFamily, platformFamily } from "./v1/platform-family.ts";

export interface TitleAndCulprit {
  title: string;
  /** Exception type, or null for messages, reports, and exceptions whose type is made up. */
  type: string | null;
  /** Value of the main exception, or the message; at most 1,024 characters. */
  value: string;
  culprit: string;
}

/** Characters, protocol 6.7. */
const MAX_TYPE_CHARS = 128;
const MAX_VALUE_CHARS = 1024;
const MAX_TITLE_TEXT_CHARS = 100;
const MAX_CULPRIT_CHARS = 200;

/** What people call the issue (protocol 6.7). `mainException` is the index of the exception that the title speaks of. */
export function titleAndCulprit(event: SentryEvent, mainException: number | null): TitleAndCulprit {
  const exception = mainException === null ? undefined : event.exception?.values[mainException];
  const message = event.logentry?.formatted || event.logentry?.message || "";
  const stack = exception?.stacktrace ?? mainStackOf(event);
  const crashFrame = stack === null ? null : crashFrameOf(stack, event.platform);
  const family = platformFamily(crashFrame?.platform ?? event.platform);
  const isTypeMadeUp = exception !== undefined && isMadeUp(exception, family);
  const type =
    exception === undefined || isTypeMadeUp ? null : cut(oneLine(exception.type ?? ""), MAX_TYPE_CHARS) || "Error";
  const value = cut(exception === undefined ? message : (exception.value ?? ""), MAX_VALUE_CHARS);
  return {
    title: titleOf(event, { exception, type, value, message, crashFrame }),
    type,
    value,
    culprit: cut(
      oneLine(event.transaction || culpritOf(crashFrame, family, isTypeMadeUp) || event.request?.url || ""),
      MAX_CULPRIT_CHARS,
    ),
  };
}

/**
 * Native SDKs make an exception up for a signal. The JavaScript SDKs use the same flag for a text or object that was
 * thrown: there only the stack is made up, and type and value are what people want to read.
 */
function isMadeUp({ mechanism, type }: SentryException, family: PlatformFamily): boolean {
  return mechanism?.synthetic === true && (family !== "javascript" || !type);
}

interface TitleParts {
  exception: SentryException | undefined;
  type: string | null;
  value: string;
  message: string;
  crashFrame: Frame | null;
}

function titleOf(event: SentryEvent, { exception, type, value, message, crashFrame }: TitleParts): string {
  const firstOfValue = cut(firstLine(value), MAX_TITLE_TEXT_CHARS);
  if (type !== null) return firstOfValue === "" ? type : `${type}: ${firstOfValue}`;
  if (exception === undefined)
    return firstOfValue || (event.type === "transaction" && event.transaction) || "<unlabeled event>";
  // A message that was captured together with a made-up stack: the words name it, not the function that said them.
  const firstOfMessage = cut(firstLine(message), MAX_TITLE_TEXT_CHARS);
  if (!exception.type && (firstOfMessage || firstOfValue)) return firstOfMessage || firstOfValue;
  return crashFrame?.function ? cut(oneLine(crashFrame.function), MAX_TITLE_TEXT_CHARS) : "<unknown>";
}

function culpritOf(frame: Frame | null, family: PlatformFamily, isTypeMadeUp: boolean): string {
  if (frame === null || (isTypeMadeUp && family !== "native")) return "";
  const place = frame.module || frame.filename || "";
  const name = frame.function || "";
  switch (family) {
    case "native":
      return name;
    case "javascript":
      return place === "" ? name : `${name || "?"}(${place})`;
    default:
      return place === "" || name === "" ? place || name : `${place} in ${name}`;
  }
}

function firstLine(text: string): string {
  for (const line of text.split(/\r\n|[\r\n]/, 50)) {
    const trimmed = line.trim();
    if (trimmed !== "") return trimmed;
  }
  return "";
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function cut(text: string, maxChars: number): string {
  return text.length > maxChars ? `${text.slice(0, maxChars - 3).toWellFormed()}...` : text;
}
