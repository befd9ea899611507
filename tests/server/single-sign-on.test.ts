import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pressUndo, signIn, type Visitor } from "../support/browse.ts";
import { openCookieBrowser } from "../support/cookie-browser.ts";
import { type OidcAccount, type OidcServer, startOidcServer } from "../support/oidc-server.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

let server: TestServer;
let oidc: OidcServer;
let owner: Visitor;
beforeAll(async () => {
  server = await startServer({ env: { TRUST_PROXY: "1", ALLOW_PRIVATE_PROVIDERS: "1" } });
  oidc = await startOidcServer({ redirectUris: [`${server.url}/sign-in/callback/1`] });
  owner = await signIn(server);
  const { issuer, clientId, clientSecret } = oidc;
  const added = await owner.post("/settings/sign-in", {
    intent: "add-provider",
    kind: "oidc",
    name: "Acme",
    issuer: `${issuer}/`,
    clientId,
    clientSecret,
  });
  expect(added.url).toBe(`${server.url}/settings/sign-in/1`);
  expect(added.html).not.toContain(clientSecret);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await oidc?.[Symbol.asyncDispose]();
});

const openBrowser = (from: string, cookie = "") => openCookieBrowser(server.url, { from, cookie });

/** Signs in at the provider as this account. */
async function signInAt(account: OidcAccount, { from = "192.0.2.1", search = "" } = {}) {
  oidc.signInAs(account);
  const browser = openBrowser(from);
  return { browser, answer: await browser.follow(`${server.url}/sign-in/with/1${search}`) };
}

const change = (fields: Record<string, string>) => owner.post("/settings/sign-in/1", fields);
const person = (sub: string, groups: string[], more: object = {}): OidcAccount => ({
  sub,
  idToken: { groups },
  userinfo: { email: `${sub}@example.com`, email_verified: true, name: sub.toUpperCase(), ...more },
});
const findRole = async (name: string) =>
  / selected="">(Owner|Manager|Admin|Member|Viewer): /.exec(
    (await owner.open(`/settings/members/${await findId(name)}`)).html,
  )?.[1];
const findId = async (name: string) =>
  new RegExp(`settings/members/(\\d+)"[^>]*>${name}<`).exec(
    (await owner.open(`/settings/members?q=${name}`)).html,
  )?.[1];

test("a test sign-in shows the claims that came, also those of the id_token alone, and what they would give", async () => {
  expect((await openBrowser("192.0.2.9").open("/sign-in/with/1")).status).toBe(404);
  await owner.post("/settings/teams", { intent: "create", name: "Shop" });
  const tester = openBrowser("192.0.2.9", owner.cookie);
  oidc.signInAs({
    sub: "t",
    idToken: { groups: ["dev"], realm_access: { roles: ["lead"] } },
    userinfo: { email: "t@example.com" },
  });
  const testUrl = `${server.url}/sign-in/with/1?mode=test`;
  const none = await tester.follow(testUrl);
  expect(none.status).toBe(200);
  expect(none.html).toContain("A sign-in would give no access");
  expect(none.html).toContain("realm_access");
  expect(none.html).toContain("does not say that the address is verified");
  await change({ intent: "add-rule", claim: "groups", value: "dev", role: "member" });
  await change({ intent: "add-rule", claim: "realm_access.roles", value: "lead", role: "admin", team: "1" });
  const given = await tester.follow(testUrl);
  expect(given.html).toContain("A sign-in would give the role Admin");
  expect(given.html).toContain("Shop");
  // Nobody was made a member by it.
  expect((await owner.open("/settings/members?q=t%40example.com")).html).toContain("Nobody matches");
  expect((await openBrowser("192.0.2.9").open("/sign-in/with/1?mode=test")).status).toBe(403);
  const turnedOn = await change({ intent: "turn-on" });
  expect(turnedOn.html).toContain("The sign-in page offers Acme");
  expect((await openBrowser("192.0.2.9").open("/sign-in")).html).toContain("Sign in with Acme");
});

