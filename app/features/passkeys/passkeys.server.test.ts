import { join } from "node:path";
import { generateRegistrationOptions } from "@simplewebauthn/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeSoftAuthenticator } from "../../../tests/support/soft-authenticator.ts";
import { makeTempFolder } from "../../../tests/support/temp-folder.ts";
import { MAX_PASSKEYS } from "../../domain/people/passkey.ts";
import type { PasswordHasher } from "../../domain/people/password-hasher.ts";
import { openTestState } from "../../stores/sqlite/sqlite-state-database.ts";
import { EVERYTHING } from "../../stores/state/contract/fixture.ts";
import { finishSignIn } from "../auth/finish-sign-in.server.ts";
import { beginPasskey } from "./begin-passkey.server.ts";
import { changePasskeys } from "./change-passkeys.server.ts";
import { giveCodeByPasskey, signInByPasskey } from "./sign-in-by-passkey.server.ts";

const ORIGIN = "https://culprit.example";
const NOON = Date.UTC(2026, 10, 28, 12);
const ADA = 1;
const MINUTE = 60_000;
const GONE = "This took too long, or began in another browser. Try again.";
const UNKNOWN = "This passkey is not known here. It may have been removed. Sign in another way.";

// better-auth asks the clock itself.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: NOON }));
afterEach(() => void vi.useRealTimers());

const passwords: PasswordHasher = {
  findBusy: () => null,
  hash: async (password) => ({ ok: true, hash: password }),
  verify: async (password, hash) => ({ ok: true, isRight: hash === password }),
};

type Passkeys = Awaited<ReturnType<typeof openTeam>>["parts"]["passkeys"];

/** Ada, the owner, and Mia, a member. Each has a password; both have a second factor where `hasFactors`. */
async function openTeam({ hasFactors = true } = {}) {
  const folder = makeTempFolder();
  const state = await openTestState({ path: join(folder.path, "state.sqlite") });
  const owner = { email: "ada@example.com", name: "Ada", passwordHash: "p" };
  await state.people.setUp({ organization: { slug: "acme", name: "Acme" }, owner, project: null, at: NOON });
  const mia = await state.people.createMember({
    ...{ email: "mia@example.com", name: "Mia", passwordHash: "p" },
    ...{ role: "member", teamIds: [], projectIds: [], at: NOON },
  });
  for (const userId of hasFactors ? [ADA, mia] : []) {
    await state.secondFactors.beginSecondFactor({ userId, secret: "A", at: NOON });
    await state.secondFactors.confirmSecondFactor({ userId, secret: "A", step: 1, recoveryCodeHashes: [], at: NOON });
  }
  const { people, secondFactors, providerSignIns, links, passkeys, audit } = state;
  return {
    state,
    mia,
    parts: {
      ...{ people, secondFactors, providerSignIns, links, passkeys, audit, passwords },
      settings: { publicUrl: null as string | null },
    },
    async [Symbol.asyncDispose]() {
      await state.close();
      folder[Symbol.dispose]();
    },
  };
}

type Team = Awaited<ReturnType<typeof openTeam>>;
type Parts = Team["parts"];

/** Each browser is in a network of its own, so that no limit of another test meets it. */
let browsers = 0;

