import type { Workspace } from "../../access/workspace.ts";
import { toCompared } from "../../domain/metrics/evaluate-metric.ts";
import { followGoal } from "../../domain/metrics/follow-goal.ts";
import { addsUp, type MetricPeriod, type MetricSettings, stepMinutesOf } from "../../domain/metrics/metric-monitor.ts";
import { bindMetricSearch, findOnlyRelease, isOfLatest } from "../../domain/metrics/metric-search.ts";
import { type FigureOfWindow, NO_SUM, slideWindows, toFigureOfWindow } from "../../domain/metrics/metric-sum.ts";
import {
  type MetricWindow,
  rehearsedStepMinutes,
  rehearseMetric,
  suggestLine,
} from "../../domain/metrics/rehearse-metric.ts";
import type { Project } from "../../domain/project.ts";
import { DEFAULT_HEALTH_GOAL } from "../../domain/releases/release-health.ts";
import { narrowScope } from "../../domain/scope.ts";
import { listTests } from "../../domain/search/condition.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import { type MetricParts, planMetric, readMetricSums } from "../../metric-monitors/read-metric.ts";
import { countLeftOut, sayLeftOut } from "../limits/say-left-out.server.ts";

const PREVIEWED_DAYS = 14;
const BAR_MS = 2 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** The time for a preview, because people wait for it. The preview says what was not read by then. */
const LIMIT_MS = 8_000;
const MAX_LISTED = 30;
/** The most previews at a time. Each reads two weeks. */
const MAX_AT_ONCE = 3;

export interface MetricPreview {
  /** The settings of the preview, with the lines that the project's goal makes. */
  settings: MetricSettings;
  from: number;
  to: number;
  tookMs: number;
  /** For each two hours: the value that was farthest toward the line. Null: there was none. With a comparison, it is the change in percent. */
  bars: Array<{ at: number; value: number | null }>;
  /** How many times an issue would have opened. */
  times: number;
  /** Newest first, at most 30. */
  periods: MetricPeriod[];
  /** Over all windows with a value. Null: there was none. */
  range: { least: number; median: number; most: number } | null;
  suggestion: { line: number; times: number } | null;
  /** Sentences about what cannot be known. */
  unknown: string[];
}

let underWay = 0;

/**
 * What the monitor would have done in the last 14 days. The monitor's evaluator reads it from the stored data. Null: too many others ask at
 * the same time.
 */
export async function previewMetric(
  workspace: Workspace,
  { settings, project, now }: { settings: MetricSettings; project: Project; now: number },
): Promise<MetricPreview | null> {
  if (underWay >= MAX_AT_ONCE) return null;
  underWay += 1;
  try {
    const goals = await workspace.state.health.listGoals(narrowScope(workspace.scope, [project.id]));
    const followed = followGoal(settings, goals.get(project.id) ?? DEFAULT_HEALTH_GOAL);
    return await preview(workspace, { settings: followed, project, now });
  } finally {
    underWay -= 1;
  }
}

async function preview(
  workspace: Workspace,
  { settings, project, now }: { settings: MetricSettings; project: Project; now: number },
): Promise<MetricPreview> {
  const startedAt = performance.now();
  const scope = narrowScope(workspace.scope, [project.id]);
  const isLate = () => performance.now() - startedAt > LIMIT_MS;
  const stepMs = rehearsedStepMinutes(settings) * MINUTE_MS;
  const to = Math.floor(now / stepMs) * stepMs;
  const chartFrom = to - PREVIEWED_DAYS * DAY_MS;
  const unknown: string[] = [];
  const asked = { settings, project, stepMs, isLate, unknown };
  const all = await readWindows(workspace, { ...asked, from: chartFrom, to });
  // Silence before the project was created is no trouble.
  const first = all.findIndex(({ at, value }) => at >= project.createdAt || value);
  const values = first < 0 ? [] : all.slice(first);
  const from = values[0]?.at ?? to;
  const before =
    settings.comparison === "week"
      ? await readWindows(workspace, { ...asked, from: from - WEEK_MS, to: to - WEEK_MS })
      : [];
  const baselines = new Map(before.map((each) => [each.at + WEEK_MS, each]));
  // Before the first data of the project, nothing is known about that week.
  const windows = values.map(
    ({ at, doubt, ...window }): MetricWindow => ({
      ...window,
      at,
      baseline: at - WEEK_MS < project.createdAt ? null : (baselines.get(at)?.value ?? null),
      doubt: doubt ?? baselines.get(at)?.doubt ?? null,
    }),
  );
  const downtimes = await workspace.state.metrics.listDowntimes(from - WEEK_MS);
  const { periods } = rehearseMetric(settings, windows, downtimes);
  const compared = windows.flatMap((each) => {
    const value = toCompared(settings, each.value, each.baseline);
    return value === null ? [] : [{ at: each.at, value }];
  });
  const sorted = compared.map(({ value }) => value).sort((one, other) => one - other);
  const [least] = sorted;
  unknown.push(...sayUnsure(windows, periods));
  if (listTests(bindMetricSearch(settings, to)).some(isOfLatest))
    unknown.push(sayLatest(findOnlyRelease(await planMetric(toParts(workspace), { settings, scope, now: to }))));
  if (settings.comparison === "goal")
    unknown.push("The preview uses the project's present target and floor, not earlier ones.");
  unknown.push(...sayUnknown(settings, { stepMs, hasDowntimes: downtimes.some((down) => down.to > from) }));
  if (settings.dataset === "errors") {
    const unstored = await countLeftOut(workspace, scope, { since: from, until: to });
    if (unstored > 0)
      unknown.push(
        `${sayLeftOut(unstored)} ${settings.figure === "count()" ? "The monitor counts them, and this preview does not." : "Their users are not known: neither the monitor nor this preview counts them."}`,
      );
  }
  return {
    settings,
    from: chartFrom,
    to,
    tookMs: Math.round(performance.now() - startedAt),
    bars: toBars(settings, compared, { from: chartFrom, to }),
    times: periods.length,
    periods: periods.slice(-MAX_LISTED).reverse(),
    range:
      least === undefined
        ? null
        : { least, median: sorted[Math.floor(sorted.length / 2)] ?? least, most: sorted.at(-1) ?? least },
    suggestion: suggestLine(settings, windows, { times: periods.length, downtimes }),
    unknown,
  };
}

