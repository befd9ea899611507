import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signIn, type Visitor } from "../support/browse.ts";
import { openCookieBrowser } from "../support/cookie-browser.ts";
import { type OidcServer, startOidcServer } from "../support/oidc-server.ts";
import { type HeaderPairs, openProxiedBrowser } from "../support/proxy-browser.ts";
import { makeSoftAuthenticator } from "../support/soft-authenticator.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

// Every way in, at each of the two things that may have to come before a session. A way that is added belongs in these tables.

const PROXY = "127.0.0.7";
const ADDED: HeaderPairs = [
  ["Remote-User", "mia"],
  ["Remote-Email", "mia@example.com"],
  ["Remote-Groups", "dev"],
];
const INVITATION = /\/invitation\/[\w-]{43}/;

let server: TestServer;
let oidc: OidcServer;
let owner: Visitor;
/** Browsers make passkeys for names. */
let origin: string;
/** Has a second factor, a passkey that only has to be touched, and the address that the providers say. */
let mia: Person;

beforeAll(async () => {
  server = await startServer({
    env: { TRUST_PROXY: "1", ALLOW_PRIVATE_PROVIDERS: "1", PROXY_SIGN_IN_FROM: PROXY },
  });
  origin = `http://localhost:${server.port}`;
  oidc = await startOidcServer({ redirectUris: [`${origin}/sign-in/callback/1`] });
  oidc.signInAs({
    sub: "mia",
    idToken: { groups: ["dev"] },
    userinfo: { email: "mia@example.com", email_verified: true, name: "Mia" },
  });
  owner = await signIn(server);
  const { issuer, clientId, clientSecret } = oidc;
  const acme = { kind: "oidc", name: "Acme", issuer, clientId, clientSecret };
  await owner.post("/settings/sign-in", { intent: "add-provider", ...acme });
  await owner.post("/settings/sign-in", { intent: "add-provider", kind: "proxy", name: "Gate" });
  for (const path of ["/settings/sign-in/1", "/settings/sign-in/2"]) {
    await owner.post(path, { intent: "add-rule", claim: "groups", value: "dev", role: "member" });
    await owner.post(path, { intent: "turn-on" });
  }
  mia = await join("mia");
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await oidc?.[Symbol.asyncDispose]();
});

type Browser = Awaited<ReturnType<typeof openBrowser>>;
type Person = Awaited<ReturnType<typeof join>>;

let browsers = 0;
const openBrowser = () => openCookieBrowser(origin, { from: `192.0.2.${++browsers}` });

const invite = async (more: Record<string, string> = {}) =>
  INVITATION.exec((await owner.post("/settings/invitations", { intent: "invite", role: "member", ...more })).html)?.[0];

const findPath = async (name: string) =>
  /\/settings\/members\/\d+/.exec((await owner.open(`/settings/members?q=${name}`)).html)?.[0] ?? "";

/** Somebody who joined with a password and has passkeys: the second one asks who holds it. */
async function join(name: string) {
  const account = { email: `${name}@example.com`, password: `the password of ${name}` };
  const browser = openBrowser();
  expect((await browser.post((await invite()) ?? "", { name, ...account })).status).toBe(302);
  const device = makeSoftAuthenticator();
  for (const isVerified of [false, true]) {
    const { html } = await browser.post("/sign-in/passkey", { purpose: "add", confirm: account.password });
    const answer = device.create(JSON.parse(html), { origin, isVerified });
    await browser.post("/settings/security", { intent: "add-passkey", name: String(isVerified), answer });
  }
  expect(device.credentials).toHaveLength(2);
  return { ...account, browser, device, path: await findPath(name) };
}

/** Gives the recovery codes. */
async function turnFactorOn({ browser, password }: Person): Promise<string[]> {
  await browser.post("/settings/security", { intent: "begin-factor", confirm: password });
  const { html } = await browser.open("/settings/security");
  const key = /value="((?:[A-Z2-7]{4} ){7}[A-Z2-7]{4})"/.exec(html)?.[1] ?? "";
  const code = new TOTP({ secret: Secret.fromBase32(key.replaceAll(" ", "")) }).generate();
  const on = await browser.post("/settings/security", { intent: "confirm-factor", code });
  return [...new Set(on.html.match(/\b[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}\b/g))];
}

async function givePasskey(browser: Browser, { device }: Person, { isVerified = true, step = "sign-in" } = {}) {
  const { html } = await browser.post("/sign-in/passkey", { purpose: step === "sign-in" ? "sign-in" : "code" });
  const answer = device.get(JSON.parse(html), { origin, isVerified, passkey: isVerified ? 1 : 0 });
  return await browser.post(`/${step}`, { intent: "passkey", answer });
}

async function takeReset(browser: Browser, person: Person) {
  const { html } = await owner.post(person.path, { intent: "reset" });
  const link = /\/reset-password\/[\w-]{43}/.exec(html)?.[0] ?? "";
  return await browser.post(link, { password: person.password });
}

