import type { LogEntry } from "../domain/event.ts";
import { isRecord } from "../domain/is-record.ts";
import { interpolateMessage } from "./interpolate-message.ts";
import { isNoObject, type JsonObject } from "./json-object.ts";
import { toLenientString } from "./lenient-string.ts";
import type { MetaRecorder } from "./meta.ts";
import { createFieldRules, normalizeFields, OWN } from "./normalize-fields.ts";
import { LIMITS, TREE_LIMITS, trimText, trimTree } from "./trimming.ts";

const MESSAGE = { kind: "message", maxLength: LIMITS.message } as const;
const LOGENTRY_RULES = createFieldRules({ message: MESSAGE, formatted: MESSAGE, params: OWN });

/**
 * The message of an event: always with `formatted`, and with the template as `message` where the SDK sent one. Null when
 * there is no text. The place of `meta` is the event.
 * @param entry the `logentry` of the event
 * @param message the `message` of the event: old SDKs send it beside the entry
 */
export function normalizeLogentry(entry: unknown, message: unknown, meta: MetaRecorder): LogEntry | null {
  const logentry = toEntry(entry);
  const own = toEntry(message);
  if (logentry === null) {
    if (own === null) return null;
    carryNotes(message, meta);
    return complete(own, meta);
  }
  // Empty is not said: then the words of the event count.
  if (own !== null) logentry.formatted ||= own.formatted || own.message;
  return complete(logentry, meta);
}

function toEntry(value: unknown): JsonObject | null {
  if (isNoObject(value) || value === "") return null;
  if (isRecord(value)) return value;
  return { formatted: value };
}

function complete(logentry: JsonObject, meta: MetaRecorder): LogEntry | null {
  meta.enter("logentry");
  normalizeFields(logentry, LOGENTRY_RULES, meta);
  const { message, params } = logentry;
  if (params === null) logentry.params = undefined;
  else if (params !== undefined) {
    const container = typeof params === "object" ? params : [toLenientString(params) ?? ""];
    logentry.params = trimTree(container, TREE_LIMITS.small, meta, "params");
  }
  if (typeof message === "string" && (logentry.formatted === undefined || logentry.formatted === "")) {
    logentry.formatted = trimText(interpolateMessage(message, logentry.params), LIMITS.message, meta, "formatted");
  }
  meta.leave();
  // Narrowed field by field above.
  return typeof logentry.formatted === "string" && logentry.formatted !== "" ? (logentry as LogEntry) : null;
}

/** The client spoke of `message`, which is now elsewhere. */
function carryNotes(message: unknown, meta: MetaRecorder): void {
  if (!meta.hasNotes()) return;
  const path = isRecord(message) ? ["logentry"] : ["logentry", "formatted"];
  meta.relocate((key) => (key === "message" ? path : undefined));
}
