import { z } from "zod";
import type { MetricDataset, MetricFigure, MetricMonitor, MetricSettings } from "../domain/metrics/metric-monitor.ts";
import { METRIC_LIMITS } from "../domain/metrics/metric-monitor.ts";
import type { TypedMetric } from "../domain/metrics/read-metric-settings.ts";
import { readAggregate } from "../domain/spans/span-aggregates.ts";
import { refusal } from "./answers.ts";

const WEEK_MINUTES = 10_080;
const LABELS = ["critical", "warning"] as const;
const DATASETS = [
  "events",
  "transactions",
  "generic_metrics",
  "metrics",
  "sessions",
  "events_analytics_platform",
] as const;
const EVENT_TYPES = ["default", "error", "transaction", "trace_item_span", "trace_item_log"] as const;

/** Sentry's types, and `goal`: the monitor uses the project's target and floor. */
const DETECTION_TYPES = ["static", "percent", "dynamic", "goal"] as const;

const trigger = z.looseObject({
  label: z.enum(LABELS),
  alertThreshold: z.number(),
  actions: z.array(z.unknown()).max(20).default([]).describe("must be empty: alert rules tell of the issue"),
});

/** The body of a metric alert rule, with Sentry's names. */
export const metricAlertBody = z.object({
  name: z.string().max(1_000),
  aggregate: z
    .string()
    .max(200)
    .describe("`count()`, `count_unique(user)`, `failure_rate()`, `p95(transaction.duration)`, …"),
  dataset: z.enum(DATASETS).default("events").describe("`events_analytics_platform`: spans or logs, by `eventTypes`"),
  eventTypes: z.array(z.enum(EVENT_TYPES)).max(5).optional(),
  query: z.string().max(METRIC_LIMITS.queryChars).default(""),
  environment: z.string().max(64).nullish(),
  timeWindow: z.number().describe("minutes"),
  thresholdType: z.union([z.literal(0), z.literal(1)]).describe("0: above, 1: below"),
  comparisonDelta: z
    .number()
    .nullish()
    .describe(
      `${WEEK_MINUTES}: against one week before; thresholds are then 100 plus the percent, of shares of sessions by the share that crashed`,
    ),
  resolveThreshold: z.number().nullish(),
  detectionType: z
    .enum(DETECTION_TYPES)
    .optional()
    .describe(
      "`goal`: the lines are the project’s target and floor of crash-free sessions, and follow them; `triggers` and `resolveThreshold` are then not used",
    ),
  triggers: z.array(trigger).max(2).default([]),
  projects: z.array(z.string()).max(100).optional().describe("exactly one slug"),
  owner: z.string().nullish().describe("refused"),
});
export const metricAlertChange = metricAlertBody.partial().extend({
  dataset: z.enum(DATASETS).optional(),
  query: z.string().max(METRIC_LIMITS.queryChars).optional(),
  triggers: z.array(trigger).max(2).optional(),
});
export type MetricAlertBody = z.output<typeof metricAlertBody>;

export const metricAlertAnswer = z.object({
  id: z.string(),
  name: z.string(),
  organizationId: z.string(),
  aggregate: z.string(),
  dataset: z.enum(DATASETS),
  eventTypes: z.array(z.enum(EVENT_TYPES)),
  query: z.string(),
  environment: z.string().nullable(),
  timeWindow: z.number(),
  thresholdType: z.union([z.literal(0), z.literal(1)]),
  comparisonDelta: z.number().nullable(),
  resolveThreshold: z.number().nullable(),
  detectionType: z.enum(DETECTION_TYPES),
  triggers: z.array(z.object({ label: z.enum(LABELS), alertThreshold: z.number(), actions: z.array(z.unknown()) })),
  projects: z.array(z.string()),
  owner: z.null(),
  status: z.number().describe("0: active, 4: paused"),
  state: z.enum(["unknown", "ok", "warning", "critical"]),
  dateCreated: z.string(),
});

/**
 * Shares of sessions. For absolute values, Sentry's number is the share that did *not* crash. Changes in percent are about the share that
 * crashed, here as in Sentry.
 */
const CRASH_FREE = {
  "percentage(sessions_crashed,sessions)": "crash_rate(session)",
  "percentage(users_crashed,users)": "crash_rate(user)",
} as const;

