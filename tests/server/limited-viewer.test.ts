import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scopeOfServer } from "../../app/access/server-scope.ts";
import { ROLE_RIGHTS } from "../../app/domain/people/roles.ts";
import type { Rota } from "../../app/domain/people/rota.ts";
import { hashPasswordSync } from "../../app/features/auth/password.server.ts";
import { HIDDEN_PROJECTS } from "../../app/features/traces/say-hidden-projects.ts";
import { openSqliteState } from "../../app/stores/sqlite/open-sqlite-state.ts";
import { ENDPOINTS } from "../../app/web-api/endpoints.ts";
import { send, sendEnvelope, toEventEnvelope, waitFor, waitForEvent } from "../support/api.ts";
import { findAudited } from "../support/audited-changes.ts";
import { signIn } from "../support/browse.ts";
import { listRoutes, type TestRoute, type ToVisits, toEndpointVisits } from "../support/endpoint-visits.ts";
import { type FurnishedProject, furnishProject } from "../support/furnish-project.ts";
import { CHANGES, get, NO_PAGES, PAGES, post, type Visit } from "../support/limited-visits.ts";
import { makeError } from "../support/make-event.ts";
import { makeToken } from "../support/make-token.ts";
import { makeLogEnvelope, makeTraceEnvelope, toSpanId } from "../support/make-trace-envelope.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
// For the hash that is made here: it costs what the server expects.
import "../support/quick-passwords.mjs";

const MEMBER = { email: "limited@example.com", password: "a password of somebody limited" };

let server: TestServer;
let own: FurnishedProject;
let other: FurnishedProject;
let cookie: string;
let token: string;
/** One for each walk, which deletes it. */
const repositoryIds: string[] = [];
let routes: TestRoute[];
let toVisits: ToVisits;

beforeAll(async () => {
  server = await startServer();
  own = await furnishProject(server, { slug: "alpha", word: "aardvark", version: "ferret@1.0.0" });
  other = await furnishProject(server, { slug: "bravo", word: "zebrafish", version: "otter@2.0.0" });
  for (const name of ["acme/one", "acme/two"]) {
    const made = await send(server, "POST", "/organizations/default/repos/", { name });
    repositoryIds.push(((await made.json()) as { id: string }).id);
  }
  const state = await openSqliteState({ path: join(server.dataDir, "state.sqlite") });
  const scope = scopeOfServer([Number(own.projectId), Number(other.projectId)]);
  const made = await state.members.createTeam(scope, {
    slug: "alphas",
    name: "Alphas",
    memberId: null,
    at: Date.now(),
  });
  if (!made.ok) throw new Error(made.reason);
  await state.members.createTeam(scope, { slug: "others", name: "Others", memberId: 1, at: Date.now() });
  await state.members.changeTeam(scope, { teamId: made.team.id, projectIds: [Number(own.projectId)] });
  const userId = await state.people.createMember({
    email: MEMBER.email,
    name: "Limited",
    passwordHash: hashPasswordSync(MEMBER.password),
    role: "admin",
    projectIds: [],
    teamIds: [made.team.id],
    at: Date.now(),
  });
  const rota: Rota = {
    memberIds: [userId],
    handover: { weekday: 1, minute: 540, timezone: "UTC" },
    startsAt: Date.now(),
    overrides: [],
  };
  await state.members.changeTeam(scope, { teamId: made.team.id, rota: () => rota });
  await state.close();
  const member = { url: server.url, owner: MEMBER };
  ({ cookie } = await signIn(member));
  token = await makeToken(member, { kind: "personal", scopes: [...ROLE_RIGHTS.admin] });
  routes = await listRoutes();
  toVisits = (endpoint, of) =>
    toEndpointVisits(endpoint, { of, own, repositoryId: repositoryIds[of === other ? 0 : 1] ?? "" });
});
afterAll(() => server?.[Symbol.asyncDispose]());

