import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import { NEW_ISSUE_MS } from "../../domain/issues/substatus.ts";
import type { Project } from "../../domain/project.ts";
import { narrowScope, type Scope } from "../../domain/scope.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { EventFilter } from "../../stores/events/error-events.ts";
import { toArrivedRange } from "../arrived/arrived-range.ts";
import { type Arrived, getArrived } from "../arrived/get-arrived.server.ts";
import { toTrendRange } from "../issues/issue-filters.ts";
import { getProjectHealth, type ProjectHealth } from "../releases/get-release-health.server.ts";
import { listCrashIssues } from "../releases/list-crash-issues.server.ts";
import { sumProjects } from "../releases/list-releases.server.ts";
import type { IssueItem } from "../releases/to-issue-items.server.ts";
import type { OverviewFilters } from "./overview-filters.ts";

const TOP_ISSUES = 8;
const NEWEST_RELEASES = 5;

export interface TopIssue
  extends Pick<
    Issue,
    "id" | "shortId" | "title" | "type" | "level" | "status" | "substatus" | "isUnhandled" | "userCount"
  > {
  /** The first line of the message. */
  value: string;
  /** Events in the time and environment of the page. */
  eventCount: number;
  /** Events per day of the last 14 days. */
  trend: number[];
}

export interface ProjectOverview {
  /** Null: no event is stored. */
  lastEventAt: number | null;
  environments: string[];
  counts: { events: number; users: number };
  /** The same for the equally long time before. Null: events of that time may have been deleted. */
  countsBefore: { events: number; users: number } | null;
  /** Unresolved issues with an event in the time, counted up to 1,000. */
  unresolvedCount: number;
  /** Those of them that were first seen in the last seven days, counted up to 1,000. */
  newIssueCount: number;
  graph: Array<{ at: number; events: number; users: number }>;
  bucketMs: number;
  deploys: Array<{ at: number; environment: string; version: string }>;
  topIssues: TopIssue[];
  releases: Array<{ id: number; version: string; createdAt: number; eventCount: number; newIssueCount: number }>;
  health: ProjectHealth;
  /** Unhandled issues in the time and environment. Empty if no session crashed. */
  crashIssues: IssueItem[];
  arrived: Pick<Arrived, "total" | "byOutcome">;
}

/** The state of a project: its events and users over time, its top issues and releases, and what arrived. */
export async function getProjectOverview(
  workspace: Workspace,
  { project, filters, now }: { project: Project; filters: OverviewFilters; now: number },
): Promise<ProjectOverview> {
  const { state, events, settings } = workspace;
  const scope = narrowScope(workspace.scope, [project.id]);
  const { from, to, bucketMs } = toArrivedRange(filters.period, now);
  const environments = filters.environment === "" ? {} : { environments: [filters.environment] };
  const filter: EventFilter & { from: number; to: number } = {
    projectIds: scope.projectIds,
    from,
    to,
    ...environments,
  };
  const before = { ...filter, from: from - (to - from), to: from };
  const isBeforeKept = before.from >= now - settings.retention.signalDays.errors * DAY_MS;
  const [latest, known, counts, countsBefore, graph, deploys, issues, newIssues, releases, arrived, health] =
    await Promise.all([
      events.findEdge({ projectIds: scope.projectIds, from: null, to: null }, "latest"),
      events.listEnvironments(scope.projectIds),
      events.count(filter),
      isBeforeKept ? events.count(before) : null,
      events.countOverTime(filter, bucketMs),
      state.releases.listDeploysBetween(scope, from, to),
      state.issues.listIssues(scope, {
        ...environments,
        from,
        to: null,
        statuses: ["unresolved"],
        ...(filters.top === "new" ? { substatuses: ["new"] } : {}),
        sort: filters.top === "new" ? "first_seen" : filters.top,
        cursor: null,
        limit: TOP_ISSUES,
      }),
      state.issues.listIssues(scope, {
        ...environments,
        from: Math.max(from, now - NEW_ISSUE_MS),
        to: null,
        substatuses: ["new"],
        sort: "first_seen",
        cursor: null,
        limit: 1,
      }),
      state.releases.listReleases(scope, { status: "open", sort: "date", cursor: null, limit: NEWEST_RELEASES }),
      getArrived(workspace, { projectIds: scope.projectIds, category: "error", range: { from, to, bucketMs } }),
      getProjectHealth(workspace, { scope, from, to, ...environments }),
    ]);
  const unresolvedCount =
    filters.top === "new" ? await countUnresolved(workspace, scope, { ...environments, from }) : issues.matchingCount;
  const trends = await state.issues.listTrends(
    scope,
    issues.issues.map(({ id }) => id),
    { ...toTrendRange("14d", now), ...environments },
  );
  const crashIssues =
    health.sessions.crashed > 0 ? await listCrashIssues(workspace, scope, { from, ...environments }) : [];
  return {
    lastEventAt: latest?.occurredAt ?? null,
    environments: known,
    counts,
    countsBefore,
    unresolvedCount,
    newIssueCount: newIssues.matchingCount,
    graph,
    bucketMs,
    deploys: deploys
      .filter(({ environment }) => filters.environment === "" || environment === filters.environment)
      .map(({ finishedAt, environment, version }) => ({ at: finishedAt, environment, version })),
    topIssues: issues.issues.map((issue) => ({
      id: issue.id,
      shortId: issue.shortId,
      title: issue.title,
      type: issue.type,
      value: (issue.value.split("\n", 1)[0] ?? "").slice(0, 300),
      level: issue.level,
      status: issue.status,
      substatus: issue.substatus,
      isUnhandled: issue.isUnhandled,
      userCount: issue.userCount,
      eventCount: issue.matchingEventCount,
      trend: trends.get(issue.id) ?? [],
    })),
    releases: releases.releases.map((release) => {
      const { eventCount, newIssueCount } = sumProjects(release);
      return { id: release.id, version: release.version, createdAt: release.createdAt, eventCount, newIssueCount };
    }),
    health,
    crashIssues,
    arrived: { total: arrived.total, byOutcome: arrived.byOutcome },
  };
}

async function countUnresolved(
  { state }: Workspace,
  scope: Scope,
  where: { from: number; environments?: string[] },
): Promise<number> {
  const page = await state.issues.listIssues(scope, {
    ...where,
    to: null,
    statuses: ["unresolved"],
    sort: "last_seen",
    cursor: null,
    limit: 1,
  });
  return page.matchingCount;
}
