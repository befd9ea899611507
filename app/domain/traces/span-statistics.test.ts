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
  const summary = summarizeSpans(tree, (name) => name.replace(/\d/, "?"));
  expect(summary.map(({ service, group }) => [service, group])).toEqual([
    ["web", "row ?"],
    ["web", "span ?"],
    ["other", "row ?"],
  ]);
  expect(summary[0]).toMatchObject({ count: 2, failed: 1, totalUs: 80_000, selfUs: 80_000, maxUs: 50_000 });
});