async function ask(visit: Visit): Promise<{ status: number; text: string }> {
  const { method, path, body, isAnonymous } = visit;
  const isApi = path.startsWith("/api/");
  const isForm = body !== undefined && !isApi;
  const isJson = body !== undefined && isApi && !(body instanceof FormData);
  const who: Record<string, string> = isApi ? { authorization: `Bearer ${token}` } : { cookie, origin: server.url };
  const answer = await fetch(server.url + path, {
    method,
    redirect: "manual",
    headers: {
      ...(isAnonymous ? { origin: server.url } : who),
      ...(isApi ? {} : { accept: "text/html" }),
      ...(isJson && { "content-type": "application/json" }),
    },
    ...(isForm && { body: new URLSearchParams(body as Record<string, string>) }),
    ...(isJson && { body: JSON.stringify(body) }),
    ...(body instanceof FormData && { body }),
  });
  const headers = `${answer.headers.get("location") ?? ""} ${answer.headers.get("link") ?? ""}`;
  if (answer.headers.get("content-type")?.startsWith("text/event-stream")) {
    await answer.body?.cancel();
    return { status: answer.status, text: headers };
  }
  return { status: answer.status, text: `${headers}\n${await answer.text()}` };
}

/** What the answer says of the other project, beside what the request itself said. */
function findLeak({ path, body }: Visit, text: string): string | undefined {
  const said =
    `${decodeURIComponent(path)} ${body instanceof FormData ? "" : JSON.stringify(body ?? {})}`.toLowerCase();
  const { word, slug, version, shortId, eventId, publicKey, debugId, monitorSlug } = other;
  return [word, slug, version, shortId, eventId, publicKey, debugId, monitorSlug].find(
    (secret) => text.toLowerCase().includes(secret.toLowerCase()) && !said.includes(secret.toLowerCase()),
  );
}

/** Visits of the own project that change nothing: it is set up, nobody is signed in, or things are as they are asked to be. */
const ALREADY_SO = [
  "POST /set-up",
  "POST /sign-out",
  "POST /sign-in/code",
  'POST /projects/alpha/settings {"intent":"fetch-source-maps"',
  'POST /settings/teams/alphas {"intent":"rename"',
  "PUT /api/0/projects/default/alpha/keys/",
  "POST /api/0/organizations/default/releases/",
  "POST /api/0/projects/default/alpha/releases/?",
  "PUT /api/0/organizations/default/releases/",
  "PUT /api/0/projects/default/alpha/releases/",
  "POST /api/0/organizations/default/artifactbundle/assemble/",
  "POST /api/0/organizations/default/code-mappings/bulk/",
  "PUT /api/0/organizations/default/repos/",
  "POST /api/0/projects/default/alpha/teams/alphas/",
];

/** What is wrong with the answers, and how many of them show the viewer's own project. */
async function walk(visits: Visit[], of: FurnishedProject): Promise<{ mistakes: string[]; ownCount: number }> {
  const mistakes: string[] = [];
  let ownCount = 0;
  using db = new DatabaseSync(join(server.dataDir, "state.sqlite"), { readOnly: true });
  const newActions = db.prepare("SELECT action FROM audit_entries WHERE id > ?");
  for (const visit of visits) {
    const lastId = Number(db.prepare("SELECT last_id FROM audit_ends").get()?.last_id);
    const { status, text } = await ask(visit);
    const what = `${visit.method} ${visit.path} ${JSON.stringify(visit.body ?? "")} answered ${status}`;
    const leak = findLeak(visit, text);
    if (leak !== undefined) mistakes.push(`${what}, and tells of ${leak}`);
    if (text.includes(own.word)) ownCount += 1;
    const wanted = visit.foreign ?? 404;
    if (of === other && status !== wanted) mistakes.push(`${what}, not ${wanted}: ${text.slice(0, 200)}`);
    const audited = of === own && visit.method !== "GET" && status < 400 ? findAudited(visit) : [];
    if (audited.length > 0 && !ALREADY_SO.some((already) => what.startsWith(already))) {
      const isAudited = newActions.all(lastId).some(({ action }) => audited.some((each) => each === action));
      if (!isAudited) mistakes.push(`${what}, and the audit log got none of ${audited.join(", ")}`);
    }
    if (of === own && (status === 404 || status >= 500)) mistakes.push(`${what}: ${text.slice(0, 200)}`);
  }
  return { mistakes, ownCount };
}

/** One more event of the issue, stored before this resolves. */
async function sendAgain({ dsn, slug, word }: FurnishedProject): Promise<void> {
  const { eventId, envelope } = toEventEnvelope(makeError(word));
  await sendEnvelope({ url: server.url, dsn }, envelope);
  await waitForEvent(server, eventId, slug);
}

