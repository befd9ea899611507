import type { Finding, Trouble } from "../findings/finding.ts";
import { toMonitorTags } from "../findings/monitor-tags.ts";
import { MIN_JUDGED_SESSIONS } from "../releases/release-health.ts";
import { MINUTE_MS } from "../time.ts";
import {
  hasGoal,
  type MetricDecision,
  type MetricEvaluation,
  type MetricMonitor,
  type MetricPeriod,
  type MetricSettings,
  type MetricState,
} from "./metric-monitor.ts";
import { formatFigure, formatLine, sayCrashFree, sayFigure, sayGoalOf, sayWindow } from "./say-metric.ts";

/** What the monitor read for one evaluation. */
export interface MetricReading {
  /** The end of the window. */
  at: number;
  value: number | null;
  baseline: number | null;
  /** The number of rows (or sessions) that the value is made of. */
  count: number;
  /** The one release that the value is of. Null: it includes others. */
  release: string | null;
  /** The share of the window in which Culprit took what came, from 0 to 1. */
  knownShare: number;
  /** Says why nothing could be read. Null: it could. */
  problem: string | null;
  /** Says why the value or the baseline is not reliable. Null: both are. See `sayDoubt`. */
  doubt: string | null;
}

/** The results of one evaluation. */
export interface EvaluatedMetric {
  evaluation: MetricEvaluation;
  state: MetricState;
  /** A time in trouble that begins. */
  opened: MetricPeriod | null;
  /** The open one got worse, or farther from the line. */
  worsened: Pick<MetricPeriod, "level" | "peak"> | null;
  /** When the open period of trouble ended. Null: it did not. */
  closedAt: number | null;
}

/** The share of the window that must be known. Below it, the value says too little. */
const ENOUGH = 0.9;

/** Evaluates one reading. `open`: the trouble that has not ended. Null: there is none. The function is pure. */
export function evaluateMetric(
  { settings, state }: Pick<MetricMonitor, "settings" | "state">,
  open: MetricPeriod | null,
  reading: MetricReading,
): EvaluatedMetric {
  const { at, value, baseline, release } = reading;
  const compared = toCompared(settings, value, baseline);
  const { decision, reason } = decide(settings, state, { reading, compared });
  const { critical, warning } = settings;
  const lines = settings.comparison === "goal" ? { critical, warning } : null;
  const evaluation: MetricEvaluation = { at, value, baseline, decision, reason, release, lines };
  const isDecided = decision === "ok" || decision === "warning" || decision === "critical";
  const status = isDecided ? decision : state.status;
  const since = status === state.status ? (state.since ?? (isDecided ? at : null)) : at;
  const nothing = { opened: null, worsened: null, closedAt: null };
  const evaluated = { evaluation, state: { status, since, last: evaluation }, ...nothing };
  if (!isDecided || compared === null) return evaluated;
  if (decision === "ok") return { ...evaluated, closedAt: open === null ? null : at };
  if (open === null) return { ...evaluated, opened: { startedAt: at, endedAt: null, level: decision, peak: compared } };
  const level = open.level === "critical" ? "critical" : decision;
  const peak = isBeyond(settings, compared, open.peak) ? compared : open.peak;
  return { ...evaluated, worsened: level === open.level && peak === open.peak ? null : { level, peak } };
}

/** The number that is compared with the line: the value, or its change in percent. Null: there is nothing to compare. */
export function toCompared(
  { comparison }: MetricSettings,
  value: number | null,
  baseline: number | null,
): number | null {
  if (comparison !== "week" || value === null) return value;
  if (baseline === null) return null;
  if (baseline === 0) return value === 0 ? 0 : null;
  return ((value - baseline) / baseline) * 100;
}

function decide(
  settings: MetricSettings,
  state: MetricState,
  { reading, compared }: { reading: MetricReading; compared: number | null },
): { decision: MetricDecision; reason: string | null } {
  const { problem, knownShare, value, baseline, count } = reading;
  if (problem !== null) return { decision: "failed", reason: problem };
  const isTrouble = state.status === "warning" || state.status === "critical";
  const decided = compared === null ? null : classify(settings, compared, isTrouble);
  if (knownShare < ENOUGH) {
    // A part of a count is already too much.
    const isSure =
      decided !== null &&
      decided !== "ok" &&
      settings.direction === "above" &&
      settings.comparison !== "week" &&
      settings.figure.startsWith("count");
    if (!isSure)
      return {
        decision: "unknown",
        reason: `Culprit was down for ${Math.round((1 - knownShare) * 100)} % of the window.`,
      };
  }
  if (settings.comparison === "goal" && value !== null && count < MIN_JUDGED_SESSIONS)
    return { decision: "no-data", reason: sayFew(settings, count) };
  if (decided !== null) return { decision: decided, reason: reading.doubt };
  const reason =
    value === null
      ? "Nothing came in the window that the figure could be made of."
      : baseline === null
        ? "There is nothing of one week before to compare with."
        : "One week before the figure was zero: there is no change in percent.";
  return { decision: "no-data", reason };
}

