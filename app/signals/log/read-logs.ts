import { normalizeEventId } from "../../protocol/event-id.ts";
import { scrubJson } from "../../scrub/scrub-json.ts";
import { LOG_ROWS } from "../../stores/events/log-table.ts";
import type { LogRow } from "../../stores/events/logs.ts";
import { type NewRow, toNewRow } from "../../stores/events/rows.ts";
import { LOG_ATTRIBUTES, PARENT_SPAN_ID } from "../../stores/events/sent-log.ts";
import { INHERITED } from "../../stores/events/sent-span.ts";
import type { Digested } from "../digested.ts";
import { type Json, toRecord } from "../item-summary.ts";
import { type ArrivedItem, type ConvertedItem, itemQuantity, malformed, type ReadContext } from "../signal.ts";
import { Fields, toJsonText } from "../span/fields.ts";
import { placeAttributes, readAttributes } from "../span/read-attributes.ts";
import { readSentTogether, type SentTogether, toResource } from "../span/sent-together.ts";
import { readSpanId } from "../span/span-ids.ts";
import { Losses, toDigestedRows } from "../span/span-rows.ts";
import { findShifts, readMicroseconds, type ShiftOf } from "../span/span-times.ts";
import { parseItemObject, toDriftMs } from "../stored-item.ts";

/** SDKs send a hundred at a time, some a thousand; the figure is ours. */
const MAX_LOGS = 10_000;
/** The largest log with everything in it (as documented for SDKs), in characters. */
export const MAX_LOG_CHARACTERS = 1 << 20;
const MAX_LEVEL = 32;
/** The attribute in which Go's SDK sends the host. The attribute itself stays. */
const ADDRESS_OF_GO = "sentry.server.address";

export type ReadLog = Omit<LogRow, "sequence" | "projectId" | "receivedAt" | "shiftUs" | "resource">;

export function readLogs(item: ArrivedItem, { scrubRulesOf }: ReadContext): Digested {
  const parsed = parseItemObject(item, { keepsPrototypeKeys: true });
  const claimed = itemQuantity(item.signal, item.header, item.payload.length);
  if (!parsed.ok) return malformed(item, parsed.reason, claimed);
  const value = scrubJson(parsed.value, scrubRulesOf(item.entry.projectId)).value as Json;
  if (!Array.isArray(value.items)) return malformed(item, "not_a_container", claimed);
  if (value.items.length === 0) return malformed(item, "empty_container");
  const { rows, environment, losses } = readRows(value, value.items, item);
  return toDigestedRows(item, { rows, environment, losses });
}

/** See `Signal.convert`. */
export function convertLogs(value: Json, item: ArrivedItem): ConvertedItem | null {
  if (!Array.isArray(value.items)) return null;
  const { rows, left } = readRows(value, value.items, item);
  if (rows.length === 0) return null;
  return { rows, rest: left.length === 0 ? null : { ...value, items: left }, restQuantity: left.length };
}

/** `left`: values that have no row. */
function readRows(value: Json, values: readonly unknown[], item: ArrivedItem) {
  const sent = readSentTogether(item);
  const losses = new Losses();
  losses.add("log_count", values.length - MAX_LOGS);
  const arrivedUs = (item.entry.receivedAt - toDriftMs(item)) * 1000;
  const logs: ReadLog[] = [];
  const left = values.slice(MAX_LOGS);
  for (const each of values.slice(0, MAX_LOGS)) {
    const log = readLog(toRecord(each), sent, arrivedUs);
    if (typeof log !== "string" && !isLogTooLarge(log)) {
      logs.push(log);
      continue;
    }
    left.push(each);
    losses.add(typeof log === "string" ? log : "log_size");
  }
  const shiftOf = findShifts(
    logs.map(({ occurredUs }) => occurredUs),
    item,
  );
  const rows = toLogRows(logs, item, { shiftOf, resource: toResource(item, value, logs.length) });
  return { rows, left, environment: logs[0]?.environment ?? null, losses };
}

