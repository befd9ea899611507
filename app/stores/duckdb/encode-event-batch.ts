import { randomBytes } from "node:crypto";
import type { EventBatch, EventRow, ItemRow } from "../event-store.ts";
import { type EventFacts, encodeEventFacts } from "./encode-event-facts.ts";
import { hashText } from "./hash-text.ts";
import { EVENT_ITEM_TYPES } from "./items-of-events.ts";
import { COPIED_TAG_COLUMNS } from "./tag-columns.ts";
import { toTagText } from "./tag-text.ts";

/**
 * A batch in the form in which DuckDB takes it: the rows column by column in two buffers, and beside them what must be
 * known to leave rows out. Whoever has an `EventBatch` on another thread encodes it there and posts this: the buffers
 * are transferable, and the thread that owns the database has next to nothing left to do with a row.
 */
export interface EncodedEventBatch {
  journalId: string;
  /** Exclusive: after the commit, every record below this sequence is applied. */
  upTo: number;
  events: EncodedRows & {
    /** 32 hex characters each. */
    eventIds: string[];
    facts: EventFacts;
  };
  items: EncodedRows & {
    /** See `ItemsOfEvents`: `hashText` of the events that have such items. */
    hashesOfEvents: Float64Array;
    /** Those that have an identity, in their order. */
    identified: {
      /** Which row of the batch each is. */
      rowIndexes: Int32Array;
      projectIds: Float64Array;
      /** 32 hex characters each. */
      identities: string[];
    };
  };
  /** The latest time of each environment in the batch. */
  environments: Array<{ projectId: number; environment: string; seenAt: number }>;
}

export interface EncodedRows {
  count: number;
  sequences: Float64Array;
  /** Columns in the order of `EVENT_COLUMNS` or of `ITEM_COLUMNS` and `IDENTITY_PLACE`; UTF-8. Texts end in a mark that no text can hold. */
  columns: Uint8Array;
  marks: ColumnMarks;
}

/** Like the boundary of a MIME message: made anew from 72 random bits for each batch, so that no sender can guess it. */
export interface ColumnMarks {
  betweenColumns: string;
  betweenTexts: string;
  null: string;
}

/** How a value gets from its row into the column: whole numbers, yes or no, UUIDs (32 hex characters) and texts. */
interface Column<Row> {
  name: string;
  type: "BIGINT" | "INTEGER" | "BOOLEAN" | "UUID" | "VARCHAR";
  get: (row: Row) => string | number | boolean | null;
}

export const EVENT_COLUMNS: ReadonlyArray<Column<EventRow>> = [
  { name: "sequence", type: "BIGINT", get: (row) => row.sequence },
  { name: "project_id", type: "BIGINT", get: (row) => row.projectId },
  { name: "issue_id", type: "BIGINT", get: (row) => row.issueId },
  { name: "event_id", type: "UUID", get: (row) => row.eventId },
  { name: "occurred_at", type: "BIGINT", get: (row) => row.occurredAt },
  { name: "received_at", type: "BIGINT", get: (row) => row.receivedAt },
  { name: "level", type: "VARCHAR", get: (row) => row.level },
  { name: "platform", type: "VARCHAR", get: (row) => row.platform },
  { name: "environment", type: "VARCHAR", get: (row) => row.environment },
  { name: "release", type: "VARCHAR", get: (row) => row.release },
  { name: "dist", type: "VARCHAR", get: (row) => row.dist },
  { name: "transaction_name", type: "VARCHAR", get: (row) => row.transaction },
  { name: "title", type: "VARCHAR", get: (row) => row.title },
  { name: "user_key", type: "VARCHAR", get: (row) => row.userKey },
  { name: "trace_id", type: "VARCHAR", get: (row) => row.traceId },
  { name: "span_id", type: "VARCHAR", get: (row) => row.spanId },
  { name: "replay_id", type: "VARCHAR", get: (row) => row.replayId },
  { name: "sdk_name", type: "VARCHAR", get: (row) => row.sdkName },
  { name: "is_unhandled", type: "BOOLEAN", get: (row) => row.isUnhandled },
  { name: "tags", type: "VARCHAR", get: (row) => toTagText(row.tags) },
  { name: "payload_file", type: "BIGINT", get: (row) => row.payload.fileId },
  { name: "payload_offset", type: "BIGINT", get: (row) => row.payload.offset },
  { name: "payload_index", type: "INTEGER", get: (row) => row.payload.index },
  { name: "payload_bytes", type: "BIGINT", get: (row) => row.payloadBytes },
  ...COPIED_TAG_COLUMNS.map((column): Column<EventRow> => ({ ...column, type: "VARCHAR" })),
];

export const ITEM_COLUMNS: ReadonlyArray<Column<ItemRow>> = [
  { name: "sequence", type: "BIGINT", get: (row) => row.sequence },
  { name: "item_index", type: "INTEGER", get: (row) => row.itemIndex },
  { name: "project_id", type: "BIGINT", get: (row) => row.projectId },
  { name: "type", type: "VARCHAR", get: (row) => row.type },
  { name: "category", type: "VARCHAR", get: (row) => row.category },
  { name: "quantity", type: "BIGINT", get: (row) => row.quantity },
  { name: "event_id", type: "VARCHAR", get: (row) => row.eventId },
  { name: "trace_id", type: "VARCHAR", get: (row) => row.traceId },
  { name: "occurred_at", type: "BIGINT", get: (row) => row.occurredAt },
  { name: "received_at", type: "BIGINT", get: (row) => row.receivedAt },
  { name: "environment", type: "VARCHAR", get: (row) => row.environment },
  { name: "release", type: "VARCHAR", get: (row) => row.release },
  { name: "identity", type: "UUID", get: (row) => row.identity },
  { name: "name", type: "VARCHAR", get: (row) => row.name },
  { name: "expires_at", type: "BIGINT", get: (row) => row.expiresAt },
  { name: "payload_file", type: "BIGINT", get: (row) => row.payload.fileId },
  { name: "payload_offset", type: "BIGINT", get: (row) => row.payload.offset },
  { name: "payload_index", type: "INTEGER", get: (row) => row.payload.index },
  { name: "payload_bytes", type: "BIGINT", get: (row) => row.payloadBytes },
];

