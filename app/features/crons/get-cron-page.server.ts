import type { Workspace } from "../../access/workspace.ts";
import { MONITOR_DEFAULTS, type Monitor, type MonitorConfig } from "../../domain/monitor.ts";
import { findZoneMismatch, type ZoneMismatch } from "../../domain/monitors/find-zone-mismatch.ts";
import { hasRight } from "../../domain/scope.ts";
import type { MonitorRun } from "../../stores/state/monitor-store.ts";
import { parseIssueFilters } from "../issues/issue-filters.ts";
import { listIssues } from "../issues/list-issues.server.ts";
import { COMMON_ZONES, type ShownState, sayInZone } from "./cron-words.ts";
import { findState } from "./get-crons-page.server.ts";
import { previewSchedule, type SchedulePreview, sayScheduleInWords } from "./schedule-words.server.ts";

const RUNS_PER_PAGE = 25;
/** The most durations in the graph. */
const MAX_DURATIONS = 60;

export interface CronPage {
  project: { id: number; slug: string; name: string };
  monitor: Monitor;
  state: ShownState;
  scheduleWords: string;
  /** Null: there is no schedule. */
  preview: SchedulePreview | null;
  environment: string | null;
  runs: Array<MonitorRun & { startedInZone: string }>;
  nextBefore: number | null;
  /** The newest stored output of a run. */
  lastOutput: { startedAt: number; text: string; exitStatus: number | null } | null;
  /** Durations of runs that ended, oldest first, in milliseconds, with the 95th percentile. Null: no run has ended. */
  durations: { values: Array<{ ms: number; isBad: boolean; at: number }>; p95: number; longest: number } | null;
  mismatch: (ZoneMismatch & { pingInZone: string; dueInZone: string }) | null;
  issues: Array<{ id: number; shortId: string; title: string; status: string; lastSeenAt: number }>;
  issuesPath: string;
  /** The text for the end of a line of a crontab. Null: the project has no key. */
  curl: string | null;
}

/** Everything about one monitor. Null: it does not exist. */
export async function getCronPage(
  workspace: Workspace,
  {
    project: projectSlug,
    slug,
    environment,
    before,
    baseUrl,
    now,
  }: { project: string; slug: string; environment: string | null; before: number | null; baseUrl: string; now: number },
): Promise<CronPage | null> {
  const { state, scope } = workspace;
  const project = await state.projects.getProjectBySlug(scope, projectSlug);
  const monitor = project && (await state.monitors.getMonitor(scope, { projectId: project.id, slug }));
  if (!project || !monitor) return null;
  const of = environment === null ? {} : { environment };
  const [runs, recent, keys, issues] = await Promise.all([
    state.monitors.listRuns(scope, monitor.id, { ...of, before, limit: RUNS_PER_PAGE + 1 }),
    state.monitors.listRuns(scope, monitor.id, { ...of, before: null, limit: 200 }),
    state.projects.listKeys(scope, project.id),
    hasRight(scope, "event:read") ? findIssues(workspace, { project: projectSlug, slug, now }) : [],
  ]);
  const shown = runs.slice(0, RUNS_PER_PAGE);
  const timezone = monitor.config?.timezone ?? MONITOR_DEFAULTS.timezone;
  const output = recent.find((run) => run.output !== null);
  const key = keys.find(({ isEnabled }) => isEnabled);
  return {
    project: { id: project.id, slug: project.slug, name: project.name },
    monitor,
    state: findState(monitor),
    scheduleWords: sayScheduleInWords(monitor.config),
    preview: monitor.config && previewSchedule(monitor.config, now, findNextDue(monitor)),
    environment,
    runs: shown.map((run) => ({ ...run, startedInZone: sayInZone(run.startedAt, timezone) })),
    nextBefore: runs.length > RUNS_PER_PAGE ? (shown.at(-1)?.id ?? null) : null,
    lastOutput: output?.output
      ? { startedAt: output.startedAt, text: output.output, exitStatus: output.exitStatus }
      : null,
    durations: toDurations(recent),
    mismatch: monitor.keepsZone ? null : toMismatch(monitor.config, recent, timezone),
    issues,
    issuesPath: `/issues?project=${encodeURIComponent(project.slug)}&q=${encodeURIComponent(`monitor.slug:${slug}`)}&range=90d`,
    curl: key
      ? `curl -fsS -m 10 --retry 3 ${baseUrl.replace(/\/$/, "")}/api/${project.id}/cron/${slug}/${key.publicKey}/$?`
      : null,
  };
}

/** The next due time of all environments, as in the list of monitors. */
function findNextDue({ environments }: Monitor): number | null {
  const due = environments.flatMap(({ nextDueAt }) => nextDueAt ?? []);
  return due.length === 0 ? null : Math.min(...due);
}

async function findIssues(
  workspace: Workspace,
  { project, slug, now }: { project: string; slug: string; now: number },
): Promise<CronPage["issues"]> {
  const params = new URLSearchParams({ project, q: `monitor.slug:${slug}`, range: "90d" });
  const { issues } = await listIssues(workspace, { filters: parseIssueFilters(params), now });
  return issues
    .slice(0, 10)
    .map(({ id, shortId, title, status, lastSeenAt }) => ({ id, shortId, title, status, lastSeenAt }));
}

function toDurations(runs: readonly MonitorRun[]): CronPage["durations"] {
  const values = runs
    .flatMap(({ durationMs, status, startedAt }) =>
      durationMs === null || status === "in_progress" || status === "unknown"
        ? []
        : [{ ms: durationMs, isBad: status !== "ok", at: startedAt }],
    )
    .slice(0, MAX_DURATIONS)
    .reverse();
  if (values.length === 0) return null;
  const sorted = values.map(({ ms }) => ms).sort((a, b) => a - b);
  const p95 = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * 0.95) - 1)] ?? 0;
  return { values, p95, longest: sorted.at(-1) ?? 0 };
}

function toMismatch(config: MonitorConfig | null, runs: readonly MonitorRun[], timezone: string): CronPage["mismatch"] {
  const found = findZoneMismatch(config, runs, COMMON_ZONES);
  if (found === null) return null;
  return { ...found, pingInZone: sayInZone(found.pingAt, timezone), dueInZone: sayInZone(found.dueAt, timezone) };
}
