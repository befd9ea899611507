import { afterEach, describe, expect, test, vi } from "vitest";
import { listTicks } from "./graph-ticks.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const start = Date.UTC(2026, 10, 20, 9, 30);
const named = (spanMs: number) =>
  listTicks(start, spanMs, false).map(({ at }) => new Date(at).toISOString().slice(5, 16));

test("days are named once each, from midnight", () => {
  expect(named(2.5 * DAY)).toEqual(["11-21T00:00", "11-21T12:00", "11-22T00:00", "11-22T12:00"]);
  expect(named(5 * DAY)).toEqual(["11-21T00:00", "11-22T00:00", "11-23T00:00", "11-24T00:00", "11-25T00:00"]);
  expect(listTicks(start, 2.5 * DAY, false).map(({ isDay }) => isDay)).toEqual([true, false, true, false]);
});

test("a moment at an edge gets no label where others are near", () => {
  const quarter = HOUR / 4;
  const of = (from: number, spanMs: number) =>
    listTicks(from, spanMs, false).map(({ at }) => new Date(at).toISOString().slice(11, 16));
  expect(of(start - 60_000, 6 * quarter)).toEqual(["09:45", "10:00", "10:15", "10:30", "10:45"]);
  expect(of(start + 2 * 60_000, 6 * quarter)).toEqual(["09:45", "10:00", "10:15", "10:30", "10:45"]);
  expect(of(start - 6 * 60_000, 6 * quarter)).toEqual(["09:30", "09:45", "10:00", "10:15", "10:30", "10:45"]);
  expect(of(start, 3 * quarter)).toEqual(["09:40", "09:50", "10:00", "10:10"]);
});

test("the first moment has its label where there is room for it; the end is not part of the time", () => {
  const of = (minute: number, minutes: number) =>
    listTicks(start + minute * 60_000, minutes * 60_000, false).map(({ at }) =>
      new Date(at).toISOString().slice(11, 16),
    );
  expect(of(0, 10)).toEqual(["09:30", "09:35"]);
  // A third of a step is enough.
  expect(of(-5, 90)).toEqual(["09:30", "09:45", "10:00", "10:15", "10:30", "10:45"]);
});

test.each([HOUR, DAY, 14 * DAY, 90 * DAY, 400 * DAY, 5_000 * DAY])(
  "%i ms have two to seven labels, none twice",
  (span) => {
    for (const isLocal of [true, false]) {
      const ticks = listTicks(start, span, isLocal);
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(7);
      expect(new Set(ticks.map(({ at }) => at)).size).toBe(ticks.length);
      expect(ticks.every(({ at }) => at >= start && at < start + span)).toBe(true);
    }
  },
);

describe("on a day with a clock change", () => {
  const local = (zone: string, from: string, hours: number) => {
    vi.stubEnv("TZ", zone);
    const format = new Intl.DateTimeFormat("en-GB", {
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      timeZone: zone,
    });
    return listTicks(Date.parse(from), hours * HOUR, true).map(
      ({ at, isDay }) => `${isDay ? "day " : ""}${format.format(at)}`,
    );
  };
  afterEach(() => void vi.unstubAllEnvs());

  test("hours are those of the clock, and none stands beside the next day", () => {
    expect(local("America/New_York", "2026-11-01T14:00Z", 24)).toEqual([
      "1, 12:00",
      "1, 18:00",
      "day 2, 00:00",
      "2, 06:00",
    ]);
    expect(local("Europe/Berlin", "2026-10-24T20:00Z", 60)).toEqual([
      "25, 12:00",
      "day 26, 00:00",
      "26, 12:00",
      "day 27, 00:00",
    ]);
    expect(local("Europe/Berlin", "2026-03-28T20:00Z", 24)).toEqual([
      "day 29, 00:00",
      "29, 06:00",
      "29, 12:00",
      "29, 18:00",
    ]);
  });

  test("an hour that comes twice has both its labels", () => {
    expect(local("Europe/Berlin", "2026-10-24T22:30Z", 4)).toEqual([
      "25, 01:00",
      "25, 02:00",
      "25, 02:00",
      "25, 03:00",
    ]);
  });
});
