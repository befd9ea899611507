import { describe, expect, test } from "vitest";
import { HOUR_MS, toHour } from "../time.ts";
import {
  type CountedOutcome,
  countOutcomes,
  type KnownOutcomes,
  MAX_REPORTED_PAIRS_PER_HOUR,
} from "./count-outcomes.ts";

const NOON = Date.UTC(2026, 4, 20, 12);
const NONE: KnownOutcomes = { refused: [], reportedPairs: [] };

const counted = (change: Partial<CountedOutcome> = {}): CountedOutcome => ({
  projectId: 1,
  category: "error",
  outcome: "accepted",
  reason: "",
  quantity: 1,
  receivedAt: NOON,
  sequence: 0,
  ...change,
});
const refusal = (sequence: number, quantity: number, change: Partial<CountedOutcome> = {}) =>
  counted({ sequence, quantity, outcome: "rate_limited", reason: "key_quota", canBeReported: true, ...change });
const report = (sequence: number, quantity: number, change: Partial<CountedOutcome> = {}) =>
  counted({
    sequence,
    quantity,
    outcome: "client_discard",
    reason: "send_error",
    isFromClientReport: true,
    refusedAs: ["error"],
    ...change,
  });

describe("the ledger's rows", () => {
  test("sum outcomes by hour, and leave out quantities that make no sense", () => {
    const { rows } = countOutcomes(NONE, [
      counted(),
      counted({ quantity: 2.9 }),
      counted({ quantity: Number.NaN }),
      counted({ quantity: -3 }),
      counted({ receivedAt: NOON + HOUR_MS }),
    ]);
    expect(rows.map(({ hour, quantity }) => [hour - toHour(NOON), quantity])).toEqual([
      [0, 3],
      [1, 1],
    ]);
  });

  test("stay numbers that can be read, whatever senders say", () => {
    const { rows } = countOutcomes(NONE, [counted({ quantity: 1e300 }), counted({ quantity: 1e300 })]);
    expect(rows[0]?.quantity).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe("a loss that an SDK reports", () => {
  test("is not counted again as far as it was refused before, in the order of the records", () => {
    const { rows, refused } = countOutcomes(NONE, [report(2, 5), refusal(1, 3), refusal(3, 4)]);
    expect(rows.map(({ outcome, quantity }) => [outcome, quantity])).toEqual([
      ["client_discard", 2],
      ["rate_limited", 7],
    ]);
    expect(refused).toMatchObject([{ category: "error", quantity: 4 }]);
  });

  test("takes what earlier batches refused, the oldest hour first, for a day", () => {
    const hour = toHour(NOON);
    const known = [
      { projectId: 1, category: "error", hour: hour - 25, quantity: 9 },
      { projectId: 1, category: "error", hour: hour - 24, quantity: 1 },
      { projectId: 1, category: "error", hour, quantity: 5 },
    ];
    const { rows, refused } = countOutcomes({ ...NONE, refused: known }, [report(1, 3)]);
    expect(rows).toEqual([]);
    expect(refused.map((left) => [left.hour - hour, left.quantity])).toEqual([
      [-24, 0],
      [0, 3],
    ]);
  });

  test("takes nothing of another project", () => {
    const { rows } = countOutcomes(NONE, [refusal(1, 3, { projectId: 2 }), report(2, 3)]);
    expect(rows.find(({ outcome }) => outcome === "client_discard")?.quantity).toBe(3);
  });
});

test("words of client reports count under their own name while the hour has room", () => {
  const words = Array.from({ length: MAX_REPORTED_PAIRS_PER_HOUR - 1 }, (_, index) => `r${index}`);
  const known = words.map((reason) => ({ projectId: 1, hour: toHour(NOON), category: "error", reason }));
  const { rows, newReportedPairs } = countOutcomes({ ...NONE, reportedPairs: known }, [
    report(1, 1, { reason: "r0", refusedAs: undefined }),
    report(2, 1, { reason: "new", refusedAs: undefined }),
    report(3, 1, { reason: "too many", refusedAs: undefined }),
    report(4, 1, { reason: "next hour", refusedAs: undefined, receivedAt: NOON + HOUR_MS }),
  ]);
  expect(newReportedPairs.map(({ reason }) => reason)).toEqual(["new", "next hour"]);
  expect(rows.map(({ reason }) => reason)).not.toContain("too many");
  expect(rows).toHaveLength(4);
});
