import { expect, test } from "vitest";
import { endsNever, findQuietEnd, parseTimeOfDay, type QuietHours, toTimeOfDay, WEEKDAYS } from "./quiet-hours.ts";

const BERLIN = { timezone: "Europe/Berlin", letsHighThrough: false };

function quiet(from: string, to: string, days: readonly number[] = WEEKDAYS): QuietHours {
  return { ...BERLIN, from: parseTimeOfDay(from) ?? -1, to: parseTimeOfDay(to) ?? -1, days };
}

function endOf(hours: QuietHours, at: string): string | null {
  const end = findQuietEnd(hours, Date.parse(at));
  return end === null ? null : new Date(end).toISOString();
}

test("hours of one day are quiet from the first minute on, and not in the last", () => {
  const hours = quiet("12:00", "13:30");
  expect(endOf(hours, "2026-11-25T10:59:59.999Z")).toBeNull();
  expect(endOf(hours, "2026-11-25T11:00:00Z")).toBe("2026-11-25T12:30:00.000Z");
  expect(endOf(hours, "2026-11-25T12:29:59.999Z")).toBe("2026-11-25T12:30:00.000Z");
  expect(endOf(hours, "2026-11-25T12:30:00Z")).toBeNull();
});

test("hours over midnight belong to the day on which they begin", () => {
  // 27 November 2026 is a Friday.
  const hours = quiet("22:00", "07:00", [5]);
  expect(endOf(hours, "2026-11-27T04:00:00Z")).toBeNull();
  expect(endOf(hours, "2026-11-27T21:30:00Z")).toBe("2026-11-28T06:00:00.000Z");
  expect(endOf(hours, "2026-11-28T05:59:00Z")).toBe("2026-11-28T06:00:00.000Z");
  expect(endOf(hours, "2026-11-28T21:30:00Z")).toBeNull();
});

test("whole days that follow each other end together", () => {
  const weekend = quiet("00:00", "00:00", [6, 7]);
  expect(endOf(weekend, "2026-11-28T08:00:00Z")).toBe("2026-11-29T23:00:00.000Z");
  expect(endOf(weekend, "2026-11-29T08:00:00Z")).toBe("2026-11-29T23:00:00.000Z");
  expect(endOf(weekend, "2026-11-29T23:00:00Z")).toBeNull();
  expect(endsNever(weekend)).toBe(false);
  expect(endsNever(quiet("09:00", "09:00"))).toBe(true);
});

test("a night in which summer time begins is an hour shorter, one in which it ends an hour longer", () => {
  const hours = quiet("22:00", "07:00");
  expect(endOf(hours, "2026-03-28T21:00:00Z")).toBe("2026-03-29T05:00:00.000Z");
  expect(endOf(hours, "2026-03-29T04:59:00Z")).toBe("2026-03-29T05:00:00.000Z");
  expect(endOf(hours, "2026-03-29T05:00:00Z")).toBeNull();
  expect(endOf(hours, "2026-10-24T20:00:00Z")).toBe("2026-10-25T06:00:00.000Z");
  expect(endOf(hours, "2026-10-25T05:59:00Z")).toBe("2026-10-25T06:00:00.000Z");
  expect(endOf(hours, "2026-10-25T06:00:00Z")).toBeNull();
});

test("times that a clock change skips are the instant of the change", () => {
  expect(endOf(quiet("02:30", "03:15"), "2026-03-29T01:00:00Z")).toBe("2026-03-29T01:15:00.000Z");
  expect(endOf(quiet("22:00", "02:30"), "2026-03-29T00:59:00Z")).toBe("2026-03-29T01:00:00.000Z");
  expect(endOf(quiet("22:00", "02:30"), "2026-03-29T01:00:00Z")).toBeNull();
  // Both are skipped: nothing is left of them, and not a whole day.
  expect(endOf(quiet("02:10", "02:50"), "2026-03-29T01:00:00Z")).toBeNull();
  expect(endOf(quiet("02:30", "02:00"), "2026-03-29T01:00:00Z")).toBe("2026-03-30T00:00:00.000Z");
});

test("times that come twice are the first ones", () => {
  expect(endOf(quiet("22:00", "02:30"), "2026-10-25T00:29:00Z")).toBe("2026-10-25T00:30:00.000Z");
  expect(endOf(quiet("22:00", "02:30"), "2026-10-25T00:30:00Z")).toBeNull();
  // From the first 02:30 on: an hour longer than otherwise.
  expect(endOf(quiet("02:30", "04:00"), "2026-10-25T00:30:00Z")).toBe("2026-10-25T03:00:00.000Z");
  expect(endOf(quiet("02:30", "04:00"), "2026-10-25T01:10:00Z")).toBe("2026-10-25T03:00:00.000Z");
});

test("other zones have their own day", () => {
  const hours = { ...quiet("22:00", "07:00", [5]), timezone: "Asia/Kathmandu" };
  expect(endOf(hours, "2026-11-27T16:15:00Z")).toBe("2026-11-28T01:15:00.000Z");
  expect(endOf(hours, "2026-11-27T16:14:00Z")).toBeNull();
});

test("reads and writes times of day", () => {
  expect(parseTimeOfDay("07:05")).toBe(425);
  expect(toTimeOfDay(425)).toBe("07:05");
  for (const text of ["", "7:05", "24:00", "07:60", "07:05:00"]) expect(parseTimeOfDay(text)).toBeNull();
});