interface Asked {
  settings: MetricSettings;
  project: Project;
  stepMs: number;
  from: number;
  to: number;
  isLate: () => boolean;
  unknown: string[];
}

/** The figures of the windows that end between `from` and `to`, in order. */
async function readWindows(
  workspace: Workspace,
  { settings, project, stepMs, from, to, isLate, unknown }: Asked,
): Promise<FigureOfWindow[]> {
  const parts = toParts(workspace);
  const scope = narrowScope(workspace.scope, [project.id]);
  const where = await planMetric(parts, { settings, scope, now: to });
  const windowMs = settings.windowMinutes * MINUTE_MS;
  const read = (since: number, bucketMs: number) =>
    readMetricSums(parts, { settings, scope, where }, { from: since, to, bucketMs, budgetMs: LIMIT_MS / 2 });
  const begin = from - windowMs;
  if (addsUp(settings.figure)) {
    const { sums, readFrom } = await read(begin, stepMs);
    const first = Math.max(from, Math.ceil((readFrom - begin) / stepMs) * stepMs + from);
    if (first > from) unknown.push("There is too much to read in a few seconds: only the newest part was looked at.");
    return slideWindows(settings.figure, sums, { from: first, to, stepMs, windowMs });
  }
  const windows: FigureOfWindow[] = [];
  for (let offset = 0; offset < windowMs; offset += stepMs) {
    if (isLate()) {
      unknown.push("There is too much to read in a few seconds: the looks are farther apart than said.");
      break;
    }
    const { sums } = await read(begin + offset, windowMs);
    for (let at = begin + offset + windowMs; at <= to; at += windowMs) {
      const sum = sums.get(at - windowMs) ?? NO_SUM;
      windows.push(toFigureOfWindow(settings.figure, at, sum));
    }
  }
  return windows.sort((one, other) => one.at - other.at);
}

function toParts({ state, events }: Workspace): MetricParts {
  return { events, releases: state.releases, volumes: state.volumes };
}

function sayLatest(release: string | null): string {
  return release === null
    ? "The project has no release yet: nothing is the latest one."
    : `The latest release is ${release} now, and taken for all of the 14 days. The monitor takes the one that is the latest at each look.`;
}

/** Sentences about figures of sampled spans. */
function sayUnsure(windows: readonly MetricWindow[], periods: readonly MetricPeriod[]): string[] {
  const unsure = new Set(windows.filter(({ doubt }) => doubt !== null).map(({ at }) => at));
  if (unsure.size === 0) return [];
  const of = (count: number, all: number) => `${count.toLocaleString("en")} of ${all.toLocaleString("en")}`;
  const opened = periods.filter(({ startedAt }) => unsure.has(startedAt)).length;
  return [
    `In ${of(unsure.size, windows.length)} windows few were kept of many: the values are of low confidence.${
      opened > 0 ? ` They would have opened an issue ${of(opened, periods.length)} times.` : ""
    }`,
  ];
}

function toBars(
  { direction }: MetricSettings,
  values: ReadonlyArray<{ at: number; value: number }>,
  { from, to }: { from: number; to: number },
): MetricPreview["bars"] {
  const bars = Array.from({ length: Math.ceil((to - from) / BAR_MS) }, (_, index) => ({
    at: from + index * BAR_MS,
    value: null as number | null,
  }));
  for (const { at, value } of values) {
    const bar = bars[Math.max(0, Math.floor((at - 1 - from) / BAR_MS))];
    if (bar && (bar.value === null || (direction === "above" ? value > bar.value : value < bar.value)))
      bar.value = value;
  }
  return bars;
}

function sayUnknown(
  settings: MetricSettings,
  { stepMs, hasDowntimes }: { stepMs: number; hasDowntimes: boolean },
): string[] {
  const stepMinutes = stepMs / MINUTE_MS;
  const everyMinutes = stepMinutesOf(settings);
  return [
    ...(stepMinutes > everyMinutes
      ? [
          `Windows are looked at every ${stepMinutes} minutes here, and every ${everyMinutes === 1 ? "minute" : `${everyMinutes} minutes`} by the monitor: it may open somewhat earlier, or once more.`,
        ]
      : []),
    "The preview counts data that came late. The monitor looks 15 seconds after its window has ended.",
    ...(hasDowntimes ? ["Culprit was down for a part of this time: there the monitor decides nothing."] : []),
    "Data that retention or a filter removed is not counted.",
  ];
}