/** A browser that keeps cookies, at `origin`. */
function openBrowser({ parts }: { parts: Parts }, { origin = ORIGIN } = {}) {
  const jar = new Map<string, string>();
  const clientAddress = `2001:db8:${(browsers++).toString(16)}::1`;
  const keep = (cookies: readonly string[]) => {
    for (const cookie of cookies) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
  };
  const send = () => ({
    request: new Request(`${origin}/sign-in`, {
      method: "POST",
      headers: { cookie: [...jar].map((pair) => pair.join("=")).join("; ") },
    }),
    ...{ origin, clientAddress, isSecure: true, now: Date.now() },
  });
  const give = async (how: typeof signInByPasskey, answer: string, more: Partial<Parts>) => {
    const given = await how({ ...parts, ...more }, { ...send(), answer, to: "/issues" });
    if (!given.ok) return given.reason === "wrong" ? `${given.message} ${given.account ?? "-"}` : given.reason;
    keep(given.response.headers.getSetCookie());
    return given.response.headers.get("location") ?? "";
  };
  return {
    jar,
    isSignedIn: () => jar.has("culprit_session"),
    async begin(purpose: string, { viewer = null as number | null, confirm = "p" } = {}) {
      const form = new FormData();
      form.set("purpose", purpose);
      form.set("confirm", confirm);
      const user = viewer === null ? null : await parts.people.getUser(viewer);
      const begun = await beginPasskey(parts, { ...send(), form, viewer: user });
      if (!begun.ok) throw new Error(begun.message);
      keep(begun.setCookies);
      return begun.options as Parameters<ReturnType<typeof makeSoftAuthenticator>["create"]>[0];
    },
    async add(viewer: number, answer: string, more: Partial<Parts> = {}) {
      const form = new FormData();
      for (const [name, value] of [["intent", "add-passkey"] as const, ["name", "Key"] as const]) form.set(name, value);
      form.set("answer", answer);
      const user = await parts.people.getUser(viewer);
      if (!user) throw new Error("no such member");
      const added = await changePasskeys({ ...parts, ...more }, { ...send(), viewer: user, form });
      if (added.ok) keep(added.setCookies);
      return added.ok ? added.done : `${added.status} ${added.message}`;
    },
    /** The right password, for somebody with a second factor. */
    async giveFirst(userId: number) {
      const response = await finishSignIn(parts, "/issues", { ...send(), userId, by: "password" });
      expect(response.headers.get("location")).toBe("/sign-in/code");
      keep(response.headers.getSetCookie());
    },
    signIn: (answer: string, more: Partial<Parts> = {}) => give(signInByPasskey, answer, more),
    code: (answer: string, more: Partial<Parts> = {}) => give(giveCodeByPasskey, answer, more),
  };
}

type Options = { excludeCredentials: unknown };
type Making = Parameters<ReturnType<typeof makeSoftAuthenticator>["create"]>[1];

async function addDevice(team: Team, userId: number, making: Partial<Making> = {}) {
  const device = makeSoftAuthenticator();
  const browser = openBrowser(team, { origin: making.origin ?? ORIGIN });
  const options = await browser.begin("add", { viewer: userId });
  expect(await browser.add(userId, device.create(options, { origin: ORIGIN, ...making }))).toContain("is added");
  return device;
}

const right = { origin: ORIGIN };
const isChallenge = expect.stringMatching(/^[\w-]{43}$/);
/** The store with other answers. */
const change = (passkeys: Passkeys, other: Partial<Passkeys>): { passkeys: Passkeys } => ({
  passkeys: { ...passkeys, ...other },
});

test("browsers get what they got of the library alone", async () => {
  await using team = await openTeam();
  await addDevice(team, team.mia);
  const device = await addDevice(team, ADA);
  const [own] = device.credentials;
  const ownId = own?.id.toString("base64url");
  const elsewhere = "https://other.example";
  await addDevice(team, ADA, { origin: elsewhere });
  const alone = { challenge: isChallenge, rpId: "culprit.example", timeout: 5 * MINUTE, userVerification: "required" };
  expect(await openBrowser(team).begin("sign-in")).toEqual(alone);
  const browser = openBrowser(team);
  await browser.giveFirst(ADA);
  expect(await browser.begin("code")).toEqual({
    ...alone,
    userVerification: "preferred",
    allowCredentials: [{ id: ownId, type: "public-key", transports: ["internal"] }],
  });
  expect(await openBrowser(team).begin("add", { viewer: ADA })).toEqual({
    challenge: isChallenge,
    rp: { name: "Culprit", id: "culprit.example" },
    // One for all passkeys of an account, also of other sites.
    user: { id: own?.userHandle, name: "ada@example.com", displayName: "Ada" },
    // Passkeys of today may have any key that the library takes, so the plugin has to use this version of it.
    pubKeyCredParams: (await generateRegistrationOptions({ rpName: "x", rpID: "x", userName: "x" })).pubKeyCredParams,
    ...{ timeout: 5 * MINUTE, attestation: "none", extensions: { credProps: true }, hints: [] },
    excludeCredentials: [{ id: ownId, type: "public-key", transports: ["internal"] }],
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred", requireResidentKey: false },
  });
  const handles = (await team.parts.passkeys.listPasskeys(ADA)).map(({ userHandle }) => userHandle);
  expect(handles).toEqual([own?.userHandle, own?.userHandle]);
  expect((await openBrowser(team).begin("add", { viewer: team.mia })).user.id).not.toBe(own?.userHandle);
});

