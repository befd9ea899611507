/** The rows that a figure is computed from. `transactions` are spans that begin a service's part of a trace. */
export const METRIC_DATASETS = ["errors", "transactions", "spans", "logs", "sessions"] as const;
export type MetricDataset = (typeof METRIC_DATASETS)[number];

const SPAN_FIGURES = [
  "count()",
  "failure_rate()",
  "avg(span.duration)",
  "p50(span.duration)",
  "p75(span.duration)",
  "p95(span.duration)",
  "p99(span.duration)",
  "max(span.duration)",
  "sum(span.duration)",
] as const;

/** The figures of each dataset. */
export const METRIC_FIGURES = {
  errors: ["count()", "count_unique(user)"],
  transactions: SPAN_FIGURES,
  spans: SPAN_FIGURES,
  logs: ["count()"],
  sessions: ["crash_rate(session)", "crash_rate(user)", "count()"],
} as const satisfies Record<MetricDataset, readonly string[]>;
export type MetricFigure = (typeof METRIC_FIGURES)[MetricDataset][number];

/** `count` is a number, `percent` from 0 to 100, `duration` in milliseconds. */
export type MetricUnit = "count" | "percent" | "duration";

/** The unit of a figure. A comparison with the week before is in percent instead. */
export function unitOfFigure(figure: MetricFigure): MetricUnit {
  if (figure.startsWith("count")) return "count";
  return figure.startsWith("crash_rate") || figure === "failure_rate()" ? "percent" : "duration";
}

/** Figures that a project has a target for. */
export function hasGoal(figure: MetricFigure): boolean {
  return figure.startsWith("crash_rate");
}

/** Whether the figures of two periods can be added. They cannot if they count users: the users of two minutes may be the same. */
export function addsUp(figure: MetricFigure): boolean {
  return figure !== "count_unique(user)" && figure !== "crash_rate(user)";
}

/**
 * `week`: the line is a change in percent against the same time one week before. `goal`: the lines are the project's target and floor for crash-free sessions, and follow
 * them (`follow-goal.ts`).
 */
export const METRIC_COMPARISONS = ["none", "week", "goal"] as const;
export type MetricComparison = (typeof METRIC_COMPARISONS)[number];
export const METRIC_DIRECTIONS = ["above", "below"] as const;
export type MetricDirection = (typeof METRIC_DIRECTIONS)[number];

/** What to watch, and when it counts as trouble. */
export interface MetricSettings {
  name: string;
  dataset: MetricDataset;
  figure: MetricFigure;
  /** A search in the language of the dataset. Empty: everything. */
  query: string;
  /** Null: all. */
  environment: string | null;
  /** One of `METRIC_WINDOWS`. */
  windowMinutes: number;
  comparison: MetricComparison;
  direction: MetricDirection;
  /** A value beyond this line is critical. In the unit of the figure, or in percent of change. */
  critical: number;
  /** The line for a warning. Null: there are no warnings. */
  warning: number | null;
  /** The trouble is over once the value is on the good side of this. Null: of the nearer of the two lines. */
  recovery: number | null;
}

export const METRIC_WINDOWS = [1, 5, 10, 15, 30, 60, 120, 240, 720, 1_440] as const;

export const METRIC_LIMITS = {
  monitors: 1_000,
  nameChars: 100,
  queryChars: 500,
  /** Larger lines are mistakes. */
  maxLine: 1_000_000_000,
  /** Evaluations that are kept of each monitor: a day of minutes. */
  evaluations: 1_440,
  /** Times in trouble that are kept of each monitor. */
  periods: 500,
} as const;

/** `unknown`: nothing was evaluated yet. */
export type MetricStatus = "unknown" | "ok" | "warning" | "critical";

export interface MetricMonitor {
  id: number;
  projectId: number;
  settings: MetricSettings;
  isPaused: boolean;
  createdAt: number;
  state: MetricState;
  /** The end of the next window that is to be evaluated. */
  nextAt: number;
}

/** The state of a monitor after its latest evaluation. */
export interface MetricState {
  status: MetricStatus;
  /** When the present status began. Null: there was no evaluation yet. */
  since: number | null;
  last: MetricEvaluation | null;
}

export const NO_METRIC_STATE: MetricState = { status: "unknown", since: null, last: null };

/**
 * The result of one evaluation. `unknown`: Culprit was down for a part of the window. `no-data`: there was nothing to compute the
 * figure from. `failed`: the query failed. These three leave the status as it was.
 */
const METRIC_DECISIONS = ["ok", "warning", "critical", "unknown", "no-data", "failed"] as const;
export type MetricDecision = (typeof METRIC_DECISIONS)[number];

export interface MetricEvaluation {
  /** The end of the window, which is a whole minute. */
  at: number;
  /** The figure of the window. Null: there is none. */
  value: number | null;
  /** The figure of the same time one week before. Null: it was not requested, or there is none. */
  baseline: number | null;
  decision: MetricDecision;
  /** Why there is no decision, or why the value says little, as a sentence. Null: there is a decision on a good value. */
  reason: string | null;
  /** The one release that was evaluated. Null: others, too. */
  release: string | null;
  /** The project's goal at that time. Null: the lines are the monitor's own. */
  lines: MetricLines | null;
}

export type MetricLines = Pick<MetricSettings, "critical" | "warning">;

/** A time in trouble. */
export interface MetricPeriod {
  startedAt: number;
  /** Null: it lasts. */
  endedAt: number | null;
  /** The worst that it was. */
  level: "warning" | "critical";
  /** The value that was farthest beyond the line. */
  peak: number;
}

/** Minutes between the ends of two windows. Long windows change slowly and cost more to read, so theirs are further apart. */
export function stepMinutesOf({ windowMinutes }: Pick<MetricSettings, "windowMinutes">): number {
  if (windowMinutes <= 60) return 1;
  return windowMinutes <= 240 ? 5 : 15;
}
