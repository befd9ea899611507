import { isRecord } from "../domain/is-record.ts";
import { parseTimestampSeconds } from "../protocol/timestamps.ts";
import { isNoObject, type JsonObject } from "./json-object.ts";
import { toLenientString } from "./lenient-string.ts";
import type { MetaRecorder } from "./meta.ts";
import { isBefore1970, shiftSeconds } from "./normalize-timestamps.ts";
import { keepEntries } from "./object-list.ts";
import { LIMITS, TREE_LIMITS, toTrimmedObject, trimText } from "./trimming.ts";

const SOURCES = new Set(["custom", "url", "route", "view", "component", "task", "unknown", "sanitized"]);

export interface TransactionInfo {
  source?: string;
  [key: string]: unknown;
}

/** The source of the transaction's name. Null when none was sent, and the event is not a transaction. */
export function normalizeTransactionInfo(
  value: unknown,
  isTransaction: boolean,
  meta: MetaRecorder,
): TransactionInfo | null {
  const info = isRecord(value) ? toTrimmedObject(value, TREE_LIMITS.small, meta, "transaction_info") : null;
  if (info === null) return isTransaction ? { source: "unknown" } : null;
  const { source } = info;
  if (typeof source !== "string" || !SOURCES.has(source)) {
    if (source !== undefined && source !== null) {
      meta.enter("transaction_info");
      meta.invalid("source", "expected a transaction source", source);
      meta.leave();
    }
    info.source = "unknown";
  }
  return info;
}

/** The place of `meta` is the event. */
export function normalizeTransactionName(
  value: unknown,
  isTransaction: boolean,
  source: string | undefined,
  meta: MetaRecorder,
): string | undefined {
  let name = toLenientString(value)?.trim() ?? "";
  if (name === "" && value !== null && value !== undefined && typeof value === "object") {
    meta.invalid("transaction", "expected text", value);
  }
  if (name.includes("?") && (source === "url" || source === undefined || source === "unknown"))
    name = withoutQuery(name);
  if (name === "") return isTransaction ? "<unlabeled transaction>" : undefined;
  return trimText(name, LIMITS.transaction, meta, "transaction");
}

/** Removes the query of a URL or path. The `?` of a pattern like `/(?P<id>\d+)` stays. */
function withoutQuery(name: string): string {
  const at = name.search(/(?<!\()\?/);
  return at > 0 && /^(?:https?:\/\/|\/)/.test(name) && !name.includes("(") ? name.slice(0, at) : name;
}

/** Spans stay as they were sent, except that invalid ones are dropped and a wrong clock is corrected. */
export function normalizeSpans(value: unknown, shift: number, meta: MetaRecorder): unknown[] | undefined {
  if (isNoObject(value)) return undefined;
  if (!Array.isArray(value)) {
    meta.invalid("spans", "expected a list", value);
    return undefined;
  }
  meta.enter("spans");
  keepEntries(value, isUsableSpan, Number.POSITIVE_INFINITY, meta);
  meta.leave();
  if (shift !== 0) {
    for (const span of value) {
      if (!isRecord(span)) continue;
      shiftField(span, "start_timestamp", shift);
      shiftField(span, "timestamp", shift);
    }
  }
  return value.length === 0 ? undefined : value;
}

function isUsableSpan(value: unknown): boolean {
  return isRecord(value) && !isBefore1970(value.timestamp) && !isBefore1970(value.start_timestamp);
}

function shiftField(span: JsonObject, key: string, shift: number): void {
  const seconds = parseTimestampSeconds(span[key]);
  if (seconds !== null) span[key] = shiftSeconds(seconds, shift);
}

/** `{ name: { value, unit } }`; a bare number has no unit, and a value that is not a number is dropped. */
export function normalizeMeasurements(value: unknown, meta: MetaRecorder): JsonObject | undefined {
  if (isNoObject(value)) return undefined;
  if (!isRecord(value)) {
    meta.invalid("measurements", "expected an object", value);
    return undefined;
  }
  meta.enter("measurements");
  let count = 0;
  for (const name in value) {
    const measurement = value[name];
    const number = isRecord(measurement) ? measurement.value : measurement;
    if (name === "__proto__" || typeof number !== "number" || !Number.isFinite(number)) {
      delete value[name];
      if (number !== null && number !== undefined) meta.invalid(name, "expected a number", number);
      continue;
    }
    count++;
    const unit = isRecord(measurement) && typeof measurement.unit === "string" ? measurement.unit : "none";
    value[name] = { value: number, unit: trimText(unit, LIMITS.tagValue, meta, name) };
  }
  meta.leave();
  return count === 0 ? undefined : value;
}
