import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import { previewSchedule } from "./schedule-words.server.ts";

const NOON = Date.UTC(2026, 10, 29, 12);
const HOURLY = { schedule: { type: "interval", value: 1, unit: "hour" }, timezone: null } as const;

test("the due times of an interval count from its last run", () => {
  const dueAt = NOON + 20 * MINUTE_MS;
  const { due } = previewSchedule(HOURLY, NOON, dueAt);
  expect(due.map(({ at }) => at)).toEqual([0, 1, 2, 3, 4].map((hours) => dueAt + hours * HOUR_MS));
});

test("without a run, or when it is overdue, they count from now", () => {
  for (const dueAt of [null, NOON - 1]) expect(previewSchedule(HOURLY, NOON, dueAt).due[0]?.at).toBe(NOON + HOUR_MS);
});
