import { makeScope, type ScopedProjectIds } from "../../domain/scope.ts";
import type { EventFilter, EventRow } from "../events/error-events.ts";
import type { RowBatch } from "../events/event-log.ts";
import type { EventStore } from "../events/event-store.ts";
import { EVENTS } from "../events/event-table.ts";
import { ITEMS } from "../events/item-table.ts";
import type { ItemRow } from "../events/items.ts";
import { LOG_ROWS } from "../events/log-table.ts";
import type { LogRow } from "../events/logs.ts";
import { fillColumn, toNewRow, toRowsByTable } from "../events/rows.ts";
import { SPAN_ROWS } from "../events/span-table.ts";
import type { SpanRow } from "../events/spans.ts";
import type { LateColumn } from "../events/table.ts";

/** An empty event database of some engine; disposing closes what is open and deletes it. */
export interface EventDatabase extends AsyncDisposable {
  /** The same data each time. A store that was opened before must have been closed. */
  open(): Promise<EventStore>;
}

export type CreateEventDatabase = () => Promise<EventDatabase>;

/** The store of an empty database of its own, which ends with it. */
export async function openStore(createDatabase: CreateEventDatabase): Promise<EventStore & AsyncDisposable> {
  const database = await createDatabase();
  return { ...(await database.open()), [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
}

/** A Wednesday at noon (UTC), to which the instants of the cases are relative. */
export const NOON = Date.UTC(2026, 4, 20, 12);
export const JOURNAL = "00112233445566aa";

/** `1` is `00000000000000000000000000000001`. */
export function eventId(number: number): string {
  return number.toString(16).padStart(32, "0");
}

/** An event of issue 1 in project 1 at noon unless told otherwise; its id is made from the sequence. */
export function event(sequence: number, change: Partial<EventRow> & { at?: number; category?: string } = {}): EventRow {
  const { at = NOON, ...fields } = change;
  return {
    sequence,
    projectId: 1,
    issueId: 1,
    eventId: eventId(sequence),
    occurredAt: at,
    receivedAt: at,
    level: "error",
    platform: "node",
    environment: null,
    release: null,
    dist: null,
    transaction: null,
    title: `Error: number ${sequence}`,
    userKey: null,
    userName: null,
    traceId: null,
    spanId: null,
    replayId: null,
    sdkName: null,
    isUnhandled: false,
    tags: [],
    payload: { fileId: 20_593_000, offset: 4096 * sequence, index: sequence % 64 },
    payloadBytes: 8_000 + sequence,
    ...fields,
  };
}

/** An attachment of project 1 at noon unless told otherwise. */
export function item(sequence: number, change: Partial<ItemRow> & { at?: number } = {}): ItemRow {
  const { at = NOON, ...fields } = change;
  return {
    sequence,
    itemIndex: 1,
    projectId: 1,
    type: "attachment",
    category: "attachment",
    quantity: 1,
    eventId: null,
    traceId: null,
    occurredAt: at,
    receivedAt: at,
    environment: null,
    release: null,
    identity: null,
    name: null,
    expiresAt: null,
    payload: { fileId: 20_593_000, offset: 4096 * sequence, index: 0 },
    payloadBytes: 100,
    contentBytes: null,
    contentType: null,
    attachmentType: null,
    contentSha1: null,
    ...fields,
  };
}

/** A batch as tests write it, instead of rows by table. */
export interface PlainBatch {
  journalId: string;
  upTo: number;
  events?: readonly EventRow[];
  items?: readonly ItemRow[];
  spans?: readonly SpanRow[];
  logs?: readonly LogRow[];
}

export function toRowBatch({ journalId, upTo, events = [], items = [], spans = [], logs = [] }: PlainBatch): RowBatch {
  const all = [...events, ...items];
  const rows = toRowsByTable([
    ...events.map((row) => ({ rows: [toNewRow(EVENTS, row)] })),
    ...items.map((row) => ({ rows: [toNewRow(ITEMS, row)] })),
    ...spans.map((row) => ({ rows: [toNewRow(SPAN_ROWS, row)] })),
    ...logs.map((row) => ({ rows: [toNewRow(LOG_ROWS, row)] })),
  ]);
  for (const each of rows) {
    const cells: Record<LateColumn, (place: number) => number> = {
      issue_id: (place) => events[place]?.issueId ?? 0,
      payload_file: (place) => all[place]?.payload.fileId ?? 0,
      payload_offset: (place) => all[place]?.payload.offset ?? 0,
      payload_index: (place) => all[place]?.payload.index ?? 0,
    };
    for (const name of each.lateColumns) fillColumn(each, name, cells[name]);
  }
  const environments = all.flatMap(({ projectId, environment, receivedAt }) =>
    environment ? [{ projectId, environment, seenAt: receivedAt }] : [],
  );
  return { journalId, upTo, rows, leftOut: [], environments };
}

/** Appends one batch that ends after the last row. */
export async function append(
  store: EventStore,
  events: EventRow[],
  items: ItemRow[] = [],
): Promise<{ stored: number; duplicates: number }> {
  const upTo = Math.max(0, ...[...events, ...items].map((row) => row.sequence + 1));
  return await store.append(toRowBatch({ journalId: JOURNAL, upTo, events, items }));
}

/** As a filter takes them. */
export function projects(...projectIds: number[]): ScopedProjectIds {
  return makeScope({ organizationId: 1, projectIds, rights: [] }).projectIds;
}

/** All of project 1 unless told otherwise. */
export function filter(change: Partial<EventFilter> = {}): EventFilter {
  return { projectIds: projects(1), from: null, to: null, ...change };
}

/** Sequences of the first page of up to 100, newest first. */
export async function listSequences(store: EventStore, change: Partial<EventFilter> = {}): Promise<number[]> {
  const { events } = await store.listEvents(filter(change), { cursor: null, limit: 100 });
  return events.map((row) => row.sequence);
}
