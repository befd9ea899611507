import { request } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROUTE_RIGHTS } from "../../app/access/route-rights.server.ts";
import { scopeOfServer } from "../../app/access/server-scope.ts";
import { API_SCOPES, type ApiScope, allowsScope } from "../../app/domain/api-token.ts";
import { ROLE_RIGHTS, type Role } from "../../app/domain/people/roles.ts";
import { hashPasswordSync } from "../../app/features/auth/password.server.ts";
import { openSqliteState } from "../../app/stores/sqlite/open-sqlite-state.ts";
import { ENDPOINTS } from "../../app/web-api/endpoints.ts";
import { signIn } from "../support/browse.ts";
import { listRoutes, type TestRoute, toEndpointVisits } from "../support/endpoint-visits.ts";
import { type FurnishedProject, furnishProject } from "../support/furnish-project.ts";
import { get, NO_PAGES, PAGES, type Visit } from "../support/limited-visits.ts";
import { makeToken } from "../support/make-token.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
// For the hash that is made here: it costs what the server expects.
import "../support/quick-passwords.mjs";

// Every route and every endpoint says who may ask, and answers nobody else.

const PASSWORD = "a password of a member";

/** Entries of the audit log about somebody's own account. */
const OF_ONESELF = [
  "session.begin",
  "session.failed",
  "session.end-other",
  "token.create",
  "token.revoke",
  "profile.edit",
];
/** What else the audit log names, and the right that its change takes; only owners may do the rest. */
const RIGHT_OF_NOUN: Readonly<Record<string, ApiScope>> = {
  ...{ issues: "event:write", grouping: "event:write", share: "event:write", deletion: "event:admin" },
  ...{
    upload: "project:releases",
    release: "project:releases",
    deploy: "project:releases",
    silence: "project:releases",
  },
  ...{ project: "project:write", key: "project:write", repository: "project:write" },
  ...{ monitor: "project:write", uptime: "project:write", metric: "project:write", alert: "project:write" },
  ...{ channel: "project:write", notification: "project:write", "status-page": "project:write" },
  ...{ team: "team:write", member: "member:write", invitation: "member:write", quota: "org:write" },
};

let server: TestServer;
let own: FurnishedProject;
let routes: TestRoute[];
let scope: ReturnType<typeof scopeOfServer>;

beforeAll(async () => {
  server = await startServer();
  own = await furnishProject(server, { slug: "alpha", word: "aardvark", version: "ferret@1.0.0" });
  scope = scopeOfServer([Number(own.projectId)]);
  routes = await listRoutes();
});
afterAll(() => server?.[Symbol.asyncDispose]());

/** Signed in; `set` changes the member in the database of the running server. */
async function makeMember(name: string, role: Role, { projectId } = own) {
  const owner = { email: `${name}@example.com`, password: PASSWORD };
  const state = await openSqliteState({ path: join(server.dataDir, "state.sqlite") });
  const userId = await state.people.createMember({
    ...owner,
    name,
    passwordHash: hashPasswordSync(PASSWORD),
    role,
    teamIds: [],
    projectIds: [Number(projectId)],
    at: Date.now(),
  });
  await state.close();
  const { cookie } = await signIn({ url: server.url, owner });
  return { userId, cookie, sender: { url: server.url, owner } };
}

const asOwner = { userId: 1, role: "owner" } as const;

async function withMembers<Result>(
  change: (members: Awaited<ReturnType<typeof openSqliteState>>["members"]) => Result,
) {
  const state = await openSqliteState({ path: join(server.dataDir, "state.sqlite") });
  try {
    return await change(state.members);
  } finally {
    await state.close();
  }
}

async function ask({ method, path, body }: Visit, headers: Record<string, string>) {
  const isJson = body !== undefined && path.startsWith("/api/") && !(body instanceof FormData);
  const answer = await fetch(server.url + path, {
    method,
    redirect: "manual",
    headers: { origin: server.url, ...headers, ...(isJson && { "content-type": "application/json" }) },
    ...(body !== undefined && {
      body: isJson
        ? JSON.stringify(body)
        : body instanceof FormData
          ? body
          : new URLSearchParams(body as Record<string, string>),
    }),
  });
  const to = answer.headers.get("location") ?? "";
  const text = answer.headers.get("content-type")?.startsWith("text/event-stream") ? "" : await answer.text();
  await answer.body?.cancel().catch(() => undefined);
  return { status: answer.status, to, text };
}

const JSON_BODY = { "content-type": "application/json" };

