import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import { CronStrip } from "../crons/cron-strip.tsx";
import { UptimeStrip } from "../uptime/uptime-strip.tsx";

/** Noon in the time zone of the machine. */
const NOON = new Date(2026, 4, 20, 12).getTime();
const down = { from: NOON - 3 * HOUR_MS + 5 * MINUTE_MS, to: NOON - 2 * HOUR_MS + 7 * MINUTE_MS };

function readAll(): string[] {
  const strip = screen.getByRole("slider");
  const read: string[] = [];
  fireEvent.keyDown(strip, { key: "Home" });
  for (;;) {
    const words = strip.getAttribute("aria-valuetext") ?? "";
    if (words === read.at(-1)) return read;
    read.push(words);
    fireEvent.keyDown(strip, { key: "ArrowRight" });
  }
}

test("the runs of a job are read in the order of time, with when Culprit was down", () => {
  const ticks = [
    { at: NOON - 4 * HOUR_MS, status: "ok", count: 1 },
    { at: NOON - 3 * HOUR_MS + 15 * MINUTE_MS, status: "unknown", count: 1 },
    { at: NOON - HOUR_MS, status: "missed", count: 2 },
  ] as const;
  render(<CronStrip name="nightly" ticks={ticks} downtimes={[down]} now={NOON} />);
  const strip = screen.getByRole("slider", {
    name: "Runs of nightly in the last 24 hours: 1 fine, 1 unknown, 2 missed, Culprit was down for 1 h 2 min",
  });
  expect(readAll()).toEqual(["08:00: fine", "09:05 to 10:07: Culprit was down", "11:00: missed, 2 runs"]);
  fireEvent.keyDown(strip, { key: "Home" });
  expect(strip.getAttribute("aria-valuenow")).toBe("0");
  fireEvent.blur(strip);
  expect(strip.getAttribute("aria-valuetext")).toMatch(/^1 fine/);
  // A tap also reads a mark.
  fireEvent.click(screen.getByTitle("11:00: missed, 2 runs"));
  expect(strip.getAttribute("aria-valuetext")).toBe("11:00: missed, 2 runs");
});

test("without runs, what is drawn says so, and when Culprit was down can still be read", () => {
  const { unmount } = render(<CronStrip name="nightly" ticks={[]} downtimes={[]} now={NOON} />);
  expect(screen.getByRole("img", { name: "Runs of nightly in the last 24 hours: none" })).toBeTruthy();
  unmount();
  render(<CronStrip name="nightly" ticks={[]} downtimes={[down]} now={NOON} />);
  expect(readAll()).toEqual(["09:05 to 10:07: Culprit was down"]);
});

test("quarters without checks are one mark, apart from when Culprit was down", () => {
  const ticks = Array.from({ length: 96 }, (_, index) => {
    const at = NOON - DAY_MS + index * 15 * MINUTE_MS;
    if (index < 84) return { at, kind: "unknown", words: "not checked" } as const;
    if (at >= down.from && at + 15 * MINUTE_MS <= down.to)
      return { at, kind: "unknown", words: "not checked" } as const;
    return {
      at,
      kind: index === 95 ? "some" : "up",
      words: index === 95 ? "1 of 15 checks failed" : "15 checks",
    } as const;
  });
  render(<UptimeStrip name="Shop" ticks={ticks} downtimes={[down]} until={NOON} />);
  expect(screen.getByRole("slider").getAttribute("aria-label")).toBe(
    "Checks of Shop in the last 24 hours: checks failed in 1 quarter of an hour, 87 not checked, Culprit was down for 1 h 2 min",
  );
  const read = readAll();
  expect(read.filter((words) => !words.endsWith("15 checks"))).toEqual([
    "12:00 to 09:00: not checked",
    "09:05 to 10:07: Culprit was down",
    "11:45: 1 of 15 checks failed",
  ]);
});
