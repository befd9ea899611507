import { expect, test } from "vitest";
import { crashServer, describeReport } from "./crash-server.ts";

const killCount = Number(process.env.CRASH_COUNT) || 30;
const seed = Number(process.env.CRASH_SEED) || Math.floor(Math.random() * 2 ** 31);

test(`after kill -9, ${killCount} times, whatever was answered 200 is there exactly once`, {
  timeout: 240_000 + killCount * 6_000,
}, async () => {
  console.info(`CRASH_COUNT=${killCount} CRASH_SEED=${seed}`);
  const report = await crashServer({ killCount, seed });
  console.info(describeReport(report));
  expect(report.contradictions).toEqual([]);
  expect(report.answeredEventCount).toBeGreaterThan(killCount * 10);
});
