import { expect, test } from "vitest";
import type { State } from "../state.ts";
import { type CreateStateDatabase, EVERYTHING, NOON, openStore } from "./fixture.ts";

const ADA = 1;
const OWNER = { userId: ADA, role: "owner" } as const;

async function open(createDatabase: CreateStateDatabase) {
  const store = await openStore(createDatabase);
  const owner = { email: "ada@example.com", name: "Ada", passwordHash: "x" };
  await store.people.setUp({ organization: { slug: "acme", name: "Acme" }, owner, project: null, at: NOON });
  return store;
}

async function addMember({ people }: State, name: string): Promise<number> {
  const account = { email: `${name}@example.com`, name, passwordHash: "x" };
  return await people.createMember({ ...account, role: "member", teamIds: [], projectIds: [], at: NOON });
}

async function turnOn({ secondFactors }: State, userId: number): Promise<void> {
  await secondFactors.beginSecondFactor({ userId, secret: "A", at: NOON });
  const confirm = { userId, secret: "A", step: 10, recoveryCodeHashes: ["one", "two"], at: NOON + 1 };
  if (!(await secondFactors.confirmSecondFactor(confirm))) throw new Error("it was not confirmed");
}

export function describeSecondFactors(createDatabase: CreateStateDatabase): void {
  test("a set-up can begin again until it is confirmed, with the secret that was begun last", async () => {
    await using store = await open(createDatabase);
    const { secondFactors } = store;
    expect(await secondFactors.getSecondFactor(ADA)).toBeNull();
    expect(await secondFactors.beginSecondFactor({ userId: ADA, secret: "A", at: NOON })).toBe(true);
    expect(await secondFactors.beginSecondFactor({ userId: ADA, secret: "B", at: NOON + 1 })).toBe(true);
    const begun = { secret: "B", createdAt: NOON + 1, confirmedAt: null, recoveryCodesLeft: 0 };
    expect(await secondFactors.getSecondFactor(ADA)).toEqual(begun);
    // Sign-in does not ask for it yet, so no code of it is right.
    expect(await secondFactors.takeStep({ userId: ADA, step: 5 })).toBe(false);
    expect((await store.members.getMember(EVERYTHING, ADA))?.hasSecondFactor).toBe(false);
    const confirm = { userId: ADA, step: 10, recoveryCodeHashes: ["one", "two"], at: NOON + 2 };
    expect(await secondFactors.confirmSecondFactor({ ...confirm, secret: "A" })).toBe(false);
    expect(await secondFactors.confirmSecondFactor({ ...confirm, secret: "B" })).toBe(true);
    expect(await secondFactors.confirmSecondFactor({ ...confirm, secret: "B" })).toBe(false);
    expect(await secondFactors.beginSecondFactor({ userId: ADA, secret: "C", at: NOON })).toBe(false);
    const on = { ...begun, confirmedAt: NOON + 2, recoveryCodesLeft: 2 };
    expect(await secondFactors.getSecondFactor(ADA)).toEqual(on);
    expect((await store.members.getMember(EVERYTHING, ADA))?.hasSecondFactor).toBe(true);
  });

  test("the code of a time step works once, and none of an older one after it; nor the one that confirmed", async () => {
    await using store = await open(createDatabase);
    await turnOn(store, ADA);
    const take = (step: number) => store.secondFactors.takeStep({ userId: ADA, step });
    expect(await Promise.all([take(10), take(12), take(12), take(11), take(13)])).toEqual([
      false,
      true,
      false,
      false,
      true,
    ]);
  });

  test("a recovery code works once, for its own account, until there are new ones", async () => {
    await using store = await open(createDatabase);
    const { secondFactors } = store;
    const grace = await addMember(store, "grace");
    await turnOn(store, ADA);
    await turnOn(store, grace);
    const take = (codeHash: string) => secondFactors.takeRecoveryCode({ userId: ADA, codeHash });
    expect([await take("one"), await take("one"), await take("none")]).toEqual([true, false, false]);
    expect((await secondFactors.getSecondFactor(grace))?.recoveryCodesLeft).toBe(2);
    await secondFactors.replaceRecoveryCodes({ userId: ADA, codeHashes: ["three"] });
    expect([await take("two"), await take("three")]).toEqual([false, true]);
  });

  test("turning it off takes the codes along, and tells whether there was one", async () => {
    await using store = await open(createDatabase);
    const { secondFactors } = store;
    expect(await secondFactors.removeSecondFactor(ADA)).toBe(false);
    await turnOn(store, ADA);
    expect(await secondFactors.removeSecondFactor(ADA)).toBe(true);
    expect(await secondFactors.getSecondFactor(ADA)).toBeNull();
    expect(await secondFactors.takeRecoveryCode({ userId: ADA, codeHash: "one" })).toBe(false);
  });

  test("an owner takes it away from others, which ends their sessions; nobody else does, and nobody so from themselves", async () => {
    await using store = await open(createDatabase);
    const { members, people, secondFactors } = store;
    const grace = await addMember(store, "grace");
    await turnOn(store, grace);
    await people.createSession({
      tokenHash: "t",
      userId: grace,
      createdAt: NOON,
      expiresAt: NOON + 9,
      userAgent: null,
    });
    const reset = (actor: { userId: number; role: "owner" | "manager" }, userId = grace) =>
      members.resetSecondFactor(EVERYTHING, { userId, actor });
    expect(await reset({ userId: 7, role: "manager" })).toEqual({ ok: false, reason: "owner-resets" });
    expect(await reset(OWNER, ADA)).toEqual({ ok: false, reason: "own-factor" });
    expect(await people.getSession("t", NOON)).not.toBeNull();
    expect(await reset(OWNER)).toMatchObject({ ok: true, member: { hasSecondFactor: false } });
    expect([await secondFactors.getSecondFactor(grace), await people.getSession("t", NOON)]).toEqual([null, null]);
  });

  test("an account that is made again after a removal has none", async () => {
    await using store = await open(createDatabase);
    const grace = await addMember(store, "grace");
    await turnOn(store, grace);
    await store.members.removeMember(EVERYTHING, { userId: grace, actor: OWNER, at: NOON });
    expect(await addMember(store, "grace")).toBe(grace);
    expect(await store.secondFactors.getSecondFactor(grace)).toBeNull();
  });

  test("the organization may require one", async () => {
    await using store = await open(createDatabase);
    for (const isRequired of [true, false]) {
      await store.members.requireSecondFactor(EVERYTHING, isRequired);
      expect(await store.members.isSecondFactorRequired(EVERYTHING)).toBe(isRequired);
      expect((await store.people.getOrganization())?.requiresSecondFactor).toBe(isRequired);
    }
  });

  test("the organization gets another name, and keeps its slug", async () => {
    await using store = await open(createDatabase);
    const before = await store.people.getOrganization();
    await store.members.renameOrganization(EVERYTHING, "Northwind");
    expect(await store.people.getOrganization()).toEqual({ ...before, name: "Northwind" });
  });
}
