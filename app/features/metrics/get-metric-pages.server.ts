import type { Workspace } from "../../access/workspace.ts";
import { toCompared } from "../../domain/metrics/evaluate-metric.ts";
import {
  type MetricEvaluation,
  type MetricMonitor,
  type MetricPeriod,
  type MetricSettings,
  stepMinutesOf,
} from "../../domain/metrics/metric-monitor.ts";
import { countsEveryError, toWholeQuery } from "../../domain/metrics/metric-search.ts";
import { toMetricFields } from "../../domain/metrics/read-metric-settings.ts";
import { sayMetric } from "../../domain/metrics/say-metric.ts";
import { DEFAULT_HEALTH_GOAL, type HealthGoal } from "../../domain/releases/release-health.ts";
import { hasRight, narrowScope } from "../../domain/scope.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time.ts";
import { type ListPage, takePage } from "../input/list-page.ts";
import { countLeftOut, sayLeftOut } from "../limits/say-left-out.server.ts";
import { listCrashIssues } from "../releases/list-crash-issues.server.ts";
import type { IssueItem } from "../releases/to-issue-items.server.ts";

const POINTS_OF_LIST = 60;
const POINTS_OF_PAGE = 1_440;
const PERIODS_OF_PAGE = 20;
/** If a monitor is later than this, its state is out of date. */
const LATE_MS = 5 * MINUTE_MS;

export interface MetricItem {
  id: number;
  settings: MetricSettings;
  sentence: string;
  project: { slug: string; name: string };
  isPaused: boolean;
  state: MetricMonitor["state"];
  /** Whether it has not been evaluated for some minutes though it should have been. */
  isLate: boolean;
}

export interface MetricListItem extends MetricItem {
  /** The values that were compared with the line, oldest first. Null: nothing was decided. */
  points: Array<number | null>;
}

export interface MetricListPage {
  /** The monitors on this page. */
  items: MetricListItem[];
  pages: ListPage;
  projects: Array<{ slug: string; name: string }>;
  mayChange: boolean;
}

/** Metric monitors, those in trouble first. `projectSlug` empty: of all projects. */
export async function getMetricList(
  { state, scope }: Workspace,
  { text, projectSlug, page, now }: { text: string; projectSlug: string; page: number; now: number },
): Promise<MetricListPage> {
  const projects = await state.projects.listProjects(scope);
  const project = projects.find(({ slug }) => slug === projectSlug);
  const found = await state.metrics.listMetricMonitors(scope, { text, ...(project && { projectId: project.id }) });
  const { rows: monitors, ...pages } = takePage(found, page);
  const ids = monitors.map(({ id }) => id);
  const evaluations = await state.metrics.listMetricEvaluations(scope, ids, POINTS_OF_LIST);
  return {
    items: monitors.map((monitor) => ({
      ...toItem(monitor, projects, now),
      points: toPoints(monitor.settings, evaluations.get(monitor.id) ?? []),
    })),
    pages,
    projects: projects.map(({ slug, name }) => ({ slug, name })),
    mayChange: hasRight(scope, "project:write"),
  };
}

export interface MetricPage {
  item: MetricItem;
  fields: Record<string, string>;
  /** The goal that the project has for its releases. */
  goal: HealthGoal;
  /** Newest first. */
  evaluations: MetricEvaluation[];
  /** The same values as bars, oldest first. Each bar is as wide as the time between two looks of the monitor, at least five minutes. */
  chart: { from: number; to: number; bars: Array<{ at: number; value: number | null }> };
  periods: MetricPeriod[];
  /** The addresses of the page that shows what is counted, and of the issues that the monitor opened. */
  paths: { query: string; issues: string };
  /** That errors of the last 24 hours were counted and not stored, and what this means for the figure. Null: it means nothing. */
  leftOut: string | null;
  /** For a monitor of crashes: the unhandled issues of the last 24 hours in the release that it looked at last. Null: the figure is another one. */
  crashIssues: { issues: IssueItem[]; release: string | null } | null;
  mayChange: boolean;
  now: number;
}

