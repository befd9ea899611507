import type { Workspace } from "../access/workspace.ts";
import type { Release } from "../domain/release.ts";
import type { Scope } from "../domain/scope.ts";
import { DAY_MS } from "../domain/time.ts";

/** Sessions of earlier days say nothing here. */
const SESSION_DAYS = 90;

/** Those of the releases, at most 100, that were deployed to one of the environments, or had an error or a session there. */
export async function findInEnvironments(
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
