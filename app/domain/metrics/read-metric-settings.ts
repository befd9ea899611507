import { DEFAULT_HEALTH_GOAL, type HealthGoal } from "../releases/release-health.ts";
import { followGoal } from "./follow-goal.ts";
import {
  hasGoal,
  METRIC_COMPARISONS,
  METRIC_DATASETS,
  METRIC_DIRECTIONS,
  METRIC_FIGURES,
  METRIC_LIMITS,
  METRIC_WINDOWS,
  type MetricFigure,
  type MetricSettings,
  unitOfFigure,
} from "./metric-monitor.ts";
import { findMetricSearchProblem } from "./metric-search.ts";

/** A monitor as somebody typed it or a program sent it. Numbers may be missing (NaN). */
export interface TypedMetric {
  name: string;
  dataset: string;
  figure: string;
  query: string;
  environment: string | null;
  windowMinutes: number;
  comparison: string;
  direction: string;
  critical: number;
  warning: number | null;
  recovery: number | null;
}

export type MetricField = keyof TypedMetric;

export type ReadMetric =
  | { ok: true; settings: MetricSettings }
  /** `message` is a sentence for people. */
  | { ok: false; field: MetricField; message: string };

/** Checks a monitor by itself. `goal`: of its project; only a monitor that follows it asks. */
export function readMetricSettings(
  typed: TypedMetric,
  now: number,
  goal: HealthGoal = DEFAULT_HEALTH_GOAL,
): ReadMetric {
  const refuse = (field: MetricField, message: string): ReadMetric => ({ ok: false, field, message });
  const name = typed.name.replace(/\s+/g, " ").trim();
  if (name === "") return refuse("name", "Give the monitor a name: it is the title of its issue.");
  if (name.length > METRIC_LIMITS.nameChars)
    return refuse("name", `A name has at most ${METRIC_LIMITS.nameChars} characters.`);
  const dataset = METRIC_DATASETS.find((word) => word === typed.dataset);
  if (dataset === undefined) return refuse("dataset", `Must be one of ${METRIC_DATASETS.join(", ")}.`);
  const figures: readonly MetricFigure[] = METRIC_FIGURES[dataset];
  const figure = figures.find((word) => word === typed.figure);
  if (figure === undefined) return refuse("figure", `Of ${dataset} there are ${figures.join(", ")}.`);
  const query = typed.query.trim();
  if (query.length > METRIC_LIMITS.queryChars)
    return refuse("query", `A search has at most ${METRIC_LIMITS.queryChars} characters.`);
  const problem = findMetricSearchProblem(dataset, query, now);
  if (problem !== null) return refuse("query", problem);
  const environment = typed.environment?.trim() || null;
  if (environment !== null && environment.length > 64)
    return refuse("environment", "An environment has at most 64 characters.");
  if (!METRIC_WINDOWS.some((minutes) => minutes === typed.windowMinutes))
    return refuse("windowMinutes", `Must be one of ${METRIC_WINDOWS.join(", ")} minutes.`);
  const comparison = METRIC_COMPARISONS.find((word) => word === typed.comparison);
  if (comparison === undefined) return refuse("comparison", `Must be one of ${METRIC_COMPARISONS.join(", ")}.`);
  const direction = METRIC_DIRECTIONS.find((word) => word === typed.direction);
  if (direction === undefined) return refuse("direction", "Must be above or below.");

  const settings: MetricSettings = {
    name,
    dataset,
    figure,
    query,
    environment,
    windowMinutes: typed.windowMinutes,
    comparison,
    direction,
    critical: typed.critical,
    warning: typed.warning,
    recovery: typed.recovery,
  };
  if (comparison === "goal")
    return hasGoal(figure)
      ? { ok: true, settings: followGoal(settings, goal) }
      : refuse("comparison", "A project has a target for the sessions that crash, and for users with a crash, alone.");
  for (const field of ["critical", "warning", "recovery"] as const) {
    const line = settings[field];
    if (field !== "critical" && line === null) continue;
    const wrong = findLineProblem(settings, line ?? Number.NaN);
    if (wrong !== null) return refuse(field, wrong);
  }
  const { critical, warning, recovery } = settings;
  const isAbove = direction === "above";
  if (warning !== null && (isAbove ? warning >= critical : warning <= critical))
    return refuse(
      "warning",
      `The warning must come before the critical line: ${isAbove ? "below" : "above"} ${critical}.`,
    );
  const nearest = warning ?? critical;
  if (recovery !== null && (isAbove ? recovery > nearest : recovery < nearest))
    return refuse("recovery", `The trouble must end on the good side of ${nearest}.`);
  return { ok: true, settings };
}

function findLineProblem({ figure, comparison, direction }: MetricSettings, line: number): string | null {
  if (!Number.isFinite(line)) return "Must be a number.";
  if (Math.abs(line) > METRIC_LIMITS.maxLine) return `At most ${METRIC_LIMITS.maxLine.toLocaleString("en")}.`;
  if (comparison === "week") return direction === "below" && line <= -100 ? "Nothing falls by more than 100 %." : null;
  if (line < 0) return "The figure is never below zero.";
  if (direction === "below" && line === 0) return "Nothing is below zero. For “none at all”, take below 1.";
  if (unitOfFigure(figure) === "percent" && line > 100) return "A share is at most 100 %.";
  return null;
}

/** A form's fields as a typed monitor. `measure` is a dataset and its figure: `errors:count()`. */
export function readMetricForm(form: FormData): TypedMetric {
  const textOf = (name: string) => String(form.get(name) ?? "").trim();
  const numberOf = (name: string) => (textOf(name) === "" ? Number.NaN : Number(textOf(name).replace(",", ".")));
  const orNull = (name: string) => (textOf(name) === "" ? null : numberOf(name));
  const [, dataset = "", figure = ""] = /^([^:]*):(.*)$/.exec(textOf("measure")) ?? [];
  return {
    name: textOf("name"),
    dataset,
    figure,
    query: textOf("query"),
    environment: textOf("environment") || null,
    windowMinutes: numberOf("windowMinutes"),
    comparison: textOf("comparison") || "none",
    direction: textOf("direction") || "above",
    critical: numberOf("critical"),
    warning: orNull("warning"),
    recovery: orNull("recovery"),
  };
}

/** The values of the form's fields for a monitor. */
export function toMetricFields(typed: TypedMetric): Record<string, string> {
  const numberText = (value: number | null) => (value === null || !Number.isFinite(value) ? "" : String(value));
  return {
    name: typed.name.slice(0, 1_000),
    measure: `${typed.dataset}:${typed.figure}`,
    query: typed.query.slice(0, 2_000),
    environment: typed.environment ?? "",
    windowMinutes: numberText(typed.windowMinutes),
    comparison: typed.comparison,
    direction: typed.direction,
    critical: numberText(typed.critical),
    warning: numberText(typed.warning),
    recovery: numberText(typed.recovery),
  };
}
