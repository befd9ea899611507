import { expect, test } from "vitest";
import { findPaths } from "../../../domain/people/access.ts";
import type { Condition } from "../../../domain/search/condition.ts";
import { DAY_MS } from "../../../domain/time.ts";
import type { State } from "../state.ts";
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
  titlesOf,
} from "./fixture.ts";

const OWNER = { userId: 1, role: "owner" } as const;
const BY_OWNER = { userId: 1, at: NOON + 5 };

/** Ada owns everything. Grace and the team `shop` see the project `web`, nobody else sees `api`. */
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
  const assigned = await apply(store, [
    occurrence(0, "a", { projectId: web }),
    occurrence(1, "b", { projectId: web, level: "warning" }),
    occurrence(2, "c", { projectId: api, level: "fatal" }),
  ]);
  const [a = 0, b = 0, c = 0] = assigned.map(({ issueId }) => issueId);
  return { store, web, api, teamId, grace, a, b, c, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

async function assigneeOf(store: State, issueId: number) {
  return (await store.issues.getIssue(EVERYTHING, issueId))?.assignee ?? null;
}

function assigned(...values: string[]): { where: Condition } {
  return { where: { kind: "test", field: "assignee", isTag: false, isNegated: false, test: { kind: "in", values } } };
}

const UNASSIGNED: { where: Condition } = {
  where: { kind: "test", field: "assignee", isTag: false, isNegated: true, test: { kind: "exists" } },
};

export function describeTriage(createDatabase: CreateStateDatabase): void {
  test("a rule assigns what nobody was ever assigned to, once, and names itself", async () => {
    await using opened = await open(createDatabase);
    const { store, web, api, teamId, grace, a, b, c } = opened;
    await store.outbox.addReader("owners");
    await store.outbox.addReader("people");
    await apply(store, [occurrence(3, "d", { projectId: web })]);
    const [entry] = await store.outbox.readOutbox("owners", 10);
    const passed = { reader: "owners", position: entry?.position ?? 0 };
    const toTeam = (issueId: number) => ({
      ...{ issueId, assignee: { kind: "team", id: teamId } as const },
      ...{ rule: "path:src/* #shop", at: NOON + 1 },
    });
    // B had somebody, who was taken from it by hand.
    await store.triage.changeTriage(EVERYTHING, { issueIds: [b], assignee: { kind: "user", id: 1 }, ...BY_OWNER });
    await store.triage.changeTriage(EVERYTHING, { issueIds: [b], assignee: null, ...BY_OWNER });
    // The team does not see the project of C.
    const scope = scopeOf(web, api);
    expect(await store.triage.assignByRules(scope, [a, b, c].map(toTeam), passed)).toEqual([a]);
    expect(await assigneeOf(store, a)).toMatchObject({ kind: "team", id: teamId });
    expect([await assigneeOf(store, b), await assigneeOf(store, c)]).toEqual([null, null]);
    const [said] = (await store.issues.listActivity(scope, a)).filter(({ kind }) => kind === "assigned");
    expect([said?.user, said?.data.rule]).toEqual([null, "path:src/* #shop"]);
    const left = await store.outbox.readOutbox("owners", 10);
    expect(left.some(({ position }) => position <= passed.position)).toBe(false);
    const told = (await store.outbox.readOutbox("people", 10)).filter(({ issueId }) => issueId === a);
    expect(told.map(({ transition, told: whom }) => [transition, whom])).toEqual([
      ["assigned", { userIds: [grace], by: null, ownershipRule: "path:src/* #shop" }],
    ]);
    expect(await store.triage.assignByRules(scope, [toTeam(a)], passed)).toEqual([]);
    // Outside of the scope.
    expect(await store.triage.assignByRules(scopeOf(99), [toTeam(a)], passed)).toEqual([]);
  });

  test("an issue is assigned to who sees its project, and the activity says by whom", async () => {
    await using of = await open(createDatabase);
    const { store, grace, a, c } = of;
    const result = await store.triage.changeTriage(EVERYTHING, {
      issueIds: [a, c],
      assignee: { kind: "user", id: grace },
      ...BY_OWNER,
    });
    expect(result).toEqual({ previous: [{ issueId: a, assignee: null }], refusedIds: [c] });
    expect(await assigneeOf(store, a)).toEqual({ kind: "user", id: grace, name: "Grace" });
    expect(await assigneeOf(store, c)).toBeNull();
    expect((await store.issues.listActivity(EVERYTHING, a))[0]).toMatchObject({
      kind: "assigned",
      user: { id: 1, name: "Ada" },
      data: { assignee: { kind: "user", id: grace, name: "Grace" } },
    });
    const again = { issueIds: [a], assignee: { kind: "user", id: grace } as const, ...BY_OWNER };
    expect(await store.triage.changeTriage(EVERYTHING, again)).toEqual({ previous: [], refusedIds: [] });
    // Out of the scope there is no such issue.
    const outside = await store.triage.changeTriage(scopeOf(of.api), { ...again, assignee: null });
    expect(outside).toEqual({ previous: [], refusedIds: [] });
  });

  test("an assignee who loses the project or is removed is none, until the right comes back", async () => {
    await using of = await open(createDatabase);
    const { store, grace, teamId, web, a, b } = of;
    await store.triage.changeTriage(EVERYTHING, { issueIds: [a], assignee: { kind: "user", id: grace }, ...BY_OWNER });
    await store.triage.changeTriage(EVERYTHING, { issueIds: [b], assignee: { kind: "team", id: teamId }, ...BY_OWNER });
    const unassigned = () => titlesOf(store, { projectIds: [web], ...UNASSIGNED });
    expect(await unassigned()).toEqual([]);
    await store.members.removeMember(EVERYTHING, { userId: grace, actor: OWNER, at: NOON });
    expect(await assigneeOf(store, a)).toBeNull();
    expect(await unassigned()).toEqual(["Error of a"]);
    expect(await titlesOf(store, assigned(`user:${grace}`))).toEqual([]);
    await store.members.restoreMember(EVERYTHING, { userId: grace, actor: OWNER, at: NOON });
    expect(await assigneeOf(store, a)).toMatchObject({ name: "Grace" });
    await store.members.changeTeam(EVERYTHING, { teamId, userId: 1, projectIds: [] });
    expect([await assigneeOf(store, a), await assigneeOf(store, b)]).toEqual([null, null]);
    await store.members.changeTeam(EVERYTHING, { teamId, userId: 1, hasAllProjects: true });
    expect(await assigneeOf(store, b)).toMatchObject({ slug: "shop" });
    await store.members.deleteTeam(EVERYTHING, { teamId, userId: 1, at: NOON });
    expect(await assigneeOf(store, b)).toBeNull();
    // Each issue says so, where one looks for who has it.
    const said = async (issueId: number) =>
      (await store.issues.listActivity(EVERYTHING, issueId)).flatMap(({ kind, user, data }) =>
        typeof data.reason === "string" ? [{ kind, by: user?.name, reason: data.reason }] : [],
      );
    expect([await said(a), await said(b)]).toEqual([
      [
        { kind: "unassigned", by: "Ada", reason: "Grace does not see the project any more" },
        { kind: "assigned", by: "Ada", reason: "Grace sees the project again" },
        { kind: "unassigned", by: "Ada", reason: "Grace does not see the project any more" },
        { kind: "assigned", by: "Ada", reason: "Grace is a member again" },
        { kind: "unassigned", by: "Ada", reason: "Grace was removed from the organization" },
      ],
      [
        { kind: "unassigned", by: "Ada", reason: "the team Shop was deleted" },
        { kind: "assigned", by: "Ada", reason: "the team Shop sees the project again" },
        { kind: "unassigned", by: "Ada", reason: "the team Shop does not see the project any more" },
      ],
    ]);
  });

  test("who can be assigned is who sees the project, as the rules of access have it", async () => {
    await using of = await open(createDatabase);
    const { store, web, api, grace } = of;
    for (const projectId of [web, api]) {
      const listed = await store.triage.listAssignees(EVERYTHING, { projectId, limit: 10 });
      const users = listed.flatMap(({ kind, id }) => (kind === "user" ? id : []));
      const expected: number[] = [];
      for (const userId of [1, grace]) {
        const access = await store.people.getAccess(userId);
        if (access && findPaths(access, projectId).length > 0) expected.push(userId);
      }
      expect(users).toEqual(expected);
    }
    const anywhere = await store.triage.listAssignees(EVERYTHING, { projectId: null, limit: 10 });
    expect(anywhere.map(({ name }) => name)).toEqual(["Ada", "Grace", "Shop"]);
    expect(await store.triage.listAssignees(scopeOf(api), { projectId: web, limit: 10 })).toEqual([]);
  });

  test("searches find issues by their assignee", async () => {
    await using of = await open(createDatabase);
    const { store, grace, teamId, a, b } = of;
    await store.triage.changeTriage(EVERYTHING, { issueIds: [a], assignee: { kind: "user", id: grace }, ...BY_OWNER });
    await store.triage.changeTriage(EVERYTHING, { issueIds: [b], assignee: { kind: "team", id: teamId }, ...BY_OWNER });
    expect(await titlesOf(store, assigned(`user:${grace}`))).toEqual(["Error of a"]);
    expect(await titlesOf(store, assigned(`team:${teamId}`, "user:1"))).toEqual(["Error of b"]);
    expect(await titlesOf(store, assigned(`team:${teamId}`, `user:${grace}`))).toEqual(["Error of b", "Error of a"]);
    expect(await titlesOf(store, UNASSIGNED)).toEqual(["Error of c"]);
  });

  test("the assignee is told once, a team without who assigned it, and nobody of an undo", async () => {
    await using of = await open(createDatabase);
    const { store, grace, teamId, a } = of;
    await store.outbox.addReader("test");
    const told = async () => (await store.outbox.readOutbox("test", 50)).map((entry) => entry.told);
    const by = { userId: grace, at: NOON + 5 };
    await store.triage.changeTriage(EVERYTHING, { issueIds: [a], assignee: { kind: "user", id: grace }, ...by });
    expect(await told()).toEqual([]);
    await store.triage.changeTriage(EVERYTHING, { issueIds: [a], assignee: { kind: "team", id: teamId }, ...BY_OWNER });
    expect(await told()).toEqual([{ userIds: [grace], by: "Ada" }]);
    await store.triage.restoreTriage(EVERYTHING, [{ issueId: a, assignee: { kind: "user", id: grace } }], BY_OWNER);
    expect(await assigneeOf(store, a)).toMatchObject({ name: "Grace" });
    expect(await told()).toHaveLength(1);
    expect((await store.issues.listActivity(EVERYTHING, a))[0]?.data).toMatchObject({ isUndo: true });
  });

  test("level and frequency give the priority, and what somebody has set stays", async () => {
    await using of = await open(createDatabase);
    const { store, web, a, b, c } = of;
    const priorities = async () =>
      (await store.issues.getIssues(EVERYTHING, [a, b, c])).map(({ priority, isPrioritySet }) => [
        priority,
        isPrioritySet,
      ]);
    expect(await priorities()).toEqual([
      ["medium", false],
      ["low", false],
      ["high", false],
    ]);
    const set = await store.triage.changeTriage(EVERYTHING, { issueIds: [b], priority: "medium", ...BY_OWNER });
    expect(set.previous).toEqual([{ issueId: b, priority: null }]);
    await apply(
      store,
      Array.from({ length: 200 }, (_, index) =>
        occurrence(10 + index, index < 100 ? "a" : "b", { projectId: web, level: index < 100 ? "error" : "warning" }),
      ),
    );
    expect(await priorities()).toEqual([
      ["high", false],
      ["medium", true],
      ["high", false],
    ]);
    await store.triage.restoreTriage(EVERYTHING, set.previous, BY_OWNER);
    expect((await priorities())[1]).toEqual(["medium", false]);
  });

  test("an issue that takes another one keeps its assignee and priority, else it gets those of the other", async () => {
    await using of = await open(createDatabase);
    const { store, grace, teamId, web, a, b } = of;
    const [later] = await apply(store, [occurrence(3, "d", { projectId: web })]);
    const d = later?.issueId ?? 0;
    const assign = (issueId: number, assignee: { kind: "user" | "team"; id: number }) =>
      store.triage.changeTriage(EVERYTHING, { issueIds: [issueId], assignee, ...BY_OWNER });
    await assign(b, { kind: "user", id: grace });
    await assign(d, { kind: "team", id: teamId });
    await store.triage.changeTriage(EVERYTHING, { issueIds: [b], priority: "high", ...BY_OWNER });
    await store.comments.changeReader(EVERYTHING, { issueIds: [b], userId: grace, at: NOON, isBookmarked: true });
    for (const issueId of [b, d])
      await store.issueMerges.mergeIssues(EVERYTHING, {
        targetId: a,
        issueIds: [issueId],
        name: null,
        userId: 1,
        at: NOON + 9,
      });
    expect(await store.issues.getIssue(EVERYTHING, a)).toMatchObject({
      assignee: { kind: "user", id: grace },
      priority: "high",
      isPrioritySet: true,
    });
    expect((await store.comments.listReaders(EVERYTHING, grace, [a])).get(a)).toMatchObject({
      subscription: "assigned",
      isBookmarked: true,
    });
  });

  test("lists are found by priority and in its order, also where many issues match", async () => {
    await using of = await open(createDatabase);
    const { store, web } = of;
    const where: Condition = {
      kind: "test",
      field: "priority",
      isTag: false,
      isNegated: false,
      test: { kind: "in", values: ["high"] },
    };
    expect(await titlesOf(store, { where })).toEqual(["Error of c"]);
    expect(await titlesOf(store, { sort: "priority" })).toEqual(["Error of c", "Error of a", "Error of b"]);
    await apply(
      store,
      Array.from({ length: 1_100 }, (_, index) =>
        occurrence(10 + index, `many-${index}`, {
          projectId: web,
          level: index === 7 ? "fatal" : "info",
          at: NOON - DAY_MS + index,
        }),
      ),
    );
    const first = await store.issues.listIssues(...query({ sort: "priority", limit: 5 }));
    expect(first.issues.map(({ title }) => title)).toEqual([
      "Error of c",
      "Error of many-7",
      "Error of a",
      "Error of b",
      "Error of many-1099",
    ]);
    const second = await store.issues.listIssues(...query({ sort: "priority", limit: 2, cursor: first.nextCursor }));
    expect(second.issues.map(({ title }) => title)).toEqual(["Error of many-1098", "Error of many-1097"]);
  });
}
