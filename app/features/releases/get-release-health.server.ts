import type { Workspace } from "../../access/workspace.ts";
import { METRIC_LIMITS } from "../../domain/metrics/metric-monitor.ts";
import type { Release } from "../../domain/release.ts";
import {
  adoptionShare,
  DEFAULT_HEALTH_GOAL,
  type HealthGoal,
  judgeHealth,
  type ReleaseHealth,
} from "../../domain/releases/release-health.ts";
import { hasRight, narrowScope, type Scope } from "../../domain/scope.ts";
import { quote } from "../../domain/search/quote.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { SessionCounts, SessionTally } from "../../stores/events/sessions.ts";
import { type ArrivedPeriod, toArrivedPeriod, toArrivedRange } from "../arrived/arrived-range.ts";
import { listCrashIssues } from "./list-crash-issues.server.ts";
import type { IssueItem } from "./to-issue-items.server.ts";

export interface HealthFigures {
  sessions: SessionTally;
  users: SessionTally;
  health: ReleaseHealth;
  /** The share of users without a crash. Null: no session named a user. */
  crashFreeUsers: number | null;
}

/** The health of a release over a time. */
export interface ReleaseHealthPage extends HealthFigures {
  period: ArrivedPeriod;
  environment: string;
  environments: string[];
  goal: HealthGoal;
  /** Shares of the sessions and users of the release's projects in the last 24 hours. */
  adoption: { sessions: number | null; users: number | null };
  buckets: Array<{ at: number; healthy: number; errored: number; crashed: number }>;
  bucketMs: number;
  deploys: Array<{ at: number; environment: string; version: string }>;
  /** Figures by project and environment, those with most sessions first. */
  parts: Array<HealthFigures & { project: { slug: string; name: string }; environment: string }>;
  /** Unhandled issues of the release with an event in the time, those with most events in it first. */
  issues: IssueItem[];
  /** The address of the form for a monitor of the release. Null: the viewer may not make monitors. */
  watchPath: string | null;
  /** Whether any project of the release sent a session in the time, for any release and environment. */
  hasSessions: boolean;
}

/** How many sessions and users of a release had no problem, compared with the goals of its projects. */
export async function getReleaseHealth(
  workspace: Workspace,
  { release, params, now }: { release: Release; params: URLSearchParams; now: number },
): Promise<ReleaseHealthPage> {
  const { state, events } = workspace;
  const scope = narrowScope(
    workspace.scope,
    release.projects.map(({ projectId }) => projectId),
  );
  const period = toArrivedPeriod(params.get("period") ?? "14d").value;
  const environment = params.get("environment") ?? "";
  const { from, to, bucketMs } = toArrivedRange(period, now);
  const place = environment === "" ? {} : { environments: [environment] };
  const filter = { projectIds: scope.projectIds, from, to, ...place };
  const ofRelease = { ...filter, releases: [release.version] };
  const all = { groupBy: [], bucketMs: null } as const;
  const [sums, overTime, parts, everything, day, dayOfAll, goals, deploys, issues, environments, projects] =
    await Promise.all([
      events.countSessions(ofRelease, all),
      events.countSessions(ofRelease, { groupBy: [], bucketMs }),
      events.countSessions(ofRelease, { groupBy: ["project", "environment"], bucketMs: null }),
      events.countSessions({ projectIds: scope.projectIds, from, to }, all),
      events.countSessions({ ...ofRelease, from: now - DAY_MS, to: now }, all),
      events.countSessions({ ...filter, from: now - DAY_MS, to: now }, all),
      state.health.listGoals(scope),
      state.releases.listDeploysBetween(scope, from, to),
      listCrashIssues(workspace, scope, { from, release: release.version, ...place }),
      events.listEnvironments(scope.projectIds),
      state.projects.listProjects(scope),
    ]);
  const goal = strictestGoal(goals);
  const byId = new Map(projects.map((project) => [project.id, project]));
  const byBucket = new Map(overTime.map((each) => [each.at, each.sessions]));
  return {
    period,
    environment,
    environments,
    goal,
    ...toFigures(sums[0], goal),
    adoption: {
      sessions: adoptionShare(day[0]?.sessions.total ?? 0, dayOfAll[0]?.sessions.total ?? 0),
      users: adoptionShare(day[0]?.users.total ?? 0, dayOfAll[0]?.users.total ?? 0),
    },
    buckets: Array.from({ length: Math.ceil((to - from) / bucketMs) }, (_, at) =>
      toBucket(from + at * bucketMs, byBucket.get(from + at * bucketMs)),
    ),
    bucketMs,
    deploys: deploys
      .filter((deploy) => environment === "" || deploy.environment === environment)
      .map(({ finishedAt, version, ...deploy }) => ({ at: finishedAt, environment: deploy.environment, version })),
    parts: parts.flatMap((part) => {
      const project = byId.get(part.projectId ?? -1);
      if (!project) return [];
      const { slug, name, id } = project;
      const figures = toFigures(part, goals.get(id) ?? DEFAULT_HEALTH_GOAL);
      return [{ ...figures, project: { slug, name }, environment: part.environment ?? "" }];
    }),
    issues,
    watchPath: toWatchPath(scope, { version: release.version, environment, projects }),
    hasSessions: (everything[0]?.sessions.total ?? 0) > 0,
  };
}

