import type { Mechanism, SentryException, Stacktrace } from "../domain/event.ts";
import { isRecord } from "../domain/is-record.ts";
import { isNoObject, type JsonObject } from "./json-object.ts";
import type { MetaRecorder } from "./meta.ts";
import { createFieldRules, FLAG, ID, INTEGER, normalizeFields, OWN, object, text } from "./normalize-fields.ts";
import { normalizeStacktrace } from "./normalize-stacktrace.ts";
import { keepEntries, toValueList } from "./object-list.ts";
import type { CodeContext } from "./place-in-image.ts";
import { LIMITS, TREE_LIMITS } from "./trimming.ts";

const EXCEPTION_RULES = createFieldRules({
  type: text(LIMITS.exceptionType),
  value: { kind: "message", maxLength: LIMITS.message },
  module: text(LIMITS.exceptionModule),
  raw_type: text(LIMITS.exceptionType),
  raw_module: text(LIMITS.exceptionModule),
  thread_id: ID,
  stacktrace: OWN,
  raw_stacktrace: OWN,
  mechanism: OWN,
});

const MECHANISM_RULES = createFieldRules({
  type: text(LIMITS.exceptionType),
  handled: FLAG,
  synthetic: FLAG,
  description: text(LIMITS.otherText),
  help_link: text(LIMITS.url),
  source: text(LIMITS.tagValue),
  exception_id: INTEGER,
  parent_id: INTEGER,
  is_exception_group: FLAG,
  data: object(TREE_LIMITS.small),
  meta: object(TREE_LIMITS.small),
});

/** The exceptions in the order in which they came: oldest cause first. Null when none is usable. The place of `meta` is the event. */
export function normalizeExceptions(value: unknown, code: CodeContext, meta: MetaRecorder): SentryException[] | null {
  const list = toValueList(value, meta, "exception");
  if (list === null) return null;
  meta.enter("exception");
  meta.enter("values");
  for (let index = 0; index < list.length; index++) {
    const entry = list[index];
    if (typeof entry === "string" && entry !== "") list[index] = { value: entry };
    else if (isRecord(entry)) {
      meta.enter(index);
      normalizeException(entry, code, meta);
      meta.leave();
    }
  }
  keepEntries(list, isUsable, LIMITS.exceptions, meta);
  meta.leave();
  meta.leave();
  // Narrowed field by field above.
  return list.length === 0 ? null : (list as SentryException[]);
}

function isUsable(entry: unknown): boolean {
  return isRecord(entry) && (entry.type !== undefined || entry.value !== undefined || entry.stacktrace !== undefined);
}

function normalizeException(exception: JsonObject, code: CodeContext, meta: MetaRecorder): void {
  normalizeFields(exception, EXCEPTION_RULES, meta);
  setOrDrop(exception, "stacktrace", code, meta);
  setOrDrop(exception, "raw_stacktrace", code, meta);
  const { mechanism } = exception;
  if (mechanism === undefined) return;
  exception.mechanism = normalizeMechanism(mechanism, meta) ?? undefined;
}

function setOrDrop(exception: JsonObject, key: "stacktrace" | "raw_stacktrace", code: CodeContext, meta: MetaRecorder) {
  const value = exception[key];
  if (value === undefined) return;
  const stacktrace: Stacktrace | undefined = normalizeStacktrace(value, code, meta, key) ?? undefined;
  if (stacktrace !== value) exception[key] = stacktrace;
}

function normalizeMechanism(value: unknown, meta: MetaRecorder): Mechanism | null {
  if (isNoObject(value)) return null;
  if (typeof value === "string" && value !== "") return normalizeMechanism({ type: value }, meta);
  if (!isRecord(value)) {
    meta.invalid("mechanism", "expected an object", value);
    return null;
  }
  // Null is an answer here: the SDK does not know whether it was handled.
  const isUnknownHandled = value.handled === null;
  meta.enter("mechanism");
  normalizeFields(value, MECHANISM_RULES, meta);
  meta.leave();
  if (isUnknownHandled) value.handled = null;
  value.type ??= "generic";
  // Narrowed field by field above.
  return value as unknown as Mechanism;
}
