import { expect, test } from "vitest";
import { DAY_MS } from "../../domain/time.ts";
import { SPAN_ROWS } from "../../stores/events/span-table.ts";
import type { ArrivedItem } from "../signal.ts";
import { splitTransaction } from "./read-transaction-spans.ts";

const RECEIVED_AT = Date.UTC(2026, 5, 1, 12);
const STARTED = SPAN_ROWS.columns.findIndex(({ name }) => name === "started_us");
const CENTURY_MS = 100 * 365 * DAY_MS;

function toItem(): ArrivedItem {
  return {
    sequence: 1,
    entry: { receivedAt: RECEIVED_AT, projectId: 1 },
    envelopeHeader: { sent_at: new Date(RECEIVED_AT).toISOString() },
  } as unknown as ArrivedItem;
}

/** Where the root and its children end up, in milliseconds since the arrival; given in the same way. Each takes no time. */
function move(rootMs: number, childrenMs: readonly number[]): number[] {
  const times = (ms: number) => ({
    start_timestamp: (RECEIVED_AT + ms) / 1000,
    timestamp: (RECEIVED_AT + ms) / 1000,
  });
  const { rows } = splitTransaction(
    {
      contexts: { trace: { trace_id: "a".repeat(32), span_id: "a".repeat(16) } },
      ...times(rootMs),
      spans: childrenMs.map((ms, index) => ({
        span_id: String(index).padStart(16, "b"),
        trace_id: "a".repeat(32),
        ...times(ms),
      })),
    },
    toItem(),
  );
  return rows.map(({ cells }) => Number(cells[STARTED]) / 1000 - RECEIVED_AT);
}

test("the span of a transaction has the ids by which its profiles and its replay are found", () => {
  const [profileId, profilerId, replayId] = ["b", "c", "d"].map((digit) => digit.repeat(32));
  const { rows } = splitTransaction(
    {
      contexts: {
        trace: { trace_id: "a".repeat(32), span_id: "a".repeat(16) },
        profile: { profile_id: profileId, profiler_id: profilerId },
        replay: { replay_id: replayId },
      },
      ...{ start_timestamp: RECEIVED_AT / 1000, timestamp: RECEIVED_AT / 1000, spans: [] },
    },
    toItem(),
  );
  const cells = SPAN_ROWS.columns.map(({ name }, index) => [name, rows[0]?.cells[index]]);
  const text = JSON.stringify(Object.fromEntries(cells));
  for (const id of [profileId, profilerId, replayId]) expect(text).toContain(id);
});

test("a request that is called by its method alone is grouped by its path, and so are the spans within it", () => {
  const times = { start_timestamp: RECEIVED_AT / 1000, timestamp: RECEIVED_AT / 1000 };
  const trace = { trace_id: "a".repeat(32), span_id: "a".repeat(16), op: "http.server" };
  const { rows } = splitTransaction(
    {
      ...{ transaction: "GET", contexts: { trace }, request: { url: "https://shop.example/orders/7?token=1" } },
      ...{ ...times, spans: [{ span_id: "b".repeat(16), description: "SELECT 1", ...times }] },
    },
    toItem(),
  );
  const cellsOf = (column: string) =>
    rows.map(({ cells }) => cells[SPAN_ROWS.columns.findIndex(({ name }) => name === column)]);
  expect(cellsOf("segment_group")).toEqual(["GET /orders/?", "GET /orders/?"]);
  expect(cellsOf("name_group")).toEqual(["GET /orders/?", "SELECT ?"]);
  expect(cellsOf("segment")).toEqual(["GET", "GET"]);
});

test("a child or a root with another clock moves alone", () => {
  expect(move(0, [-5_000, CENTURY_MS, -1_000])).toEqual([0, -5_000, 0, -1_000]);
  expect(move(CENTURY_MS, [-5_000])).toEqual([0, -5_000]);
});

test("children with the clock of the root move with it", () => {
  expect(move(CENTURY_MS, [CENTURY_MS - 5_000])).toEqual([0, -5_000]);
  expect(move(-40 * DAY_MS, [-40 * DAY_MS - 5_000])).toEqual([0, -5_000]);
  expect(move(0, [-5_000])).toEqual([0, -5_000]);
});
