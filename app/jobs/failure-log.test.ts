import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../domain/time.ts";
import type { Log } from "../log.server.ts";
import { FailureLog } from "./failure-log.ts";

function collect() {
  const lines: object[] = [];
  const note = (facts: object | string) => void lines.push(typeof facts === "string" ? {} : facts);
  const log: Log = { debug: note, info: note, warn: note, error: note, child: () => log };
  return { lines, failures: new FailureLog(log) };
}

test("says the same failure at once, and then after growing pauses with how often it came", () => {
  const { lines, failures } = collect();
  const full = new Error("the disk is full");
  for (let second = 0; second < 200; second++) failures.failed("deliver", full, second * 1_000);
  expect(lines).toEqual([
    { err: full, job: "deliver" },
    { err: full, job: "deliver", failures: 60 },
    { err: full, job: "deliver", failures: 120 },
  ]);
  for (let minute = 4; minute < 24 * 60; minute++) failures.failed("deliver", full, minute * MINUTE_MS);
  expect(lines.length).toBeLessThan(3 + (24 * HOUR_MS) / HOUR_MS + 5);
});

test("says another failure, another job, and the end of both", () => {
  const { lines, failures } = collect();
  const [full, locked] = [new Error("full"), new Error("locked")];
  failures.failed("deliver", full, 0);
  failures.failed("deliver", locked, 1_000);
  failures.failed("notify", locked, 1_000);
  failures.worked("deliver");
  failures.worked("deliver");
  failures.failed("deliver", locked, 2_000);
  expect(lines).toEqual([
    { err: full, job: "deliver" },
    { err: locked, job: "deliver" },
    { err: locked, job: "notify" },
    { job: "deliver" },
    { err: locked, job: "deliver" },
  ]);
});