/**
 * The address of the form for a monitor that compares the release with the goal of its project. If there are several projects, it
 * uses the first.
 */
function toWatchPath(
  scope: Scope,
  {
    version,
    environment,
    projects,
  }: { version: string; environment: string; projects: ReadonlyArray<{ slug: string }> },
): string | null {
  const [project] = projects;
  if (project === undefined || !hasRight(scope, "project:write")) return null;
  const name = `${version} crashes`.slice(0, METRIC_LIMITS.nameChars);
  const query = `release:${quote(version)}`;
  const params = { template: "release-health", project: project.slug, name, query, environment };
  return `/metric-monitors/new?${new URLSearchParams(params)}`;
}

/** The health of a version in a list. */
export interface ReleaseHealthBrief {
  sessions: number;
  health: ReleaseHealth;
  /** Share of the sessions of its projects in the last 24 hours. */
  adoption: number | null;
}

/** The days that lists look back. */
export const HEALTH_LIST_DAYS = 14;

/** The health of releases that had a session in the last `HEALTH_LIST_DAYS` days. */
export async function listReleaseHealth(
  { state, events }: Pick<Workspace, "state" | "events">,
  { scope, releases, now }: { scope: Scope; releases: readonly Release[]; now: number },
): Promise<Map<string, ReleaseHealthBrief>> {
  if (releases.length === 0) return new Map();
  const versions = releases.map(({ version }) => version);
  const { projectIds } = scope;
  const byVersion = { groupBy: ["release"], bucketMs: null } as const;
  const [counted, day, dayOfProjects, goals] = await Promise.all([
    events.countSessions({ projectIds, from: now - HEALTH_LIST_DAYS * DAY_MS, to: now, releases: versions }, byVersion),
    events.countSessions({ projectIds, from: now - DAY_MS, to: now, releases: versions }, byVersion),
    events.countSessions({ projectIds, from: now - DAY_MS, to: now }, { groupBy: ["project"], bucketMs: null }),
    state.health.listGoals(scope),
  ]);
  const dayOf = new Map(day.map((each) => [each.release, each.sessions.total]));
  const dayOfProject = new Map(dayOfProjects.map((each) => [each.projectId, each.sessions.total]));
  const known = new Map(releases.map((release) => [release.version, release]));
  return new Map(
    counted.flatMap(({ release: version, sessions }) => {
      const release = known.get(version ?? "");
      if (!release) return [];
      const own = release.projects.map(({ projectId }) => projectId);
      const goal = strictestGoal(
        new Map(own.flatMap((id) => (goals.has(id) ? [[id, goals.get(id) as HealthGoal]] : []))),
      );
      const ofAll = own.reduce((sum, id) => sum + (dayOfProject.get(id) ?? 0), 0);
      const adoption = adoptionShare(dayOf.get(release.version) ?? 0, ofAll);
      return [[release.version, { sessions: sessions.total, health: judgeHealth(sessions, goal), adoption }]];
    }),
  );
}

/** The health of a project over a time, for all releases. */
export interface ProjectHealth extends HealthFigures {
  goal: HealthGoal;
}

export async function getProjectHealth(
  { state, events }: Pick<Workspace, "state" | "events">,
  { scope, from, to, environments }: { scope: Scope; from: number; to: number; environments?: string[] },
): Promise<ProjectHealth> {
  const filter = { projectIds: scope.projectIds, from, to, ...(environments ? { environments } : {}) };
  const [[sums], goals] = await Promise.all([
    events.countSessions(filter, { groupBy: [], bucketMs: null }),
    state.health.listGoals(scope),
  ]);
  const goal = strictestGoal(goals);
  return { goal, ...toFigures(sums, goal) };
}

const NONE: SessionTally = { total: 0, errored: 0, crashed: 0, abnormal: 0, unhandled: 0 };

function toFigures(counts: SessionCounts | undefined, goal: HealthGoal): HealthFigures {
  const { sessions = NONE, users = NONE } = counts ?? {};
  const { crashFree } = judgeHealth(users, goal);
  return { sessions, users, health: judgeHealth(sessions, goal), crashFreeUsers: crashFree };
}

function toBucket(at: number, tally: SessionTally = NONE): ReleaseHealthPage["buckets"][number] {
  const { total, errored, crashed } = tally;
  return { at, crashed, errored: Math.max(0, errored - crashed), healthy: Math.max(0, total - errored) };
}

/** The strictest of the goals of several projects. */
function strictestGoal(goals: ReadonlyMap<number, HealthGoal>): HealthGoal {
  const [first = DEFAULT_HEALTH_GOAL, ...others] = goals.values();
  return others.reduce(
    (strictest, { target, floor }) => ({
      target: Math.max(strictest.target, target),
      floor: Math.max(strictest.floor, floor),
    }),
    first,
  );
}
