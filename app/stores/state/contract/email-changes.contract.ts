import { expect, test } from "vitest";
import { type CreateStateDatabase, EVERYTHING, NOON, openStore } from "./fixture.ts";

const ADA = 1;
const LATER = NOON + 1_000;

async function open(createDatabase: CreateStateDatabase) {
  const store = await openStore(createDatabase);
  const owner = { email: "ada@example.com", name: "Ada", passwordHash: "x" };
  await store.people.setUp({ organization: { slug: "acme", name: "Acme" }, owner, project: null, at: NOON });
  const account = { email: "grace@example.com", name: "Grace", passwordHash: "y" };
  await store.people.createMember({ ...account, role: "member", teamIds: [], projectIds: [], at: NOON });
  return store;
}

const undo = (tokenHash: string) => ({ tokenHash, expiresAt: LATER });

export function describeEmailChanges(createDatabase: CreateStateDatabase): void {
  test("a new address holds once its link is used, once, and ends mailed links for a password", async () => {
    await using store = await open(createDatabase);
    const { emailChanges, people, invitations, links } = store;
    const ask = (tokenHash: string, email: string) =>
      emailChanges.askEmailChange({ tokenHash, userId: ADA, email, expiresAt: LATER });
    expect([
      await ask("t", "GRACE@example.com"),
      await ask("t1", "a@example.com"),
      await ask("t2", "b@example.com"),
    ]).toEqual([false, true, true]);
    // The earlier link is over.
    expect(await emailChanges.findEmailChange("t1", NOON)).toBeNull();
    expect(await emailChanges.findEmailChange("t2", LATER)).toBeNull();
    expect((await people.getUser(ADA))?.email).toBe("ada@example.com");
    await invitations.createReset({ tokenHash: "r", userId: ADA, at: NOON, expiresAt: LATER });
    const confirm = { tokenHash: "t2", undo: undo("u"), at: NOON };
    const change = { userId: ADA, isUndo: false, from: "ada@example.com", to: "b@example.com" };
    expect([await emailChanges.confirmEmailChange(confirm), await emailChanges.confirmEmailChange(confirm)]).toEqual([
      change,
      null,
    ]);
    expect((await people.getUser(ADA))?.email).toBe("b@example.com");
    expect(await people.findCredentials("b@example.com")).not.toBeNull();
    expect(await links.findReset("r", NOON)).toBeNull();
  });

  test("a new password ends what somebody who knew the old one asked for: links for another address, and for a password", async () => {
    await using store = await open(createDatabase);
    const { emailChanges, people, invitations, links } = store;
    const ask = () =>
      emailChanges.askEmailChange({ tokenHash: "t", userId: ADA, email: "thief@example.com", expiresAt: LATER });
    const mailReset = () => invitations.createReset({ tokenHash: "r", userId: ADA, at: NOON, expiresAt: LATER });
    const confirm = () => emailChanges.confirmEmailChange({ tokenHash: "t", undo: undo("u"), at: NOON });
    await ask();
    await mailReset();
    await people.changePassword(ADA, "changed");
    expect([await confirm(), await links.findReset("r", NOON)]).toEqual([null, null]);
    await ask();
    await mailReset();
    expect(await links.takeReset({ tokenHash: "r", passwordHash: "set by a link", now: NOON })).toBe(true);
    expect(await confirm()).toBeNull();
    // The link that takes a change back stays: a thief may have changed both the address and the password.
    await emailChanges.setEmail({ userId: ADA, email: "b@example.com", undo: undo("v"), at: NOON });
    await people.changePassword(ADA, "changed again");
    expect(await emailChanges.findEmailChange("v", NOON)).toMatchObject({ isUndo: true });
  });

  test("of two who ask for one address, the first to confirm has it", async () => {
    await using store = await open(createDatabase);
    const { emailChanges } = store;
    for (const [userId, tokenHash] of [
      [ADA, "a"],
      [2, "g"],
    ] as const)
      await emailChanges.askEmailChange({ tokenHash, userId, email: "new@example.com", expiresAt: LATER });
    expect(await emailChanges.confirmEmailChange({ tokenHash: "a", undo: undo("u"), at: NOON })).not.toBeNull();
    expect(await emailChanges.confirmEmailChange({ tokenHash: "g", undo: undo("v"), at: NOON })).toBeNull();
  });

  test("the former address takes a change back, with the ways in that came since, and gets a link for a password", async () => {
    await using store = await open(createDatabase);
    const { emailChanges, people, passkeys, push, tokens, links, providers, providerSignIns } = store;
    const token = { kind: "personal", name: "t", scopes: [], hint: "x", userId: ADA, expiresAt: null } as const;
    const passkey = {
      userId: ADA,
      userHandle: "h",
      site: "s",
      publicKey: new Uint8Array(1),
      counter: 0,
      transports: [],
    };
    for (const [name, at] of [
      ["before", NOON],
      ["since", NOON + 20],
    ] as const) {
      await tokens.createToken({ ...token, scopes: [], name, tokenHash: name, at });
      await passkeys.addPasskey({ ...passkey, credentialId: name, isBackedUp: false, name, createdAt: at });
      await push.subscribe(
        ADA,
        { endpoint: `https://push.example/${name}`, p256dh: "p", auth: "a", browser: name },
        at,
      );
    }
    const provider = { name: "A", issuer: "https://a.example", clientId: "c", clientSecret: "s", scopes: "openid" };
    for (const [at, subject] of [
      [NOON, "ada"],
      [NOON + 20, "thief"],
    ] as const) {
      const made = await providers.createProvider(EVERYTHING, { ...provider, kind: "oidc", at });
      await providerSignIns.connectProvider({ providerId: made?.id ?? 0, subject, userId: ADA, at });
    }
    await people.createSession({ tokenHash: "s", userId: ADA, createdAt: NOON, expiresAt: LATER, userAgent: null });
    await emailChanges.setEmail({ userId: ADA, email: "thief@example.com", undo: undo("u"), at: NOON + 10 });
    expect(await emailChanges.findEmailChange("u", NOON)).toMatchObject({ isUndo: true, to: "ada@example.com" });
    expect(await emailChanges.confirmEmailChange({ tokenHash: "u", undo: undo("v"), at: NOON })).toBeNull();
    const back = { tokenHash: "u", reset: { tokenHash: "r", expiresAt: LATER }, at: NOON + 30 };
    expect([await emailChanges.undoEmailChange(back), await emailChanges.undoEmailChange(back)]).toEqual([true, false]);
    expect((await people.getUser(ADA))?.email).toBe("ada@example.com");
    expect(await people.getSession("s", NOON)).toBeNull();
    expect((await tokens.listTokens()).map(({ name }) => name)).toEqual(["before"]);
    expect((await passkeys.listPasskeys(ADA)).map(({ name }) => name)).toEqual(["before"]);
    expect((await push.listBrowsers(ADA)).map(({ browser }) => browser)).toEqual(["before"]);
    expect((await providerSignIns.listConnected(ADA)).map(({ usedAt }) => usedAt)).toEqual([NOON]);
    expect(await links.findReset("r", NOON)).toEqual({ userId: ADA, email: "ada@example.com" });
  });

  test("an owner sets the address of somebody, unless another has it", async () => {
    await using store = await open(createDatabase);
    const { emailChanges } = store;
    const set = (email: string, userId = 2) => emailChanges.setEmail({ userId, email, undo: null, at: NOON });
    expect(await set("Ada@Example.com")).toBeNull();
    expect(await set("grace@new.example")).toMatchObject({ from: "grace@example.com", to: "grace@new.example" });
    expect(await set("x@example.com", 99)).toBeNull();
  });
}
