import { afterAll, beforeAll, expect, test } from "vitest";
import { signIn, type Visitor } from "../support/browse.ts";
import { type HeaderPairs, openProxiedBrowser } from "../support/proxy-browser.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

/** Connections of the proxy come from here; those of everybody else from 127.0.0.1. */
const PROXY = "127.0.0.7";
const ELSEWHERE = "127.0.0.8";

let server: TestServer;
let owner: Visitor;
beforeAll(async () => {
  server = await startServer({
    env: { PROXY_SIGN_IN_FROM: PROXY, PROXY_SIGN_OUT_URL: "https://auth.example.com/logout?rd=x", TRUST_PROXY: "1" },
  });
  owner = await signIn(server);
  await owner.post("/settings/teams", { intent: "create", name: "Shop" });
});
afterAll(() => server?.[Symbol.asyncDispose]());

const named = (user: string, groups = "dev", more: HeaderPairs = []): HeaderPairs => [
  ["Remote-User", user],
  ["Remote-Email", `${user}@example.com`],
  ["Remote-Name", user.toUpperCase()],
  ["Remote-Groups", groups],
  ...more,
];
const openBrowser = (adds: HeaderPairs, from = PROXY) => openProxiedBrowser(server.url, { from, adds });
const isSignedIn = async (adds: HeaderPairs, from = PROXY) =>
  (await openBrowser(adds, from).open("/issues")).to === null &&
  !(await openBrowser(adds, from).open("/issues")).html.includes("Forgot your password?");
const change = (fields: Record<string, string>) => owner.post("/settings/sign-in/1", fields);

test("an owner adds the proxy, tests it with their own headers, gives rules and turns it on", async () => {
  expect((await owner.open("/settings/sign-in")).html).toContain("Add the proxy in front of this server");
  const added = await owner.post("/settings/sign-in", { intent: "add-provider", kind: "proxy", name: "Gate" });
  expect([added.status, added.url]).toEqual([200, `${server.url}/settings/sign-in/1`]);
  expect(added.html).toContain("remote-groups");
  expect((await owner.open("/settings/sign-in")).html).not.toContain("Add the proxy in front of this server");
  const second = await owner.post("/settings/sign-in", { intent: "add-provider", kind: "proxy", name: "Gate 2" });
  expect([second.status, second.html.includes("in the list already")]).toEqual([409, true]);
  // It is off: whom the proxy names gets the password form.
  expect((await openBrowser(named("ada")).open("/issues")).html).toContain("Forgot your password?");

  const tester = openBrowser(named("boss", "admins,dev"));
  const [name = "", value = ""] = owner.cookie.split(/=(.*)/s);
  tester.cookies.set(name, value);
  const none = await tester.open("/sign-in/with/1?mode=test");
  expect([none.status, none.html.includes("A sign-in would give no access")]).toEqual([200, true]);
  await change({ intent: "add-rule", claim: "groups", value: "dev", role: "member", team: "1" });
  await change({ intent: "add-rule", claim: "groups", value: "admins", role: "admin" });
  const given = await tester.open("/sign-in/with/1?mode=test");
  expect(given.html).toContain("A sign-in would give the role Admin");
  expect(given.html).toContain("boss@example.com");
  expect((await change({ intent: "turn-on" })).html).toContain("whom the proxy names is signed in");
});

test("whom the proxy names is signed in where they wanted to go, and other groups hold with the next request", async () => {
  const browser = openBrowser(named("leo"));
  const page = await browser.open("/projects");
  expect([page.status, page.html.includes("LEO")]).toEqual([200, true]);
  expect((await browser.ask("/projects/new")).status).toBe(403);
  browser.setAdded(named("leo", "admins"));
  expect((await browser.ask("/projects/new")).status).toBe(200);
  browser.setAdded(named("leo", "dev"));
  expect((await browser.ask("/projects/new")).status).toBe(403);
  // No group any more: access is over.
  browser.setAdded(named("leo", "sales"));
  expect((await browser.ask("/issues")).to).toContain("/sign-in");
  const refused = await browser.open("/issues");
  expect([refused.status, refused.html.includes("gives no access here")]).toEqual([403, true]);
  // To the form for a password, not round again.
  expect(refused.html).toContain('href="/sign-in?asked=1"');
});

test("the session ends when the proxy stops naming the person, or names somebody else", async () => {
  const silent = openBrowser(named("mia"));
  expect((await silent.open("/issues")).status).toBe(200);
  const kept = new Map(silent.cookies);
  silent.setAdded([]);
  expect((await silent.ask("/issues")).to).toContain("/sign-in");
  silent.setAdded(named("mia"));
  for (const [name, value] of kept) silent.cookies.set(name, value);
  expect((await silent.ask("/issues")).to).toContain("/sign-in");

  const changed = openBrowser(named("mia"));
  await changed.open("/issues");
  changed.setAdded(named("nora"));
  expect((await changed.ask("/issues")).to).toContain("/sign-in");
  expect((await changed.open("/issues")).html).toContain("NORA");
  // A stolen cookie is of no use past the proxy.
  const thief = openBrowser([], ELSEWHERE);
  for (const [name, value] of changed.cookies) thief.cookies.set(name, value);
  expect((await thief.ask("/issues")).to).toContain("/sign-in");
});

