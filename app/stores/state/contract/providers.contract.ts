import { expect, test } from "vitest";
import { DAY_MS } from "../../../domain/time.ts";
import { MAX_PROVIDERS } from "../provider-store.ts";
import type { State } from "../state.ts";
import { type CreateStateDatabase, EVERYTHING, NOON, openStore } from "./fixture.ts";

const ADA = 1;
const ACME = {
  kind: "oidc",
  name: "Acme",
  issuer: "https://login.example.com",
  clientId: "culprit",
  clientSecret: "hush",
  scopes: "openid",
} as const;
const NOBODY = "a hash that no password has";

async function open(createDatabase: CreateStateDatabase) {
  const store = await openStore(createDatabase);
  const owner = { email: "ada@example.com", name: "Ada", passwordHash: "x" };
  await store.people.setUp({ organization: { slug: "acme", name: "Acme" }, owner, project: null, at: NOON });
  return store;
}

async function addProvider({ providers }: State): Promise<number> {
  const made = await providers.createProvider(EVERYTHING, { ...ACME, at: NOON });
  if (!made) throw new Error("it was not made");
  await providers.changeProvider(EVERYTHING, { providerId: made.id, isEnabled: true });
  return made.id;
}

/** Signs somebody in there as a member; gives the user's id. */
async function comeBy({ providerSignIns }: State, providerId: number, sub: string, at = NOON): Promise<number> {
  const person = { subject: sub, email: `${sub}@example.com`, isEmailVerified: true, name: sub };
  const result = await providerSignIns.signInByProvider({
    ...{ providerId, person, passwordHash: NOBODY, at },
    grant: { role: "member", teamIds: [] },
  });
  if (!result.ok) throw new Error(result.reason);
  return result.userId;
}