test("a challenge is for its purpose alone", async () => {
  await using team = await openTeam();
  const device = await addDevice(team, ADA);
  const purposes = ["sign-in", "code", "add"] as const;
  for (const begun of purposes)
    for (const given of purposes) {
      const browser = openBrowser(team);
      await browser.giveFirst(ADA);
      const options = await browser.begin(begun, { viewer: ADA });
      const result =
        given === "add"
          ? await browser.add(ADA, makeSoftAuthenticator().create({ ...MADE, ...options }, right))
          : await browser[given === "code" ? "code" : "signIn"](device.get(options, right));
      expect([begun, given, browser.isSignedIn()]).toEqual([begun, given, begun === given && given !== "add"]);
      expect(result).toContain(
        begun === given
          ? given === "add"
            ? "is added"
            : "/issues"
          : "This took too long, or began in another browser.",
      );
    }
  expect(await team.parts.passkeys.listPasskeys(ADA)).toHaveLength(2);
});
/** What the options of a sign-in lack for making a passkey all the same. */
const MADE = { rp: { id: "culprit.example" }, user: { id: "someone" } };

test("a challenge for somebody is of no use to somebody else in the same browser", async () => {
  await using team = await openTeam();
  const { mia } = team;
  const [ofAda, ofMia] = [await addDevice(team, ADA), await addDevice(team, mia)];
  const browser = openBrowser(team);
  await browser.giveFirst(ADA);
  const code = await browser.begin("code");
  await browser.giveFirst(mia);
  expect(await browser.code(ofMia.get(code, right))).toBe(`${GONE} -`);
  // Nor is a passkey to a password that is another one's.
  expect(await browser.code(ofAda.get(await browser.begin("code"), right))).toBe(`${UNKNOWN} -`);
  const made = makeSoftAuthenticator().create(await browser.begin("add", { viewer: ADA }), right);
  expect(await browser.add(mia, made)).toContain("400 This took too long");
  expect([browser.isSignedIn(), (await team.parts.passkeys.listPasskeys(mia)).length]).toEqual([false, 1]);
});

test("an answer is of use once, also of a device that does not count, and for ten minutes", async () => {
  await using team = await openTeam();
  const device = await addDevice(team, ADA, { counter: 0 });
  const ask = (options: { challenge: string }) => device.get(options, { ...right, counterStep: 0 });
  const browser = openBrowser(team);
  const answer = ask(await browser.begin("sign-in"));
  const cookies = new Map(browser.jar);
  const stolen = () => {
    const other = openBrowser(team);
    for (const [name, value] of cookies) other.jar.set(name, value);
    return other;
  };
  const both = await Promise.all([browser.signIn(answer), stolen().signIn(answer), stolen().signIn(answer)]);
  expect(both.sort()).toEqual(["/issues", `${GONE} -`, `${GONE} -`]);
  expect(await stolen().signIn(answer)).toBe(`${GONE} -`);
  const slow = openBrowser(team);
  const late = ask(await slow.begin("sign-in"));
  vi.setSystemTime(NOON + 10 * MINUTE - 1);
  expect(await slow.signIn(late)).toBe("/issues");
  vi.setSystemTime(NOON + 10 * MINUTE);
  const over = ask(await slow.begin("sign-in"));
  vi.setSystemTime(NOON + 20 * MINUTE);
  expect(await slow.signIn(over)).toBe(`${GONE} -`);
  // A wrong answer uses it up, too.
  const wrong = await slow.begin("sign-in");
  expect(await slow.signIn(device.get(wrong, { origin: "https://evil.example", counterStep: 0 }))).toContain(
    "was not accepted",
  );
  expect(await slow.signIn(ask(wrong))).toBe(`${GONE} -`);
});

