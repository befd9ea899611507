import type { Workspace } from "../access/workspace.ts";
import type { Release } from "../domain/release.ts";
import type { Scope } from "../domain/scope.ts";
import { DAY_MS } from "../domain/time.ts";

/** Sessions older than this do not put a release into an environment. */
const SESSION_DAYS = 90;

/** The most pages of 100 releases that one request reads. Each page costs two queries of the event store. */
const MAX_READ_PAGES = 10;
const READ_PAGE = 100;

type ReleaseList = Awaited<ReturnType<Workspace["state"]["releases"]["listReleases"]>>;

/**
 * A page of the releases in one of the environments. If more releases follow, the page is full, unless the first 1,000 releases had too
 * few. There is no cursor for the previous page, because which releases are in an environment is not stored in their order.
 */
export async function listInEnvironments(
  workspace: Pick<Workspace, "state" | "events">,
  scope: Scope,
  {
    list,
    limit,
    cursor: begin,
    ...of
  }: {
    list: (place: { cursor: string | null; limit: number }) => Promise<ReleaseList>;
    limit: number;
    cursor: string | null;
    environments: string[];
    now: number;
  },
): Promise<ReleaseList> {
  const releases: Release[] = [];
  let cursor = begin;
  /** The version of the last release on the page. */
  let end: string | null = null;
  for (let pages = 1; ; pages++) {
    const found = await list({ cursor, limit: READ_PAGE });
    const there = await findInEnvironments(workspace, scope, { ...of, releases: found.releases });
    const room = limit - releases.length;
    if (there.length > 0 && room === 0) break;
    const taken = there.slice(0, room);
    releases.push(...taken);
    const last = taken.at(-1);
    if (last !== undefined && taken.length === room)
      end = (await list({ cursor, limit: found.releases.indexOf(last) + 1 })).nextCursor;
    if (there.length > room) break;
    if (found.nextCursor === null || pages === MAX_READ_PAGES)
      return { releases, previousCursor: null, nextCursor: found.nextCursor && (end ?? found.nextCursor) };
    cursor = found.nextCursor;
  }
  return { releases, previousCursor: null, nextCursor: end };
}

/** The releases, of at most 100, that were deployed to one of the environments, or had an error or a session there. */
async function findInEnvironments(
  { state, events }: Pick<Workspace, "state" | "events">,
  scope: Scope,
  { releases, environments, now }: { releases: Release[]; environments: string[]; now: number },
): Promise<Release[]> {
  const isThere = new Set<string>();
  for (const { version, deployCount, lastDeploy } of releases) {
    if (deployCount === 0) continue;
    const deploys = deployCount === 1 && lastDeploy ? [lastDeploy] : await state.releases.listDeploys(scope, version);
    if (deploys.some(({ environment }) => environments.includes(environment))) isThere.add(version);
  }
  const rest = releases.flatMap(({ version }) => (isThere.has(version) ? [] : [version]));
  if (rest.length > 0) {
    const { projectIds } = scope;
    const byRelease = { by: [{ name: "release", isTag: false }], bucketMs: null, limit: 100 };
    const [errors, sessions] = await Promise.all([
      events.sumEvents(
        { projectIds, from: null, to: null, environments, anyOfTags: [{ key: "release", values: rest }] },
        { ...byRelease, largest: "events", onlyLargest: true },
      ),
      events.countSessions(
        { projectIds, from: now - SESSION_DAYS * DAY_MS, to: now, releases: rest, environments },
        { groupBy: ["release"], bucketMs: null },
      ),
    ]);
    for (const { group } of errors) isThere.add(group[0] ?? "");
    for (const { release } of sessions) isThere.add(release ?? "");
  }
  return releases.filter(({ version }) => isThere.has(version));
}