test.each<[string, HeaderPairs, string]>([
  ["from another address", named("eve"), ELSEWHERE],
  ["from another address that claims to be the proxy", named("eve", "dev", [["X-Forwarded-For", PROXY]]), ELSEWHERE],
  ["from another address, for the proxy's peer", named("eve", "dev", [["Forwarded", `for=${PROXY}`]]), ELSEWHERE],
  [
    "in other letters, from another address",
    [
      ["REMOTE-USER", "eve"],
      ["remote-email", "e@x.org"],
      ["rEMOTE-groups", "dev"],
    ],
    ELSEWHERE,
  ],
  [
    "with underscores",
    [
      ["Remote_User", "eve"],
      ["Remote_Email", "e@x.org"],
      ["Remote_Groups", "dev"],
    ],
    PROXY,
  ],
  ["twice", [...named("eve"), ["Remote-User", "eve"]], PROXY],
  ["twice in other letters", [...named("eve"), ["REMOTE-USER", "boss"]], PROXY],
  ["as two values in one", named("eve, boss"), PROXY],
  ["with groups twice", [...named("eve"), ["remote-groups", "admins"]], PROXY],
  ["with an empty user", named(""), PROXY],
])("a header %s signs nobody in", async (_, adds, from) => {
  expect(await isSignedIn(adds, from)).toBe(false);
  expect((await openBrowser(adds, from).open("/sign-in/with/1")).status).toBe(502);
});

test("a user with groups with underscores beside gets what the proxy says alone", async () => {
  const browser = openBrowser(named("una", "dev", [["Remote_Groups", "admins"]]));
  expect((await browser.open("/issues")).status).toBe(200);
  expect((await browser.ask("/projects/new")).status).toBe(403);
});

test("another site's form is refused, also where the proxy adds a bearer token of its own", async () => {
  const browser = openBrowser(named("mia", "dev", [["Authorization", "Bearer id-token-of-the-proxy"]]));
  expect((await browser.open("/issues")).status).toBe(200);
  const foreign: HeaderPairs = [
    ["Origin", "https://evil.example.com"],
    ["Sec-Fetch-Site", "cross-site"],
  ];
  expect((await browser.post("/theme", { theme: "dark" }, foreign)).status).toBe(403);
  expect((await browser.post("/theme", { theme: "dark" })).status).not.toBe(403);
  browser.cookies.clear();
  expect((await browser.post("/api/0/projects/default/shop/keys/", {}, foreign)).status).toBe(403);
});

test("signing out leads to the proxy's sign-out, which the policy of pages allows", async () => {
  const browser = openBrowser(named("mia"));
  const page = await browser.open("/issues");
  expect(page.headers["content-security-policy"]).toContain("form-action 'self' https://auth.example.com;");
  const out = await browser.post("/sign-out", {});
  expect([out.status, out.to]).toEqual([302, "https://auth.example.com/logout?rd=x"]);
  // Until the proxy's own session ends, it names the person: a new visit signs in again.
  expect((await browser.open("/issues")).status).toBe(200);
  // A session with a password ends here alone, and nobody is signed in again by themselves.
  const ofOwner = openBrowser(named("mia"));
  await ofOwner.post("/sign-in", server.owner);
  expect((await ofOwner.open("/settings/sign-in")).status).toBe(200);
  const ended = await ofOwner.post("/sign-out", {});
  expect(ended.to).toBe("/sign-in?asked=1");
  expect((await ofOwner.open("/sign-in?asked=1")).html).toContain("Sign in with Gate");
});

test("tokens and ingest ask for no proxy, and one person's attempts lock out nobody else", async () => {
  const api = await fetch(`${server.url}/api/0/organizations/`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  expect(api.status).toBe(200);
  const { pathname, username } = new URL(server.dsn ?? "");
  const store = await fetch(`${server.url}/api${pathname}/store/?sentry_key=${username}`, {
    method: "POST",
    body: JSON.stringify({ message: "from an SDK" }),
  });
  expect(store.status).toBe(200);
  const loud = openBrowser(named("loud", "sales"));
  let status = 0;
  let retryAfter: unknown;
  for (let attempt = 0; attempt < 70 && status !== 429; attempt++) {
    const answer = await loud.ask("/sign-in/with/1");
    status = answer.status;
    retryAfter = answer.headers["retry-after"];
  }
  expect([status, Number(retryAfter) > 0]).toEqual([429, true]);
  expect((await openBrowser(named("calm")).open("/issues")).status).toBe(200);
});

test("where only the proxy signs in, a password is for owners, and the audit log says how somebody came", async () => {
  await owner.post("/settings/sign-in", { intent: "require-provider" });
  expect((await openBrowser(named("mia")).open("/issues")).status).toBe(200);
  const log = await owner.open("/settings/audit");
  expect(log.html).toContain("Gate");
  expect((await change({ intent: "turn-off" })).status).toBe(200);
  expect((await openBrowser(named("mia")).open("/issues")).html).toContain("Forgot your password?");
});
