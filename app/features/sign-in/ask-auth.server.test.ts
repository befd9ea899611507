import { createHash } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeTempFolder } from "../../../tests/support/temp-folder.ts";
import type { PasswordHasher } from "../../domain/people/password-hasher.ts";
import { SESSION_MS } from "../../domain/user.ts";
import { openTestState } from "../../stores/sqlite/sqlite-state-database.ts";
import { EVERYTHING } from "../../stores/state/contract/fixture.ts";
import { askAuth } from "./ask-auth.server.ts";
import { makeAttempt, type NewAttempt } from "./attempt.server.ts";
import { createAuth } from "./create-auth.server.ts";

const NOON = Date.UTC(2026, 10, 28, 12);
const ADA = 1;

/** Hashes are the passwords backwards. */
const passwords: PasswordHasher = {
  findBusy: () => null,
  hash: async (password) => ({ ok: true, hash: backwards(password) }),
  verify: async (password, hash) => ({ ok: true, isRight: hash === backwards(password) }),
};
const backwards = (text: string) => [...text].reverse().join("");
const busy = { ok: false, reason: "busy", retryAfterSeconds: 5 } as const;

async function openAda(hasher: PasswordHasher = passwords) {
  const folder = makeTempFolder();
  const path = join(folder.path, "state.sqlite");
  const state = await openTestState({ path });
  const owner = { email: "Ada@intranet", name: "Ada", passwordHash: backwards("her password") };
  await state.people.setUp({ organization: { slug: "acme", name: "Acme" }, owner, project: null, at: NOON });
  const { people, secondFactors, providerSignIns, links } = state;
  return {
    state,
    parts: { people, secondFactors, providerSignIns, links, passwords: hasher },
    /** Every text that the file has, whatever table it is in. */
    readFile() {
      const db = new DatabaseSync(path, { readOnly: true });
      const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as Array<{ name: string }>;
      const texts = tables.map(({ name }) => JSON.stringify(db.prepare(`SELECT * FROM "${name}"`).all()));
      db.close();
      return texts.join("\n");
    },
    async [Symbol.asyncDispose]() {
      await state.close();
      folder[Symbol.dispose]();
    },
  };
}

function attempt(more: Partial<NewAttempt> = {}) {
  const headers = { "user-agent": "x".repeat(300) };
  const request = new Request("https://culprit.example/sign-in", { method: "POST", headers });
  return makeAttempt({ request, isSecure: true, now: NOON, by: "password", ...more });
}

const right = { username: "ada@intranet", password: "her password" };

async function confirmFactor({ secondFactors }: Awaited<ReturnType<typeof openAda>>["state"]) {
  await secondFactors.beginSecondFactor({ userId: ADA, secret: "A", at: NOON });
  await secondFactors.confirmSecondFactor({ userId: ADA, secret: "A", step: 1, recoveryCodeHashes: [], at: NOON });
}

test("a session is a row of ours: the hash of its token, for as long as sessions last", async () => {
  await using ada = await openAda();
  const sent = attempt();
  // An address of a company's network, which is none for better-auth.
  const outcome = await askAuth(ada.parts, sent, (api) => api.signInUsername({ body: right }));
  expect(outcome.kind).toBe("answered");
  const token = sent.begun?.token ?? "";
  expect(sent.begun).toEqual({ userId: ADA, token: expect.stringMatching(/^[A-Za-z0-9]{32}$/) });
  expect(ada.readFile()).not.toContain(token);
  const tokenHash = createHash("sha256").update(token).digest("hex");
  const session = { userId: ADA, expiresAt: NOON + SESSION_MS, provider: null };
  expect(await ada.state.people.getSession(tokenHash, NOON)).toEqual(session);
  expect(await ada.state.people.listSessions(ADA, NOON)).toMatchObject([{ userAgent: "x".repeat(256) }]);
});

test("wrong passwords and unknown addresses are refused alike, and both cost a hash", async () => {
  const hash = vi.fn(passwords.hash);
  const verify = vi.fn(passwords.verify);
  await using ada = await openAda({ ...passwords, hash, verify });
  const refused = { kind: "refused", code: "INVALID_USERNAME_OR_PASSWORD" };
  for (const body of [
    { ...right, password: "another" },
    { ...right, username: "nobody@intranet" },
  ])
    expect(await askAuth(ada.parts, attempt(), (api) => api.signInUsername({ body }))).toEqual(refused);
  expect([hash.mock.calls.length, verify.mock.calls.length]).toEqual([1, 1]);
});

test.each(["alone", "before a code"])(
  "a password that is changed while it is compared begins nothing any more: %s",
  async (when) => {
    let change: (() => Promise<void>) | null = null;
    const verify: PasswordHasher["verify"] = async (...args) => {
      const answer = await passwords.verify(...args);
      await change?.();
      return answer;
    };
    await using ada = await openAda({ ...passwords, verify });
    if (when === "before a code") await confirmFactor(ada.state);
    change = () => ada.state.people.changePassword(ADA, backwards("a new password"));
    const sent = attempt();
    const outcome = await askAuth(ada.parts, sent, (api) => api.signInUsername({ body: right }));
    expect(outcome).toEqual({ kind: "delayed", delay: { reason: "password-changed" } });
    expect([sent.begun, await ada.state.people.listSessions(ADA, NOON)]).toEqual([null, []]);
  },
);

