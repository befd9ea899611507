import { expect, test } from "vitest";
import type { AuditActor, AuditEntry, AuditNote } from "../../../domain/audit/audit-entry.ts";
import { AUDIT_VOCABULARY } from "../../../domain/search/audit-vocabulary.ts";
import { bindSearch } from "../../../domain/search/bind-search.ts";
import { parseSearch } from "../../../domain/search/parse-search.ts";
import type { AuditStore } from "../audit-store.ts";
import type { State } from "../state.ts";
import { type CreateStateDatabase, createProject, EVERYTHING, NOON, openStore } from "./fixture.ts";

const ADA: AuditActor = { kind: "member", id: 1, name: "Ada <ada@example.com>", address: "192.0.2.1" };
const NOTE: AuditNote = {
  action: "team.create",
  target: { kind: "team", id: 7, name: "shop" },
  after: { name: "Shop" },
};

async function find(audit: AuditStore, search: string, limit = 100): Promise<AuditEntry[]> {
  const { condition, errors } = bindSearch(parseSearch(search).tree, AUDIT_VOCABULARY, Date.now());
  expect(errors).toEqual([]);
  return (await audit.listEntries(EVERYTHING, { where: condition, before: null, limit })).entries;
}

const idsOf = (entries: readonly AuditEntry[]) => entries.map(({ id }) => id);

async function setUp(store: Pick<State, "people">): Promise<void> {
  const owner = { email: "ada@example.com", name: "Ada", passwordHash: "x" };
  await store.people.setUp({ organization: { slug: "acme", name: "Acme" }, owner, project: null, at: NOON });
}

