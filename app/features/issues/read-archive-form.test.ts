import { expect, test } from "vitest";
import type { EscalationBound } from "../../domain/issues/escalation.ts";
import { sayArchiveEnd, sayArchiveRule, sayEscalationBounds } from "../../domain/issues/say-archive.ts";
import { readArchiveForm } from "./read-archive-form.ts";

const NOON = Date.UTC(2026, 4, 20, 12);
const read = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return readArchiveForm(form, NOON);
};

test.each<[Record<string, string>, string | null]>([
  [{}, null],
  [{ for: "1h" }, "until 2026-05-20 13:00 UTC"],
  [{ for: "30d" }, "until 2026-06-19 12:00 UTC"],
  [{ by: "time", until: "2026-05-21T10:00:00.000Z", untilLocal: "2026-05-21T12:00" }, "until 2026-05-21 10:00 UTC"],
  [{ by: "time", until: "", untilLocal: "2026-05-21T12:00" }, "until 2026-05-21 12:00 UTC"],
  [{ by: "events", count: "100", window: "" }, "until 100 more events"],
  [{ by: "escalates" }, "until it escalates"],
  [{ by: "events", count: "1" }, "until 1 more event"],
  [{ by: "users", count: "10", window: "60" }, "until 10 users within an hour"],
  [{ by: "events", count: "1000", window: "2880" }, "until 1,000 events within 2 days"],
])("the form %j archives %s", (fields, words) => {
  const result = read(fields);
  expect(result.ok && result.rule && sayArchiveRule(result.rule)).toBe(words);
});

test.each<[Record<string, string>, string]>([
  [{ for: "2h" }, "for: Must be one of 1h, 1d, 7d, 30d."],
  [{ by: "moon" }, "by: Must be one of time, events, users, escalates."],
  [{ by: "time" }, "until: Choose a day and a time."],
  [{ by: "time", until: "tomorrow" }, "until: Choose a day and a time."],
  [{ by: "time", until: "2026-05-20T12:00:00Z" }, "until: Must be in the future."],
  [{ by: "time", until: "2028-05-20T12:00:00Z" }, "until: Must be within a year."],
  [{ by: "events", count: "" }, "count: Must be a whole number from 1 to 1,000,000."],
  [{ by: "users", count: "1001", window: "60" }, "count: Must be a whole number from 1 to 1,000."],
  [{ by: "users", count: "10", window: "1e9" }, "window: Must be a whole number from 1 to 10,080."],
])("the form %j is refused with a sentence", (fields, message) => {
  expect(read(fields)).toEqual({ ok: false, message });
});

test("why an issue came back is said in words", () => {
  expect(sayArchiveEnd({ kind: "events", count: 100, windowMinutes: null })).toBe(
    "100 more events since it was archived",
  );
  expect(sayArchiveEnd({ kind: "users", count: 10, windowMinutes: 1440 })).toBe("10 users within a day");
});

test("what would bring an issue back by its own past is said in words, and with how many events it came", () => {
  const perHour: EscalationBound = { most: 40, busiest: 20, isRate: false, ceiling: 40 };
  expect(sayEscalationBounds({ day: 0, perHour, perDay: null })).toBe(
    "It comes back when an hour has more than 40 events: its busiest hour of the last week had 20 events. " +
      "The issue is younger than a week, so that days do not count yet.",
  );
  const perDay: EscalationBound = { most: 2_000, busiest: 1_000, isRate: true, ceiling: 2_000 };
  expect(sayEscalationBounds({ day: 0, perHour: { ...perHour, busiest: 0 }, perDay })).toBe(
    "It comes back when an hour has more than 40 events: its busiest hour of the last week had no event. " +
      "Or when a day (UTC) has more than 2,000: at its rate when it was archived, the day comes to 1,000 events.",
  );
  const escalation = { unit: "hour", from: NOON + 7_200_000, count: 63, most: 40 } as const;
  expect(sayArchiveEnd({ kind: "escalates" }, escalation)).toBe(
    "63 events in the hour from 2026-05-20 14:00 UTC; the bound was 40",
  );
  expect(sayArchiveEnd({ kind: "escalates" }, { ...escalation, unit: "day", from: NOON - 43_200_000 })).toBe(
    "63 events in the day 2026-05-20 (UTC); the bound was 40",
  );
});
