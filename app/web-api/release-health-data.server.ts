import { z } from "zod";
import type { Workspace } from "../access/workspace.ts";
import type { Release } from "../domain/release.ts";
import { adoptionShare } from "../domain/releases/release-health.ts";
import { narrowScope, type Scope } from "../domain/scope.ts";
import { DAY_MS } from "../domain/time.ts";
import { HEALTH_LIST_DAYS } from "../features/releases/get-release-health.server.ts";
import { crashFreeRate } from "../features/sessions/get-session-series.server.ts";
import type { SessionCounts, SessionTally } from "../stores/events/sessions.ts";

const count = z.int();
const percent = z.number().nullable();
const STATS_PERIOD = `${HEALTH_LIST_DAYS}d` as const;

/** The health of a release in one project, in the words of Sentry's documentation. Shares are in percent. */
export const healthData = z.object({
  hasHealthData: z.boolean(),
  adoption: percent.describe("of the users of the last 24 hours"),
  sessionsAdoption: percent,
  crashFreeUsers: percent.describe(`of ${HEALTH_LIST_DAYS} days, as the totals`),
  crashFreeSessions: percent,
  totalUsers: count,
  totalSessions: count,
  sessionsCrashed: count,
  sessionsErrored: count,
  totalUsers24h: count,
  totalSessions24h: count,
  totalProjectUsers24h: count,
  totalProjectSessions24h: count,
  durationP50: z.null(),
  durationP90: z.null(),
  stats: z
    .object({ [STATS_PERIOD]: z.array(z.tuple([z.number(), count])) })
    .describe("sessions of each day: seconds since 1970, number"),
});
export type HealthData = z.input<typeof healthData>;

/** Health by version, then by project id. */
export type HealthByRelease = ReadonlyMap<string, ReadonlyMap<number, HealthData>>;

const NONE: SessionTally = { total: 0, errored: 0, crashed: 0, abnormal: 0, unhandled: 0 };

/** Reads how sessions of the releases ended, in each project. At most 100 releases. */
export async function getHealthOfReleases(
  { events }: Pick<Workspace, "events">,
  scope: Scope,
  { releases, now, environments }: { releases: readonly Release[]; now: number; environments?: string[] },
): Promise<HealthByRelease> {
  const projectIds = new Set(releases.flatMap(({ projects }) => projects.map(({ projectId }) => projectId)));
  const chosen = narrowScope(scope, [...projectIds]).projectIds;
  const to = now;
  const place = environments ? { environments } : {};
  const first = Math.floor((now - HEALTH_LIST_DAYS * DAY_MS) / DAY_MS) * DAY_MS;
  const versions = releases.map(({ version }) => version);
  const known = new Map<string, Map<number, HealthData>>(versions.map((version) => [version, new Map()]));
  // One project after the other: each answer has at most 100 groups, and a page at most 100 releases.
  for (const projectId of chosen) {
    const own = { projectIds: narrowScope(scope, [projectId]).projectIds, to, ...place };
    const by = { groupBy: ["release"] as const, bucketMs: null };
    const named = releases.filter(({ projects }) => projects.some((each) => each.projectId === projectId));
    const sums = new Map<string, { sums?: SessionCounts; day?: SessionCounts; stats: Array<[number, number]> }>();
    const of = (version: string | null) => {
      const at = version ?? "";
      const found = sums.get(at) ?? { stats: [] };
      sums.set(at, found);
      return found;
    };
    const asked = { ...own, releases: named.map(({ version }) => version) };
    const [total, day, days, [all]] = await Promise.all([
      events.countSessions({ ...asked, from: now - HEALTH_LIST_DAYS * DAY_MS }, by),
      events.countSessions({ ...asked, from: now - DAY_MS }, by),
      events.countSessions({ ...asked, from: first }, { ...by, bucketMs: DAY_MS }),
      events.countSessions({ ...own, from: now - DAY_MS }, { groupBy: [], bucketMs: null }),
    ]);
    for (const each of total) of(each.release).sums = each;
    for (const each of day) of(each.release).day = each;
    for (const each of days) of(each.release).stats.push([(each.at ?? 0) / 1000, each.sessions.total]);
    for (const { version } of named) known.get(version)?.set(projectId, toHealthData(of(version), all));
  }
  return known;
}

function toHealthData(
  { sums, day, stats }: { sums?: SessionCounts; day?: SessionCounts; stats: Array<[number, number]> },
  all: SessionCounts | undefined,
): HealthData {
  const { sessions = NONE, users = NONE } = sums ?? {};
  const ofDay = { sessions: day?.sessions.total ?? 0, users: day?.users.total ?? 0 };
  const ofAll = { sessions: all?.sessions.total ?? 0, users: all?.users.total ?? 0 };
  return {
    hasHealthData: sessions.total > 0,
    adoption: toPercent(adoptionShare(ofDay.users, ofAll.users)),
    sessionsAdoption: toPercent(adoptionShare(ofDay.sessions, ofAll.sessions)),
    crashFreeUsers: toPercent(crashFreeRate(users)),
    crashFreeSessions: toPercent(crashFreeRate(sessions)),
    totalUsers: users.total,
    totalSessions: sessions.total,
    sessionsCrashed: sessions.crashed,
    sessionsErrored: sessions.errored,
    totalUsers24h: ofDay.users,
    totalSessions24h: ofDay.sessions,
    totalProjectUsers24h: ofAll.users,
    totalProjectSessions24h: ofAll.sessions,
    durationP50: null,
    durationP90: null,
    stats: { [STATS_PERIOD]: stats.toSorted(([one], [other]) => one - other) },
  };
}

function toPercent(share: number | null): number | null {
  return share === null ? null : share * 100;
}
