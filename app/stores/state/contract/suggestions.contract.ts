import { expect, test } from "vitest";
import type { SuggestedOwner } from "../../../domain/ownership/suggested-owner.ts";
import type { Condition } from "../../../domain/search/condition.ts";
import { HOUR_MS } from "../../../domain/time.ts";
import {
  apply,
  type CreateStateDatabase,
  createProject,
  EVERYTHING,
  NOON,
  occurrence,
  openStore,
  query,
  scopeOf,
} from "./fixture.ts";

/** Grace and the team `shop` see the project `web`, nobody but the owner sees `api`. */
async function open(createDatabase: CreateStateDatabase) {
  const store = await openStore(createDatabase, { now: () => NOON });
  const owner = { email: "ada@example.com", name: "Ada", passwordHash: "x" };
  await store.people.setUp({ organization: { slug: "acme", name: "Acme" }, owner, project: null, at: NOON });
  const web = await createProject(store, "web");
  const api = await createProject(store, "api");
  const made = await store.members.createTeam(EVERYTHING, { slug: "shop", name: "Shop", memberId: null, at: NOON });
  const teamId = made.ok ? made.team.id : 0;
  await store.members.changeTeam(EVERYTHING, { teamId, projectIds: [web] });
  const account = { email: "grace@example.com", name: "Grace", passwordHash: "x", role: "member" } as const;
  const grace = await store.people.createMember({ ...account, teamIds: [teamId], projectIds: [], at: NOON });
  const applied = await apply(store, [
    occurrence(0, "a", { projectId: web }),
    occurrence(1, "b", { projectId: web }),
    occurrence(2, "c", { projectId: api }),
  ]);
  const [a = 0, b = 0, c = 0] = applied.map(({ issueId }) => issueId);
  return { ...store, web, api, teamId, grace, a, b, c };
}

const byComment = (id: number): SuggestedOwner => ({
  assignee: { kind: "user", id, name: "Grace" },
  reasons: [{ kind: "comment", at: NOON }],
});

const suggested = (...values: string[]): { where: Condition } => ({
  where: { kind: "test", field: "suggested", isTag: false, isNegated: false, test: { kind: "in", values } },
});