/** A request whose body comes with `finish`, which gives the status. `begun`: the server has asked for the body. */
function sendSlowly(method: string, path: string, headers: Record<string, string>, body: string) {
  const length = Buffer.byteLength(body);
  const sent = request(server.url + path, {
    ...{ method, agent: false },
    headers: { origin: server.url, "content-length": length, expect: "100-continue", ...headers },
  });
  const answered = new Promise<number>((resolve, reject) => {
    sent.once("response", (answer) => resolve(answer.resume().statusCode ?? 0));
    sent.once("error", reject);
  });
  const begun = new Promise<void>((resolve) => {
    sent.once("continue", () => {
      sent.write(body.slice(0, 1));
      // A page that is asked for after it is answered after the request has found out who asks.
      void ask(get("/api/0/"), {}).then(() => resolve());
    });
  });
  sent.flushHeaders();
  return {
    begun,
    finish() {
      sent.end(body.slice(1));
      return answered;
    },
  };
}

/** The first visit of each method of each page, and what the page's rights say of it. */
function listPageVisits() {
  return Object.entries(PAGES).flatMap(([pattern, toVisits]) =>
    ["GET", "POST"].flatMap((method) => {
      const visit = toVisits(own, own).find((each) => each.method === method);
      const rights = ROUTE_RIGHTS[toDeclared(pattern)];
      const allowed = method === "GET" ? rights?.get : rights?.post;
      return visit && allowed ? [{ visit, allowed }] : [];
    }),
  );
}

function toDeclared(pattern: string): string {
  return pattern.length > 1 ? pattern.replace(/\/$/, "") : pattern;
}

const listEndpointVisits = () =>
  ENDPOINTS.flatMap((endpoint) => {
    const [visit] = toEndpointVisits(endpoint, { of: own, own, repositoryId: "1" });
    return visit && endpoint.scopes !== "public" ? [{ visit, scopes: endpoint.scopes }] : [];
  });

