import { ALWAYS } from "../../domain/search/condition.ts";
import { TYPED_ATTRIBUTES } from "../../domain/spans/typed-attributes.ts";
import type { RowBatch } from "../events/event-log.ts";
import type { EventStore } from "../events/event-store.ts";
import { LOG_ROWS } from "../events/log-table.ts";
import type { LogRow, StoredLog } from "../events/logs.ts";
import { toNewRow, toRowsByTable } from "../events/rows.ts";
import type { SpanSearchFilter } from "../events/span-search.ts";
import { SPAN_ROWS } from "../events/span-table.ts";
import type { SpanRow } from "../events/spans.ts";
import { eventId, JOURNAL, NOON, projects } from "./fixture.ts";

export const TRACE = eventId(77);

/** `1` is `0000000000000001`. */
export function spanId(number: number): string {
  return number.toString(16).padStart(16, "0");
}

/** A query of 5 ms in `TRACE` of project 1 at noon, unless told otherwise; its id is made from the sequence. */
export function span(sequence: number, change: Partial<SpanRow> = {}): SpanRow {
  return {
    sequence,
    projectId: 1,
    receivedAt: NOON,
    category: "span",
    form: "v2",
    traceId: TRACE,
    spanId: spanId(sequence + 1),
    parentSpanId: null,
    segmentId: null,
    isSegment: false,
    startedUs: NOON * 1000,
    durationUs: 5_000,
    shiftUs: null,
    op: "db",
    name: "SELECT 1",
    nameGroup: "SELECT ?",
    status: "ok",
    kind: null,
    origin: null,
    segment: null,
    release: null,
    environment: null,
    sampleRate: null,
    service: null,
    sdkName: null,
    sdkVersion: null,
    typed: TYPED_ATTRIBUTES.map(() => null),
    attributes: null,
    rest: null,
    resource: null,
    ...change,
  };
}

/** A line in `TRACE` of project 1 at noon, unless told otherwise. */
export function log(sequence: number, change: Partial<LogRow> = {}): LogRow {
  return {
    sequence,
    projectId: 1,
    receivedAt: NOON,
    traceId: TRACE,
    spanId: null,
    occurredUs: NOON * 1000,
    shiftUs: null,
    tieBreaker: null,
    level: "info",
    severity: 9,
    body: `line ${sequence}`,
    template: null,
    origin: null,
    logger: null,
    release: null,
    environment: null,
    service: null,
    serverAddress: null,
    userId: null,
    replayId: null,
    sdkName: null,
    sdkVersion: null,
    attributes: null,
    rest: null,
    resource: null,
    ...change,
  };
}

/** Lines whole, in the order of their time. */
export async function listWholeLogs(store: EventStore, traceId = TRACE): Promise<LogRow[]> {
  const where = {
    kind: "test",
    field: "traceId",
    isTag: false,
    isNegated: false,
    test: { kind: "in", values: [traceId] },
  } as const;
  const filter = { projectIds: projects(1), from: 0, to: Number.MAX_SAFE_INTEGER / 1000, where };
  const { lines } = await store.findLogs(filter, { limit: 1_000, budgetMs: Number.POSITIVE_INFINITY });
  return await Promise.all(
    lines.reverse().map(async (line) => {
      const { id: _, ordinal: __, ...row } = (await store.getLog(projects(1), line.id)) as StoredLog;
      return row;
    }),
  );
}

export function toSpanBatch(spans: readonly SpanRow[], logs: readonly LogRow[] = []): RowBatch {
  const upTo = Math.max(0, ...[...spans, ...logs].map(({ sequence }) => sequence + 1));
  const rows = toRowsByTable([
    ...spans.map((row) => ({ rows: [toNewRow(SPAN_ROWS, row)] })),
    ...logs.map((row) => ({ rows: [toNewRow(LOG_ROWS, row)] })),
  ]);
  return { journalId: JOURNAL, upTo, rows, leftOut: [], environments: [] };
}

export async function appendSpans(store: EventStore, spans: readonly SpanRow[], logs: readonly LogRow[] = []) {
  return await store.append(toSpanBatch(spans, logs));
}

/** How many spans began in a range, by the sums. The range has whole minutes: parts of minutes would be counted from rows. */
export async function countSummed(store: EventStore, range: Omit<SpanSearchFilter, "where">): Promise<number> {
  const { totals } = await store.sumFoundSpans({ ...range, where: ALWAYS }, { by: [], bucketMs: null, limit: 1 });
  return totals[0]?.spans ?? 0;
}
