import { expect, test } from "vitest";
import { makeTrace } from "../../../tests/support/make-trace.ts";
import { summarizeSpans } from "./span-statistics.ts";

test("spans of one service, op and name group are summed, the most own time first", () => {
  const tree = makeTrace(
    [1, 0, 0, 100],
    [2, 1, 0, 30, { op: "db", name: "row 1" }],
    [3, 1, 40, 50, { op: "db", name: "row 2", status: "aborted" }],
    [4, 1, 95, 1, { op: "db", name: "row 3", service: "other" }],
  );
  const summary = summarizeSpans(tree, (name) => name.replace(/\d/, "?"), { chosen: null, window: null });
  expect(summary.map(({ service, group }) => [service, group])).toEqual([
    ["web", "row ?"],
    ["web", "span ?"],
    ["other", "row ?"],
  ]);
  expect(summary[0]).toMatchObject({
    count: 2,
    failed: 1,
    totalUs: 80_000,
    selfUs: 80_000,
    meanUs: 40_000,
    maxUs: 50_000,
  });
});

test("of a part of the time, the sums have what lies in it, and what is not chosen does not count", () => {
  const tree = makeTrace([1, 0, 0, 100], [2, 1, 10, 30], [3, 1, 60, 30]);
  const sum = (chosen: Uint8Array | null) =>
    summarizeSpans(tree, (name) => name, { chosen, window: { fromUs: 20_000, toUs: 70_000 } }).map(
      ({ group, totalUs, selfUs, maxUs }) => [group, totalUs, selfUs, maxUs],
    );
  expect(sum(null)).toEqual([
    ["span 1", 50_000, 20_000, 100_000],
    ["span 2", 20_000, 20_000, 30_000],
    ["span 3", 10_000, 10_000, 30_000],
  ]);
  expect(sum(Uint8Array.of(0, 0, 1))).toEqual([["span 3", 10_000, 10_000, 30_000]]);
});