test("a rule that was removed comes back with Undo, unless the rules were changed since", async () => {
  const role = { claim: "realm_access.roles", value: "lead", role: "admin", team: "1" };
  const rulesOf = ({ html }: { html: string }) => [...html.matchAll(/aria-label="Remove the rule ([^"]+)"/g)].length;
  const removed = await change({ intent: "remove-rule", ...role });
  expect([removed.html.includes("The rule is removed."), rulesOf(removed)]).toEqual([true, 1]);
  expect((await change({ intent: "remove-rule", ...role })).status).toBe(404);
  const restored = await pressUndo(owner, removed, "restore-rule");
  expect([restored.html.includes("The rule is back."), rulesOf(restored)]).toEqual([true, 2]);
  expect((await pressUndo(owner, removed, "restore-rule")).status).toBe(409);
  const second = await change({ intent: "remove-rule", claim: "groups", value: "dev", role: "member" });
  await change({ intent: "add-rule", claim: "groups", value: "dev", role: "viewer" });
  const refused = await pressUndo(owner, second, "restore-rule");
  expect([refused.status, refused.html.includes("The rules were changed since.")]).toEqual([409, true]);
  await change({ intent: "remove-rule", claim: "groups", value: "dev", role: "viewer" });
  // What is left is what the removal left, and it goes back to its place.
  expect((await pressUndo(owner, second, "restore-rule")).html).toMatch(/groups = dev.*realm_access.roles = lead/s);
  const log = JSON.parse((await owner.open("/settings/audit/export?format=json&q=action%3Aprovider.change")).html);
  expect(log[0].changes).toEqual([
    {
      field: "rules",
      before: ["realm_access.roles = lead: admin, shop"],
      after: ["groups = dev: member", "realm_access.roles = lead: admin, shop"],
    },
  ]);
});

test("claims make a member with role and teams; at the next sign-in, other claims change both, and none end access", async () => {
  const lead = { ...person("leo", ["dev"]), idToken: { groups: ["dev"], realm_access: { roles: ["lead"] } } };
  const { browser, answer } = await signInAt(lead, { search: "?to=%2Fprojects" });
  expect([answer.status, answer.url]).toEqual([200, `${server.url}/projects`]);
  expect(await findRole("LEO")).toBe("Admin");
  const [added] = JSON.parse((await owner.open("/settings/audit/export?format=json&q=action%3Amember.add")).html);
  expect(added).toMatchObject({
    actor: { kind: "server", name: "rules of Acme" },
    target: { name: "LEO <leo@example.com>" },
    changes: [
      { field: "role", after: "admin" },
      { field: "teams", after: ["shop"] },
    ],
  });
  const id = (await findId("LEO")) ?? "";
  expect((await owner.open(`/settings/members/${id}`)).html).toContain("signs in with Acme");
  await owner.post("/settings/teams/shop", { intent: "access", member: id, "member-before": id, project: "1" });
  expect((await owner.open(`/settings/members/${id}`)).html).toContain(
    "LEO is in the team Shop, which has shop. A rule of Acme put them there.",
  );
  await signInAt(person("leo", ["dev"]));
  expect(await findRole("LEO")).toBe("Member");
  // The session from before goes on, with what the role allows now.
  expect((await browser.open("/issues")).status).toBe(200);
  expect((await browser.open("/projects/new")).status).toBe(403);
  const ended = await signInAt(person("leo", []));
  expect(ended.answer.status).toBe(403);
  expect(ended.answer.html).toContain("gives no access here");
  expect((await browser.open("/issues")).to).toContain("/sign-in");
  expect((await signInAt(person("leo", ["dev"]))).answer.status).toBe(200);
  // Somebody who was removed by hand does not come back by claims.
  await owner.post(`/settings/members/${await findId("LEO")}`, { intent: "remove" });
  const removed = await signInAt(person("leo", ["dev"]));
  expect([removed.answer.status, removed.answer.html.includes("were removed")]).toEqual([403, true]);
  const failed = JSON.parse((await owner.open("/settings/audit/export?format=json&q=action%3Asession.failed")).html);
  expect(failed).toHaveLength(1);
});

