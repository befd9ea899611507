import { expect, test } from "vitest";
import { allOf } from "../../../domain/search/condition.ts";
import { type CreateStateDatabase, createProject, EVERYTHING, NOON, openStore, scopeOf } from "./fixture.ts";

const OWNER = { userId: 1, role: "owner" } as const;

async function open(createDatabase: CreateStateDatabase) {
  const store = await openStore(createDatabase);
  const owner = { email: "ada@example.com", name: "Ada", passwordHash: "x" };
  await store.people.setUp({ organization: { slug: "acme", name: "Acme" }, owner, project: null, at: NOON });
  return store;
}

const INVITATION = {
  tokenHash: "hash",
  email: "Grace@example.com ",
  role: "member",
  teamIds: [],
  projectIds: [],
  invitedBy: 1,
  at: NOON,
  expiresAt: NOON + 100,
} as const;
const GRACE = { email: "grace@example.com", name: "Grace", passwordHash: "y" };

export function describeInvitations(createDatabase: CreateStateDatabase): void {
  test("an invitation makes a member with what it gives, once", async () => {
    await using store = await open(createDatabase);
    const { invitations, links, people } = store;
    const web = await createProject(store, "web");
    const api = await createProject(store, "api");
    const made = await invitations.createInvitation(scopeOf(web), { ...INVITATION, projectIds: [web, api] });
    expect(made).toMatchObject({ email: "grace@example.com", invitedBy: "Ada", projectIds: [web], mail: null });
    expect(await links.findInvitation("hash", NOON)).toEqual(made);
    const accept = { tokenHash: "hash", account: GRACE, at: NOON + 1 };
    // Two that come together.
    const [first, second] = await Promise.all([links.acceptInvitation(accept), links.acceptInvitation(accept)]);
    expect(second).toBeNull();
    expect(await people.getAccess(first ?? 0)).toEqual({ role: "member", projectIds: [web], teams: [] });
    expect(await invitations.listInvitations(EVERYTHING, NOON)).toEqual([]);
  });

  test("an invitation that is over, revoked or replaced does nothing", async () => {
    await using store = await open(createDatabase);
    const { invitations, links } = store;
    const accept = { tokenHash: "hash", account: GRACE, at: NOON + 100 };
    const first = await invitations.createInvitation(EVERYTHING, INVITATION);
    expect(await links.findInvitation("hash", NOON + 100)).toBeNull();
    expect(await links.acceptInvitation(accept)).toBeNull();
    const second = await invitations.createInvitation(EVERYTHING, { ...INVITATION, tokenHash: "new" });
    expect(await links.acceptInvitation({ ...accept, at: NOON })).toBeNull();
    const revocation = { invitationId: second?.id ?? 0, undoableBy: null, at: NOON };
    expect(await invitations.revokeInvitation(EVERYTHING, { ...revocation, invitationId: first?.id ?? 0 })).toBe(false);
    expect(await invitations.revokeInvitation(EVERYTHING, revocation)).toBe(true);
    expect(await links.acceptInvitation({ ...accept, tokenHash: "new", at: NOON })).toBeNull();
    expect(await links.findAddress("grace@example.com")).toBeNull();
  });

  test("who revoked an invitation may take that back: the same link works until its old end", async () => {
    await using store = await open(createDatabase);
    const { invitations, links, audit } = store;
    const made = await invitations.createInvitation(EVERYTHING, INVITATION);
    const invitationId = made?.id ?? 0;
    const revoke = () => invitations.revokeInvitation(EVERYTHING, { invitationId, undoableBy: 1, at: NOON });
    const restore = (at = NOON, userId = 1) => invitations.restoreInvitation(EVERYTHING, { invitationId, userId, at });
    expect(await restore()).toEqual({ ok: false, reason: "gone" });
    expect([await revoke(), await revoke()]).toEqual([true, false]);
    expect(await links.findInvitation("hash", NOON)).toBeNull();
    expect(await links.acceptInvitation({ tokenHash: "hash", account: GRACE, at: NOON })).toBeNull();
    expect(await invitations.listInvitations(EVERYTHING, NOON)).toEqual([]);
    expect(await restore(NOON, 2)).toEqual({ ok: false, reason: "gone" });
    expect(await restore(NOON + 100)).toEqual({ ok: false, reason: "over" });
    expect(await restore()).toEqual({ ok: true, invitation: made });
    expect(await restore()).toEqual({ ok: false, reason: "gone" });
    expect(await links.findInvitation("hash", NOON + 99)).toEqual(made);
    expect(await links.findInvitation("hash", NOON + 100)).toBeNull();
    const { entries } = await audit.listEntries(EVERYTHING, { where: allOf([]), before: null, limit: 10 });
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["invitation.create", "invitation.revoke", "invitation.restore"]),
    );
  });

  test("an invitation that was revoked stays so when the address was invited again, or is a member's", async () => {
    await using store = await open(createDatabase);
    const { invitations, links, people } = store;
    const revoke = (invitationId = 0) =>
      invitations.revokeInvitation(EVERYTHING, { invitationId, undoableBy: 1, at: NOON });
    const restore = (invitationId = 0) =>
      invitations.restoreInvitation(EVERYTHING, { invitationId, userId: 1, at: NOON });
    const first = await invitations.createInvitation(EVERYTHING, INVITATION);
    await revoke(first?.id);
    const second = await invitations.createInvitation(EVERYTHING, { ...INVITATION, tokenHash: "new" });
    expect(await restore(first?.id)).toEqual({ ok: false, reason: "gone" });
    expect(await links.findInvitation("hash", NOON)).toBeNull();
    await revoke(second?.id);
    await people.createMember({ ...GRACE, role: "member", teamIds: [], projectIds: [], at: NOON });
    expect(await restore(second?.id)).toEqual({ ok: false, reason: "member" });
    expect(await links.findInvitation("new", NOON)).toBeNull();
  });

  test("an invitation works while its maker may make it", async () => {
    await using store = await open(createDatabase);
    const { invitations, links, members, people } = store;
    const access = { teamIds: [], projectIds: [], at: NOON };
    const eve = await people.createMember({ ...GRACE, email: "eve@example.com", role: "owner", ...access });
    const link = { ...INVITATION, email: null, invitedBy: eve };
    const made = await invitations.createInvitation(EVERYTHING, { ...link, role: "owner", tokenHash: "owner" });
    await invitations.createInvitation(EVERYTHING, { ...link, role: "manager", tokenHash: "manager" });
    await invitations.createInvitation(EVERYTHING, { ...link, invitedBy: null, tokenHash: "of a token" });
    const working = async () => {
      const found = ["owner", "manager", "of a token"].map(
        async (hash) => (await links.findInvitation(hash, NOON))?.role,
      );
      expect(await invitations.listInvitations(EVERYTHING, NOON)).toHaveLength(
        (await Promise.all(found)).filter((role) => role !== undefined).length,
      );
      return Promise.all(found);
    };
    const setRole = (role: "owner" | "manager" | "admin") =>
      members.changeMember(EVERYTHING, { userId: eve, role, actor: OWNER });
    expect(await working()).toEqual(["owner", "manager", "member"]);
    await setRole("manager");
    expect(await working()).toEqual([undefined, "manager", "member"]);
    await setRole("admin");
    expect(await working()).toEqual([undefined, undefined, "member"]);
    await setRole("owner");
    const invitationId = made?.id ?? 0;
    await invitations.revokeInvitation(EVERYTHING, { invitationId, undoableBy: 1, at: NOON });
    await members.removeMember(EVERYTHING, { userId: eve, actor: OWNER, at: NOON });
    expect(await working()).toEqual([undefined, undefined, "member"]);
    const accept = { tokenHash: "manager", account: GRACE, at: NOON };
    expect(await links.acceptInvitation(accept)).toBeNull();
    expect(await links.joinByInvitation({ tokenHash: "manager", userId: 1, at: NOON })).toBeNull();
    const restored = await invitations.restoreInvitation(EVERYTHING, { invitationId, userId: 1, at: NOON });
    expect(restored).toEqual({ ok: false, reason: "gone" });
    // A removal can be undone.
    await members.restoreMember(EVERYTHING, { userId: eve, actor: OWNER, at: NOON });
    expect(await working()).toEqual([undefined, "manager", "member"]);
  });

  test("nobody takes the address of a member; a former one comes back", async () => {
    await using store = await open(createDatabase);
    const { invitations, links, members, people, emailChanges } = store;
    await invitations.createInvitation(EVERYTHING, INVITATION);
    const accept = { tokenHash: "hash", account: GRACE, at: NOON };
    expect(await links.acceptInvitation({ ...accept, account: { ...GRACE, email: "ADA@example.com" } })).toBeNull();
    const grace = (await links.acceptInvitation(accept)) ?? 0;
    expect(await links.findAddress("GRACE@example.com")).toBe("member");
    const expiresAt = NOON + 1_000;
    const old = { userId: grace, email: "old@example.com", at: NOON };
    await emailChanges.setEmail({ ...old, undo: null });
    await emailChanges.setEmail({ ...old, email: GRACE.email, undo: { tokenHash: "undo", expiresAt } });
    await invitations.createReset({ tokenHash: "reset", userId: grace, at: NOON, expiresAt });
    await members.removeMember(EVERYTHING, { userId: grace, actor: OWNER, at: NOON });
    expect(await links.findAddress("grace@example.com")).toBe("former");
    await invitations.createInvitation(EVERYTHING, { ...INVITATION, role: "viewer" });
    expect(await links.acceptInvitation({ ...accept, account: { ...GRACE, passwordHash: "z" } })).toBe(grace);
    expect(await people.findCredentials("grace@example.com")).toEqual({ userId: grace, passwordHash: "z" });
    expect(await people.getUser(grace)).toMatchObject({ role: "viewer" });
    // The address may be somebody else's by now: what was mailed before gives nothing.
    expect([await links.findReset("reset", NOON), await emailChanges.findEmailChange("undo", NOON)]).toEqual([
      null,
      null,
    ]);
  });

  test("a member who joins keeps what they had", async () => {
    await using store = await open(createDatabase);
    const { invitations, links, members } = store;
    const web = await createProject(store, "web");
    const team = await members.createTeam(EVERYTHING, { slug: "shop", name: "Shop", memberId: null, at: NOON });
    const teamIds = team.ok ? [team.team.id] : [];
    await invitations.createInvitation(EVERYTHING, {
      ...INVITATION,
      email: null,
      role: "viewer",
      teamIds,
      projectIds: [web],
    });
    const join = { tokenHash: "hash", userId: 1, at: NOON };
    expect(await links.joinByInvitation({ ...join, userId: 99 })).toBeNull();
    expect(await links.joinByInvitation(join)).toMatchObject({
      role: "owner",
      projectIds: [web],
      teams: [{ slug: "shop" }],
    });
    expect(await links.joinByInvitation(join)).toBeNull();
  });

  test("a link for a new password works once, ends what was signed in, and ends with the next one and a removal", async () => {
    await using store = await open(createDatabase);
    const { invitations, links, members, people } = store;
    const reset = { tokenHash: "one", userId: 1, at: NOON, expiresAt: NOON + 10 };
    await invitations.createReset(reset);
    await invitations.createReset({ ...reset, tokenHash: "two" });
    const former = { ...reset, tokenHash: "three", mailedTo: "ada@former.example" };
    expect(await invitations.createReset(former)).toBe(false);
    expect(await invitations.createReset({ ...reset, tokenHash: "two", mailedTo: "Ada@example.com" })).toBe(true);
    await people.createSession({ tokenHash: "s", userId: 1, createdAt: 0, expiresAt: NOON + 99, userAgent: null });
    const use = { tokenHash: "two", passwordHash: "new", now: NOON };
    expect(await links.takeReset({ ...use, tokenHash: "one" })).toBe(false);
    expect(await links.takeReset({ ...use, now: NOON + 10 })).toBe(false);
    expect(await links.findReset("two", NOON)).toEqual({ userId: 1, email: "ada@example.com" });
    expect([await links.takeReset(use), await links.takeReset(use)]).toEqual([true, false]);
    expect(await people.findCredentials("ada@example.com")).toMatchObject({ passwordHash: "new" });
    expect(await people.getSession("s", NOON)).toBeNull();
    const grace = await people.createMember({ ...GRACE, role: "member", teamIds: [], projectIds: [], at: NOON });
    await invitations.createReset({ ...reset, userId: grace });
    await members.removeMember(EVERYTHING, { userId: grace, actor: OWNER, at: NOON });
    expect(await links.takeReset({ ...use, tokenHash: "one" })).toBe(false);
  });
}