/** The place of an item among those of the batch that have an identity. */
export const IDENTITY_PLACE = { name: "identity_place", type: "INTEGER" } as const;

/** @throws {RangeError} when a row holds something that its column cannot, like an event id that is not hex. */
export function encodeEventBatch(batch: EventBatch): EncodedEventBatch {
  let place = 0;
  const placeOf = (item: ItemRow) => (item.identity === null ? null : place++);
  return {
    journalId: batch.journalId,
    upTo: batch.upTo,
    events: {
      ...encodeRows(batch.events, EVENT_COLUMNS),
      eventIds: batch.events.map((event) => event.eventId),
      facts: encodeEventFacts(batch.events),
    },
    items: {
      ...encodeRows(batch.items, [...ITEM_COLUMNS, { ...IDENTITY_PLACE, get: placeOf }]),
      hashesOfEvents: hashEventsOf(batch.items),
      identified: listIdentified(batch.items),
    },
    environments: latestEnvironments(batch),
  };
}

/** What to name as `transferList` when the batch is posted to another thread. */
export function transferablesOf({ events, items }: EncodedEventBatch): ArrayBuffer[] {
  const { rowIndexes, projectIds } = items.identified;
  return [events.columns, events.sequences, items.columns, items.sequences, rowIndexes, projectIds]
    .map((view) => view.buffer)
    .filter((buffer) => buffer instanceof ArrayBuffer);
}

function hashEventsOf(items: readonly ItemRow[]): Float64Array {
  return Float64Array.from(
    items.flatMap(({ eventId, type }) =>
      eventId !== null && EVENT_ITEM_TYPES.includes(type) ? [hashText(eventId)] : [],
    ),
  );
}

function listIdentified(items: readonly ItemRow[]): EncodedEventBatch["items"]["identified"] {
  const rowIndexes: number[] = [];
  const projectIds: number[] = [];
  const identities: string[] = [];
  items.forEach(({ identity, projectId }, index) => {
    if (identity === null) return;
    rowIndexes.push(index);
    projectIds.push(projectId);
    identities.push(identity);
  });
  return { rowIndexes: Int32Array.from(rowIndexes), projectIds: Float64Array.from(projectIds), identities };
}

function encodeRows<Row extends { sequence: number }>(
  rows: readonly Row[],
  columns: ReadonlyArray<Column<Row>>,
): EncodedRows {
  const random = randomBytes(9).toString("base64");
  const marks = { betweenColumns: `\x1e${random}`, betweenTexts: `\x1f${random}`, null: `\x1c${random}` };
  const text = columns.map((column) => encodeColumn(rows, column, marks)).join(marks.betweenColumns);
  return {
    count: rows.length,
    sequences: Float64Array.from(rows, (row) => row.sequence),
    columns: new TextEncoder().encode(text),
    marks,
  };
}

function encodeColumn<Row>(rows: readonly Row[], { name, type, get }: Column<Row>, marks: ColumnMarks): string {
  const values = new Array<string | number>(rows.length);
  let index = 0;
  if (type === "VARCHAR") {
    for (const row of rows) {
      const value = get(row);
      values[index++] = value === null ? marks.null : String(value);
    }
    return values.join(marks.betweenTexts);
  }
  const toCell = type === "UUID" ? toUuidCell : type === "BOOLEAN" ? toBooleanCell : toIntegerCell;
  for (const row of rows) values[index++] = toCell(get(row), name);
  return values.join(",");
}

const UUID = /^[0-9a-f]{32}$/;

function toUuidCell(value: unknown, name: string): string {
  if (value === null) return "";
  if (typeof value === "string" && UUID.test(value)) return value;
  throw new RangeError(`${name} is not 32 lower-case hex characters: ${JSON.stringify(value)}`);
}

function toBooleanCell(value: unknown): number {
  return value === true ? 1 : 0;
}

function toIntegerCell(value: unknown, name: string): number | string {
  if (value === null) return "";
  const number = Math.trunc(Number(value));
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError(`${name} is not a number that a whole number can stand for: ${String(value)}`);
}

function latestEnvironments(batch: EventBatch): EncodedEventBatch["environments"] {
  const latest = new Map<number, Map<string, number>>();
  for (const rows of [batch.events, batch.items]) {
    for (const { projectId, environment, receivedAt } of rows) {
      if (environment === null || environment === "") continue;
      const ofProject = latest.get(projectId) ?? new Map<string, number>();
      latest.set(projectId, ofProject);
      if (receivedAt > (ofProject.get(environment) ?? Number.NEGATIVE_INFINITY)) ofProject.set(environment, receivedAt);
    }
  }
  return [...latest].flatMap(([projectId, ofProject]) =>
    [...ofProject].map(([environment, seenAt]) => ({ projectId, environment, seenAt })),
  );
}
