import { createServer } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../app/domain/time.ts";
import { waitFor } from "../support/api.ts";
import { signIn, type Visitor } from "../support/browse.ts";
import { openCookieBrowser } from "../support/cookie-browser.ts";
import { partsOf, startMailServer } from "../support/mail-server.ts";
import { type OidcServer, startOidcServer } from "../support/oidc-server.ts";
import { makeServerClock } from "../support/server-clock.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

// People whose account at the provider is gone: their sessions, their tokens, and accounts that have no password.

const folder = makeTempFolder();
const clock = makeServerClock(folder.path);
let server: TestServer;
let mail: Awaited<ReturnType<typeof startMailServer>>;
let owner: Visitor;
/** 1 gives no refresh tokens, 2 does. */
let providers: OidcServer[];

beforeAll(async () => {
  mail = await startMailServer();
  const port = await findPort();
  const url = `http://127.0.0.1:${port}`;
  server = await startServer({
    port,
    env: {
      ...clock.env,
      ...{ TRUST_PROXY: "1", ALLOW_PRIVATE_PROVIDERS: "1" },
      ...{ SMTP_URL: mail.url, MAIL_FROM: "errors@example.com", PUBLIC_URL: url },
    },
  });
  owner = await signIn(server);
  providers = await Promise.all(
    [false, true].map((givesRefreshTokens, at) =>
      startOidcServer({ redirectUris: [`${url}/sign-in/callback/${at + 1}`], givesRefreshTokens }),
    ),
  );
  for (const [at, { issuer, clientId, clientSecret }] of providers.entries()) {
    await owner.post("/settings/sign-in", {
      ...{ intent: "add-provider", kind: "oidc", name: `Acme ${at + 1}`, issuer, clientId, clientSecret },
    });
    const path = `/settings/sign-in/${at + 1}`;
    await owner.post(path, { intent: "add-rule", claim: "groups", value: "dev", role: "member" });
    await owner.post(path, { intent: "turn-on" });
  }
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  for (const provider of providers ?? []) await provider[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function findPort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, "127.0.0.1", () => done()));
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  return typeof address === "object" && address ? address.port : 0;
}

/** Signs somebody in by provider 1 or 2, in a browser of their own. */
async function comeBy(provider: 1 | 2, sub: string, { groups = ["dev"] } = {}) {
  providers[provider - 1]?.signInAs({
    sub,
    idToken: { groups },
    userinfo: { email: `${sub}@example.com`, email_verified: true, name: sub },
  });
  const browser = openCookieBrowser(server.url, { from: "192.0.2.1" });
  const answer = await browser.follow(`${server.url}/sign-in/with/${provider}`);
  expect(answer.status).toBe(200);
  return browser;
}

type Browser = Awaited<ReturnType<typeof comeBy>>;

async function makeToken(browser: Browser): Promise<string> {
  const fields = { intent: "create", kind: "personal", name: "mine", scope: "project:read", expires: "never" };
  const { html } = await browser.post("/settings/tokens", fields);
  return /sntryu_[0-9a-f]{64}/.exec(html)?.[0] ?? "";
}

const askWith = async (token: string) => {
  const answer = await fetch(`${server.url}/api/0/projects/`, { headers: { authorization: `Bearer ${token}` } });
  return { status: answer.status, text: await answer.text() };
};

test("a session asks its provider again after the hours: silently, without losing the page or the second session", async () => {
  clock.setAhead(0);
  const browser = await comeBy(1, "mia");
  clock.setAhead(7 * HOUR_MS);
  expect((await browser.open("/projects")).status).toBe(200);
  clock.setAhead(8 * HOUR_MS + MINUTE_MS);
  // What somebody typed before the time ran out is taken.
  const name = { intent: "profile", name: "Mia", email: "mia@example.com" };
  expect((await browser.post("/settings", name)).html).toContain("Your name is saved");
  const hops: string[] = [];
  const again = await browser.follow(`${server.url}/projects?query=x`, (url) => {
    hops.push(url);
    return false;
  });
  expect([again.status, again.url]).toEqual([200, `${server.url}/projects?query=x`]);
  expect(hops.some((url) => url.includes("prompt=none"))).toBe(true);
  expect((await browser.open("/projects")).status).toBe(200);
  // A form that comes hours later is not.
  clock.setAhead(17 * HOUR_MS);
  expect((await browser.post("/settings", name)).to).toContain("/sign-in");
  providers[0]?.endAccount("mia");
  const gone = await browser.follow(`${server.url}/projects`);
  expect([gone.status, gone.url]).toEqual([200, `${server.url}/sign-in?to=%2Fprojects`]);
  expect(gone.html).toContain("Sign in with Acme 1");
  // The session is over: the provider is not asked again for each page.
  expect((await browser.open("/sign-in")).status).toBe(200);
});