test("a full queue makes no session and names its pause", async () => {
  await using ada = await openAda({ ...passwords, verify: async () => busy });
  const outcome = await askAuth(ada.parts, attempt(), (api) => api.signInUsername({ body: right }));
  expect(outcome).toEqual({ kind: "busy", busy });
});

test("no way in goes around the second factor, or around the provider that is required", async () => {
  await using ada = await openAda();
  await confirmFactor(ada.state);
  const ways = [
    (sent: ReturnType<typeof attempt>) => askAuth(ada.parts, sent, (api) => api.signInUsername({ body: right })),
    (sent: ReturnType<typeof attempt>) => askAuth(ada.parts, sent, (api) => api.enter({ body: { userId: "1" } })),
  ];
  const needsProvider = {
    ...ada.state.providerSignIns,
    listOffered: async () => ({ providers: [], isRequired: true }),
  };
  for (const way of ways) {
    const sent = attempt();
    expect(await way(sent)).toEqual({ kind: "delayed", delay: { reason: "second-factor", userId: ADA } });
    expect(sent.begun).toBeNull();
  }
  const mia = await ada.state.people.createMember({
    ...{ email: "mia@example.com", name: "Mia", passwordHash: backwards("pass") },
    ...{ role: "manager", teamIds: [], projectIds: [], at: NOON },
  });
  const required = { ...ada.parts, people: { ...ada.parts.people }, providerSignIns: needsProvider };
  const sent = attempt({ isWhole: true });
  const enter = (userId: number) => askAuth(required, sent, (api) => api.enter({ body: { userId: String(userId) } }));
  expect(await enter(mia)).toEqual({ kind: "delayed", delay: { reason: "provider-only" } });
  expect(await ada.state.people.listSessions(null, NOON)).toEqual([]);
  // Owners can always get in.
  expect((await enter(ADA)).kind).toBe("answered");
});

test("who came by a provider is not let in once it is off or gone, or they are not connected with it any more", async () => {
  await using ada = await openAda();
  const { providers, providerSignIns } = ada.state;
  const settings = { name: "Acme", issuer: "https://acme.example", clientId: "c", clientSecret: "s", scopes: "openid" };
  const provider = await providers.createProvider(EVERYTHING, { ...settings, kind: "oidc", at: NOON });
  const providerId = provider?.id ?? 0;
  const turn = (isEnabled: boolean) => providers.changeProvider(EVERYTHING, { providerId, isEnabled });
  // As after a code, minutes later.
  const enter = async () => {
    const sent = attempt({ isWhole: true, providerId });
    return await askAuth(ada.parts, sent, (api) => api.enter({ body: { userId: "1" } }));
  };
  const gone = { kind: "delayed", delay: { reason: "provider-gone" } };
  await turn(true);
  expect(await enter()).toEqual(gone);
  await providerSignIns.connectProvider({ providerId, subject: "ada", userId: ADA, at: NOON });
  expect((await enter()).kind).toBe("answered");
  await turn(false);
  expect(await enter()).toEqual(gone);
  await turn(true);
  expect((await enter()).kind).toBe("answered");
  await providers.deleteProvider(EVERYTHING, providerId);
  expect(await enter()).toEqual(gone);
  expect(await ada.state.people.listSessions(null, NOON)).toEqual([]);
});

test("a link for a new password is used up with the change, not before: a full queue leaves it", async () => {
  // better-auth compares the end of the link with its own clock.
  vi.useFakeTimers({ toFake: ["Date"], now: NOON });
  onTestFinished(() => void vi.useRealTimers());
  let isFull = true;
  await using ada = await openAda({ ...passwords, hash: async (...args) => (isFull ? busy : passwords.hash(...args)) });
  const resetToken = "r".repeat(43);
  const tokenHash = createHash("sha256").update(resetToken).digest("hex");
  await ada.state.invitations.createReset({ tokenHash, userId: ADA, at: NOON, expiresAt: NOON + 60_000 });
  const reset = (token: string) =>
    askAuth(ada.parts, attempt({ resetToken: token }), (api) =>
      api.resetPassword({ body: { token, newPassword: "a new password" } }),
    );
  expect((await reset(resetToken)).kind).toBe("busy");
  isFull = false;
  expect((await reset("s".repeat(43))).kind).toBe("refused");
  // Two at once: one is in time.
  const both = await Promise.all([reset(resetToken), reset(resetToken)]);
  expect(both.map(({ kind }) => kind).sort()).toEqual(["answered", "gone"]);
  expect((await ada.state.people.findCredentials("ada@intranet"))?.passwordHash).toBe(backwards("a new password"));
});

test("outside of an attempt, and for what Culprit does not use, better-auth gets nothing", async () => {
  await using ada = await openAda();
  const { api } = createAuth(ada.parts);
  await expect(api.enter({ body: { userId: "1" } })).rejects.toThrow("outside of an attempt");
  const account = { email: "eve@example.com", password: "a long password", name: "Eve" };
  const signUp = await askAuth(ada.parts, attempt(), (auth) => auth.signUpEmail({ body: account }));
  expect(signUp).toEqual({ kind: "refused", code: "EMAIL_PASSWORD_SIGN_UP_DISABLED" });
  await expect(
    askAuth(ada.parts, attempt(), (auth) => auth.signInEmail({ body: { email: "a@b.example", password: "x" } })),
  ).resolves.toMatchObject({ kind: "refused" });
  expect(await ada.state.people.listSessions(null, NOON)).toEqual([]);
});