export function describeSuggestions(createDatabase: CreateStateDatabase): void {
  test("suggestions of several issues are read at once, by those who see them, for those who see the project", async () => {
    await using of = await open(createDatabase);
    const { suggestions, suggestionWork, issues, members, grace, teamId, a, b, c, web } = of;
    const idsOf = async (asked: { where: Condition }) =>
      (await issues.listIssues(...query(asked))).issues.map(({ id }) => id);
    const team: SuggestedOwner = {
      assignee: { kind: "team", id: teamId, slug: "shop", name: "Shop" },
      reasons: [{ kind: "rule", rule: "path:src/* #shop", isCodeowners: false, at: NOON }],
    };
    const found = [
      { issueId: a, suggested: [team, byComment(grace)] },
      { issueId: b, suggested: [] },
      { issueId: c, suggested: [byComment(grace)] },
    ];
    await suggestionWork.saveSuggestions(found, NOON);
    const read = await suggestions.listSuggestions(EVERYTHING, [a, b, c]);
    expect([...read]).toEqual([[a, [team, byComment(grace)]]]);
    expect([...(await suggestions.listSuggestions(scopeOf(of.api), [a, b, c])).keys()]).toEqual([]);
    expect(await idsOf(suggested(`user:${grace}`))).toEqual([a]);
    expect(await idsOf(suggested(`team:${teamId}`))).toEqual([a]);
    const nobody = { ...suggested().where, test: { kind: "exists" }, isNegated: true } as Condition;
    expect((await idsOf({ where: nobody })).sort()).toEqual([b, c]);

    // The team does not see the project any more, and neither does its member.
    await members.changeTeam(EVERYTHING, { teamId, projectIds: { add: [], remove: [web] } });
    expect((await suggestions.listSuggestions(EVERYTHING, [a])).size).toBe(0);
    expect(await idsOf(suggested(`user:${grace}`))).toEqual([]);
    await suggestionWork.saveSuggestions([{ issueId: a, suggested: [] }], NOON);
    await members.changeTeam(EVERYTHING, { teamId, projectIds: { add: [web], remove: [] } });
    expect((await suggestions.listSuggestions(EVERYTHING, [a])).size).toBe(0);
  });

  test("an issue is looked at when it is new, seen again an hour later, commented, merged, or ruled otherwise", async () => {
    await using of = await open(createDatabase);
    const { suggestionWork, comments, rules, issueMerges, grace, a, b, c, web } = of;
    const due = async (now = NOON, limit = 10) =>
      (await suggestionWork.listDue({ now, limit })).map(({ issueId }) => issueId).sort((one, two) => one - two);
    const look = async (at: number) =>
      await suggestionWork.saveSuggestions(
        [a, b, c].map((issueId) => ({ issueId, suggested: [] })),
        at,
      );
    expect(await due()).toEqual([a, b, c]);
    expect(await due(NOON, 2)).toHaveLength(2);
    await look(NOON);
    expect(await due()).toEqual([]);
    expect(await due(NOON + 2 * HOUR_MS), "not seen since").toEqual([]);
    await apply(of, [occurrence(3, "a", { projectId: web, occurredAt: NOON + HOUR_MS, receivedAt: NOON + HOUR_MS })]);
    expect(await due(NOON + HOUR_MS - 1)).toEqual([]);
    expect(await due(NOON + HOUR_MS)).toEqual([a]);

    await look(NOON + 2 * HOUR_MS);
    const comment = { issueId: b, text: "Mine", mentions: [], userId: grace, at: NOON };
    const added = await comments.addComment(EVERYTHING, comment);
    expect(await due()).toEqual([b]);
    await look(NOON + 2 * HOUR_MS);
    const commentId = added.ok ? added.comment.id : 0;
    await comments.deleteComment(EVERYTHING, { issueId: b, commentId, userId: grace });
    expect(await due()).toEqual([b]);
    await look(NOON + 2 * HOUR_MS);
    await rules.saveRules(EVERYTHING, web, "ownership", { text: "path:src/* #shop", isAssigning: false });
    expect(await due()).toEqual([a, b]);
    await look(NOON + 2 * HOUR_MS);
    const merge = { targetId: a, issueIds: [b], name: null, isOnce: false, userId: 1, at: NOON };
    expect((await issueMerges.mergeIssues(EVERYTHING, merge)).ok).toBe(true);
    expect(await due()).toEqual([a]);
  });

  test("events of a project can name people where it has rules, or where any commit names its files", async () => {
    await using of = await open(createDatabase);
    const { suggestionWork, rules, releases, web, api } = of;
    const asked = async () => [await suggestionWork.mayNameOwners(web), await suggestionWork.mayNameOwners(api)];
    const ownership = (text: string) => rules.saveRules(EVERYTHING, web, "ownership", { text, isAssigning: false });
    expect(await asked()).toEqual([false, false]);
    await ownership("path:src/* #shop");
    expect(await asked()).toEqual([true, false]);
    await ownership("");
    expect(await asked()).toEqual([false, false]);
    await releases.saveRelease(EVERYTHING, { version: "1.0", projectIds: [web], at: NOON });
    const commit = { repository: "shop", authorName: "Grace", authorEmail: null, at: NOON, message: "" };
    await releases.setCommits(EVERYTHING, "1.0", [{ ...commit, id: "a", files: null }]);
    expect(await asked()).toEqual([false, false]);
    await releases.setCommits(EVERYTHING, "1.0", [{ ...commit, id: "a", files: [{ path: "src/a.ts", change: "M" }] }]);
    expect(await asked()).toEqual([true, true]);
  });
}