/** Whether it is more than one log may be. */
export function isLogTooLarge({ body, attributes, rest }: ReadLog): boolean {
  return body.length + (attributes?.length ?? 0) + (rest?.length ?? 0) > MAX_LOG_CHARACTERS;
}

export function toLogRows(
  logs: readonly ReadLog[],
  { sequence, entry }: ArrivedItem,
  { shiftOf, resource }: { shiftOf: ShiftOf; resource: string },
): NewRow[] {
  return logs.map((log) => {
    const shiftUs = shiftOf(log.occurredUs);
    return toNewRow(LOG_ROWS, {
      ...log,
      sequence,
      projectId: entry.projectId,
      receivedAt: entry.receivedAt,
      occurredUs: log.occurredUs + shiftUs,
      shiftUs: shiftUs === 0 ? null : shiftUs,
      resource,
    });
  });
}

/** A text is the reason why it cannot be stored. */
export function readLog(value: Json, sent: SentTogether, arrivedUs: number): ReadLog | string {
  const fields = new Fields(value);
  // A log without a time counts from its arrival.
  const occurredUs = fields.take("timestamp", readMicroseconds) ?? arrivedUs;
  const text = fields.take("body", (each) => (typeof each === "string" ? each : null));
  // A body that is no text is shown as JSON, and the rest keeps the original value.
  const body = text ?? (value.body === null || value.body === undefined ? null : JSON.stringify(value.body));
  if (body === null) return "missing_body";
  const attributes = fields.take("attributes", (each) =>
    typeof each === "object" && !Array.isArray(each) ? ((each ?? {}) as Json) : null,
  );
  const own = readAttributes(attributes ?? {}, PLACES, sent);
  const level = fields.takeText("level", MAX_LEVEL);
  const severity = fields.take("severity_number", readSeverity) ?? severityOf(level);
  const traceId = fields.take("trace_id", normalizeEventId) ?? sent.traceId;
  // Most SDKs send the span as an attribute. The attribute itself stays.
  const ofAttribute = readSpanId(own.others[PARENT_SPAN_ID]);
  const spanId = ofAttribute ?? fields.take("span_id", readSpanId);
  const address = own.others[ADDRESS_OF_GO];
  const isOfGo = own.columns.serverAddress === null && typeof address === "string" && address !== "";
  const inherited = isOfGo ? [...own.inherited, "serverAddress"] : own.inherited;
  const rest = { ...fields.rest(), ...(inherited.length > 0 ? { [INHERITED]: inherited } : {}) };
  return {
    traceId,
    spanId,
    occurredUs,
    tieBreaker: own.number,
    level,
    severity,
    body,
    ...own.columns,
    ...(isOfGo ? { serverAddress: address } : {}),
    attributes: attributes === null ? null : JSON.stringify(own.others),
    rest: toJsonText(rest),
  };
}

const { tieBreaker: TIE_BREAKER, ...TEXT_ATTRIBUTES } = LOG_ATTRIBUTES;
const PLACES = placeAttributes(
  TEXT_ATTRIBUTES,
  { key: TIE_BREAKER, read: (value) => (Number.isSafeInteger(value) ? Number(value) : null) },
  { isTyped: false },
);

const SEVERITIES: ReadonlyMap<string, number> = new Map([
  ["trace", 1],
  ["debug", 5],
  ["info", 9],
  ["information", 9],
  ["warn", 13],
  ["warning", 13],
  ["error", 17],
  ["fatal", 21],
  ["critical", 21],
]);

/** An unknown level counts as information (protocol 4.5). */
function severityOf(level: string | null): number {
  return SEVERITIES.get((level ?? "").toLowerCase()) ?? 9;
}

function readSeverity(value: unknown): number | null {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 24 ? Number(value) : null;
}