/** Every row of the state that belongs to the other project. */
function readOtherRows(): Record<string, unknown[]> {
  using db = new DatabaseSync(join(server.dataDir, "state.sqlite"), { readOnly: true });
  const id = Number(other.projectId);
  const owned: Record<string, string> = {
    project_id: "SELECT ?",
    issue_id: "SELECT id FROM issues WHERE project_id = ?",
    release_id: "SELECT release_id FROM release_projects WHERE project_id = ?",
    bundle_id: "SELECT bundle_id FROM artifact_bundle_projects WHERE project_id = ?",
  };
  const own: Record<string, string> = {
    projects: "project_id",
    releases: "release_id",
    artifact_bundles: "bundle_id",
  };
  const rows: Record<string, unknown[]> = {};
  for (const { name } of db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()) {
    const table = String(name);
    const columns = db
      .prepare(`SELECT name FROM pragma_table_info(?)`)
      .all(table)
      .map((column) => String(column.name));
    const column = Object.keys(owned).find((each) => columns.includes(each));
    const kind = own[table];
    const where = kind ? `id IN (${owned[kind]})` : column && `${column} IN (${owned[column]})`;
    if (!where) continue;
    const query = db.prepare(`SELECT * FROM "${table}" WHERE ${where}`);
    query.setReadBigInts(true);
    rows[table] = query.all(id);
  }
  return rows;
}