test("what another browser has, or nobody sealed, is no challenge", async () => {
  await using team = await openTeam();
  const device = await addDevice(team, ADA);
  const [browser, other] = [openBrowser(team), openBrowser(team)];
  const answer = device.get(await browser.begin("sign-in"), right);
  expect(await openBrowser(team).signIn(answer)).toBe(`${GONE} -`);
  await other.begin("sign-in");
  expect(await other.signIn(answer)).toBe("The passkey was not accepted. Try again. ada@example.com");
  const sealed = browser.jar.get("culprit_passkey") ?? "";
  for (const forged of [`${sealed.slice(0, -8)}AAAA${sealed.slice(-4)}`, "x", encodeURIComponent(btoa('{"a":1}'))]) {
    const third = openBrowser(team);
    third.jar.set("culprit_passkey", forged);
    third.jar.set("culprit.challenge", "AAAA.BBBB");
    expect(await third.signIn(answer)).toBe(`${GONE} -`);
  }
  expect(await browser.signIn(answer)).toBe("/issues");
});

test("the site has to be right: of the answer, of the passkey, and of the request", async () => {
  await using team = await openTeam();
  const device = await addDevice(team, ADA);
  const browser = openBrowser(team);
  const ask = async () => await browser.begin("sign-in");
  expect(await browser.signIn(device.get(await ask(), { origin: "https://evil.example" }))).toContain("not accepted");
  const [credential] = device.credentials;
  if (!credential) throw new Error("the device has a passkey");
  credential.rpId = "evil.example";
  expect(await browser.signIn(device.get(await ask(), right))).toContain("not accepted");
  credential.rpId = "culprit.example";
  const elsewhere = openBrowser(team, { origin: "https://other.example" });
  const away = device.get(await elsewhere.begin("sign-in"), { origin: "https://other.example" });
  expect(await elsewhere.signIn(away)).toBe(`${UNKNOWN} -`);
  const settings = { publicUrl: "https://other.example" };
  expect(await browser.signIn(device.get(await ask(), right), { settings })).toContain(
    "Passkeys belong to https://other",
  );
  expect(await browser.signIn(device.get(await ask(), right))).toBe("/issues");
});

test("alone, the device has to ask who holds it; a refusal moves nothing", async () => {
  await using team = await openTeam();
  const device = await addDevice(team, ADA, { isVerified: false });
  const browser = openBrowser(team);
  const touched = device.get(await browser.begin("sign-in"), { ...right, isVerified: false });
  expect(await browser.signIn(touched)).toContain("Your device did not ask who you are.");
  expect(await browser.signIn(touched)).toBe(`${GONE} -`);
  expect(await team.parts.passkeys.listPasskeys(ADA)).toMatchObject([{ usedAt: null }]);
  await browser.giveFirst(ADA);
  expect(await browser.code(device.get(await browser.begin("code"), { ...right, isVerified: false }))).toBe("/issues");
  expect(browser.jar.has("culprit_first_step")).toBe(false);
  expect(await team.parts.passkeys.listPasskeys(ADA)).toMatchObject([{ usedAt: NOON }]);
});

test("an answer that names another account is refused, whatever was signed", async () => {
  await using team = await openTeam();
  const [ofAda, ofMia] = [await addDevice(team, ADA), await addDevice(team, team.mia)];
  const browser = openBrowser(team);
  const answer = JSON.parse(ofAda.get(await browser.begin("sign-in"), right));
  answer.response.userHandle = ofMia.credentials[0]?.userHandle;
  const refused = "This passkey is of another account. ada@example.com";
  expect(await browser.signIn(JSON.stringify(answer))).toBe(refused);
  answer.response.userHandle = "";
  const again = JSON.parse(ofAda.get(await browser.begin("sign-in"), right));
  again.response.userHandle = "";
  expect(await browser.signIn(JSON.stringify(again))).toBe(refused);
  // Keys that know no account name none.
  const silent = JSON.parse(ofAda.get(await browser.begin("sign-in"), right));
  delete silent.response.userHandle;
  expect(await browser.signIn(JSON.stringify(silent))).toBe("/issues");
});