test("who has no matching claim, or an address of somebody else, gets nothing", async () => {
  const nobody = await signInAt(person("nina", ["sales"]));
  expect([nobody.answer.status, nobody.answer.html.includes("gives no access")]).toEqual([403, true]);
  const taken = person("eve", ["dev"], { email: server.owner.email, email_verified: false });
  const refused = await signInAt(taken);
  expect([refused.answer.status, refused.answer.html.includes("A member has your address")]).toEqual([403, true]);
  expect((await refused.browser.open("/issues")).to).toContain("/sign-in");
  const unknown = await signInAt({ sub: "x", idToken: { groups: ["dev"] }, userinfo: {} });
  expect(unknown.answer.html).toContain("gave no e-mail address");
});

test("another account of the provider with a member's address is refused, until an owner disconnects the member", async () => {
  expect((await signInAt(person("rosa", ["dev"]))).answer.status).toBe(200);
  const again = person("rosa of another realm", ["dev"], { email: "rosa@example.com" });
  const refused = await signInAt(again);
  expect([refused.answer.status, refused.answer.html.includes("another account of the provider")]).toEqual([403, true]);
  expect((await refused.browser.open("/issues")).to).toContain("/sign-in");
  expect((await owner.open("/settings/audit")).html).toContain("another account of the provider has the address");
  const done = await owner.post(`/settings/members/${await findId("ROSA")}`, { intent: "disconnect" });
  expect(done.html).toContain("ROSA is disconnected");
  expect((await signInAt(again)).answer.status).toBe(200);
});

test("an owner by hand connects the provider, stays an owner whatever the claims say, and can disconnect", async () => {
  oidc.signInAs(person("ada", []));
  const browser = openBrowser("192.0.2.20", owner.cookie);
  const hidden = { headers: { accept: "text/html", cookie: owner.cookie }, redirect: "manual" } as const;
  const begun = await fetch(`${server.url}/sign-in/with/1?mode=connect`, hidden);
  expect([begun.status, begun.headers.get("set-cookie")], "a link on a page that hides where it is").toEqual([
    403,
    null,
  ]);
  // Somebody who found a browser that is signed in has no password.
  const toAcme = `${server.url}/sign-in/with/1?mode=connect`;
  const unconfirmed = await browser.ask(toAcme);
  expect([unconfirmed.status, unconfirmed.html.includes("Confirm with your password first")]).toEqual([403, true]);
  const give = (confirm: string, provider = "1") =>
    browser.post("/settings/security", { intent: "connect", provider, confirm });
  const wrong = await give("a guess");
  expect([wrong.status, wrong.html.includes("This is not your current password.")]).toEqual([400, true]);
  expect((await browser.ask(toAcme)).status).toBe(403);
  await give(server.owner.password, "99");
  expect((await browser.ask(toAcme)).status, "the password was given for another provider").toBe(403);
  expect((await give(server.owner.password)).html).toContain("Go on to Acme");
  const connected = await browser.follow(toAcme);
  expect(connected.html).toContain("Acme is connected. You can sign in with it.");
  expect(connected.html).toContain("Disconnect Acme");
  const { answer, browser: other } = await signInAt(person("ada", []));
  expect(answer.status).toBe(200);
  expect((await other.open("/settings/sign-in")).status).toBe(200);
  await owner.post("/settings/security", { intent: "disconnect", provider: "1" });
  // A session that began there is over with it.
  expect((await other.open("/issues")).to).toContain("/sign-in");
  expect((await signInAt(person("ada", []))).answer.status).toBe(403);
});