/** A former member who is invited again, with a password that they choose. Their second factor of before is gone. */
async function comeBack(browser: Browser, { path, email, password }: Person) {
  expect((await owner.post(path, { intent: "remove" })).status).toBe(200);
  const link = await invite({ email });
  return await browser.post(link ?? "", { name: "Mia", email, password });
}

const isIn = async (browser: { open(path: string): Promise<{ status: number; html: string }> }) =>
  (await browser.open("/settings")).status === 200;

describe("with a second factor", () => {
  let codes: string[];
  beforeAll(async () => {
    codes = await turnFactorOn(mia);
    expect(codes).toHaveLength(10);
  });

  test.each<[string, (browser: Browser) => Promise<{ to: string | null; url: string }>]>([
    ["a password", (browser) => browser.post("/sign-in", { email: mia.email, password: mia.password })],
    ["a provider", (browser) => browser.follow(`${origin}/sign-in/with/1`, (url) => url.includes("/sign-in/code"))],
    ["a link for a new password", (browser) => takeReset(browser, mia)],
  ])("%s leads to the code, and to no session before one is right", async (_, enter) => {
    const browser = openBrowser();
    const entered = await enter(browser);
    expect(new URL(entered.to ?? "").pathname).toBe("/sign-in/code");
    expect(await isIn(browser)).toBe(false);
    for (const code of ["", "000000", "aaaa-bbbb-cccc"])
      expect((await browser.post("/sign-in/code", { code })).status).toBe(400);
    expect(await isIn(browser)).toBe(false);
    // The code is all that was missing.
    expect((await browser.post("/sign-in/code", { code: codes.pop() ?? "" })).status).toBe(302);
    expect(await isIn(browser)).toBe(true);
  });

  test("the proxy leads to the code, with each page again", async () => {
    const browser = openProxiedBrowser(server.url, { from: PROXY, adds: ADDED });
    expect((await browser.open("/settings")).html).toContain("Enter your code");
    expect((await browser.ask("/settings")).to).toContain("/sign-in");
  });

  test("a passkey alone is enough where the device asks who holds it, and nothing where it does not", async () => {
    const touched = openBrowser();
    expect((await givePasskey(touched, mia, { isVerified: false })).status).toBe(400);
    expect(await isIn(touched)).toBe(false);
    const asked = openBrowser();
    expect((await givePasskey(asked, mia)).status).toBe(302);
    expect(await isIn(asked)).toBe(true);
  });

  test("who waits with the code is not let in by a provider that was turned off since", async () => {
    const browser = openBrowser();
    await browser.follow(`${origin}/sign-in/with/1`);
    await owner.post("/settings/sign-in/1", { intent: "turn-off" });
    expect((await browser.post("/sign-in/code", { code: codes.pop() ?? "" })).to).toContain("/sign-in?");
    expect(await isIn(browser)).toBe(false);
    await owner.post("/settings/sign-in/1", { intent: "turn-on" });
  });
});

describe("where the organization requires a provider", () => {
  let leo: Person;
  let codes: string[];
  const waiting = openBrowserLater();
  beforeAll(async () => {
    leo = await join("leo");
    codes = await turnFactorOn(leo);
    await waiting().post("/sign-in", { email: leo.email, password: leo.password });
    await owner.post("/settings/sign-in", { intent: "require-provider" });
  });

  // Before the table, in which the password is changed: that would end what was begun, too.
  test("sessions that were there have ended, and a code or a passkey does not finish what was begun before", async () => {
    expect(await isIn(leo.browser)).toBe(false);
    const browser = waiting();
    expect((await givePasskey(browser, leo, { step: "sign-in/code" })).to).toContain("/sign-in");
    expect(await isIn(browser)).toBe(false);
    expect((await browser.post("/sign-in/code", { code: codes.pop() ?? "" })).to).toContain("/sign-in");
    expect(await isIn(browser)).toBe(false);
  });

  test.each<[string, (browser: Browser) => Promise<{ to: string | null }>]>([
    ["a password", (browser) => browser.post("/sign-in", { email: leo.email, password: leo.password })],
    ["a passkey", (browser) => givePasskey(browser, leo)],
    ["a link for a new password", (browser) => takeReset(browser, leo)],
    [
      "an invitation",
      async (browser) =>
        browser.post((await invite()) ?? "", { name: "Eve", email: "eve@example.com", password: "a long password" }),
    ],
    ["an invitation of a former member", (browser) => comeBack(browser, leo)],
  ])("%s leads to the provider, and to no session", async (_, enter) => {
    const browser = openBrowser();
    expect((await enter(browser)).to).toContain("/sign-in?only=provider");
    expect(await isIn(browser)).toBe(false);
  });

  test("the proxy lets in whom it names, and an owner gets in with a password", async () => {
    const browser = openProxiedBrowser(server.url, { from: PROXY, adds: ADDED });
    expect((await browser.open("/settings")).html).toContain("Enter your code");
    expect(await isIn(await signIn(server))).toBe(true);
  });
});

/** One browser, opened with the first use. */
function openBrowserLater(): () => Browser {
  let browser: Browser | null = null;
  return () => (browser ??= openBrowser());
}
