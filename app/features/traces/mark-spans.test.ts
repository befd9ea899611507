import { expect, test } from "vitest";
import { makeTrace } from "../../../tests/support/make-trace.ts";
import { markSpans } from "./mark-spans.ts";

const id = (number: number) => number.toString(16).padStart(16, "0");
const TREE = makeTrace([1, 0, 0, 100], [2, 1, 10, 20, { service: "api" }]);
const NONE = { tree: TREE, errors: [], logs: [], skews: [] };

test("errors and log lines stand at their span, and without one nowhere", () => {
  const errors = [
    { spanId: id(2), occurredAt: 12, level: "error" as const },
    { spanId: null, occurredAt: 13, level: "error" as const },
  ];
  const logs = [{ spanId: id(2), occurredUs: 11_000, severity: 13 }];
  expect([...markSpans({ ...NONE, errors, logs })]).toEqual([
    [
      id(2),
      [
        { atUs: 12_000, level: "error", isError: true },
        { atUs: 11_000, level: "warning", isError: false },
      ],
    ],
  ]);
});

test("they move with the clock of their service", () => {
  const logs = [1, 2].map((span) => ({ spanId: id(span), occurredUs: 50_000, severity: 9 }));
  const skews = [{ service: "api", aheadUs: 30_000, plusMinusUs: 1, pairs: 1 }];
  const marks = markSpans({ ...NONE, logs, skews });
  expect([1, 2].map((span) => marks.get(id(span))?.[0]?.atUs)).toEqual([50_000, 20_000]);
});

test("of many lines, the worst are marked", () => {
  const logs = Array.from({ length: 30 }, (_, at) => ({ spanId: id(1), occurredUs: at, severity: at === 29 ? 17 : 5 }));
  const marks = markSpans({ ...NONE, logs }).get(id(1)) ?? [];
  expect([marks.length, marks[0]?.level]).toEqual([20, "error"]);
});