describe("rights", () => {
  test("are declared by every route, with a right for its form where it takes one, and by nothing else", () => {
    const paths = new Set(routes.map(({ path }) => toDeclared(path)));
    const known = routes.filter(({ path }) => !NO_PAGES.includes(path));
    expect(known.filter(({ path }) => ROUTE_RIGHTS[toDeclared(path)] === undefined)).toEqual([]);
    expect(known.filter(({ path, hasAction }) => hasAction && !ROUTE_RIGHTS[toDeclared(path)]?.post)).toEqual([]);
    expect(Object.keys(ROUTE_RIGHTS).filter((pattern) => !paths.has(pattern))).toEqual([]);
    expect(ENDPOINTS.filter(({ scopes }) => scopes.length === 0)).toEqual([]);
  });

  test.each(["a stranger", "an expired session"])("%s is sent to the sign-in, or answered 401", async (who) => {
    const headers: Record<string, string> = { accept: "text/html" };
    if (who === "an expired session") {
      const { cookie } = await makeMember("expired", "owner");
      using db = new DatabaseSync(join(server.dataDir, "state.sqlite"), { timeout: 5_000 });
      db.exec(`UPDATE sessions SET expires_at = ${Date.now() - 1} WHERE user_id = (SELECT max(id) FROM users)`);
      headers.cookie = cookie;
    }
    const mistakes: string[] = [];
    for (const { visit, allowed } of listPageVisits()) {
      if (allowed === "anybody") continue;
      const { status, to } = await ask(visit, headers);
      if (status !== 302 || !to.startsWith("/sign-in")) mistakes.push(`${visit.method} ${visit.path}: ${status} ${to}`);
    }
    for (const { visit } of listEndpointVisits()) {
      const { status } = await ask(visit, headers);
      if (status !== 401) mistakes.push(`${visit.method} ${visit.path}: ${status}`);
    }
    expect(mistakes).toEqual([]);
  });

  test.each<Role>(["viewer", "member"])(
    "a %s is answered 403 where the role has no right, and only there",
    async (role) => {
      const { cookie } = await makeMember(role, role);
      const may = (allowed: readonly (typeof API_SCOPES)[number][] | string) =>
        typeof allowed === "string" || allowsScope(ROLE_RIGHTS[role], allowed);
      const mistakes: string[] = [];
      let refused = 0;
      for (const { visit, allowed } of listPageVisits()) {
        if (visit.path === "/sign-out") continue;
        if (may(allowed) && visit.method !== "GET") continue;
        const { status, text } = await ask(visit, { cookie, accept: "text/html" });
        if ((status === 403) === may(allowed))
          mistakes.push(`${visit.method} ${visit.path}: ${status} ${text.slice(0, 99)}`);
        if (status === 403) refused += 1;
      }
      for (const { visit, scopes } of listEndpointVisits()) {
        if (may(scopes) && visit.method !== "GET") continue;
        const { status } = await ask(visit, { cookie });
        const isRefused = status === 403 && visit.path !== "/api/0/auth/";
        if (isRefused === may(scopes)) mistakes.push(`${visit.method} ${visit.path}: ${status}`);
        if (isRefused) refused += 1;
      }
      expect(mistakes).toEqual([]);
      expect(refused).toBeGreaterThan(role === "viewer" ? 30 : 10);
    },
  );

  // The table of rights says of a form who may send it. This says what its pages and endpoints then let somebody change.
  test.each<Role>(["viewer", "member"])(
    "a %s who sends every form and asks every endpoint changes nothing that the role has no right to",
    async (role) => {
      const own = await furnishProject(server, {
        slug: `of-${role}`,
        word: `word-of-${role}`,
        version: `of-${role}@1.0.0`,
      });
      const { cookie, userId } = await makeMember(`${role}-of-forms`, role, own);
      const forms = Object.values(PAGES).flatMap((toVisits) => toVisits(own, own));
      const endpoints = ENDPOINTS.flatMap((endpoint) =>
        toEndpointVisits(endpoint, { of: own, own, repositoryId: "1" }),
      );
      // What deletes things comes last: nothing can be changed any more then.
      const visits = [...forms, ...endpoints.filter(({ method }) => method !== "DELETE"), ...endpoints].filter(
        ({ method, path, isAnonymous }) => method !== "GET" && !isAnonymous && path !== "/sign-out",
      );
      for (const visit of visits) await ask(visit, { cookie, accept: "text/html" });
      using db = new DatabaseSync(join(server.dataDir, "state.sqlite"), { readOnly: true });
      const audited = db
        .prepare("SELECT DISTINCT action FROM audit_entries WHERE actor_kind = 'member' AND actor_id = ?")
        .all(userId)
        .map(({ action }) => String(action));
      const { changed } =
        db.prepare("SELECT count(*) AS changed FROM issue_activity WHERE user_id = ?").get(userId) ?? {};
      const isOwn = (action: string) => OF_ONESELF.includes(action);
      const has = (action: string) =>
        allowsScope(ROLE_RIGHTS[role], [RIGHT_OF_NOUN[action.split(".")[0] ?? ""] ?? "org:admin"]);
      expect(audited.filter((action) => !isOwn(action) && !has(action))).toEqual([]);
      expect(audited).toContain("token.create");
      expect(Number(changed) > 0).toBe(role === "member");
    },
  );

  test("what a page or its data says is kept by no proxy, unless it is the same for everybody", async () => {
    const { cookie } = await makeMember("behind-a-proxy", "owner");
    const mistakes: string[] = [];
    for (const { visit } of listPageVisits()) {
      if (visit.method !== "GET" || ["/sign-out", "/live", "/logs/tail"].includes(visit.path)) continue;
      const [path = "", query = ""] = visit.path.split("?");
      for (const each of [visit.path, `${path === "/" ? "/_root" : path}.data?${query}`]) {
        const answer = await fetch(server.url + each, { redirect: "manual", headers: { cookie } });
        await answer.body?.cancel();
        const said = answer.headers.get("cache-control") ?? "";
        if (!/private|no-store|no-cache/.test(said)) mistakes.push(`${each}: ${answer.status} ${said}`);
      }
    }
    expect(mistakes).toEqual([]);
  });

  test("a revoked token is answered 401 everywhere", async () => {
    const { sender, cookie } = await makeMember("revoker", "owner");
    const token = await makeToken(sender, { kind: "personal", scopes: [...API_SCOPES] });
    const headers = { authorization: `Bearer ${token}` };
    expect((await ask(get("/api/0/"), headers)).status).toBe(200);
    const list = await ask(get("/settings/tokens"), { cookie, accept: "text/html" });
    const id = /name="token" value="(\d+)"/.exec(list.text)?.[1] ?? "";
    await ask({ method: "POST", path: "/settings/tokens", body: { intent: "revoke", token: id } }, { cookie });
    const mistakes: string[] = [];
    for (const { visit } of listEndpointVisits()) {
      const { status } = await ask(visit, headers);
      if (status !== 401) mistakes.push(`${visit.method} ${visit.path}: ${status}`);
    }
    expect(mistakes).toEqual([]);
  });

  // Anybody who signs in chooses the name by which they ask for the server.
  test("links of messages begin with the address of somebody who may change the organization, and with no other", async () => {
    const signInAt = async (host: string, { owner }: { owner: TestServer["owner"] }) => {
      const headers = { host, origin: `http://${host}`, "content-type": "application/x-www-form-urlencoded" };
      const late = sendSlowly("POST", "/sign-in", headers, String(new URLSearchParams(owner)));
      await late.begun;
      expect(await late.finish()).toBe(302);
      using db = new DatabaseSync(join(server.dataDir, "state.sqlite"), { readOnly: true });
      return db.prepare("SELECT origin FROM sign_in_origin").get()?.origin;
    };
    const { sender: member } = await makeMember("of-another-host", "admin");
    const { sender: manager } = await makeMember("of-the-intranet", "manager");
    expect(await signInAt("tracker.intranet", manager)).toBe("http://tracker.intranet");
    expect(await signInAt("evil.example", member)).toBe("http://tracker.intranet");
    expect(await signInAt(new URL(server.url).host, server)).toBe(server.url);
  });

  // A sender may take minutes for a body. What it may do counts when the body is there.
  test.each([
    ["a session that was ended", "session"],
    ["a removed member's session", "removal"],
    ["a removed member's token", "removed token"],
    ["a role that was taken away", "role"],
    ["a project that was taken away", "project"],
  ])("%s is refused where the body of a request comes after it", async (_, what) => {
    const { userId, cookie, sender } = await makeMember(`late-${what.replace(" ", "-")}`, "member");
    const token = await makeToken(sender, { kind: "personal", scopes: ["event:write", "project:releases"] });
    const who: Record<string, string> =
      what === "removed token" || what === "role" ? { authorization: `Bearer ${token}` } : { cookie };
    const form = `--q\r\ncontent-disposition: form-data; name="file"; filename="${what}.js"\r\n\r\nf()\r\n--q--\r\n`;
    const files = `/api/0/projects/default/alpha/releases/${encodeURIComponent(own.version)}/files/`;
    const late = [
      sendSlowly("PUT", `/api/0/issues/${own.issueId}/`, { ...who, ...JSON_BODY }, '{"priority":"low"}'),
      sendSlowly("POST", files, { ...who, "content-type": "multipart/form-data; boundary=q" }, form),
    ];
    await Promise.all(late.map(({ begun }) => begun));
    if (what === "session") await ask({ method: "POST", path: "/sign-out" }, { cookie });
    else
      await withMembers((members) => {
        if (what === "role") return members.changeMember(scope, { userId, actor: asOwner, role: "viewer" });
        if (what === "project") return members.changeMember(scope, { userId, actor: asOwner, projectIds: [] });
        return members.removeMember(scope, { userId, actor: asOwner, at: Date.now() });
      });
    const refused = { role: 403, project: 404 }[what] ?? 401;
    const [change, upload] = await Promise.all(late.map(({ finish }) => finish()));
    expect(change).toBe(refused);
    // The file may be of a project that is not seen any more.
    expect(upload).toBe(what === "project" ? 400 : refused);
    const { text } = await ask(get(`/api/0/issues/${own.issueId}/`), { authorization: `Bearer ${server.token}` });
    expect(JSON.parse(text).priority).not.toBe("low");
  });

  test("a role that changes, and a removal, hold at the next request of the same session and token", async () => {
    const { userId, cookie, sender } = await makeMember("changing", "member");
    const token = await makeToken(sender, { kind: "personal", scopes: ["event:write"] });
    const resolve = { method: "POST", path: `/issues/${own.issueId}`, body: { status: "resolved" } };
    const put = { method: "PUT", path: `/api/0/issues/${own.issueId}/`, body: { status: "unresolved" } };
    const read = get(`/issues/${own.issueId}`);
    const statuses = async () => [
      (await ask(resolve, { cookie })).status,
      (await ask(put, { authorization: `Bearer ${token}` })).status,
      (await ask(read, { cookie, accept: "text/html" })).status,
    ];
    expect(await statuses()).toEqual([200, 200, 200]);
    await withMembers((members) => members.changeMember(scope, { userId, actor: asOwner, role: "viewer" }));
    expect(await statuses()).toEqual([403, 403, 200]);
    await withMembers((members) => members.changeMember(scope, { userId, actor: asOwner, projectIds: [] }));
    expect(await statuses()).toEqual([403, 403, 404]);
    await withMembers((members) => members.removeMember(scope, { userId, actor: asOwner, at: Date.now() }));
    expect(await statuses()).toEqual([302, 401, 302]);
  });
});