test("a counter that went back, or that another request has moved, is refused", async () => {
  await using team = await openTeam();
  const device = await addDevice(team, ADA);
  const browser = openBrowser(team);
  const ask = async (counterStep: number) => device.get(await browser.begin("sign-in"), { ...right, counterStep });
  expect(await browser.signIn(await ask(0))).toContain("it may have been copied");
  expect(await browser.signIn(await ask(-1))).toContain("it may have been copied");
  expect(await browser.signIn(await ask(5))).toBe("/issues");
  expect(await team.parts.passkeys.findPasskey(device.credentials[0]?.id.toString("base64url") ?? "")).toMatchObject({
    counter: 5,
  });
  const { passkeys } = team.parts;
  // Between the look at the counter and the note, somebody else was in time.
  const raced = change(passkeys, {
    async notePasskeyUse(use) {
      expect(await passkeys.notePasskeyUse(use)).toBe(true);
      return await passkeys.notePasskeyUse(use);
    },
  });
  expect(await openBrowser(team).signIn(await ask(1), raced)).toBe(`${GONE} -`);
  expect(await browser.signIn(await ask(1), raced)).toBe("This answer was used. Try again. ada@example.com");
});

test("who was removed does not get in, and where a provider is required only owners do", async () => {
  await using team = await openTeam();
  const { mia, state, parts } = team;
  const [ofAda, ofMia] = [await addDevice(team, ADA), await addDevice(team, mia)];
  const required = { providerSignIns: { ...parts.providerSignIns, listOffered: async () => REQUIRED } };
  const [ada, other] = [openBrowser(team), openBrowser(team)];
  expect(await other.signIn(ofMia.get(await other.begin("sign-in"), right), required)).toBe("/sign-in?only=provider");
  expect([other.isSignedIn(), await parts.people.listSessions(mia, NOON)]).toEqual([false, []]);
  expect(await ada.signIn(ofAda.get(await ada.begin("sign-in"), right), required)).toBe("/issues");
  await state.members.removeMember(EVERYTHING, { userId: mia, actor: { userId: ADA, role: "owner" }, at: NOON });
  expect(await other.signIn(ofMia.get(await other.begin("sign-in"), right))).toBe(`${UNKNOWN} -`);
});
const REQUIRED = { providers: [], isRequired: true };

test("a passkey alone is both factors; each way is noted as it was", async () => {
  await using team = await openTeam();
  const device = await addDevice(team, ADA);
  const notes: unknown[] = [];
  const audit = { ...team.parts.audit, note: async (note: { after?: unknown }) => void notes.push(note.after) };
  const browser = openBrowser(team);
  expect(await browser.signIn(device.get(await browser.begin("sign-in"), right), { audit })).toBe("/issues");
  await browser.giveFirst(ADA);
  expect(await browser.code(device.get(await browser.begin("code"), right), { audit })).toBe("/issues");
  expect(notes).toEqual([{ by: "passkey" }, { by: "password, passkey" }]);
  // Nothing of it is left in the browser.
  expect([...browser.jar.keys()].sort()).toEqual(["culprit_browser", "culprit_session"]);
  expect(await openBrowser(team).code("{}")).toBe("gone");
});

