import { expect, test } from "vitest";
import { makeTrace, toIds } from "../../../tests/support/make-trace.ts";
import { chooseSpans, type SpanChoice } from "./choose-spans.ts";

const ALL: SpanChoice = { window: null, services: new Set(), op: null, among: null };
const TREE = makeTrace(
  [1, 0, 0, 100],
  [2, 1, 10, 20, { service: "api", op: "db" }],
  [3, 1, 40, 20, { service: "api" }],
  [4, 1, 80, 20, { op: "db" }],
);

const choose = (choice: Partial<SpanChoice>) => {
  const chosen = chooseSpans(TREE, { ...ALL, ...choice }) ?? new Uint8Array(4).fill(1);
  return toIds(
    TREE,
    [...chosen.keys()].filter((index) => chosen[index] === 1),
  );
};

test("all of them, where nothing is chosen", () => {
  expect(chooseSpans(TREE, ALL)).toBeNull();
});

test("those that ran in a time, also those that began before it", () => {
  expect(choose({ window: { fromUs: 25_000, toUs: 35_000 } })).toEqual([1, 2]);
  expect(choose({ window: { fromUs: 60_000, toUs: 80_000 } })).toEqual([1, 3, 4]);
});

test("those of services, with an op, and among others", () => {
  expect(choose({ services: new Set(["api"]) })).toEqual([2, 3]);
  expect(choose({ services: new Set(["api", "web"]), op: "db" })).toEqual([2, 4]);
  expect(choose({ op: "db", among: Uint8Array.of(1, 1, 1, 0) })).toEqual([2]);
});
