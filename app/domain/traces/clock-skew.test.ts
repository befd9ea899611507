import { expect, test } from "vitest";
import { makeTrace, makeTraceOf, type SpanOfTest } from "../../../tests/support/make-trace.ts";
import { estimateClockSkew } from "./clock-skew.ts";

const api = { service: "api" };
const db = { service: "db" };

test("times that are possible as they were sent tell of no skew", () => {
  expect(estimateClockSkew(makeTrace([1, 0, 0, 100], [2, 1, 10, 80, api]))).toEqual([]);
});

test("an answer before its request tells how far a clock is behind", () => {
  const tree = makeTrace([1, 0, 0, 100], [2, 1, -212, 80, api]);
  expect(estimateClockSkew(tree)).toEqual([{ service: "api", aheadUs: -222_000, plusMinusUs: 10_000, pairs: 1 }]);
});

test("where calls contradict each other, the middle one counts", () => {
  const calls = [300, 310, 700].map((ahead, at) => [10 + at, 1 + at, ahead + at * 200 + 10, 80, api] as const);
  const tree = makeTrace([1, 0, 0, 100], [2, 0, 200, 100], [3, 0, 400, 100], ...calls);
  expect(estimateClockSkew(tree)).toEqual([{ service: "api", aheadUs: 310_000, plusMinusUs: 10_000, pairs: 3 }]);
});

test("several calls narrow it down", () => {
  const tree = makeTrace([1, 0, 0, 100], [2, 1, 210, 80, api], [3, 1, 50, 20], [4, 3, 255, 15, api]);
  expect(estimateClockSkew(tree)).toEqual([{ service: "api", aheadUs: 202_500, plusMinusUs: 2_500, pairs: 2 }]);
});

test("adds up along calls", () => {
  const tree = makeTrace([1, 0, 0, 100], [2, 1, 1010, 80, api], [3, 2, 1520, 60, db]);
  expect(estimateClockSkew(tree).map(({ service, aheadUs }) => [service, aheadUs])).toEqual([
    ["api", 1_000_000],
    ["db", 1_500_000],
  ]);
});

test("a call that takes longer on the called side tells nothing", () => {
  expect(estimateClockSkew(makeTrace([1, 0, 0, 100], [2, 1, 10, 800, api]))).toEqual([]);
  expect(estimateClockSkew(makeTrace())).toEqual([]);
});

test("a long chain of services, whose calls stand in the wrong order, is followed once", () => {
  const length = 30_000;
  // Each call begins a millisecond before its caller.
  const chain = Array.from({ length }, (_, at): SpanOfTest => [at + 1, at, length - at, 10, { service: `s${at}` }]);
  const skews = estimateClockSkew(makeTraceOf(chain));
  expect(skews).toHaveLength(length - 1);
  expect(skews.at(-1)).toMatchObject({ service: `s${length - 1}`, aheadUs: -(length - 1) * 1_000 });
});
