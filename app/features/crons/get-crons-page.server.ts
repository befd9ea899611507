import type { Workspace } from "../../access/workspace.ts";
import type { Monitor } from "../../domain/monitor.ts";
import { findZoneMismatch } from "../../domain/monitors/find-zone-mismatch.ts";
import type { Downtime } from "../../domain/monitors/watch-runs.ts";
import { narrowScope } from "../../domain/scope.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { RunTick } from "../../stores/state/monitor-store.ts";
import { COMMON_ZONES, type ShownState } from "./cron-words.ts";
import { sayScheduleInWords } from "./schedule-words.server.ts";

const CRONS_PER_PAGE = 50;
/** The number of newest runs that are read. A missed run may stand between two pings, and among so many runs are at least ten pings. */
const LOOKED_AT_RUNS = 40;
/** For how long check-ins that found no room are shown. */
const LEFT_OUT_SHOWN_MS = 14 * DAY_MS;

/** A monitor as a row of the list shows it. */
export interface CronRow {
  id: number;
  project: string;
  slug: string;
  name: string;
  schedule: string;
  state: ShownState;
  isMuted: boolean;
  /** The paused environments, if others are not paused. */
  pausedIn: string[];
  environmentCount: number;
  nextDueAt: number | null;
  lastCheckInAt: number | null;
  /** Oldest first. */
  ticks: RunTick[];
  /** The time zone by which the job seems to run, judging by its pings, if it is not the monitor's own. Null: it is. */
  otherZone: string | null;
}

export interface CronsPage {
  rows: CronRow[];
  total: number;
  byState: Partial<Record<ShownState, number>>;
  page: number;
  pageCount: number;
  projects: Array<{ slug: string; name: string }>;
  /** The downtimes of the last 24 hours. */
  downtimes: Downtime[];
  /** Check-ins that found no room among the monitors of their project, with the latest of them. */
  leftOut: Array<{ project: string; checkInCount: number; lastSlug: string; lastAt: number }>;
  /** The end of the axis, in milliseconds since 1970. */
  now: number;
}

/** The list of monitors, those in trouble first. `project` null: of all projects that the person sees. */
export async function getCronsPage(
  workspace: Workspace,
  { text, project: slug, page, now }: { text: string; project: string | null; page: number; now: number },
): Promise<CronsPage> {
  const { state, scope } = workspace;
  const projects = await state.projects.listProjects(scope);
  const slugs = new Map(projects.map((project) => [project.id, project.slug]));
  const chosen =
    slug === null
      ? scope
      : narrowScope(
          scope,
          projects.flatMap((each) => (each.slug === slug ? [each.id] : [])),
        );
  const found = await state.monitors.listByState(chosen, {
    text,
    offset: (page - 1) * CRONS_PER_PAGE,
    limit: CRONS_PER_PAGE,
  });
  const since = now - DAY_MS;
  const [ticks, downtimes, otherZones, { overflows }] = await Promise.all([
    state.monitors.listTicks(
      chosen,
      found.monitors.map(({ id }) => id),
      since,
    ),
    state.monitors.listDowntimes(since),
    findOtherZones(workspace, found.monitors),
    state.monitors.listMonitors(chosen, { cursor: null, limit: 1 }),
  ]);
  return {
    rows: found.monitors.map((monitor) =>
      toRow(monitor, {
        project: slugs.get(monitor.projectId) ?? "",
        ticks: ticks.get(monitor.id) ?? [],
        otherZone: otherZones.get(monitor.id) ?? null,
      }),
    ),
    total: found.total,
    byState: found.byState,
    page,
    pageCount: Math.max(1, Math.ceil(found.total / CRONS_PER_PAGE)),
    projects: projects.map(({ slug: each, name }) => ({ slug: each, name })),
    downtimes,
    leftOut: overflows
      .filter(({ lastAt }) => lastAt >= now - LEFT_OUT_SHOWN_MS)
      .map(({ projectId, ...each }) => ({ project: slugs.get(projectId) ?? "", ...each })),
    now,
  };
}

/** Other zones by monitor id. Only runs that are not on time are read, because a job that runs by the monitor's zone has none. */
async function findOtherZones({ state, scope }: Workspace, monitors: readonly Monitor[]): Promise<Map<number, string>> {
  const zones = new Map<number, string>();
  const suspects = monitors.filter(
    ({ config, keepsZone, environments }) =>
      config?.schedule.type === "crontab" &&
      !keepsZone &&
      environments.some((each) => each.state === "missed" || each.state === "late" || each.troubleAt !== null),
  );
  for (const { id, config } of suspects) {
    const runs = await state.monitors.listRuns(scope, id, { before: null, limit: LOOKED_AT_RUNS });
    const mismatch = findZoneMismatch(config, runs, COMMON_ZONES);
    if (mismatch) zones.set(id, mismatch.timezone);
  }
  return zones;
}

function toRow(
  monitor: Monitor,
  { project, ticks, otherZone }: { project: string; ticks: RunTick[]; otherZone: string | null },
): CronRow {
  const { id, slug, name, config, environments, isMuted } = monitor;
  const due = environments.flatMap(({ nextDueAt }) => nextDueAt ?? []);
  const paused = environments.filter(({ isPaused }) => isPaused).map((environment) => environment.name);
  return {
    id,
    project,
    slug,
    name: name ?? slug,
    schedule: sayScheduleInWords(config),
    state: findState(monitor),
    isMuted,
    pausedIn: paused.length === environments.length ? [] : paused,
    environmentCount: environments.length,
    nextDueAt: due.length === 0 ? null : Math.min(...due),
    lastCheckInAt:
      environments.length === 0 ? null : Math.max(...environments.map(({ lastCheckInAt }) => lastCheckInAt)),
    ticks,
    otherZone,
  };
}

const ORDER: readonly ShownState[] = ["error", "timeout", "missed", "late", "waiting", "ok"];

/** The worst state of the environments that are not paused. */
export function findState({ environments }: Pick<Monitor, "environments">): ShownState {
  const states = environments.filter(({ isPaused }) => !isPaused).map(({ state }) => state);
  if (states.length === 0) return environments.length === 0 ? "waiting" : "paused";
  return ORDER.find((state) => states.some((each) => each === state)) ?? "ok";
}