describe("somebody whose team has one project", () => {
  test("is asked for at every page, with a form where it takes one", () => {
    const unknown = routes.flatMap(({ path, hasAction }) => {
      if (NO_PAGES.includes(path)) return [];
      const visits = PAGES[path]?.(other, own) ?? [];
      if (visits.length === 0)
        return [
          `${path} is new: say in PAGES of tests/support/limited-visits.ts which addresses name a project's things`,
        ];
      const isPosted = visits.some(({ method }) => method === "POST");
      return hasAction && !isPosted
        ? [`${path} takes a form: add one to PAGES of tests/support/limited-visits.ts`]
        : [];
    });
    expect(unknown).toEqual([]);
    expect(Object.keys(PAGES).filter((path) => !routes.some((route) => route.path === path))).toEqual([]);
  });

  test("is sent to every endpoint that there is", () => {
    const known = ENDPOINTS.map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(CHANGES).filter((key) => !known.includes(key))).toEqual([]);
    for (const endpoint of ENDPOINTS) expect(toVisits(endpoint, other)).not.toEqual([]);
  });

  test.each<[what: string, list: (of: FurnishedProject) => Visit[], least: number]>([
    [
      "pages",
      (of) => Object.entries(PAGES).flatMap(([asked, visits]) => visits(of, own).map((visit) => ({ ...visit, asked }))),
      25,
    ],
    [
      "the web API",
      (of) =>
        ENDPOINTS.flatMap((endpoint) =>
          toVisits(endpoint, of).map((visit) => ({ ...visit, asked: `${endpoint.method} ${endpoint.path}` })),
        ),
      25,
    ],
  ])("finds nothing of another project by %s, changes nothing of it, and finds the own one", async (_, list, least) => {
    const before = readOtherRows();
    for (const table of ["projects", "project_keys", "issues", "releases", "deploys", "artifact_bundles", "monitors"])
      expect(before[table], table).not.toEqual([]);
    expect((await walk(list(other), other)).mistakes).toEqual([]);
    expect(readOtherRows()).toEqual(before);
    // The same with names that are there: the test asks for nothing that nobody could have.
    const { mistakes, ownCount } = await walk(list(own), own);
    expect(mistakes).toEqual([]);
    expect(ownCount).toBeGreaterThan(least);
    expect(readOtherRows()).toEqual(before);
  });

  test("sees of a trace of both projects what the own one has, and is told that others are left out", async () => {
    const traceId = "5cf7651916cd43dd8448eb211c80319c";
    const atMs = Date.now() - 10_000;
    const spansOf = ({ word }: FurnishedProject, parent: string | null) =>
      makeTraceEnvelope(
        traceId,
        [
          [`${word} serves`, parent, "http.server", `GET /${word}`, 0, 500],
          [`${word} asks`, `${word} serves`, "db", `SELECT ${word}`, 20, 400, { data: { "app.word": word } }],
        ],
        { atMs, release: word },
      );
    await sendEnvelope({ url: server.url, dsn: other.dsn }, spansOf(other, null));
    await sendEnvelope({ url: server.url, dsn: own.dsn }, spansOf(own, `${other.word} asks`));
    const trace = { trace_id: traceId, span_id: toSpanId(`${other.word} asks`) };
    const { eventId, envelope } = toEventEnvelope(makeError(other.word, { contexts: { trace } }));
    await sendEnvelope({ url: server.url, dsn: other.dsn }, envelope);
    await sendEnvelope(
      { url: server.url, dsn: other.dsn },
      makeLogEnvelope(traceId, [[120, "warn", other.word, `${other.word} asks`]], atMs),
    );
    await waitForEvent(server, eventId, other.slug);
    const owner = await signIn(server);
    await waitFor("the trace of both", async () => {
      const { html } = await owner.open(`/traces/${traceId}.md`);
      return [own, other].every(({ word }) => html.includes(`SELECT ${word}`)) && html.includes("## Logs");
    });

    const page = `/traces/${traceId}`;
    const query = `${page}?span=${toSpanId(`${own.word} asks`)}`;
    const views = ["", "?view=flame", "?view=statistics"].map((view) => page + view);
    const api = "/api/0/organizations/default";
    const fields = "field=trace&field=span.description&field=project&field=app.word";
    for (const path of [
      ...[...views, `${page}?q=db`, query, `${page}.md`, `${page}/rows`],
      ...["samples", "traces", "aggregates"].map(
        (view) => `/traces?q=trace:${traceId}&view=${view}&by=project&by=app.word`,
      ),
      `${api}/trace/${traceId}/`,
      `${api}/events/?dataset=spans&${fields}&query=trace:${traceId}`,
    ]) {
      const { status, text } = await ask(get(path));
      expect([path, status, findLeak(get(path), text)]).toEqual([path, 200, undefined]);
      expect(text.includes(own.word) || text.includes(own.slug), path).toBe(true);
      if (path.startsWith(page) && !path.endsWith("/rows")) expect(text, path).toContain(HIDDEN_PROJECTS);
    }
    const { status, text } = await ask(get(`${page}?view=logs`));
    expect([status, findLeak(get(page), text)]).toEqual([200, undefined]);
    for (const path of [`trace/${traceId}/`, `trace-meta/${traceId}/`, `trace-logs/?traceId=${traceId}`]) {
      const { headers } = await fetch(`${server.url}${api}/${path}`, { headers: { authorization: `Bearer ${token}` } });
      expect(headers.get("x-unseen-projects"), path).toBe("left out");
    }
    const { text: meta } = await ask(get(`${api}/trace-meta/${traceId}/`));
    expect(JSON.parse(meta)).toMatchObject({ span_count: 2, errors: 0, logs: 0 });
    expect((await ask(get(`/traces/${other.traceId}`))).text).toContain("of projects that you do not see");
    expect((await owner.open(page)).html).not.toContain(HIDDEN_PROJECTS);
  });

  test("is told live of the own project alone", async () => {
    const answer = await fetch(`${server.url}/live`, { headers: { cookie } });
    const reader = (answer.body ?? new ReadableStream<Uint8Array>()).getReader();
    const decoder = new TextDecoder();
    let heard = decoder.decode((await reader.read()).value);
    await sendAgain(other);
    await sendAgain(own);
    // What people do is told as well.
    for (const { issueId } of [other, own])
      await send(server, "POST", `/issues/${issueId}/comments/`, { text: "Seen." });
    while (!heard.includes('"kind":"issues"') || !heard.includes('"kind":"activity"')) {
      const { value, done } = await reader.read();
      if (done) break;
      heard += decoder.decode(value, { stream: true });
    }
    await reader.cancel();
    expect(heard).toContain(`"issueId":${own.issueId}`);
    expect(heard).not.toContain(`"projectId":${other.projectId}`);
    expect(heard).not.toContain(`"issueId":${other.issueId}`);
  });

  test("counts the own project alone", async () => {
    for (const question of ["stats_v2/?field=sum(quantity)", "sessions/?field=sum(session)"]) {
      const { text } = await ask(get(`/api/0/organizations/default/${question}&groupBy=project`));
      const { groups } = JSON.parse(text) as { groups: Array<{ by: { project: number } }> };
      expect(
        groups.map(({ by }) => by.project),
        question,
      ).toEqual([Number(own.projectId)]);
    }
  });

  test("makes no token of the organization, which would not be limited", async () => {
    const body = { intent: "create", kind: "organization", name: "CI", scope: "org:read" };
    expect((await ask(post("/settings/tokens", body))).status).toBe(403);
  });
});