export function describeAudit(createDatabase: CreateStateDatabase): void {
  test("an entry says who, what, before and after, and carries on the chain", async () => {
    await using store = await openStore(createDatabase);
    await store.audit.actAs(ADA, async () => {
      await store.audit.note(NOTE);
      await store.audit.note({ ...NOTE, action: "team.edit", before: { name: "Shop" }, after: { name: "Shops" } });
    });
    const [edit, create] = await find(store.audit, "");
    expect(create).toMatchObject({ id: 1, actor: ADA, action: "team.create", target: NOTE.target });
    expect(edit).toMatchObject({ id: 2, changes: [{ field: "name", before: "Shop", after: "Shops" }] });
    expect(edit?.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await store.audit.checkEntries(EVERYTHING)).toEqual({ ok: true, count: 2, lastId: 2, lastHash: edit?.hash });
  });

  test("an edit that changes nothing is no entry, and what nobody asked for is the server's", async () => {
    await using store = await openStore(createDatabase);
    await store.audit.note({ ...NOTE, before: { name: "Shop" }, after: { name: "Shop" } });
    await store.audit.note(NOTE);
    expect(await find(store.audit, "")).toEqual([
      expect.objectContaining({ id: 1, actor: expect.objectContaining({ kind: "server" }) }),
    ]);
  });

  test("it is searched by actor, action, target, address, time and text", async () => {
    await using store = await openStore(createDatabase);
    await store.audit.actAs(ADA, () => store.audit.note(NOTE));
    await store.audit.actAs({ kind: "token", id: 3, name: "deploy", address: null }, () =>
      store.audit.note({ ...NOTE, action: "key.delete", target: { kind: "key", id: 1, name: "Default of shop" } }),
    );
    expect(idsOf(await find(store.audit, "actor:ADA"))).toEqual([1]);
    expect(idsOf(await find(store.audit, "actor.kind:token"))).toEqual([2]);
    expect(idsOf(await find(store.audit, "action:key.*"))).toEqual([2]);
    expect(idsOf(await find(store.audit, "target:shop !target.kind:key"))).toEqual([1]);
    expect(idsOf(await find(store.audit, "address:192.0.2.*"))).toEqual([1]);
    expect(idsOf(await find(store.audit, "deploy"))).toEqual([2]);
    expect(await find(store.audit, "time:<2020-01-01")).toEqual([]);
    expect(idsOf(await find(store.audit, "time:-1h"))).toEqual([2, 1]);
  });

  test("pages go on where the last one ended", async () => {
    await using store = await openStore(createDatabase);
    for (let id = 1; id <= 5; id++) await store.audit.note(NOTE);
    const where = bindSearch(null, AUDIT_VOCABULARY, 0).condition;
    const first = await store.audit.listEntries(EVERYTHING, { where, before: null, limit: 3 });
    expect(idsOf(first.entries)).toEqual([5, 4, 3]);
    const second = await store.audit.listEntries(EVERYTHING, { where, before: first.nextBefore, limit: 3 });
    expect([idsOf(second.entries), second.nextBefore]).toEqual([[2, 1], null]);
  });

  test("old entries are dropped from the beginning, and the rest stays checkable", async () => {
    await using store = await openStore(createDatabase);
    for (let id = 1; id <= 5; id++) await store.audit.note(NOTE);
    expect(await store.audit.dropEntries(0, 100)).toBe(0);
    expect(await store.audit.dropEntries(0, 2)).toBe(3);
    const entries = await find(store.audit, "");
    expect(idsOf(entries)).toEqual([6, 5, 4]);
    expect(entries[0]).toMatchObject({ action: "audit.prune", target: { id: 3 } });
    expect(await store.audit.checkEntries(EVERYTHING)).toMatchObject({ ok: true, count: 3 });
    expect(await store.audit.dropEntries(Date.now() + 1_000, 100)).toBe(3);
    expect(await store.audit.checkEntries(EVERYTHING)).toMatchObject({ ok: true, count: 1 });
  });

  test("changes of people, teams, tokens, projects and keys write their entries themselves, and no secret", async () => {
    await using store = await openStore(createDatabase);
    await setUp(store);
    const projectId = await createProject(store, "shop");
    await store.audit.actAs(ADA, async () => {
      const actor = { userId: 1, role: "owner" } as const;
      const grace = await store.people.createMember({
        email: "grace@example.com",
        name: "Grace",
        passwordHash: "secret-hash",
        role: "member",
        teamIds: [],
        projectIds: [],
        at: NOON,
      });
      const made = await store.members.createTeam(EVERYTHING, { slug: "t", name: "T", memberId: null, at: NOON });
      if (!made.ok) throw new Error(made.reason);
      const teamId = made.team.id;
      await store.members.changeTeam(EVERYTHING, { teamId, memberIds: [grace], projectIds: [projectId] });
      await store.members.changeMember(EVERYTHING, { userId: grace, actor, role: "admin", projectIds: [projectId] });
      await store.members.removeMember(EVERYTHING, { userId: grace, actor, at: NOON });
      await store.members.restoreMember(EVERYTHING, { userId: grace, actor, at: NOON });
      await store.members.deleteTeam(EVERYTHING, { teamId, userId: 1, at: NOON });
      const token = await store.tokens.createToken({
        kind: "personal",
        name: "mine",
        scopes: ["event:read"],
        hint: "wxyz",
        userId: 1,
        tokenHash: "secret-hash",
        expiresAt: null,
        at: NOON,
      });
      await store.tokens.revokeToken(token.id, NOON);
      const [key] = await store.projects.listKeys(EVERYTHING, projectId);
      await store.projects.changeKey(EVERYTHING, key?.id ?? 0, { isEnabled: false });
      await store.projects.changeProject(EVERYTHING, projectId, { name: "The shop" });
      await store.notifications.saveNotificationSettings(EVERYTHING, projectId, {
        emails: ["sam@example.com"],
        channelIds: [],
      });
      const channel = await store.channels.createChannel(EVERYTHING, {
        kind: "webhook",
        name: "Hook",
        settings: {},
        secrets: { url: "https://hooks.example/secret-path", secret: "whsec_secret" },
        projectIds: [projectId],
        at: NOON,
      });
      const channelId = channel.ok ? channel.channel.id : 0;
      const secrets = { url: "https://hooks.example/secret-too", secret: "whsec_secret" };
      await store.channels.changeChannel(EVERYTHING, { channelId, secrets, at: NOON });
      await store.channels.deleteChannel(EVERYTHING, channelId);
      await store.people.changePassword(1, "secret-hash");
    });
    const entries = (await find(store.audit, "actor:ada")).reverse();
    expect(entries.map(({ action }) => action)).toEqual([
      "member.add",
      "team.create",
      "team.edit",
      "member.edit",
      "member.remove",
      "member.restore",
      "team.delete",
      "token.create",
      "token.revoke",
      "key.edit",
      "project.edit",
      "notification.edit",
      "channel.create",
      "channel.edit",
      "channel.delete",
      "password.change",
    ]);
    expect(entries[2]?.changes).toEqual([
      { field: "members", before: [], after: ["Grace <grace@example.com>"] },
      { field: "projects", before: [], after: ["shop"] },
    ]);
    expect(entries[3]?.changes).toEqual([
      { field: "role", before: "member", after: "admin" },
      { field: "projects", before: [], after: ["shop"] },
    ]);
    expect(JSON.stringify(entries)).not.toContain("secret-");
    expect(JSON.stringify(entries)).not.toContain("whsec_");
  });

  test("a change that is refused leaves no entry", async () => {
    await using store = await openStore(createDatabase);
    await setUp(store);
    const before = (await find(store.audit, "")).length;
    const actor = { userId: 1, role: "owner" } as const;
    expect(await store.members.changeMember(EVERYTHING, { userId: 1, actor, role: "viewer" })).toMatchObject({
      ok: false,
    });
    expect(await find(store.audit, "")).toHaveLength(before);
  });
}