/** Reads the body of a request. @throws a 400 answer that names the field. */
export function fromMetricAlert(body: MetricAlertBody): TypedMetric {
  if (body.owner)
    throw refusal(400, "owner: Must be absent. Metric monitors have no owner: the issue gets one by ownership rules.");
  for (const [index, { actions }] of body.triggers.entries())
    if (actions.length > 0)
      throw refusal(
        400,
        `triggers[${index}].actions: Must be empty. Alert rules and channels tell of the issue that it opens.`,
      );
  if (body.detectionType === "dynamic")
    throw refusal(400, "detectionType: Must be static, percent or goal. Lines that a model finds do not exist here.");
  const isGoal = body.detectionType === "goal";
  const critical = body.triggers.find(({ label }) => label === "critical");
  if (critical === undefined && !isGoal) throw refusal(400, 'triggers: One of them must have the label "critical".');
  if (body.triggers.length === 2 && body.triggers[0]?.label === body.triggers[1]?.label)
    throw refusal(400, "triggers: Their labels must be different.");
  const warning = body.triggers.find(({ label }) => label === "warning");
  if (body.comparisonDelta && body.comparisonDelta !== WEEK_MINUTES)
    throw refusal(400, `comparisonDelta: Must be ${WEEK_MINUTES} minutes, one week, or absent.`);
  const { dataset, figure, isCrashFree } = readAggregateOf(body);
  const isWeek = body.comparisonDelta === WEEK_MINUTES;
  if (body.detectionType === "percent" && !isWeek)
    throw refusal(400, `comparisonDelta: Must be ${WEEK_MINUTES} where detectionType is percent.`);
  if (isGoal && isWeek) throw refusal(400, "comparisonDelta: Must be absent where detectionType is goal.");
  const toLine = (value: number) => (isWeek ? value - 100 : isCrashFree ? 100 - value : value);
  const isAbove = (body.thresholdType === 0) !== (isCrashFree && !isWeek);
  const { resolveThreshold } = body;
  return {
    name: body.name,
    dataset,
    figure,
    query: body.query,
    environment: body.environment ?? null,
    windowMinutes: body.timeWindow,
    comparison: isGoal ? "goal" : isWeek ? "week" : "none",
    direction: isAbove || isGoal ? "above" : "below",
    critical: critical === undefined ? Number.NaN : toLine(critical.alertThreshold),
    warning: warning === undefined ? null : toLine(warning.alertThreshold),
    recovery: resolveThreshold === null || resolveThreshold === undefined ? null : toLine(resolveThreshold),
  };
}

function readAggregateOf({ aggregate, dataset, eventTypes = [] }: MetricAlertBody): {
  dataset: MetricDataset;
  figure: string;
  isCrashFree: boolean;
} {
  const plain = aggregate.replace(/\s+AS\s+\w+$/i, "").replaceAll(" ", "");
  if (dataset === "metrics" || dataset === "sessions") {
    if (plain === "count()") return { dataset: "sessions", figure: plain, isCrashFree: false };
    const figure = Object.hasOwn(CRASH_FREE, plain) ? CRASH_FREE[plain as keyof typeof CRASH_FREE] : undefined;
    if (figure === undefined)
      throw refusal(400, `aggregate: Of sessions there are count(), ${Object.keys(CRASH_FREE).join(" and ")}.`);
    return { dataset: "sessions", figure, isCrashFree: true };
  }
  const own: MetricDataset =
    dataset === "events"
      ? "errors"
      : dataset !== "events_analytics_platform"
        ? "transactions"
        : eventTypes.includes("trace_item_log")
          ? "logs"
          : "spans";
  if (own === "errors" || own === "logs") {
    const figure = /^count_unique\((?:user|user\.id|tags\[sentry:user\])\)$/.test(plain) ? "count_unique(user)" : plain;
    return { dataset: own, figure: /^count\(\w*\)$/.test(figure) ? "count()" : figure, isCrashFree: false };
  }
  return { dataset: own, figure: readAggregate(plain) ?? plain, isCrashFree: false };
}

/** The answer for a monitor. Culprit does not have Sentry's fields that are missing here. */
export function serializeMetricAlert(
  { id, settings, isPaused, state, createdAt }: MetricMonitor,
  project: string,
): z.input<typeof metricAlertAnswer> {
  const { critical, warning, recovery, comparison, direction } = settings;
  const isWeek = comparison === "week";
  const isCrashFree = settings.figure.startsWith("crash_rate") && !isWeek;
  const fromLine = (line: number) => (isWeek ? line + 100 : isCrashFree ? 100 - line : line);
  return {
    id: String(id),
    name: settings.name,
    organizationId: "1",
    ...nameDataset(settings),
    query: settings.query,
    environment: settings.environment,
    timeWindow: settings.windowMinutes,
    thresholdType: (direction === "above") === isCrashFree ? 1 : 0,
    comparisonDelta: isWeek ? WEEK_MINUTES : null,
    resolveThreshold: recovery === null ? null : fromLine(recovery),
    detectionType: isWeek ? "percent" : comparison === "goal" ? "goal" : "static",
    triggers: [
      { label: "critical" as const, alertThreshold: fromLine(critical), actions: [] },
      ...(warning === null ? [] : [{ label: "warning" as const, alertThreshold: fromLine(warning), actions: [] }]),
    ],
    projects: [project],
    owner: null,
    status: isPaused ? 4 : 0,
    state: state.status,
    dateCreated: new Date(createdAt).toISOString(),
  };
}

function nameDataset({
  dataset,
  figure,
}: MetricSettings): Pick<z.input<typeof metricAlertAnswer>, "aggregate" | "dataset" | "eventTypes"> {
  switch (dataset) {
    case "errors":
      return { aggregate: figure, dataset: "events", eventTypes: ["default", "error"] };
    case "sessions":
      return { aggregate: nameShare(figure), dataset: "metrics", eventTypes: [] };
    case "transactions":
      return {
        aggregate: figure.replace("span.", "transaction."),
        dataset: "transactions",
        eventTypes: ["transaction"],
      };
    case "spans":
      return { aggregate: figure, dataset: "events_analytics_platform", eventTypes: ["trace_item_span"] };
    default:
      return { aggregate: figure, dataset: "events_analytics_platform", eventTypes: ["trace_item_log"] };
  }
}

function nameShare(figure: MetricFigure): string {
  return Object.entries(CRASH_FREE).find(([, own]) => own === figure)?.[0] ?? figure;
}