test("an answer is of use once, in the browser that asked, with its state", async () => {
  oidc.signInAs(person("mia", ["dev"]));
  const isCallback = (url: string) => url.includes("/sign-in/callback/");
  const browser = openBrowser("192.0.2.30");
  const { to } = await browser.follow(`${server.url}/sign-in/with/1`, isCallback);
  const callback = to ?? "";
  expect(isCallback(callback)).toBe(true);
  expect((await openBrowser("192.0.2.31").ask(callback)).status).toBe(400);
  const other = openBrowser("192.0.2.32");
  await other.follow(`${server.url}/sign-in/with/1`, isCallback);
  expect((await other.ask(callback)).status).toBe(400);
  expect((await browser.ask(callback.replace(/state=[^&]+/, "state=another"))).status).toBe(400);
  const strange = await browser.ask(`${server.url}/sign-in/callback/1?error=access_denied&state=another`);
  expect([strange.status, strange.html.includes("Begin again")]).toEqual([400, true]);
  // better-auth would read the last one, and the provider's library the first.
  expect((await browser.ask(`${callback}&code=another`)).status).toBe(400);
  const denied = `${server.url}/sign-in/callback/1?error=access_denied&error_description=%3Cb%3Eno%3C%2Fb%3E&state=${new URL(callback).searchParams.get("state")}&iss=${encodeURIComponent(oidc.issuer)}`;
  const refused = await browser.ask(denied);
  expect([refused.status, refused.html.includes("You cancelled at Acme"), refused.html.includes("<b>no")]).toEqual([
    403,
    true,
    false,
  ]);
  expect((await browser.ask(callback)).status).toBe(302);
  expect((await browser.ask(callback)).status).toBe(400);
});

test("where passwords are for owners only, others use the provider, and a second factor is still asked for", async () => {
  const link = /\/invitation\/[\w-]{43}/.exec(
    (await owner.post("/settings/invitations", { intent: "invite", role: "member" })).html,
  )?.[0];
  const byHand = openBrowser("192.0.2.40");
  const account = { email: "hana@example.com", password: "the password of hana" };
  await byHand.ask(server.url + link, { name: "Hana", ...account });
  expect((await byHand.open("/issues")).status).toBe(200);
  await owner.post("/settings/sign-in", { intent: "require-provider" });
  expect((await byHand.open("/issues")).to).toContain("/sign-in");
  const withPassword = await byHand.ask(`${server.url}/sign-in?to=%2Fprojects`, account);
  expect(withPassword.to).toBe(`${server.url}/sign-in?only=provider&to=%2Fprojects`);
  const refused = await byHand.open("/sign-in?only=provider&to=%2Fprojects");
  expect(refused.html).toContain("signs in with a provider");
  expect(refused.html).toContain('href="/sign-in/with/1?to=%2Fprojects"');
  await signIn(server);
  // By the verified address; the role that was given by hand stays.
  const { answer } = await signInAt({
    ...person("hana", ["dev"]),
    idToken: { groups: ["dev"], realm_access: { roles: ["lead"] } },
  });
  expect(answer.status).toBe(200);
  expect(await findRole("Hana")).toBe("Member");
  // Turning the provider off ends its sessions and lets passwords in again.
  await change({ intent: "turn-off" });
  expect((await byHand.ask(`${server.url}/sign-in`, account)).to).toBe(`${server.url}/issues`);
  await change({ intent: "turn-on" });
});