/** Null: the monitor does not exist. */
export async function getMetricPage(
  workspace: Workspace,
  { monitorId, now }: { monitorId: number; now: number },
): Promise<MetricPage | null> {
  const { state, scope } = workspace;
  const monitor = await state.metrics.getMetricMonitor(scope, monitorId);
  if (monitor === null) return null;
  const [projects, evaluations, periods, goals] = await Promise.all([
    state.projects.listProjects(scope),
    state.metrics.listMetricEvaluations(scope, [monitorId], POINTS_OF_PAGE),
    state.metrics.listMetricPeriods(scope, monitorId, PERIODS_OF_PAGE),
    state.health.listGoals(narrowScope(scope, [monitor.projectId])),
  ]);
  const item = toItem(monitor, projects, now);
  const known = evaluations.get(monitorId) ?? [];
  return {
    item,
    fields: toMetricFields(monitor.settings),
    goal: goals.get(monitor.projectId) ?? DEFAULT_HEALTH_GOAL,
    evaluations: known,
    chart: toDay(monitor.settings, known, now),
    periods,
    paths: {
      query: toQueryPath(monitor.settings, item.project.slug),
      issues: `/issues?${new URLSearchParams({ q: `monitor.name:"${monitor.settings.name.replaceAll('"', "")}"`, project: item.project.slug, range: "90d" })}`,
    },
    leftOut: await findLeftOut(workspace, monitor, now),
    crashIssues: await findCrashIssues(workspace, monitor, { release: known[0]?.release ?? null, now }),
    mayChange: hasRight(scope, "project:write"),
    now,
  };
}

async function findCrashIssues(
  workspace: Workspace,
  { projectId, settings: { dataset, figure, environment } }: MetricMonitor,
  { release, now }: { release: string | null; now: number },
): Promise<MetricPage["crashIssues"]> {
  if (dataset !== "sessions" || figure === "count()") return null;
  const issues = await listCrashIssues(workspace, narrowScope(workspace.scope, [projectId]), {
    from: now - DAY_MS,
    ...(release !== null && { release }),
    ...(environment !== null && { environments: [environment] }),
  });
  return { issues, release };
}

async function findLeftOut(
  workspace: Workspace,
  { projectId, settings }: MetricMonitor,
  now: number,
): Promise<string | null> {
  if (settings.dataset !== "errors") return null;
  const scope = narrowScope(workspace.scope, [projectId]);
  const count = await countLeftOut(workspace, scope, { since: now - DAY_MS, until: now });
  if (count === 0) return null;
  const day = sayLeftOut(count).replace("of this time", "of the last 24 hours");
  if (settings.figure === "count_unique(user)") return `${day} Their users are not known, and not in the figure.`;
  return countsEveryError(settings)
    ? `${day} The figure has them; the pages of issues and events show what is stored.`
    : `${day} The figure has an estimate of them: of each issue, the share that fits among its stored events.`;
}

function toItem(
  { id, projectId, settings, isPaused, state }: MetricMonitor,
  projects: ReadonlyArray<{ id: number; slug: string; name: string }>,
  now: number,
): MetricItem {
  const { slug, name } = projects.find((each) => each.id === projectId) ?? { slug: "", name: "" };
  const stepMs = stepMinutesOf(settings) * MINUTE_MS;
  const isLate = !isPaused && state.last !== null && now - state.last.at > stepMs + LATE_MS;
  return { id, settings, sentence: sayMetric(settings), project: { slug, name }, isPaused, state, isLate };
}

/** As many points as the list shows. For a new monitor the first ones are null. */
function toPoints(settings: MetricSettings, evaluations: readonly MetricEvaluation[]): Array<number | null> {
  const known = evaluations.map((each) => pointOf(settings, each)).reverse();
  return [...new Array<number | null>(POINTS_OF_LIST - known.length).fill(null), ...known];
}

function pointOf(settings: MetricSettings, { value, baseline }: MetricEvaluation): number | null {
  return toCompared(settings, value, baseline);
}

/** The last 24 hours, in bars of at least five minutes. */
function toDay(settings: MetricSettings, evaluations: readonly MetricEvaluation[], now: number): MetricPage["chart"] {
  const barMs = Math.max(5, stepMinutesOf(settings)) * MINUTE_MS;
  const to = Math.ceil(now / barMs) * barMs;
  const count = (24 * 60 * MINUTE_MS) / barMs;
  const from = to - count * barMs;
  const bars = Array.from({ length: count }, (_, index) => ({
    at: from + index * barMs,
    value: null as number | null,
  }));
  for (const evaluation of evaluations) {
    const bar = bars[Math.floor((evaluation.at - 1 - from) / barMs)];
    const value = pointOf(settings, evaluation);
    if (bar === undefined || value === null) continue;
    const isFarther = bar.value === null || (settings.direction === "above" ? value > bar.value : value < bar.value);
    if (isFarther) bar.value = value;
  }
  return { from, to, bars };
}

/** The page where people see what the monitor counts. */
function toQueryPath(settings: MetricSettings, project: string): string {
  const { dataset, environment } = settings;
  const search = toWholeQuery(settings);
  const params = new URLSearchParams({ project, ...(search && { q: search }), ...(environment && { environment }) });
  const path = { errors: "/issues", transactions: "/traces", spans: "/traces", logs: "/logs", sessions: "/releases" };
  return `${path[dataset]}?${params}`;
}
