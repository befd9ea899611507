import { expect, test } from "vitest";
import { MAX_SHARES } from "../../../domain/issues/shared-issue.ts";
import { allOf } from "../../../domain/search/condition.ts";
import {
  apply,
  type CreateStateDatabase,
  createProject,
  EVERYTHING,
  NOON,
  occurrence,
  openStore,
  scopeOf,
} from "./fixture.ts";

/** Ada owns everything; Grace sees the project `web`. An issue of `web`. */
async function open(createDatabase: CreateStateDatabase) {
  const store = await openStore(createDatabase, { now: () => NOON });
  await store.people.setUp({
    organization: { slug: "o", name: "O" },
    owner: { email: "ada@example.com", name: "Ada", passwordHash: "x" },
    project: null,
    at: NOON,
  });
  const web = await createProject(store, "web");
  const api = await createProject(store, "api");
  const grace = await store.people.createMember({
    ...{ email: "grace@example.com", name: "Grace", passwordHash: "x", role: "member", at: NOON },
    ...{ teamIds: [], projectIds: [web] },
  });
  const [issue] = await apply(store, [occurrence(0, "a", { projectId: web })]);
  const issueId = issue?.issueId ?? 0;
  const share = (tokenHash: string, userId: number | null = grace) =>
    store.shares.createShare(EVERYTHING, { issueId, tokenHash, userId, at: NOON, expiresAt: NOON + 100 });
  return { ...store, web, api, grace, issueId, share };
}

