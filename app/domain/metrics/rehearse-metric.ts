import type { Downtime } from "../monitors/watch-runs.ts";
import { MINUTE_MS } from "../time.ts";
import { evaluateMetric, toCompared } from "./evaluate-metric.ts";
import {
  addsUp,
  METRIC_LIMITS,
  type MetricEvaluation,
  type MetricPeriod,
  type MetricSettings,
  NO_METRIC_STATE,
} from "./metric-monitor.ts";
import type { FigureOfWindow } from "./metric-sum.ts";
import { shareKnown } from "./share-known.ts";

/** A figure of the window that ends at an instant. */
export interface MetricWindow extends FigureOfWindow {
  baseline: number | null;
}

/** Looks within 14 days, at most: one every five minutes. */
const STEP_MINUTES = 5;
/** Looks within one window of a figure that does not add up: each reads everything once more. */
const LOOKS = 5;

/** Minutes between two evaluations of a rehearsal. A window is a whole number of these steps. */
export function rehearsedStepMinutes({
  windowMinutes,
  figure,
}: Pick<MetricSettings, "windowMinutes" | "figure">): number {
  const least = addsUp(figure) ? STEP_MINUTES : Math.max(STEP_MINUTES, Math.ceil(windowMinutes / LOOKS));
  for (let step = Math.min(least, windowMinutes); step < windowMinutes; step++)
    if (windowMinutes % step === 0) return step;
  return windowMinutes;
}

export interface RehearsedMetric {
  evaluations: MetricEvaluation[];
  /** The oldest first. */
  periods: MetricPeriod[];
}

/** The decisions that the evaluator would have made, one for each of `windows`, in their order. */
export function rehearseMetric(
  settings: MetricSettings,
  windows: readonly MetricWindow[],
  downtimes: readonly Downtime[],
): RehearsedMetric {
  let state = NO_METRIC_STATE;
  let open: MetricPeriod | null = null;
  const periods: MetricPeriod[] = [];
  const evaluations: MetricEvaluation[] = [];
  const windowMs = settings.windowMinutes * MINUTE_MS;
  for (const window of windows) {
    const knownShare = shareKnown({ from: window.at - windowMs, to: window.at }, downtimes);
    const reading = { ...window, release: null, knownShare, problem: null };
    const evaluated = evaluateMetric({ settings, state }, open, reading);
    state = evaluated.state;
    evaluations.push(evaluated.evaluation);
    if (evaluated.opened) {
      open = { ...evaluated.opened };
      periods.push(open);
    } else if (open && evaluated.worsened) Object.assign(open, evaluated.worsened);
    if (open && evaluated.closedAt !== null) {
      open.endedAt = evaluated.closedAt;
      open = null;
    }
  }
  return { evaluations, periods };
}

/** With more times in 14 days than this, people stop looking. */
const MANY = 5;
/** Shares of the values on the good side of a suggested line. */
const SHARES = [0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 1] as const;

/**
 * Suggests the nearest line that would have been crossed at most half as often and at most five times, and at least once if possible.
 * Null: the present line was not crossed often, or no such line is known.
 */
export function suggestLine(
  settings: MetricSettings,
  windows: readonly MetricWindow[],
  { times, downtimes }: { times: number; downtimes: readonly Downtime[] },
): { line: number; times: number } | null {
  if (times <= MANY || settings.comparison === "goal") return null;
  const values = windows
    .flatMap(({ value, baseline }) => toCompared(settings, value, baseline) ?? [])
    .sort((one, other) => one - other);
  if (settings.direction === "below") values.reverse();
  for (const share of SHARES) {
    const value = values[Math.min(values.length - 1, Math.floor(values.length * share))];
    if (value === undefined) return null;
    const line = roundLine(value, settings.direction);
    const isFarther = settings.direction === "above" ? line > settings.critical : line < settings.critical;
    if (!isFarther || Math.abs(line) > METRIC_LIMITS.maxLine) continue;
    const found = rehearseMetric({ ...settings, critical: line, warning: null, recovery: null }, windows, downtimes);
    if (found.periods.length <= MANY && found.periods.length * 2 <= times) return { line, times: found.periods.length };
  }
  return null;
}

/** Rounds to two digits, away from the good values. */
function roundLine(value: number, direction: "above" | "below"): number {
  if (value === 0) return 0;
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(value))) - 1);
  const rounded = (direction === "above" ? Math.ceil(value / unit) : Math.floor(value / unit)) * unit;
  return Number(rounded.toPrecision(3));
}
