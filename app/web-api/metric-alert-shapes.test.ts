import { describe, expect, test } from "vitest";
import { type MetricMonitor, NO_METRIC_STATE } from "../domain/metrics/metric-monitor.ts";
import { readMetricSettings } from "../domain/metrics/read-metric-settings.ts";
import { fromMetricAlert, metricAlertBody, serializeMetricAlert } from "./metric-alert-shapes.ts";

const BODY = {
  name: "Slow",
  aggregate: "p95(transaction.duration)",
  dataset: "transactions",
  timeWindow: 10,
  thresholdType: 0,
  triggers: [
    { label: "warning", alertThreshold: 300 },
    { label: "critical", alertThreshold: 500 },
  ],
  resolveThreshold: 200,
};
const read = (change: object) => {
  const typed = readMetricSettings(fromMetricAlert(metricAlertBody.parse({ ...BODY, ...change })), 0);
  if (!typed.ok) throw new Error(`${typed.field}: ${typed.message}`);
  return typed.settings;
};
const one = (alertThreshold: number) => ({ triggers: [{ label: "critical", alertThreshold }], resolveThreshold: null });

describe("a metric alert rule", () => {
  test.each<[object, object]>([
    [{}, { dataset: "transactions", figure: "p95(span.duration)", critical: 500, warning: 300, recovery: 200 }],
    [
      { dataset: "events", aggregate: "count()" },
      { dataset: "errors", figure: "count()" },
    ],
    [
      { dataset: "events", aggregate: "count_unique(tags[sentry:user])" },
      { dataset: "errors", figure: "count_unique(user)" },
    ],
    [
      { dataset: "events_analytics_platform", aggregate: "count(span.duration)" },
      { dataset: "spans", figure: "count()" },
    ],
    [
      { dataset: "events_analytics_platform", eventTypes: ["trace_item_log"], aggregate: "count(message)" },
      { dataset: "logs", figure: "count()" },
    ],
    [
      {
        dataset: "metrics",
        aggregate: "percentage(sessions_crashed, sessions) AS _crash_rate_alert_aggregate",
        thresholdType: 1,
        ...one(98),
      },
      { dataset: "sessions", figure: "crash_rate(session)", direction: "above", critical: 2 },
    ],
    [
      { dataset: "metrics", aggregate: "count()", thresholdType: 1, ...one(50) },
      { dataset: "sessions", figure: "count()", direction: "below", critical: 50 },
    ],
    [
      {
        ...{ dataset: "metrics", aggregate: "percentage(users_crashed, users)", detectionType: "goal" },
        ...{ query: "release:latest", thresholdType: 1, triggers: [], resolveThreshold: null },
      },
      { figure: "crash_rate(user)", comparison: "goal", direction: "above", critical: 2, warning: 0.5 },
    ],
    [
      { comparisonDelta: 10_080, ...one(150) },
      { comparison: "week", direction: "above", critical: 50 },
    ],
    [
      { comparisonDelta: 10_080, thresholdType: 1, ...one(40) },
      { comparison: "week", direction: "below", critical: -60 },
    ],
    [
      {
        ...{ dataset: "metrics", aggregate: "percentage(sessions_crashed, sessions)" },
        ...{ comparisonDelta: 10_080, thresholdType: 0, ...one(150) },
      },
      { figure: "crash_rate(session)", comparison: "week", direction: "above", critical: 50 },
    ],
  ])("%o is read as %o, and is answered so that it reads as the same", (change, expected) => {
    const settings = read(change);
    expect(settings).toMatchObject(expected);
    const monitor: MetricMonitor = {
      ...{ id: 7, projectId: 1, isPaused: false, createdAt: 0, nextAt: 0 },
      settings,
      state: NO_METRIC_STATE,
    };
    const answered = metricAlertBody.parse(serializeMetricAlert(monitor, "shop"));
    expect(readMetricSettings(fromMetricAlert(answered), 0)).toEqual({ ok: true, settings });
  });

  test.each<[object, string]>([
    [{ owner: "team:1" }, "owner: "],
    [{ triggers: [{ label: "warning", alertThreshold: 1 }] }, "triggers: "],
    [{ triggers: [{ label: "critical", alertThreshold: 1, actions: [{ type: "email" }] }] }, "triggers[0].actions: "],
    [{ triggers: [BODY.triggers[1], BODY.triggers[1]] }, "triggers: "],
    [{ comparisonDelta: 60 }, "comparisonDelta: "],
    [{ dataset: "metrics", aggregate: "failure_rate()" }, "aggregate: "],
    [{ detectionType: "dynamic" }, "detectionType: "],
    [{ detectionType: "percent" }, "comparisonDelta: "],
    [{ detectionType: "goal", comparisonDelta: 10_080 }, "comparisonDelta: "],
    [{ triggers: [] }, "triggers: "],
  ])("%o is refused with the field", async (change, field) => {
    const refused = await Promise.resolve()
      .then(() => fromMetricAlert(metricAlertBody.parse({ ...BODY, ...change })))
      .catch((error: Response) => error.json());
    expect(refused).toMatchObject({ detail: expect.stringContaining(field) });
  });
});
