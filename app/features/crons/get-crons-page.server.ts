import type { Workspace } from "../../access/workspace.ts";
import type { Monitor } from "../../domain/monitor.ts";
import type { Downtime } from "../../domain/monitors/watch-runs.ts";
import { narrowScope } from "../../domain/scope.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { RunTick } from "../../stores/state/monitor-store.ts";
import type { ShownState } from "./cron-words.ts";
import { sayScheduleInWords } from "./schedule-words.server.ts";

export const CRONS_PER_PAGE = 50;

/** A monitor as a row of the list shows it. */
export interface CronRow {
  id: number;
  project: string;
  slug: string;
  name: string;
  schedule: string;
  state: ShownState;
  isMuted: boolean;
  /** Environments that are paused, where others are not. */
  pausedIn: string[];
  environmentCount: number;
  nextDueAt: number | null;
  lastCheckInAt: number | null;
  /** Oldest first. */
  ticks: RunTick[];
}

export interface CronsPage {
  rows: CronRow[];
  total: number;
  byState: Partial<Record<ShownState, number>>;
  page: number;
  pageCount: number;
  projects: Array<{ slug: string; name: string }>;
  /** In the last 24 hours. */
  downtimes: Downtime[];
  /** The end of the axis. */
  now: number;
}

/** The list of monitors, those in trouble first. `project` null: all that one sees. */
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
  const [ticks, downtimes] = await Promise.all([
    state.monitors.listTicks(
      chosen,
      found.monitors.map(({ id }) => id),
      since,
    ),
    state.monitors.listDowntimes(since),
  ]);
  return {
    rows: found.monitors.map((monitor) =>
      toRow(monitor, slugs.get(monitor.projectId) ?? "", ticks.get(monitor.id) ?? []),
    ),
    total: found.total,
    byState: found.byState,
    page,
    pageCount: Math.max(1, Math.ceil(found.total / CRONS_PER_PAGE)),
    projects: projects.map(({ slug: each, name }) => ({ slug: each, name })),
    downtimes,
    now,
  };
}

function toRow(monitor: Monitor, project: string, ticks: RunTick[]): CronRow {
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
  };
}

const ORDER: readonly ShownState[] = ["error", "timeout", "missed", "late", "waiting", "ok"];

/** The worst state of the environments that are not paused. */
export function findState({ environments }: Pick<Monitor, "environments">): ShownState {
  const states = environments.filter(({ isPaused }) => !isPaused).map(({ state }) => state);
  if (states.length === 0) return environments.length === 0 ? "waiting" : "paused";
  return ORDER.find((state) => states.some((each) => each === state)) ?? "ok";
}
