import type { Engine } from "../../app/access/engine.ts";
import { scopeOfServer } from "../../app/access/server-scope.ts";
import { DAY_MS, HOUR_MS } from "../../app/domain/time.ts";
import { DECOY_HASH } from "../../app/features/auth/password.server.ts";
import { type DemoProject, RELEASES } from "./shop.ts";

const TEAMS = [
  { slug: "storefront", name: "Storefront", projects: ["web"], members: ["noor", "kim"] },
  { slug: "platform", name: "Platform", projects: ["api", "billing"], members: ["ines"] },
] as const satisfies ReadonlyArray<{
  slug: string;
  name: string;
  projects: readonly DemoProject[];
  members: readonly string[];
}>;

const PEOPLE = [
  { key: "noor", name: "Noor Haddad", email: "noor@example.com" },
  { key: "kim", name: "Kim Larsen", email: "kim@example.com" },
  { key: "ines", name: "Ines Rocha", email: "ines@example.com" },
] as const;

type ProjectIds = ReadonlyMap<DemoProject, number>;

/** Colleagues and their teams. */
export async function addPeople(engine: Engine, projectIds: ProjectIds, now: number): Promise<Map<string, number>> {
  const { members, people } = engine.state;
  const scope = scopeOfServer([...projectIds.values()]);
  const ids = new Map<string, number>();
  for (const { key, name, email } of PEOPLE) {
    // These accounts only exist to be assigned. Nobody signs in to them.
    const account = { name, email, passwordHash: DECOY_HASH, role: "member" as const };
    ids.set(key, await people.createMember({ ...account, teamIds: [], projectIds: [], at: now }));
  }
  for (const { slug, name, projects, members: keys } of TEAMS) {
    const made = await members.createTeam(scope, { slug, name, memberId: null, at: now });
    if (!made.ok) throw new Error(`the team ${slug} of the demo could not be made: ${made.reason}`);
    await members.changeTeam(scope, {
      teamId: made.team.id,
      memberIds: keys.map((key) => ids.get(key) ?? 0),
      projectIds: projects.map((project) => projectIds.get(project) ?? 0),
    });
  }
  return ids;
}

/** The acts of people on issues, which must exist already: assigned, discussed, archived. */
export async function workOnIssues(engine: Engine, projectIds: ProjectIds, ids: Map<string, number>, now: number) {
  const { issues, triage, comments, people } = engine.state;
  const find = async (project: DemoProject, type: string) => {
    const scope = scopeOfServer([projectIds.get(project) ?? 0]);
    const page = await issues.listIssues(scope, { from: null, to: null, sort: "last_seen", cursor: null, limit: 100 });
    const issue = page.issues.find(({ title }) => title.startsWith(type));
    if (issue === undefined) throw new Error(`the demo has no issue ${type}`);
    return { scope, issueIds: [issue.id], issueId: issue.id };
  };
  const noor = ids.get("noor") ?? 0;
  const kim = ids.get("kim") ?? 0;
  const ines = ids.get("ines") ?? 0;

  const total = await find("web", "TypeError");
  await triage.changeTriage(total.scope, {
    issueIds: total.issueIds,
    assignee: { kind: "user", id: noor },
    userId: kim,
    at: now - 6 * HOUR_MS,
  });
  for (const [userId, text, hoursAgo] of [
    [kim, "Only carts with a **sold-out variant**: `variant` is null since the new stock feed.", 6],
    [noor, "I have it. The feed should keep the last price. Fix is on its way.", 5],
  ] as const)
    await comments.addComment(total.scope, {
      issueId: total.issueId,
      text,
      mentions: [],
      userId,
      at: now - hoursAgo * HOUR_MS,
      isQuiet: true,
    });

  const slots = await find("api", "OperationalError");
  await triage.changeTriage(slots.scope, {
    issueIds: slots.issueIds,
    assignee: { kind: "user", id: ines },
    userId: ines,
    at: now - DAY_MS,
  });
  // Gives the person who looks around something to do.
  const owner = await people.getOwner();
  const charges = await find("billing", "RateLimitError");
  await triage.changeTriage(charges.scope, {
    issueIds: charges.issueIds,
    assignee: owner && { kind: "user", id: owner.id },
    userId: ines,
    at: now - 3 * HOUR_MS,
  });
  const abort = await find("web", "AbortError");
  await issues.changeIssueStatus(abort.scope, {
    issueIds: abort.issueIds,
    status: "archived",
    archive: { kind: "escalates" },
    userId: noor,
    at: now - 2 * DAY_MS,
  });
}

/** The releases of the shop with their deploys, and the commits of the newest. */
export async function addReleases(engine: Engine, projectIds: ProjectIds, now: number): Promise<void> {
  const { releases } = engine.state;
  const ids = [...projectIds.values()];
  const scope = scopeOfServer(ids);
  for (const { version, daysAgo } of RELEASES) {
    const at = now - daysAgo * DAY_MS;
    await releases.saveRelease(scope, { version, projectIds: ids, at: at - DAY_MS, releasedAt: at });
    for (const [environment, finishedAt] of [
      ["staging", at - DAY_MS],
      ["production", at],
    ] as const)
      await releases.addDeploy(scope, version, {
        projectIds: null,
        environment,
        name: null,
        url: null,
        startedAt: finishedAt - 90_000,
        finishedAt,
      });
  }
  const newest = RELEASES[RELEASES.length - 1]?.version ?? "";
  const before = now - 3.5 * DAY_MS;
  await releases.setCommits(scope, newest, [
    toCommit(
      "9f3c1e07a4b2",
      "Noor Haddad",
      "Checkout: read prices from the variant",
      before,
      "src/checkout/to-total.ts",
    ),
    toCommit(
      "51d20ab9c6e8",
      "Kim Larsen",
      "Product page: show the price in the reader's currency",
      before - HOUR_MS,
      "src/product/price.tsx",
    ),
    toCommit(
      "c07be4415f9d",
      "Ines Rocha",
      "Orders: lock the row while it is paid",
      before - 5 * HOUR_MS,
      "orders/views.py",
    ),
  ]);
}

function toCommit(id: string, authorName: string, message: string, at: number, path: string) {
  const authorEmail = `${authorName.split(" ")[0]?.toLowerCase()}@example.com`;
  return { id, repository: "shop", authorName, authorEmail, at, message, files: [{ path, change: "M" as const }] };
}