test("GitHub: organizations and teams are claims, and an answer of another sign-in is refused", async () => {
  const github = createServer((req, res) => {
    const json = (value: unknown) => res.setHeader("content-type", "application/json").end(JSON.stringify(value));
    const { pathname, searchParams } = new URL(req.url ?? "/", "http://github.test");
    if (pathname === "/login/oauth/authorize") {
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      back.search = new URLSearchParams({ code: "c0de", state: searchParams.get("state") ?? "" }).toString();
      return res.writeHead(302, { location: back.href }).end();
    }
    if (pathname === "/login/oauth/access_token") return json({ access_token: "gho_x", token_type: "bearer" });
    if (req.headers.authorization !== "Bearer gho_x") return res.writeHead(401).end();
    if (pathname === "/api/v3/user") return json({ id: 42, login: "octo", name: null });
    if (pathname === "/api/v3/user/emails")
      return json([{ email: "octo@example.com", primary: true, verified: true, visibility: null }]);
    if (pathname === "/api/v3/user/orgs") return json([{ login: "acme" }]);
    return json([{ slug: "leads", organization: { login: "acme" } }]);
  });
  await new Promise<void>((resolve) => github.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(github.address() as AddressInfo).port}`;
  try {
    const added = await owner.post("/settings/sign-in", {
      ...{ intent: "add-provider", kind: "github", issuer, clientId: "id", clientSecret: "secret" },
    });
    const path = new URL(added.url).pathname;
    const id = path.split("/").at(-1);
    await owner.post(path, { intent: "add-rule", claim: "teams", value: "acme/leads", role: "manager" });
    await owner.post(path, { intent: "turn-on" });
    const browser = openBrowser("192.0.2.50");
    const wrong = openBrowser("192.0.2.51");
    await wrong.follow(`${server.url}/sign-in/with/${id}`, (url) => url.includes("/callback/"));
    const other = await wrong.ask(`${server.url}/sign-in/callback/${id}?code=c0de&state=other`);
    expect([other.status, other.html.includes("Begin again.")]).toEqual([400, true]);
    expect((await browser.follow(`${server.url}/sign-in/with/${id}`)).status).toBe(200);
    expect(await findRole("octo")).toBe("Manager");
  } finally {
    github.closeAllConnections();
    github.close();
  }
});

test("a wrong secret and an empty issuer are told by name", async () => {
  const empty = await owner.post("/settings/sign-in", {
    ...{ intent: "add-provider", kind: "oidc", issuer: "", clientId: "id", clientSecret: "secret" },
  });
  expect([empty.status, empty.html.includes("Give an address like https://login.example.com.")]).toEqual([400, true]);
  const save = { intent: "save", name: "Acme", issuer: oidc.issuer, clientId: oidc.clientId, scopes: "openid" };
  await change({ ...save, clientSecret: "another secret" });
  oidc.signInAs(person("ada", []));
  const tester = openBrowser("192.0.2.60", owner.cookie);
  const failed = await tester.follow(`${server.url}/sign-in/with/1?mode=test`);
  expect([failed.status, failed.html.includes("does not take this client ID with this secret")]).toEqual([502, true]);
  await change({ ...save, clientSecret: oidc.clientSecret, scopes: "openid profile email groups" });
});

test("a provider at a private address is not asked unless the operator allows it", async () => {
  await using strict = await startServer();
  const visitor = await signIn(strict);
  const { issuer, clientId, clientSecret } = oidc;
  await visitor.post("/settings/sign-in", {
    ...{ intent: "add-provider", kind: "oidc", name: "Inside", issuer, clientId, clientSecret },
  });
  const asked = await visitor.open("/sign-in/with/1?mode=test");
  expect(asked.status).toBe(502);
  expect(asked.html).toContain("ALLOW_PRIVATE_PROVIDERS");
  // Strangers hear neither of settings nor of addresses.
  await visitor.post("/settings/sign-in/1", { intent: "turn-on" });
  const stranger = await (await fetch(`${strict.url}/sign-in/with/1`)).text();
  expect(stranger).toContain("Tell an owner");
  expect(stranger).not.toMatch(/ALLOW_PRIVATE|127\.0\.0\.1/);
  // Who tests is signed in, and goes back to what they were about to change.
  expect(asked.html).toContain("The test sign-in failed");
  expect(asked.html).toContain('href="/settings/sign-in/1"');
  await visitor.post("/settings/sign-in/1", {
    ...{ intent: "save", name: "Inside", issuer: issuer.replace("http:", "https:"), clientId, scopes: "openid" },
  });
  expect((await visitor.open("/sign-in/with/1?mode=test")).html).toContain("is not at a public address");
});
