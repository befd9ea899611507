import { expect, test } from "vitest";
import type { Rota } from "../../../domain/people/rota.ts";
import type { MemberStore } from "../member-store.ts";
import type { State } from "../state.ts";
import { type CreateStateDatabase, createProject, EVERYTHING, NOON, openStore, scopeOf } from "./fixture.ts";

const OWNER = { userId: 1, role: "owner" } as const;

async function open(createDatabase: CreateStateDatabase) {
  const store = await openStore(createDatabase);
  const owner = { email: "ada@example.com", name: "Ada", passwordHash: "x" };
  await store.people.setUp({ organization: { slug: "acme", name: "Acme" }, owner, project: null, at: NOON });
  return store;
}

function addMember({ people }: Pick<State, "people">, name: string, teamIds: number[] = []): Promise<number> {
  const account = { email: `${name}@example.com`, name, passwordHash: "x" };
  return people.createMember({ ...account, role: "member", teamIds, projectIds: [], at: NOON });
}

async function addTeam(members: MemberStore, slug: string): Promise<number> {
  const made = await members.createTeam(EVERYTHING, { slug, name: slug.toUpperCase(), memberId: null, at: NOON });
  if (!made.ok) throw new Error(made.reason);
  return made.team.id;
}

export function describeMembers(createDatabase: CreateStateDatabase): void {
  test("members are listed by name, with their teams, and projects of the scope alone", async () => {
    await using store = await open(createDatabase);
    const web = await createProject(store, "web");
    const api = await createProject(store, "api");
    const teamId = await addTeam(store.members, "shop");
    const grace = await addMember(store, "grace", [teamId]);
    await store.members.changeMember(EVERYTHING, { userId: grace, actor: OWNER, projectIds: [web, api, 99] });
    expect(await store.members.listMembers(scopeOf(api))).toEqual([
      expect.objectContaining({ name: "Ada", role: "owner", teamIds: [], projectIds: [], seenAt: null }),
      expect.objectContaining({ userId: grace, role: "member", teamIds: [teamId], projectIds: [api] }),
    ]);
    // What is outside of the scope neither comes nor goes.
    await store.members.changeMember(scopeOf(api), { userId: grace, actor: OWNER, projectIds: [web] });
    expect((await store.people.getAccess(grace))?.projectIds).toEqual([web]);
  });

  test("the last owner stays, also when two owners leave at the same time", async () => {
    await using store = await open(createDatabase);
    const { members } = store;
    const removal = { userId: 1, actor: OWNER, at: NOON };
    expect(await members.removeMember(EVERYTHING, removal)).toEqual({ ok: false, reason: "last-owner" });
    const grace = await addMember(store, "grace");
    const byManager = { userId: grace, actor: { userId: 9, role: "manager" }, role: "owner" } as const;
    expect(await members.changeMember(EVERYTHING, byManager)).toEqual({ ok: false, reason: "owner-only" });
    expect(await members.changeMember(EVERYTHING, { ...byManager, actor: OWNER })).toMatchObject({ ok: true });
    const answers = await Promise.all([
      members.removeMember(EVERYTHING, removal),
      members.removeMember(EVERYTHING, { ...removal, userId: grace, actor: { userId: grace, role: "owner" } }),
    ]);
    expect(answers.map(({ ok }) => ok)).toEqual([true, false]);
    expect(await store.people.getOwner()).toMatchObject({ id: grace });
  });

  test("somebody who is removed is signed out and nobody; a removal that is undone gives back what was there", async () => {
    await using store = await open(createDatabase);
    const { members, people } = store;
    const teamId = await addTeam(members, "shop");
    const grace = await addMember(store, "grace", [teamId]);
    const session = { tokenHash: "t".repeat(64), userId: grace, createdAt: NOON, expiresAt: NOON + 9, userAgent: null };
    await people.createSession(session);
    expect(await members.removeMember(EVERYTHING, { userId: grace, actor: OWNER, at: NOON + 1 })).toMatchObject({
      ok: true,
      member: { removedAt: NOON + 1 },
    });
    expect(await people.getSession(session.tokenHash, NOON)).toBeNull();
    expect([await people.getUser(grace), await people.getAccess(grace)]).toEqual([null, null]);
    expect(await people.findCredentials("grace@example.com")).toBeNull();
    expect(await members.listMembers(EVERYTHING)).toHaveLength(1);
    expect(await members.listMembers(EVERYTHING, { withRemoved: true })).toHaveLength(2);
    expect((await members.getTeam(EVERYTHING, "shop"))?.memberIds).toEqual([]);
    // A team that is saved meanwhile does not forget them.
    await members.changeTeam(EVERYTHING, { teamId, memberIds: [1, grace] });
    expect((await members.getTeam(EVERYTHING, "shop"))?.memberIds).toEqual([1]);
    expect(await members.restoreMember(EVERYTHING, { userId: grace, actor: OWNER, at: NOON })).toMatchObject({
      ok: true,
      member: { role: "member", teamIds: [teamId], removedAt: null },
    });
    expect(await people.findCredentials("grace@example.com")).toMatchObject({ userId: grace });
  });

  test("an account of somebody who was removed can be made again, without what it had", async () => {
    await using store = await open(createDatabase);
    const grace = await addMember(store, "grace", [await addTeam(store.members, "shop")]);
    const token = {
      kind: "personal",
      name: "Mine",
      scopes: [],
      hint: "",
      userId: grace,
      tokenHash: "h",
      expiresAt: null,
      at: 0,
    } as const;
    await store.tokens.createToken({ ...token, scopes: [] });
    await store.members.removeMember(EVERYTHING, { userId: grace, actor: OWNER, at: NOON });
    expect(await addMember(store, "grace")).toBe(grace);
    expect(await store.people.getAccess(grace)).toEqual({ role: "member", projectIds: [], teams: [] });
    expect(await store.tokens.listTokens()).toEqual([]);
  });

  test("teams have a slug of their own, and change their members and their projects within the scope", async () => {
    await using store = await open(createDatabase);
    const { members } = store;
    const web = await createProject(store, "web");
    const api = await createProject(store, "api");
    const teamId = await addTeam(members, "shop");
    const taken = { slug: "shop", name: "Other", memberId: null, at: NOON };
    expect(await members.createTeam(EVERYTHING, taken)).toEqual({ ok: false, reason: "slug-taken" });
    await members.changeTeam(EVERYTHING, { teamId, projectIds: [web], memberIds: [1, 99] });
    const changed = await members.changeTeam(scopeOf(api), { teamId, name: "Store", slug: "store", projectIds: [api] });
    expect(changed).toMatchObject({ ok: true, team: { name: "Store", projectIds: [api], memberIds: [1] } });
    expect(await members.getTeam(EVERYTHING, "shop")).toBeNull();
    expect(await members.getTeam(EVERYTHING, "store")).toMatchObject({ projectIds: [web, api], hasAllProjects: false });
    const other = await addTeam(members, "other");
    expect(await members.changeTeam(EVERYTHING, { teamId: other, slug: "store" })).toEqual({
      ok: false,
      reason: "slug-taken",
    });
    // One more and one less, without the rest of the list.
    await members.changeTeam(EVERYTHING, { teamId: other, memberIds: { add: [1], remove: [] } });
    await members.changeTeam(EVERYTHING, {
      teamId: other,
      memberIds: { add: [1], remove: [] },
      projectIds: { add: [1], remove: [] },
    });
    expect((await members.getTeam(EVERYTHING, "other"))?.memberIds).toEqual([1]);
    await members.changeTeam(EVERYTHING, {
      teamId: other,
      memberIds: { add: [], remove: [1] },
      projectIds: { add: [], remove: [1] },
    });
    expect((await members.getTeam(EVERYTHING, "other"))?.memberIds).toEqual([]);
    const swap = { teamIds: { add: [other], remove: [teamId] }, projectIds: { add: [web], remove: [api] } };
    const swapped = await members.changeMember(EVERYTHING, { userId: 1, actor: { userId: 1, role: "owner" }, ...swap });
    expect(swapped).toMatchObject({ ok: true, member: { teamIds: [other], projectIds: [web] } });
    await members.changeTeam(EVERYTHING, { teamId: other, memberIds: { add: [], remove: [1] } });
    await members.changeTeam(EVERYTHING, { teamId: other, hasAllProjects: true });
    expect((await members.listTeams(EVERYTHING)).map(({ name }) => name)).toEqual(["OTHER", "Store"]);
    expect([
      await members.deleteTeam(EVERYTHING, { teamId, userId: 1, at: NOON }),
      await members.deleteTeam(EVERYTHING, { teamId, userId: 1, at: NOON }),
    ]).toEqual([true, false]);
  });

  test("a rota is made and changed from the one that a team has", async () => {
    await using store = await open(createDatabase);
    const { members } = store;
    const teamId = await addTeam(members, "shop");
    const rota: Rota = {
      memberIds: [1],
      handover: { weekday: 1, minute: 540, timezone: "Europe/Berlin" },
      startsAt: NOON,
      overrides: [],
    };
    const override = { userId: 1, from: NOON, to: NOON + 5 };
    const change = (next: (before: Rota | null) => Rota | null) =>
      members.changeTeam(EVERYTHING, { teamId, rota: next });
    expect(await change((before) => (before === null ? rota : null))).toMatchObject({ team: { rota } });
    await change((before) => before && { ...before, overrides: [override] });
    await members.changeTeam(EVERYTHING, { teamId, name: "Store" });
    expect((await members.listTeams(EVERYTHING))[0]?.rota).toEqual({ ...rota, overrides: [override] });
    expect(await change(() => null)).toMatchObject({ team: { rota: null } });
  });
}