function readRenewalTokens(): unknown[] {
  using db = new DatabaseSync(join(server.dataDir, "state.sqlite"), { readOnly: true });
  const rows = db.prepare("SELECT renewal_token AS kept FROM sessions WHERE renewal_token IS NOT NULL").all();
  return rows.map(({ kept }) => kept);
}

test("with a refresh token, who is gone at the provider is out within an hour", async () => {
  clock.setAhead(0);
  const browser = await comeBy(2, "leo");
  const other = await comeBy(2, "pia");
  // What the provider gave is of no use to who reads the file.
  expect(readRenewalTokens()).not.toEqual([]);
  for (const kept of readRenewalTokens()) expect(kept).toMatch(/^sealed:/);
  clock.setAhead(61 * MINUTE_MS);
  const answers = await Promise.all(["/projects", "/issues", "/logs"].map((path) => browser.open(path)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  providers[1]?.endAccount("leo");
  // It was asked a minute ago.
  clock.setAhead(62 * MINUTE_MS);
  expect((await browser.open("/projects")).status).toBe(200);
  clock.setAhead(123 * MINUTE_MS);
  expect((await browser.open("/projects")).to).toContain("/sign-in");
  expect((await other.open("/projects")).status).toBe(200);
  // The claims of a sign-in are asked for after the hours all the same.
  clock.setAhead(9 * HOUR_MS);
  expect((await other.open("/projects")).to).toContain("/sign-in?to=");
  expect((await other.follow(`${server.url}/projects`)).url).toBe(`${server.url}/projects`);
});

test("personal tokens of somebody who stays away are refused with a sentence, and work again after a sign-in", async () => {
  clock.setAhead(0);
  const token = await makeToken(await comeBy(1, "tom"));
  expect((await askWith(token)).status).toBe(200);
  clock.setAhead(14 * DAY_MS - MINUTE_MS);
  expect((await askWith(token)).status).toBe(200);
  clock.setAhead(14 * DAY_MS + MINUTE_MS);
  const refused = await askWith(token);
  expect([refused.status, refused.text]).toEqual([401, expect.stringContaining("for 14 days. It works again once")]);
  await comeBy(1, "tom");
  expect((await askWith(token)).status).toBe(200);
  // Owners set the days, and tokens of people who need no provider go on.
  expect(
    (await owner.post("/settings/sign-in", { intent: "provider-limits", sessionHours: "0", tokenDays: "2" })).html,
  ).toContain("A whole number from 1 to 168.");
  owner = await signIn(server);
  await owner.post("/settings/sign-in", { intent: "provider-limits", sessionHours: "8", tokenDays: "2" });
  clock.setAhead(17 * DAY_MS);
  expect((await askWith(token)).text).toContain("for 2 days");
  expect((await askWith(server.token)).status).toBe(200);
});

test("an account that a provider made has no password: it gets one by mail, or hears why not", async () => {
  clock.setAhead(0);
  const browser = await comeBy(1, "eva");
  const page = await browser.open("/settings");
  expect(page.html).toContain("Your account has no password");
  expect(page.html).not.toContain("Confirm with your password");
  const moved = { intent: "profile", name: "Eva", email: "eva@elsewhere.example" };
  expect((await browser.post("/settings", moved)).html).toContain("so its address is that of your provider");
  owner = await signIn(server);
  await owner.post("/settings/sign-in", { intent: "require-provider" });
  expect((await browser.open("/settings")).html).toContain("only owners have one");
  expect((await browser.post("/settings", { intent: "mail-password" })).status).toBe(409);
  await owner.post("/settings/sign-in", { intent: "allow-passwords" });
  expect((await browser.post("/settings", { intent: "mail-password" })).html).toContain("A link is on its way");
  await waitFor("the mail", async () => mail.received.length > 0);
  const [received] = mail.received;
  expect(received?.to).toEqual(["eva@example.com"]);
  const link = /http\S+\/reset-password\/[\w-]{43}/.exec(received ? (partsOf(received)["text/plain"] ?? "") : "")?.[0];
  const fresh = openCookieBrowser(server.url, { from: "192.0.2.2" });
  await fresh.ask(link ?? "", { password: "the password of eva" });
  expect((await fresh.open("/settings")).html).toContain("Current password");
});
