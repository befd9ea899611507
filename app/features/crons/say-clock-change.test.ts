import { expect, test } from "vitest";
import { sayClockChange } from "./say-clock-change.server.ts";

const NOVEMBER = Date.UTC(2026, 10, 27);
const JUNE = Date.UTC(2027, 5, 1);

const say = (value: string, now: number, timezone = "Europe/Berlin") =>
  sayClockChange({ schedule: { type: "crontab", value }, timezone }, now);

// Clocks change on Sundays. What a crontab does on the day before does not count.
test.each([
  ["30 2 * * *", "On 28 March 2027 there is no 02:30 in Europe/Berlin: it is due at 03:00 that day."],
  ["30 2 * * 0", "On 28 March 2027 there is no 02:30 in Europe/Berlin: it is due at 03:00 that day."],
  ["30 2 * * 1-6", null],
  ["0 9 * * *", null],
  [
    "0 * * * *",
    "On 28 March 2027 the clocks in Europe/Berlin go forward: what is due in the hour that is skipped is not.",
  ],
])("when the clocks go forward, %s", (crontab, words) => {
  expect(say(crontab, NOVEMBER)).toBe(words);
});

test.each([
  ["30 2 * * 0", "On 31 October 2027 there are two times 02:30 in Europe/Berlin: it is due at the first one."],
  ["30 2 * * 1-6", null],
  [
    "0 * * * *",
    "On 31 October 2027 the clocks in Europe/Berlin go back: the hour that comes twice has its due times twice.",
  ],
])("when the clocks go back, %s", (crontab, words) => {
  expect(say(crontab, JUNE)).toBe(words);
});

test("a zone whose clocks do not change has nothing to say", () => {
  expect(say("30 2 * * *", NOVEMBER, "UTC")).toBeNull();
  expect(say("30 2 * * *", NOVEMBER, "Asia/Tokyo")).toBeNull();
});