test("what is no answer of a browser, or a huge one, is refused before anything is looked at", async () => {
  await using team = await openTeam();
  const device = await addDevice(team, ADA);
  const browser = openBrowser(team);
  const answer = JSON.parse(device.get(await browser.begin("sign-in"), right));
  const huge = { ...answer, response: { ...answer.response, clientDataJSON: "A".repeat(12_000) } };
  const odd = [
    "",
    "{",
    "[]",
    "null",
    JSON.stringify(huge),
    JSON.stringify({ ...answer, id: { $ne: "" } }),
    JSON.stringify({ ...answer, response: null }),
  ];
  for (const text of odd) expect(await browser.signIn(text)).toBe("Your browser sent no passkey. -");
  expect(await browser.add(ADA, "{}")).toContain("400 Your browser made no passkey");
  const long = JSON.parse(makeSoftAuthenticator().create(await browser.begin("add", { viewer: ADA }), right));
  long.response.transports = ["x".repeat(21)];
  expect(await browser.add(ADA, JSON.stringify(long))).toContain("400 Your browser made no passkey");
  for (const part of ["rawId", "type", "response"] as const) {
    const odd = JSON.parse(device.get(await browser.begin("sign-in"), right));
    const made = JSON.parse(makeSoftAuthenticator().create(await browser.begin("add", { viewer: ADA }), right));
    for (const text of [odd, made]) text[part] = part === "response" ? {} : 1;
    await browser.begin("sign-in");
    expect(await browser.signIn(JSON.stringify(odd))).toContain("was not accepted");
    await browser.begin("add", { viewer: ADA });
    expect(await browser.add(ADA, JSON.stringify(made))).toContain("The new passkey was not accepted.");
  }
  // Bytes that are no CBOR, no JSON and no signature.
  for (const name of ["authenticatorData", "clientDataJSON", "signature"]) {
    const broken = JSON.parse(device.get(await browser.begin("sign-in"), right));
    broken.response[name] = "AAAA";
    expect(await browser.signIn(JSON.stringify(broken))).toContain("was not accepted");
    const made = JSON.parse(makeSoftAuthenticator().create(await browser.begin("add", { viewer: ADA }), right));
    made.response[name === "signature" ? "attestationObject" : "clientDataJSON"] = "AAAA";
    expect(await browser.add(ADA, JSON.stringify(made))).toContain("The new passkey was not accepted.");
  }
});

test("an account has a bounded number, and a credential is known once", async () => {
  await using team = await openTeam();
  const device = await addDevice(team, ADA);
  const browser = openBrowser(team);
  const full = `409 It is known already, or you have ${MAX_PASSKEYS} passkeys. Remove one first.`;
  const { passkeys } = team.parts;
  const options = await browser.begin("add", { viewer: ADA });
  const made = device.create(options, right);
  expect(await browser.add(ADA, made, change(passkeys, { addPasskey: async () => false }))).toBe(full);
  expect(await browser.add(ADA, made)).toContain("400 This took too long");
  expect(await passkeys.listPasskeys(ADA)).toHaveLength(1);
  expect(await passkeys.listPasskeys(ADA)).toMatchObject([
    { name: "Key", site: "culprit.example", transports: ["internal"], isBackedUp: false, createdAt: NOON },
  ]);
});

test("a device that names no way to it is asked without one, and one that was copied to an account says so", async () => {
  await using team = await openTeam();
  const device = makeSoftAuthenticator();
  const browser = openBrowser(team);
  const made = JSON.parse(device.create(await browser.begin("add", { viewer: ADA }), right));
  delete made.response.transports;
  expect(await browser.add(ADA, JSON.stringify(made))).toContain("is added");
  const { excludeCredentials } = (await browser.begin("add", { viewer: ADA })) as unknown as Options;
  expect(excludeCredentials).toEqual([{ id: made.id, type: "public-key" }]);
  const { passkeys } = team.parts;
  expect(await passkeys.listPasskeys(ADA)).toMatchObject([{ transports: [], isBackedUp: false }]);
  expect(await browser.signIn(device.get(await browser.begin("sign-in"), { ...right, isBackedUp: true }))).toBe(
    "/issues",
  );
  expect(await passkeys.listPasskeys(ADA)).toMatchObject([{ isBackedUp: true, usedAt: NOON }]);
});

test("a fault of the store is no wrong passkey", async () => {
  await using team = await openTeam();
  const device = await addDevice(team, ADA);
  const { passkeys, people } = team.parts;
  const fail = async () => {
    throw new Error("the disk is full");
  };
  const browser = openBrowser(team);
  const ask = async () => device.get(await browser.begin("sign-in"), right);
  const broken = [
    change(passkeys, { findPasskey: fail }),
    change(passkeys, { notePasskeyUse: fail }),
    { people: { ...people, createSession: fail } },
    { people: { ...people, getUser: fail } },
  ];
  for (const parts of broken) await expect(browser.signIn(await ask(), parts)).rejects.toThrow("the disk is full");
  const made = makeSoftAuthenticator().create(await browser.begin("add", { viewer: ADA }), right);
  await expect(browser.add(ADA, made, change(passkeys, { addPasskey: fail }))).rejects.toThrow("the disk is full");
});