export function describeProviders(createDatabase: CreateStateDatabase): void {
  test("a provider is kept without showing its secret, is off at first, and its number has a bound", async () => {
    await using store = await open(createDatabase);
    const { providers, providerSignIns } = store;
    const made = await providers.createProvider(EVERYTHING, { ...ACME, at: NOON });
    const { clientSecret, ...shown } = ACME;
    expect(made).toEqual({ ...shown, id: 1, rules: [], isEnabled: false, createdAt: NOON });
    expect(await providers.getProvider(EVERYTHING, 1)).toEqual(made);
    expect((await providerSignIns.listOffered()).providers).toEqual([]);
    await providers.changeProvider(EVERYTHING, { providerId: 1, isEnabled: true, name: "Acme 2" });
    expect((await providerSignIns.listOffered()).providers).toEqual([{ id: 1, name: "Acme 2", kind: "oidc" }]);
    expect(await providerSignIns.findProvider(1)).toMatchObject({ clientSecret, name: "Acme 2" });
    for (let at = 1; at < MAX_PROVIDERS; at++) await providers.createProvider(EVERYTHING, { ...ACME, at });
    expect(await providers.createProvider(EVERYTHING, { ...ACME, at: NOON })).toBeNull();
    expect(await providers.deleteProvider(EVERYTHING, 1)).toBe(true);
    expect(await providers.deleteProvider(EVERYTHING, 1)).toBe(false);
    expect(await providers.getProvider(EVERYTHING, 1)).toBeNull();
  });

  test("a change that is for certain rules leaves others alone", async () => {
    await using store = await open(createDatabase);
    const { providers } = store;
    const made = await providers.createProvider(EVERYTHING, { ...ACME, at: NOON });
    if (!made) throw new Error("no provider was made");
    const rule = { claim: "groups", value: "dev", role: "member", teamIds: [] } as const;
    const change = { providerId: made.id, rules: [rule], onlyIf: made };
    expect(await providers.changeProvider(EVERYTHING, change)).toMatchObject({ rules: [rule] });
    expect(await providers.changeProvider(EVERYTHING, { ...change, rules: [] })).toBeNull();
    const moved = { ...made, rules: [rule], issuer: "https://other.example" };
    expect(await providers.changeProvider(EVERYTHING, { ...change, rules: [], onlyIf: moved })).toBeNull();
    expect(await providers.getProvider(EVERYTHING, made.id)).toMatchObject({ rules: [rule] });
  });

  test("a session knows its provider, what it said last, and the hours that owners set", async () => {
    await using store = await open(createDatabase);
    const { people, providers } = store;
    const providerId = await addProvider(store);
    const session = { userId: ADA, createdAt: NOON, expiresAt: NOON + DAY_MS, userAgent: null };
    await people.createSession({ ...session, tokenHash: "a", providerId, renewalToken: "r1" });
    const provider = {
      id: providerId,
      kind: "oidc",
      checkedAt: NOON,
      renewedAt: NOON,
      renewalToken: "r1",
      sessionHours: 8,
    };
    expect((await people.getSession("a", NOON))?.provider).toEqual(provider);
    await people.renewSession("a", { renewedAt: NOON + 5, renewalToken: "r2" });
    await providers.saveProviderLimits(EVERYTHING, { sessionHours: 2, tokenDays: 3 });
    expect(await providers.getProviderLimits(EVERYTHING)).toEqual({ sessionHours: 2, tokenDays: 3 });
    const renewed = { ...provider, renewedAt: NOON + 5, renewalToken: "r2", sessionHours: 2 };
    expect((await people.getSession("a", NOON))?.provider).toEqual(renewed);
    await people.renewSession("a", { renewedAt: NOON + 9, renewalToken: null, checkedAt: NOON + 9 });
    expect((await people.getSession("a", NOON))?.provider).toMatchObject({ checkedAt: NOON + 9, renewalToken: null });
    await people.createSession({ ...session, tokenHash: "b" });
    await providers.changeProvider(EVERYTHING, { providerId, isEnabled: false });
    expect([await people.getSession("a", NOON), (await people.getSession("b", NOON))?.provider]).toEqual([null, null]);
  });

  test("where only owners have passwords, sessions of others that began with one end, and others stay", async () => {
    await using store = await open(createDatabase);
    const { people, providers } = store;
    const providerId = await addProvider(store);
    const mia = await comeBy(store, providerId, "mia");
    const session = { createdAt: NOON, expiresAt: NOON + DAY_MS, userAgent: null };
    await people.createSession({ ...session, userId: ADA, tokenHash: "ada" });
    await people.createSession({ ...session, userId: mia, tokenHash: "password" });
    await people.createSession({ ...session, userId: mia, tokenHash: "provider", providerId });
    await providers.requireProvider(EVERYTHING, { isRequired: true, at: NOON });
    expect(await providers.isProviderRequired(EVERYTHING)).toBe(true);
    const living = await Promise.all(["ada", "password", "provider"].map((hash) => people.getSession(hash, NOON)));
    expect(living.map((each) => each !== null)).toEqual([true, false, true]);
    // Without a provider that is on, nobody but owners could sign in.
    await providers.deleteProvider(EVERYTHING, providerId);
    expect(await providers.isProviderRequired(EVERYTHING)).toBe(false);
  });

  test("an owner who becomes something else keeps no session that began with a password, where a provider is required", async () => {
    await using store = await open(createDatabase);
    const { providers, people, members } = store;
    const providerId = await addProvider(store);
    const account = { email: "leo@example.com", name: "Leo", passwordHash: "x" };
    const leo = await people.createMember({ ...account, role: "owner", teamIds: [], projectIds: [], at: NOON });
    const actor = { userId: ADA, role: "owner" } as const;
    const session = { createdAt: NOON, expiresAt: NOON + DAY_MS, userAgent: null, userId: leo };
    const begin = (tokenHash: string) => people.createSession({ ...session, tokenHash });
    const isThere = async (tokenHash: string) => (await people.getSession(tokenHash, NOON)) !== null;
    const become = (role: "owner" | "member") => members.changeMember(EVERYTHING, { userId: leo, actor, role });
    await begin("free");
    await become("member");
    expect(await isThere("free")).toBe(true);
    await become("owner");
    await providers.requireProvider(EVERYTHING, { isRequired: true, at: NOON });
    await people.createSession({ ...session, tokenHash: "provider", providerId });
    expect(await isThere("free")).toBe(true);
    await become("member");
    expect([await isThere("free"), await isThere("provider")]).toEqual([false, true]);
    await become("owner");
    await begin("handed over");
    await people.makeOwner(ADA);
    expect([await isThere("handed over"), await isThere("provider")]).toEqual([false, true]);
  });

  test("a standing says when they came last, and since when they must", async () => {
    await using store = await open(createDatabase);
    const { providers, providerSignIns, members } = store;
    const providerId = await addProvider(store);
    const mia = await comeBy(store, providerId, "mia", NOON);
    const free = { isRequired: false, tokenDays: 14 };
    expect(await providerSignIns.getStanding(mia)).toEqual({ ...free, role: "member", seenAt: NOON });
    expect(await providerSignIns.findSubject({ providerId, userId: mia })).toBe("mia");
    expect(await providerSignIns.findSubject({ providerId, userId: ADA })).toBeNull();
    expect(await providerSignIns.getStanding(ADA)).toEqual({ ...free, role: "owner", seenAt: null });
    await comeBy(store, providerId, "mia", NOON + 10);
    await providers.requireProvider(EVERYTHING, { isRequired: true, at: NOON + 5 });
    expect(await providerSignIns.getStanding(mia)).toMatchObject({ isRequired: true, seenAt: NOON + 10 });
    expect(await providerSignIns.getStanding(ADA)).toMatchObject({ seenAt: NOON + 5 });
    await providers.requireProvider(EVERYTHING, { isRequired: false, at: NOON + 6 });
    expect(await providerSignIns.getStanding(ADA)).toMatchObject({ isRequired: false, seenAt: null });
    await members.removeMember(EVERYTHING, { userId: mia, actor: { userId: ADA, role: "owner" }, at: NOON });
    expect(await providerSignIns.getStanding(mia)).toBeNull();
  });

  test("an account is connected with one identity, which nobody else can connect, and can be disconnected", async () => {
    await using store = await open(createDatabase);
    const { providerSignIns } = store;
    const providerId = await addProvider(store);
    const mia = await comeBy(store, providerId, "mia");
    const connect = (userId: number, subject: string) =>
      providerSignIns.connectProvider({ providerId, subject, userId, at: NOON });
    expect([await connect(ADA, "mia"), await connect(ADA, "ada"), await connect(ADA, "lovelace")]).toEqual([
      "taken",
      "connected",
      "connected",
    ]);
    expect(await providerSignIns.findSubject({ providerId, userId: ADA })).toBe("lovelace");
    expect(await providerSignIns.listConnected(ADA)).toEqual([
      { providerId, name: "Acme", isManaged: false, usedAt: NOON },
    ]);
    expect(await providerSignIns.disconnectProvider({ providerId, userId: ADA })).toBe(true);
    // What made the account stays: without it, nobody could sign in to it.
    expect(await providerSignIns.disconnectProvider({ providerId, userId: mia })).toBe(false);
  });
  test("who comes with another subject and the address of a member becomes the member once an owner has disconnected them", async () => {
    await using store = await open(createDatabase);
    const { providerSignIns, members, audit } = store;
    const providerId = await addProvider(store);
    const mia = await comeBy(store, providerId, "mia");
    const come = () =>
      providerSignIns.signInByProvider({
        ...{ providerId, passwordHash: NOBODY, at: NOON + 10, grant: { role: "admin", teamIds: [] } },
        person: { subject: "another mia", email: "mia@example.com", isEmailVerified: true, name: "Mia" },
      });
    expect(await come()).toEqual({ ok: false, reason: "other-identity" });
    expect(await providerSignIns.findSubject({ providerId, userId: mia })).toBe("mia");
    const [noted] = (await audit.listEntries(EVERYTHING, { where: { kind: "all", parts: [] }, before: null, limit: 1 }))
      .entries;
    expect(noted).toMatchObject({ action: "session.failed", target: { kind: "member", id: mia } });
    const disconnect = (userId: number, role: "owner" | "manager") =>
      members.disconnectMember(EVERYTHING, { userId: mia, actor: { userId, role } });
    expect(await disconnect(99, "manager")).toEqual({ ok: false, reason: "owner-resets" });
    expect(await disconnect(mia, "owner")).toEqual({ ok: false, reason: "own-factor" });
    expect(await disconnect(ADA, "owner")).toMatchObject({ ok: true, member: { providers: [] } });
    expect(await providerSignIns.getStanding(mia)).toMatchObject({ seenAt: null });
    expect(await come()).toEqual({ ok: true, userId: mia });
    expect(await providerSignIns.getStanding(mia)).toMatchObject({ role: "member", seenAt: NOON + 10 });
  });

  test("whom a provider made a member does not connect another account there, which nobody would end", async () => {
    await using store = await open(createDatabase);
    const { providerSignIns } = store;
    const providerId = await addProvider(store);
    const mia = await comeBy(store, providerId, "mia");
    const connect = (subject: string) =>
      providerSignIns.connectProvider({ providerId, subject, userId: mia, at: NOON });
    expect([await connect("an own account"), await connect("mia")]).toEqual(["managed", "connected"]);
    expect(await providerSignIns.findSubject({ providerId, userId: mia })).toBe("mia");
  });
}