/** Like pages of releases: with so few sessions or users, one crash means little. */
function sayFew({ figure }: MetricSettings, count: number): string {
  const counted = figure === "crash_rate(user)" ? "user" : "session";
  return `Too few to judge: ${count === 1 ? `1 ${counted}` : `${count} ${counted}s`}, and a target needs ${MIN_JUDGED_SESSIONS}.`;
}

/** @param isTrouble then the value must pass the recovery line to be well again */
function classify(settings: MetricSettings, compared: number, isTrouble: boolean): "ok" | "warning" | "critical" {
  const { critical, warning, recovery } = settings;
  if (isBeyond(settings, compared, critical)) return "critical";
  if (warning !== null && isBeyond(settings, compared, warning)) return "warning";
  if (isTrouble && recovery !== null && isBeyond(settings, compared, recovery))
    return warning === null ? "critical" : "warning";
  return "ok";
}

function isBeyond({ direction }: Pick<MetricSettings, "direction">, value: number, line: number): boolean {
  return direction === "above" ? value > line : value < line;
}

/** The subject of the monitor's issue. */
export function toMetricSubject(monitorId: number): string {
  return `metric ${monitorId}`;
}

/** Values of the windows before, for the chart of the issue. */
export const POINTS_OF_FINDING = 60;

/**
 * The findings that an evaluation leads to: the trouble begins, a warning has become critical, or the trouble is over.
 * @param points the evaluations before, oldest first
 */
export function findMetricFindings(
  monitor: Pick<MetricMonitor, "id" | "projectId" | "settings">,
  { evaluation, opened, worsened, closedAt }: EvaluatedMetric,
  { before, points }: { before: MetricPeriod | null; points: readonly MetricEvaluation[] },
): Finding[] {
  const { id, projectId, settings } = monitor;
  const subject = toMetricSubject(id);
  const { at, value, baseline, reason: doubt, release } = evaluation;
  const compared = toCompared(settings, value, baseline);
  if (closedAt !== null) {
    const reason =
      settings.comparison === "goal"
        ? `${sayCrashFree(settings, compared ?? 0)} again`
        : `${sayFigure(settings)} is back at ${formatLine(settings, compared ?? 0)}`;
    return [{ kind: "recovery", projectId, subject, at, reason }];
  }
  const level = opened?.level ?? (worsened && worsened.level !== before?.level ? worsened.level : null);
  if (level === null || value === null || compared === null) return [];
  return [toTrouble(monitor, { at, value, baseline, compared, level, points, doubt, release })];
}

function toTrouble(
  { id, projectId, settings }: Pick<MetricMonitor, "id" | "projectId" | "settings">,
  seen: {
    at: number;
    value: number;
    baseline: number | null;
    compared: number;
    level: "warning" | "critical";
    points: readonly MetricEvaluation[];
    doubt: string | null;
    release: string | null;
  },
): Trouble {
  const { at, value, baseline, compared, level, points, doubt, release } = seen;
  const { name, direction, critical, warning, dataset, figure, query, environment } = settings;
  const line = level === "warning" ? (warning ?? critical) : critical;
  const goal = sayGoalOf(settings, level);
  const where = release === null ? "" : ` with ${release}`;
  const said =
    goal === null
      ? `${sayFigure(settings)}${where} was ${formatLine(settings, compared)}, ${direction} ${formatLine(settings, line)}`
      : `${sayCrashFree(settings, compared)}${where}, below ${goal}`;
  return {
    kind: "trouble",
    projectId,
    subject: toMetricSubject(id),
    at,
    logger: "culprit.metrics",
    level: level === "critical" ? "error" : "warning",
    message: `${name}: ${said}${doubt === null ? "" : `. ${doubt}`}`,
    environment,
    // A crash rate is of sessions that named the release, so there is one. Nothing may be known of a release whose errors are counted.
    release: hasGoal(figure) ? release : null,
    tags: toMonitorTags({ kind: "metric", id, name }),
    contexts: {
      metric: {
        monitor: id,
        figure,
        of: dataset,
        ...(query !== "" && { query }),
        value: formatFigure(figure, value),
        ...(baseline !== null && { week_before: formatFigure(figure, baseline) }),
        ...(doubt !== null && { doubt }),
        ...(release !== null && { release }),
        line: `${direction} ${formatLine(settings, line)}${goal === null ? "" : `, by ${goal}`}`,
        window: sayWindow(settings),
        from: new Date(at - settings.windowMinutes * MINUTE_MS).toISOString(),
        to: new Date(at).toISOString(),
        line_value: line,
        points: points
          .slice(1 - POINTS_OF_FINDING)
          .map((each) => toCompared(settings, each.value, each.baseline))
          .concat(compared),
      },
    },
  };
}
