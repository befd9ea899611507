import { expect, test } from "vitest";
import { MAX_PASSKEYS } from "../../../domain/people/passkey.ts";
import type { NewPasskey } from "../passkey-store.ts";
import { type CreateStateDatabase, EVERYTHING, NOON, openStore } from "./fixture.ts";

const ADA = 1;

async function open(createDatabase: CreateStateDatabase) {
  const store = await openStore(createDatabase);
  const owner = { email: "ada@example.com", name: "Ada", passwordHash: "x" };
  await store.people.setUp({ organization: { slug: "acme", name: "Acme" }, owner, project: null, at: NOON });
  return store;
}

const SHOWN = {
  userHandle: "of-ada",
  site: "errors.example.com",
  transports: ["internal", "hybrid"],
  isBackedUp: false,
  name: "Phone",
  createdAt: NOON,
};

function make(credentialId: string, more: Partial<NewPasskey> = {}): NewPasskey {
  return { ...SHOWN, credentialId, userId: ADA, publicKey: new Uint8Array([1, 2, 255]), counter: 3, ...more };
}

export function describePasskeys(createDatabase: CreateStateDatabase): void {
  test("a passkey is found by its credential, and its key comes back byte by byte", async () => {
    await using store = await open(createDatabase);
    const { passkeys } = store;
    expect([await passkeys.hasPasskeys(), await passkeys.findPasskey("a")]).toEqual([false, null]);
    expect(await passkeys.addPasskey(make("a"))).toBe(true);
    expect(await passkeys.hasPasskeys()).toBe(true);
    const shown = { ...SHOWN, id: 1, credentialId: "a", usedAt: null };
    expect(await passkeys.listPasskeys(ADA)).toEqual([shown]);
    const found = await passkeys.findPasskey("a");
    expect(found).toMatchObject({ ...shown, userId: ADA, counter: 3 });
    expect([...(found?.publicKey ?? [])]).toEqual([1, 2, 255]);
    // A credential is of one account.
    expect(await passkeys.addPasskey(make("a"))).toBe(false);
  });

  test("a use moves the counter on once: of two requests with the same one, one is refused", async () => {
    await using store = await open(createDatabase);
    const { passkeys } = store;
    await passkeys.addPasskey(make("a"));
    const use = { passkeyId: 1, counter: 3, nextCounter: 4, isBackedUp: true, at: NOON + 5 };
    expect([await passkeys.notePasskeyUse(use), await passkeys.notePasskeyUse(use)]).toEqual([true, false]);
    expect(await passkeys.findPasskey("a")).toMatchObject({ counter: 4, usedAt: NOON + 5, isBackedUp: true });
    // Many authenticators do not count.
    await passkeys.addPasskey(make("b", { counter: 0 }));
    const uncounted = { ...use, passkeyId: 2, counter: 0, nextCounter: 0 };
    expect([await passkeys.notePasskeyUse(uncounted), await passkeys.notePasskeyUse(uncounted)]).toEqual([true, true]);
  });

  test("people rename and remove their own alone, and have a bounded number", async () => {
    await using store = await open(createDatabase);
    const { passkeys, people } = store;
    const account = { email: "grace@example.com", name: "Grace", passwordHash: "x" };
    const grace = await people.createMember({ ...account, role: "member", teamIds: [], projectIds: [], at: NOON });
    await passkeys.addPasskey(make("a"));
    expect(await passkeys.renamePasskey({ userId: grace, passkeyId: 1, name: "Mine" })).toBe(false);
    expect(await passkeys.removePasskey({ userId: grace, passkeyId: 1 })).toBeNull();
    expect(await passkeys.renamePasskey({ userId: ADA, passkeyId: 1, name: "Laptop" })).toBe(true);
    expect((await passkeys.listPasskeys(ADA)).map(({ name }) => name)).toEqual(["Laptop"]);
    expect(await passkeys.removePasskey({ userId: ADA, passkeyId: 1 })).toBe("Laptop");
    expect(await passkeys.findPasskey("a")).toBeNull();
    for (let at = 0; at < MAX_PASSKEYS; at++) expect(await passkeys.addPasskey(make(`of ${at}`))).toBe(true);
    expect(await passkeys.addPasskey(make("one more"))).toBe(false);
    expect(await passkeys.addPasskey(make("of grace", { userId: grace }))).toBe(true);
  });

  test("of somebody who was removed none signs in, and who is added again has none", async () => {
    await using store = await open(createDatabase);
    const { passkeys, people, members } = store;
    const account = { email: "grace@example.com", name: "Grace", passwordHash: "x" };
    const member = { ...account, role: "member", teamIds: [], projectIds: [], at: NOON } as const;
    const grace = await people.createMember(member);
    await passkeys.addPasskey(make("g", { userId: grace }));
    const actor = { userId: ADA, role: "owner" } as const;
    await members.removeMember(EVERYTHING, { userId: grace, actor, at: NOON });
    expect([await passkeys.findPasskey("g"), await passkeys.hasPasskeys()]).toEqual([null, false]);
    await members.restoreMember(EVERYTHING, { userId: grace, actor, at: NOON });
    expect(await passkeys.findPasskey("g")).not.toBeNull();
    await members.removeMember(EVERYTHING, { userId: grace, actor, at: NOON });
    expect(await people.createMember(member)).toBe(grace);
    expect(await passkeys.listPasskeys(grace)).toEqual([]);
  });

  test("an owner who resets a second factor takes the passkeys with it: the device may be in other hands", async () => {
    await using store = await open(createDatabase);
    const { passkeys, people, members } = store;
    const account = { email: "grace@example.com", name: "Grace", passwordHash: "x" };
    const grace = await people.createMember({ ...account, role: "member", teamIds: [], projectIds: [], at: NOON });
    await passkeys.addPasskey(make("g", { userId: grace }));
    expect((await members.getMember(EVERYTHING, grace))?.hasPasskey).toBe(true);
    await members.resetSecondFactor(EVERYTHING, { userId: grace, actor: { userId: ADA, role: "owner" } });
    expect((await members.getMember(EVERYTHING, grace))?.hasPasskey).toBe(false);
  });
}
