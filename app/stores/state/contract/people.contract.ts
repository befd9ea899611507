import { expect, test } from "vitest";
import type { State } from "../state.ts";
import { type CreateStateDatabase, createProject, EVERYTHING, NOON, openStore } from "./fixture.ts";

const SET_UP = {
  organization: { slug: "acme", name: "Acme" },
  owner: { email: " Ada@Example.com ", name: "Ada", passwordHash: "hash-1" },
  project: { slug: "web", name: "Web", platform: "python-django" },
  at: NOON,
};

const GRACE = {
  email: "grace@example.com",
  name: "Grace",
  passwordHash: "x",
  role: "member",
  teamIds: [],
  projectIds: [],
  at: NOON,
} as const;

async function setUp(store: State): Promise<number> {
  const result = await store.people.setUp(SET_UP);
  if (!result.ok) throw new Error(result.reason);
  return result.userId;
}

export function describePeople(createDatabase: CreateStateDatabase): void {
  test("before set-up there is nobody and nothing", async () => {
    await using store = await openStore(createDatabase);
    expect(await store.people.getOrganization()).toBeNull();
    expect(await store.people.getOwner()).toBeNull();
    expect(await store.projects.listProjects(EVERYTHING)).toEqual([]);
    expect(await store.people.findCredentials("ada@example.com")).toBeNull();
  });

  test("set-up makes the organization, its owner, the first project and the built-in one", async () => {
    await using store = await openStore(createDatabase);
    const result = await store.people.setUp(SET_UP);
    expect(result).toMatchObject({ ok: true, project: { slug: "web", name: "Web", platform: "python-django" } });
    expect(await store.people.getOrganization()).toEqual({
      slug: "acme",
      name: "Acme",
      createdAt: NOON,
      requiresSecondFactor: false,
    });
    const owner = {
      id: expect.any(Number),
      email: "Ada@Example.com",
      name: "Ada",
      role: "owner",
      createdAt: NOON,
    };
    expect(await store.people.getOwner()).toEqual(owner);
    expect(await store.people.getUser(result.ok ? result.userId : 0)).toEqual(owner);
    expect((await store.projects.listProjects(EVERYTHING)).map((project) => project.slug)).toEqual(["culprit", "web"]);
    expect(await store.directory.listKeys()).toHaveLength(2);
  });

  test("set-up without a project makes only the built-in one", async () => {
    await using store = await openStore(createDatabase);
    expect(await store.people.setUp({ ...SET_UP, project: null })).toMatchObject({ ok: true, project: null });
    expect((await store.projects.listProjects(EVERYTHING)).map((project) => project.slug)).toEqual(["culprit"]);
  });

  test("a first project that is named like the built-in one is that one, and one that exists is kept", async () => {
    await using store = await openStore(createDatabase);
    const existing = await createProject(store, "culprit");
    const result = await store.people.setUp({ ...SET_UP, project: { slug: "culprit", name: "Mine", platform: "go" } });
    expect(result).toMatchObject({ ok: true, project: { id: existing } });
    expect(await store.projects.listProjects(EVERYTHING)).toHaveLength(1);
  });

  test("set-up happens once, even when two ask at the same time", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    const other = await database.connect();
    const results = await Promise.all([
      store.people.setUp(SET_UP),
      other.people.setUp({ ...SET_UP, owner: { ...SET_UP.owner, email: "b@example.com" }, project: null }),
    ]);
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect(results).toContainEqual({ ok: false, reason: "already-set-up" });
    expect(await store.people.setUp({ ...SET_UP, organization: { slug: "x", name: "X" } })).toEqual({
      ok: false,
      reason: "already-set-up",
    });
    expect(await store.people.getOrganization()).toMatchObject({ slug: "acme" });
  });

  test("credentials are found by the address in any case, with the current password", async () => {
    await using store = await openStore(createDatabase);
    const userId = await setUp(store);
    expect(await store.people.findCredentials("ADA@example.COM")).toEqual({ userId, passwordHash: "hash-1" });
    expect(await store.people.findCredentials("ada@example.co")).toBeNull();
    await store.people.changePassword(userId, "hash-2");
    expect(await store.people.findCredentials("ada@example.com")).toEqual({ userId, passwordHash: "hash-2" });
  });

  test("a session is valid until it expires or is deleted", async () => {
    await using store = await openStore(createDatabase);
    const userId = await setUp(store);
    const session = { tokenHash: "t1", userId, createdAt: NOON, expiresAt: NOON + 1_000, userAgent: "Firefox" };
    await store.people.createSession(session);
    await store.people.createSession({ ...session, tokenHash: "t2", expiresAt: NOON + 2_000, userAgent: null });
    expect(await store.people.getSession("t1", NOON)).toEqual({ userId, expiresAt: NOON + 1_000, provider: null });
    expect(await store.people.getSession("t1", NOON + 999)).not.toBeNull();
    expect(await store.people.getSession("t1", NOON + 1_000)).toBeNull();
    await store.people.extendSession("t1", NOON + 5_000);
    expect(await store.people.getSession("t1", NOON + 1_000)).toEqual({
      userId,
      expiresAt: NOON + 5_000,
      provider: null,
    });
    expect(await store.people.deleteExpiredSessions(NOON + 2_000)).toBe(1);
    expect(await store.people.getSession("t2", NOON)).toBeNull();
    await store.people.deleteSession("t1");
    expect(await store.people.getSession("t1", NOON)).toBeNull();
    expect(await store.people.getSession("never", NOON)).toBeNull();
    await store.people.deleteSession("never");
  });

  test("a user's other sessions end, and the one that is kept does not", async () => {
    await using store = await openStore(createDatabase);
    const userId = await setUp(store);
    for (const tokenHash of ["here", "phone", "office"]) {
      await store.people.createSession({
        tokenHash,
        userId,
        createdAt: NOON,
        expiresAt: NOON + 1_000,
        userAgent: null,
      });
    }
    expect(await store.people.deleteOtherSessions(userId, "here")).toBe(2);
    expect(await store.people.getSession("here", NOON)).not.toBeNull();
    expect(await store.people.getSession("phone", NOON)).toBeNull();
  });

  test("an account knows the browsers that it was told of, until they expire or are forgotten", async () => {
    await using store = await openStore(createDatabase);
    const userId = await setUp(store);
    const isKnown = (tokenHash: string, { user = userId, now = NOON } = {}) =>
      store.people.isKnownBrowser({ tokenHash, userId: user, now });
    expect(await isKnown("laptop")).toBe(false);
    await store.people.rememberBrowser({ tokenHash: "laptop", userId, expiresAt: NOON + 1_000 });
    await store.people.rememberBrowser({ tokenHash: "phone", userId, expiresAt: NOON + 1_000 });
    expect(await isKnown("laptop")).toBe(true);
    expect(await isKnown("laptop", { user: userId + 1 })).toBe(false);
    expect(await isKnown("laptop", { now: NOON + 1_000 })).toBe(false);
    await store.people.rememberBrowser({ tokenHash: "laptop", userId, expiresAt: NOON + 5_000 });
    expect(await isKnown("laptop", { now: NOON + 1_000 })).toBe(true);
    await store.people.forgetOtherBrowsers(userId, "laptop");
    expect(await Promise.all([isKnown("laptop"), isKnown("phone")])).toEqual([true, false]);
    await store.people.forgetOtherBrowsers(userId, "");
    expect(await isKnown("laptop")).toBe(false);
  });

  test("an account knows twenty browsers: one more takes the place of the one that expires first", async () => {
    await using store = await openStore(createDatabase);
    const userId = await setUp(store);
    for (let number = 0; number < 21; number++) {
      await store.people.rememberBrowser({ tokenHash: `browser ${number}`, userId, expiresAt: NOON + 100 + number });
    }
    const known = await Promise.all(
      Array.from({ length: 21 }, (_, number) =>
        store.people.isKnownBrowser({ tokenHash: `browser ${number}`, userId, now: NOON }),
      ),
    );
    expect(known).toEqual([false, ...Array(20).fill(true)]);
  });

  test("a member sees projects by teams and by name, and an address belongs to one member", async () => {
    await using store = await openStore(createDatabase);
    const { people, members } = store;
    const web = await createProject(store, "web");
    const api = await createProject(store, "api");
    const made = await members.createTeam(EVERYTHING, { slug: "shop", name: "Shop", memberId: null, at: NOON });
    const teamId = made.ok ? made.team.id : 0;
    await members.changeTeam(EVERYTHING, { teamId, projectIds: [api, 99] });
    const member = { ...GRACE, email: "Grace@Example.com ", projectIds: [web, 99], teamIds: [teamId, 99] };
    const grace = await people.createMember(member);
    expect(await people.getUser(grace)).toMatchObject({ email: "Grace@Example.com", role: "member" });
    expect(await people.getAccess(grace)).toEqual({
      role: "member",
      projectIds: [web],
      teams: [{ id: teamId, slug: "shop", name: "Shop", hasAllProjects: false, projectIds: [api] }],
    });
    expect(await people.getAccess(99)).toBeNull();
    await expect(people.createMember(GRACE)).rejects.toThrow();
  });

  test("somebody's name and address change, but not to an address that somebody else has", async () => {
    await using database = await createDatabase();
    const { people } = await database.connect();
    const owner = await setUp(await database.connect());
    const grace = await people.createMember(GRACE);
    expect(await people.changeProfile(grace, { name: "Ada", email: "ADA@example.com" })).toBe(false);
    expect(await people.getUser(grace)).toMatchObject({ name: "Grace", email: "grace@example.com" });
    expect(await people.changeProfile(grace, { name: "Rear Admiral", email: "Hopper@example.com" })).toBe(true);
    expect(await people.getUser(grace)).toMatchObject({ name: "Rear Admiral", email: "Hopper@example.com" });
    expect(await people.findCredentials("grace@example.com")).toBeNull();
    expect(await people.findCredentials("hopper@example.com")).toMatchObject({ userId: grace });
    // The case of one's own address.
    expect(await people.changeProfile(grace, { name: "Grace", email: "HOPPER@example.com" })).toBe(true);
    expect((await people.listUsers()).map(({ id }) => id)).toEqual([owner, grace]);
  });

  test("ownership is handed over: the former owner is a manager", async () => {
    await using store = await openStore(createDatabase);
    const owner = await setUp(store);
    const grace = await store.people.createMember(GRACE);
    expect(await store.people.makeOwner(grace)).toBe(true);
    expect(await store.people.getOwner()).toMatchObject({ id: grace, role: "owner" });
    expect(await store.people.getUser(owner)).toMatchObject({ role: "manager" });
    expect(await store.people.makeOwner(grace)).toBe(true);
    expect(await store.people.makeOwner(99)).toBe(false);
    expect(await store.people.getOwner()).toMatchObject({ id: grace });
  });

  test("sessions are listed by their last use, under ids that are not the hashes, and one of them ends", async () => {
    await using database = await createDatabase();
    const { people } = await database.connect();
    const userId = await setUp(await database.connect());
    const grace = await people.createMember(GRACE);
    const begin = (token: string, user: number, expiresAt: number) =>
      people.createSession({ tokenHash: token.repeat(64), userId: user, createdAt: NOON, expiresAt, userAgent: token });
    await begin("a", userId, NOON + 1_000);
    await begin("b", userId, NOON + 3_000);
    await begin("c", grace, NOON + 2_000);
    await begin("d", userId, NOON);
    const agents = async (of: number | null) => (await people.listSessions(of, NOON)).map(({ userAgent }) => userAgent);
    expect(await agents(null)).toEqual(["b", "c", "a"]);
    expect(await agents(userId)).toEqual(["b", "a"]);
    const [session] = await people.listSessions(grace, NOON);
    expect(session).toEqual({
      id: "c".repeat(16),
      userId: grace,
      createdAt: NOON,
      expiresAt: NOON + 2_000,
      userAgent: "c",
    });
    expect(await people.endSession(userId, "c".repeat(16))).toBe(false);
    expect(await people.endSession(grace, "c".repeat(16))).toBe(true);
    expect(await agents(null)).toEqual(["b", "a"]);
  });
}
