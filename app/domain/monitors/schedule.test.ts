import { describe, expect, test } from "vitest";
import type { MonitorSchedule } from "../monitor.ts";
import { findScheduleFault, listDue, nextDue, previousDue } from "./schedule.ts";

const cron = (value: string, timezone = "Europe/Berlin") => ({
  schedule: { type: "crontab", value } as MonitorSchedule,
  timezone,
});
const iso = (instants: readonly number[]) => instants.map((at) => new Date(at).toISOString().slice(0, 16));

describe("due times of a crontab", () => {
  test("are those of its zone", () => {
    expect(iso(listDue(cron("0 9 * * 1-5"), Date.UTC(2026, 0, 2), 3))).toEqual([
      "2026-01-02T08:00",
      "2026-01-05T08:00",
      "2026-01-06T08:00",
    ]);
    expect(previousDue(cron("0 9 * * *", "UTC"), Date.UTC(2026, 0, 2, 9))).toBe(Date.UTC(2026, 0, 2, 9));
  });

  test("come when the clock has gone on, where a clock change skips their hour", () => {
    expect(iso(listDue(cron("30 2 * * *"), Date.UTC(2026, 2, 28, 12), 2))).toEqual([
      "2026-03-29T01:00",
      "2026-03-30T00:30",
    ]);
  });

  test("come once, where a clock change doubles their hour, and each hour where they are hourly", () => {
    expect(iso(listDue(cron("30 2 * * *"), Date.UTC(2026, 9, 24, 12), 2))).toEqual([
      "2026-10-25T00:30",
      "2026-10-26T01:30",
    ]);
    expect(iso(listDue(cron("@hourly"), Date.UTC(2026, 9, 24, 23, 30), 3))).toEqual([
      "2026-10-25T00:00",
      "2026-10-25T01:00",
      "2026-10-25T02:00",
    ]);
  });

  test("are fixed in a list or a range of hours or minutes, too", () => {
    const onDay = (value: string, day: number) => {
      const due = iso(listDue(cron(value), day - 1, 8));
      return due.filter((at) => at.startsWith(new Date(day).toISOString().slice(0, 10)));
    };
    const back = Date.UTC(2026, 9, 25);
    expect(onDay("30 2,14 * * *", back)).toEqual(["2026-10-25T00:30", "2026-10-25T13:30"]);
    expect(onDay("0 2-4 * * *", back)).toEqual(["2026-10-25T00:00", "2026-10-25T02:00", "2026-10-25T03:00"]);
    expect(onDay("15,45 2 * * *", back)).toEqual(["2026-10-25T00:15", "2026-10-25T00:45"]);
    expect(previousDue(cron("30 2,14 * * *"), Date.UTC(2026, 9, 25, 2))).toBe(Date.UTC(2026, 9, 25, 0, 30));
    expect(onDay("30 2,14 * * *", Date.UTC(2026, 2, 29))).toEqual(["2026-03-29T01:00", "2026-03-29T12:30"]);
  });
});

test("an interval counts from the last check-in, and a month has its last day", () => {
  const every = (value: number, unit: "hour" | "month" | "year") => ({
    schedule: { type: "interval", value, unit } as const,
    timezone: null,
  });
  expect(nextDue(every(2, "hour"), 5)).toBe(7_200_005);
  expect(iso([nextDue(every(1, "month"), Date.UTC(2026, 0, 31, 8)) ?? 0])).toEqual(["2026-02-28T08:00"]);
  expect(nextDue(every(1e9, "year"), 0)).toBeNull();
});

test.each([
  ["61 * * * *", "no crontab: Invalid value for minute: 61"],
  ["* * *", "A crontab has five fields"],
  ["*/5 * * * * *", "has 6"],
  ["0 0 31 2 *", "never due"],
  ["@reboot", "use an interval"],
  ["@often", "Known names"],
  ["? * * * *", "question mark"],
])("%j is refused with a sentence", (value, words) => {
  expect(findScheduleFault(cron(value))).toContain(words);
});

test.each(["*/5 * * * *", "@daily", "0 9-17/2 * JAN MON-FRI", "0 0 * * 7", "0 0 29 2 *"])(
  "%j is a schedule",
  (value) => {
    expect(findScheduleFault(cron(value))).toBeNull();
    expect(findScheduleFault(cron(value, "Mars/Phobos"))).toContain("no time zone");
  },
);