export function describeShares(createDatabase: CreateStateDatabase): void {
  test("a link leads to its issue until its time is over or it is ended, and the audit log says both", async () => {
    await using of = await open(createDatabase);
    const { shares, shareLinks, issueId, share, api } = of;
    const first = await share("a");
    await share("b", null);
    expect(first).toMatchObject({ ok: true, share: { by: "Grace", createdAt: NOON, expiresAt: NOON + 100 } });
    expect(await shareLinks.findShare("a", NOON + 99)).toEqual({ issueId, expiresAt: NOON + 100 });
    expect(await shareLinks.findShare("a", NOON + 100)).toBeNull();
    expect(await shareLinks.findShare("c", NOON)).toBeNull();
    expect((await shares.listShares(EVERYTHING, issueId, NOON)).map(({ by }) => by)).toEqual([null, "Grace"]);
    expect(await shares.listShares(EVERYTHING, issueId, NOON + 100)).toEqual([]);
    const shareId = first.ok ? first.share.id : 0;
    expect(await shares.listShares(scopeOf(api), issueId, NOON)).toEqual([]);
    expect(await shares.listSharedIssues(EVERYTHING, [issueId, 99], NOON)).toEqual(new Set([issueId]));
    expect(await shares.listSharedIssues(scopeOf(api), [issueId], NOON)).toEqual(new Set());
    const ending = { issueId, shareId, undoableBy: null, now: NOON };
    expect(await shares.endShare(scopeOf(api), ending)).toBe(false);
    expect([await shares.endShare(EVERYTHING, ending), await shares.endShare(EVERYTHING, ending)]).toEqual([
      true,
      false,
    ]);
    expect(await shareLinks.findShare("a", NOON)).toBeNull();
    expect(await shareLinks.findShare("b", NOON)).not.toBeNull();
    await shares.endShares(scopeOf(api), { issueId, now: NOON });
    expect(await shareLinks.findShare("b", NOON)).not.toBeNull();
    await shares.endShares(EVERYTHING, { issueId, now: NOON });
    expect(await shares.listSharedIssues(EVERYTHING, [issueId], NOON)).toEqual(new Set());
    const { entries } = await of.audit.listEntries(EVERYTHING, { where: allOf([]), before: null, limit: 10 });
    expect(JSON.stringify(entries)).toContain("share.create");
    expect(JSON.stringify(entries)).toContain("share.end");
    expect(JSON.stringify(entries)).not.toContain('"b"');
  });

  test("who ended a link may take that back: the same link works until its old end", async () => {
    await using of = await open(createDatabase);
    const { shares, shareLinks, issueId, share, api, grace, members } = of;
    const made = await share("a");
    const shareId = made.ok ? made.share.id : 0;
    const end = () => shares.endShare(EVERYTHING, { issueId, shareId, undoableBy: 1, now: NOON });
    const restore = (now = NOON, { userId = 1, scope = EVERYTHING } = {}) =>
      shares.restoreShare(scope, { issueId, shareId, userId, now });
    const refused = (reason: string) => ({ ok: false, reason });
    expect(await restore()).toEqual(refused("gone"));
    expect([await end(), await end()]).toEqual([true, false]);
    expect(await shareLinks.findShare("a", NOON)).toBeNull();
    expect(await shares.listShares(EVERYTHING, issueId, NOON)).toEqual([]);
    expect(await shares.listSharedIssues(EVERYTHING, [issueId], NOON)).toEqual(new Set());
    expect(await restore(NOON, { userId: grace })).toEqual(refused("gone"));
    expect(await restore(NOON, { scope: scopeOf(api) })).toEqual(refused("gone"));
    expect(await restore(NOON + 100)).toEqual(refused("over"));
    expect(await restore()).toEqual(made);
    expect(await restore()).toEqual(refused("gone"));
    expect(await shareLinks.findShare("a", NOON + 99)).toEqual({ issueId, expiresAt: NOON + 100 });
    const { entries } = await of.audit.listEntries(EVERYTHING, { where: allOf([]), before: null, limit: 10 });
    expect(entries.filter(({ action }) => action === "share.restore")).toHaveLength(1);

    await end();
    await shares.allowShares(EVERYTHING, false);
    expect(await restore()).toEqual(refused("off"));
    await shares.allowShares(EVERYTHING, true);
    await members.removeMember(EVERYTHING, { userId: grace, actor: { userId: 1, role: "owner" }, at: NOON });
    expect(await restore()).toEqual(refused("unseen"));
  });

  test("a link that was ended takes no place, and nobody restores it after all links were ended or others took its place", async () => {
    await using of = await open(createDatabase);
    const { shares, shareLinks, issueId, share } = of;
    const made = await share("a");
    const shareId = made.ok ? made.share.id : 0;
    await shares.endShare(EVERYTHING, { issueId, shareId, undoableBy: 1, now: NOON });
    for (let index = 0; index < MAX_SHARES; index++) expect(await share(`t${index}`)).toMatchObject({ ok: true });
    const restore = () => shares.restoreShare(EVERYTHING, { issueId, shareId, userId: 1, now: NOON });
    expect(await restore()).toEqual({ ok: false, reason: "too-many" });
    await shares.endShares(EVERYTHING, { issueId, now: NOON });
    expect(await restore()).toEqual({ ok: false, reason: "gone" });
    expect(await shareLinks.findShare("a", NOON)).toBeNull();
  });

  test("a link ends when its maker does not see the project any more, and with the issue", async () => {
    await using of = await open(createDatabase);
    const { shareLinks, members, deletions, share, grace, issueId } = of;
    await share("a");
    await share("b", null);
    await members.removeMember(EVERYTHING, { userId: grace, actor: { userId: 1, role: "owner" }, at: NOON });
    expect(await shareLinks.findShare("a", NOON)).toBeNull();
    expect(await shareLinks.findShare("b", NOON)).not.toBeNull();
    await deletions.deleteIssues(EVERYTHING, { issueIds: [issueId], userId: null, at: NOON });
    expect(await shareLinks.findShare("b", NOON)).toBeNull();
  });

  test("an organization that allows no links has none, and those from before hold again afterwards", async () => {
    await using of = await open(createDatabase);
    const { shares, shareLinks, share } = of;
    await share("a");
    expect(await shares.areSharesAllowed(EVERYTHING)).toBe(true);
    await shares.allowShares(EVERYTHING, false);
    expect(await shares.areSharesAllowed(EVERYTHING)).toBe(false);
    expect(await share("b")).toEqual({ ok: false, reason: "off" });
    expect(await shareLinks.findShare("a", NOON)).toBeNull();
    await shares.allowShares(EVERYTHING, true);
    expect(await shareLinks.findShare("a", NOON)).not.toBeNull();
  });

  test("an issue has a bounded number of links, of those that are not over; others are not shared", async () => {
    await using of = await open(createDatabase);
    const { shares, share, issueId, api } = of;
    for (let index = 0; index < MAX_SHARES; index++) expect(await share(`t${index}`)).toMatchObject({ ok: true });
    expect(await share("more")).toEqual({ ok: false, reason: "too-many" });
    const later = { issueId, tokenHash: "later", userId: null, at: NOON + 100, expiresAt: NOON + 200 };
    expect(await shares.createShare(scopeOf(api), later)).toEqual({ ok: false, reason: "not-found" });
    expect(await shares.createShare(EVERYTHING, later)).toMatchObject({ ok: true });
  });
}
