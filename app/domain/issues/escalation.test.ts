import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, toDay, toHour } from "../time.ts";
import { computeEscalationBounds, EscalationCount, type EscalationHistory, toHistoryStart } from "./escalation.ts";

/** A Wednesday. */
const NOON = Date.UTC(2026, 4, 20, 12);

/** The last week before `at`, as a store gives it; `countOf` is asked for each whole hour. */
function history(
  countOf: (instant: Date) => number,
  { days = 30, at = NOON, now = 0 }: { days?: number; at?: number; now?: number } = {},
): EscalationHistory {
  const firstSeenAt = at - days * DAY_MS;
  const hours: Array<[number, number]> = [];
  for (let hour = Math.max(toHistoryStart(at), toHour(firstSeenAt)); hour * HOUR_MS < at; hour++) {
    const count = hour === toHour(at) ? now : countOf(new Date(hour * HOUR_MS));
    if (count > 0) hours.push([hour, count]);
  }
  return { firstSeenAt, hours };
}

describe("bounds of an issue's own past", () => {
  test("a steady issue has twice its busiest hour and day", () => {
    const { perHour, perDay, day } = computeEscalationBounds(
      history(() => 20),
      NOON,
    );
    expect(day).toBe(toDay(NOON));
    expect(perHour).toEqual({ most: 40, busiest: 20, isRate: false, ceiling: 40 });
    expect(perDay).toEqual({ most: 960, busiest: 480, isRate: false, ceiling: 960 });
  });

  test("a weekly rhythm: the busy Monday is within the week, on every day", () => {
    const onMondays = (instant: Date) => (instant.getUTCDay() === 1 && instant.getUTCHours() === 9 ? 500 : 3);
    for (let days = 0; days < 7; days++) {
      const at = (toDay(NOON) + days) * DAY_MS;
      expect(computeEscalationBounds(history(onMondays, { at }), at).perHour.most).toBe(1_000);
    }
  });

  test("a burst counts for a week, and no longer", () => {
    const burst = NOON - 2 * DAY_MS;
    const bursting = (instant: Date) => (instant.getTime() === burst ? 10_000 : 5);
    const at = (days: number) => (toDay(burst) + days) * DAY_MS;
    const most = (days: number) => computeEscalationBounds(history(bursting, { at: at(days) }), at(days)).perHour.most;
    expect([most(1), most(7), most(8)]).toEqual([20_000, 20_000, 10]);
  });

  test("in the middle of a burst, the running hour and day count at their rate", () => {
    const at = NOON + 15 * MINUTE_MS;
    const { perHour, perDay } = computeEscalationBounds(
      history(() => 5, { at, now: 200 }),
      at,
    );
    expect(perHour).toMatchObject({ busiest: 800, isRate: true, most: 1_600 });
    // Twelve hours of five, these 200, and 800 an hour for 11.75 hours.
    expect(perDay).toMatchObject({ busiest: 60 + 200 + 9_400, isRate: true });
    const justNow = computeEscalationBounds(
      history(() => 5, { at: NOON + 1_000, now: 2 }),
      NOON + 1_000,
    );
    expect(justNow.perHour.busiest, "two events of the first second are no rate of 7,200").toBe(12);
  });

  test("a young issue may have more, and its days do not count", () => {
    const of = (days: number) =>
      computeEscalationBounds(
        history(() => 20, { days }),
        NOON,
      );
    expect(of(0.5)).toMatchObject({ perHour: { most: 200 }, perDay: null });
    expect(of(1)).toMatchObject({ perHour: { most: 80 }, perDay: null });
    expect(of(6.9)).toMatchObject({ perHour: { most: 80 }, perDay: null });
    expect(of(7)).toMatchObject({ perHour: { most: 40 }, perDay: { most: 960 } });
  });

  test("an issue without any history has the least bounds", () => {
    const { perHour, perDay } = computeEscalationBounds({ firstSeenAt: NOON - 90 * DAY_MS, hours: [] }, NOON);
    expect([perHour.most, perDay?.most]).toEqual([10, 30]);
  });

  test("later days lower and raise the bounds, and never above those of the archive", () => {
    const first = computeEscalationBounds(
      history(() => 20),
      NOON,
    );
    const tomorrow = (toDay(NOON) + 1) * DAY_MS;
    const quiet = computeEscalationBounds({ firstSeenAt: 0, hours: [] }, tomorrow, first);
    expect(quiet).toMatchObject({ day: toDay(tomorrow), perHour: { most: 10, ceiling: 40 } });
    const louder = computeEscalationBounds(
      history(() => 35, { at: tomorrow }),
      tomorrow,
      quiet,
    );
    expect(louder).toMatchObject({ perHour: { most: 40, busiest: 35 }, perDay: { most: 960 } });
  });
});

describe("the events of an archived issue", () => {
  const bounds = computeEscalationBounds({ firstSeenAt: NOON - 90 * DAY_MS, hours: [] }, NOON);
  const event = (minutes: number, late = 0) => ({
    occurredAt: NOON + minutes * MINUTE_MS,
    receivedAt: NOON + (minutes + late) * MINUTE_MS,
  });
  const add = (count: EscalationCount, times: number, of: ReturnType<typeof event>) =>
    Array.from({ length: times }, () => count.add(of)).filter(Boolean).length;

  test("bring it back once, with one more in an hour than its bound, and those after it are counted", () => {
    const count = new EscalationCount(bounds, []);
    expect([add(count, 10, event(5)), add(count, 10, event(65))]).toEqual([0, 0]);
    expect(count.escalation).toBeNull();
    const later = new EscalationCount(bounds, JSON.parse(JSON.stringify(count.hours)));
    expect(later.add(event(119))).toBe(true);
    expect(add(later, 4, event(119))).toBe(0);
    expect(later.escalation).toEqual({ unit: "hour", from: NOON + HOUR_MS, count: 15, most: 10 });
  });

  test("bring it back by the day", () => {
    const count = new EscalationCount(bounds, []);
    for (const hour of [0, 1, 2]) expect(add(count, 10, event(hour * 60))).toBe(0);
    expect(count.add(event(300))).toBe(true);
    expect(count.escalation).toEqual({ unit: "day", from: toDay(NOON) * DAY_MS, count: 31, most: 30 });
  });

  test("count in the hour in which they happened, where their clock is not ahead; old ones not at all", () => {
    const count = new EscalationCount(bounds, []);
    expect(add(count, 6, event(5))).toBe(0);
    expect(add(count, 5, event(7, 300)), "late").toBe(1);
    const ahead = new EscalationCount(bounds, []);
    expect(add(ahead, 10, event(300, -295))).toBe(0);
    expect(ahead.add(event(5)), "ahead").toBe(true);
    const old = new EscalationCount(bounds, []);
    expect(add(old, 50, event(0, 48 * 60))).toBe(0);
  });

  test("are kept for two days", () => {
    const count = new EscalationCount(bounds, []);
    for (let hour = 0; hour < 500; hour++) count.add(event(hour * 60));
    expect(count.hours.length).toBeLessThanOrEqual(48);
  });
});
