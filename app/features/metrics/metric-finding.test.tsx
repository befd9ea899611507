// @vitest-environment jsdom
import { expect, test } from "vitest";
import type { SentryEvent } from "../../domain/event.ts";
import { readMetricFinding } from "./metric-finding.tsx";

const metric = { monitor: 7, value: "3", line: "above 2", line_value: 2, window: "5 minutes", points: [1, null, 3] };
const event = (change: object, logger = "culprit.metrics") =>
  ({ logger, contexts: { metric: { ...metric, ...change } } }) as unknown as SentryEvent;

test("what a monitor has told is read, and what only looks like it is not", () => {
  expect(readMetricFinding(event({}))).toMatchObject({ monitor: 7, value: "3", lineValue: 2, points: [1, null, 3] });
  expect(readMetricFinding(event({ points: ["x", 2, Number.NaN] }))?.points).toEqual([null, 2, null]);
  expect(readMetricFinding(event({ points: new Array(5_000).fill(1) }))?.points).toHaveLength(60);
  expect(readMetricFinding(event({ doubt: "Low confidence." }))?.doubt).toBe("Low confidence.");
  expect(readMetricFinding(event({ doubt: 7 }))?.doubt).toBeNull();
  expect(readMetricFinding(event({}, "app"))).toBeNull();
  expect(readMetricFinding(event({ monitor: "7/../.." }))).toBeNull();
  expect(readMetricFinding(event({ line_value: "2" }))).toBeNull();
  expect(readMetricFinding(event({ points: null }))).toBeNull();
});
