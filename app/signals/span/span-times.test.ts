import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import type { ArrivedItem } from "../signal.ts";
import { findShifts } from "./span-times.ts";

const RECEIVED_AT = Date.UTC(2026, 5, 1, 12);

/** Where times end up, in milliseconds since the arrival; given in the same way. */
function move(endsMs: readonly number[], sentAtMs = 0): number[] {
  const item = {
    entry: { receivedAt: RECEIVED_AT },
    envelopeHeader: { sent_at: new Date(RECEIVED_AT + sentAtMs).toISOString() },
  } as unknown as ArrivedItem;
  const ends = endsMs.map((ms) => (RECEIVED_AT + ms) * 1000);
  const shiftOf = findShifts(ends, item);
  return ends.map((endUs) => (endUs + shiftOf(endUs)) / 1000 - RECEIVED_AT);
}

test("times that are about right stay, and those of a wrong clock move together", () => {
  expect(move([-5_000, 0, 30_000])).toEqual([-5_000, 0, 30_000]);
  expect(move([10 * MINUTE_MS - 5_000, 10 * MINUTE_MS])).toEqual([-5_000, 0]);
  expect(move([-40 * DAY_MS - 5_000, -40 * DAY_MS])).toEqual([-5_000, 0]);
  expect(move([2 * HOUR_MS - 5_000, 2 * HOUR_MS], 2 * HOUR_MS)).toEqual([-5_000, 0]);
  expect(move([])).toEqual([]);
});

test("a time far ahead of the others moves alone", () => {
  expect(move([-5_000, 70 * 365 * DAY_MS, 0])).toEqual([-5_000, 0, 0]);
  expect(move([-5_000, 2 * HOUR_MS - 1_000, 2 * HOUR_MS, 9 * DAY_MS])).toEqual([-5_000, -1_000, 0, 0]);
  // One clock shows what is close together, on both sides of now.
  expect(move([-MINUTE_MS, 10 * MINUTE_MS])).toEqual([-11 * MINUTE_MS, 0]);
  expect(move([-40 * DAY_MS, 2 * HOUR_MS])).toEqual([0, 0]);
});

test("a time too old that is far behind the others moves alone", () => {
  expect(move([-5_000, -56 * 365 * DAY_MS, 0])).toEqual([-5_000, 0, 0]);
  expect(move([0, -29 * DAY_MS, -31 * DAY_MS, -31 * DAY_MS - 1_000])).toEqual([0, -29 * DAY_MS, 0, -1_000]);
  // A clock that is behind shows all of them so.
  expect(move([-40 * DAY_MS, -42 * DAY_MS])).toEqual([0, -2 * DAY_MS]);
  expect(move([-40 * DAY_MS, -80 * DAY_MS])).toEqual([0, 0]);
  // One clock shows what is close together, on both sides of the bound.
  const aroundBound = [0, -30 * DAY_MS + MINUTE_MS, -30 * DAY_MS - MINUTE_MS];
  expect(move(aroundBound)).toEqual(aroundBound);
  expect(move([9 * DAY_MS, 0, -31 * DAY_MS])).toEqual([0, 0, 0]);
});
