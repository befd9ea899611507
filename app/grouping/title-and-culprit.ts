import type { Frame, SentryEvent, SentryException } from "../domain/event.ts";
import { type ExceptionRelation, findRelation } from "../domain/exception-relation.ts";
import { titleOfReport } from "./title-of-report.ts";
import { mainStackOf } from "./v1/crash-frame.ts";
import { type PlatformFamily, platformFamily } from "./v1/platform-family.ts";
import { imageOf } from "./v2/address-in-image.ts";
import { cleanFunction } from "./v2/clean-names.ts";
import { crashFrameOf } from "./v2/crash-frame.ts";

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

/** The title and culprit of the issue (protocol 6.7). `mainException` is the index of the exception in the title. */
export function titleAndCulprit(event: SentryEvent, mainException: number | null): TitleAndCulprit {
  const exception = mainException === null ? undefined : event.exception?.values[mainException];
  const message = event.logentry?.formatted || event.logentry?.message || "";
  const stack = exception?.stacktrace ?? mainStackOf(event);
  const crashFrame = stack === null ? null : crashFrameOf(stack, event.platform);
  const family = platformFamily(crashFrame?.platform ?? event.platform);
  const isMadeUp = exception !== undefined && isMadeUpBySdk(exception, family);
  const parts: TitleParts = {
    exception,
    isMadeUp,
    type: exception === undefined ? null : typeOf(exception, isMadeUp),
    value: cut(exception === undefined ? message : known(exception.value), MAX_VALUE_CHARS),
    message,
    place: crashFrame === null ? "" : placeOf(crashFrame, family),
  };
  const culprit = crashFrame?.in_app === true ? crashFrame : (findOwnFrameOfCause(event, mainException) ?? crashFrame);
  const ofFrame = culprit === null || (isMadeUp && family !== "native") ? "" : culpritOf(culprit, family);
  return {
    title: titleOf(event, parts),
    type: parts.type,
    value: parts.value,
    culprit: cut(oneLine(event.transaction || ofFrame || event.request?.url || ""), MAX_CULPRIT_CHARS),
  };
}

/**
 * The frame of the cause. A `CompletionException` of Java is thrown by a library, and tells nothing about the code that failed; its cause
 * does.
 */
function findOwnFrameOfCause({ exception, platform }: SentryEvent, mainException: number | null): Frame | null {
  const values = exception?.values ?? [];
  for (let i = (mainException ?? 0) - 1; i >= 0; i--) {
    const stacktrace = values[i]?.stacktrace;
    if (stacktrace === undefined || !isCause(findRelation(values, i))) continue;
    const frame = crashFrameOf(stacktrace, platform);
    if (frame?.in_app === true) return frame;
  }
  return null;
}

function isCause(relation: ExceptionRelation | null): boolean {
  return relation?.kind === "cause" || relation?.kind === "context";
}

/**
 * Whether the SDK made the exception up. Native SDKs do so for a signal: its type is the error, and its place tells it from others. The
 * JavaScript SDKs use the same flag for a thrown text or object, where only the stack is made up.
 */
function isMadeUpBySdk({ mechanism, type }: SentryException, family: PlatformFamily): boolean {
  return mechanism?.synthetic === true && (family !== "javascript" || !type);
}

/** Null if neither the exception nor its signal has a name, although an SDK made it up. */
function typeOf({ type, mechanism }: SentryException, isMadeUp: boolean): string | null {
  const own = known(type) || (isMadeUp ? signalOf(mechanism?.meta) : "");
  return cut(oneLine(own), MAX_TYPE_CHARS) || (isMadeUp ? null : "Error");
}

function signalOf(meta: Record<string, unknown> | undefined): string {
  for (const name of ["signal", "mach_exception"]) {
    const signal = meta?.[name];
    if (typeof signal !== "object" || signal === null || !("name" in signal)) continue;
    if (typeof signal.name === "string") return known(signal.name);
  }
  return "";
}

interface TitleParts {
  exception: SentryException | undefined;
  isMadeUp: boolean;
  type: string | null;
  value: string;
  message: string;
  /** The function or image that failed; empty where the stack does not say it. */
  place: string;
}

function titleOf(event: SentryEvent, { exception, isMadeUp, type, value, message, place }: TitleParts): string {
  const firstOfValue = cut(firstLine(value), MAX_TITLE_TEXT_CHARS);
  if (exception === undefined)
    return firstOfValue || titleOfReport(event) || place || event.transaction || event.logger || "<unlabeled event>";
  if (!isMadeUp) return withValue(type ?? "Error", firstOfValue);
  // A message was captured with a made-up stack: the title is the message, not the function that captured it.
  const firstOfMessage = cut(firstLine(message), MAX_TITLE_TEXT_CHARS);
  if (type === null) return firstOfMessage || firstOfValue || place || known(exception.mechanism?.type) || "Error";
  const words = withValue(type, firstOfValue);
  return place === "" ? words : `${words} in ${place}`;
}

/** `SIGSEGV: Segfault`. A value that only repeats the type is left out. */
function withValue(type: string, value: string): string {
  return value === "" || value === type || value === `Fatal Error: ${type}` ? type : `${type}: ${value}`;
}

/** The place of the failure, short enough for a title: a function without arguments and templates, else the image. */
function placeOf(frame: Frame, family: PlatformFamily): string {
  const name = known(frame.function);
  if (name !== "") return cut(oneLine(cleanFunction(name, family) ?? name), MAX_TITLE_TEXT_CHARS);
  if (family === "native") return imageOf(frame)?.name ?? "";
  return cut(oneLine(frame.module || frame.filename || ""), MAX_TITLE_TEXT_CHARS);
}

function culpritOf(frame: Frame, family: PlatformFamily): string {
  const place = frame.module || frame.filename || "";
  const name = known(frame.function);
  switch (family) {
    case "native":
      return name.replace(RUST_HASH, "") || imagePlaceOf(frame);
    case "javascript":
      return place === "" ? name : `${name || "?"}(${place})`;
    default:
      return place === "" || name === "" ? place || name : `${place} in ${name}`;
  }
}

const RUST_HASH = /::h[0-9a-f]{16}$/;

function imagePlaceOf(frame: Frame): string {
  const image = imageOf(frame);
  if (image === null) return "";
  return image.offset === null ? image.name : `${image.name} +0x${image.offset}`;
}

/** Empty for the words that SDKs and symbolicators put where they know nothing. */
function known(text: string | undefined): string {
  return text === undefined || NOTHING_KNOWN.has(text) ? "" : text;
}

const NOTHING_KNOWN = new Set(["<unknown>", "<redacted>", "(unknown)", "unknown", "?", "??", "<unlabeled event>"]);

/** The separator before what Apple's SDK found out about the fault, as in `KERN_INVALID_ADDRESS at 0x4. >` and a line below that. */
const DIAGNOSIS = /\.? >[ \t]*\r?\n/;

function firstLine(text: string): string {
  for (const line of text.replace(DIAGNOSIS, ": ").split(/\r\n|[\r\n]/, 50)) {
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
