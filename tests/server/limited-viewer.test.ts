import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { ServerBuild } from "react-router";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { API_SCOPES } from "../../app/domain/api-token.ts";
import { hashPasswordSync } from "../../app/features/auth/password.server.ts";
import { openSqliteState } from "../../app/stores/sqlite/open-sqlite-state.ts";
import type { Endpoint } from "../../app/web-api/endpoint.ts";
import { ENDPOINTS } from "../../app/web-api/endpoints.ts";
import { send, sendEnvelope, toEventEnvelope, waitForEvent } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { type FurnishedProject, furnishProject } from "../support/furnish-project.ts";
import {
  CHANGES,
  get,
  NO_PAGES,
  PAGES,
  post,
  QUERIES,
  REFUSES_EVERYBODY,
  type Visit,
} from "../support/limited-visits.ts";
import { makeError } from "../support/make-event.ts";
import { makeToken } from "../support/make-token.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const MEMBER = { email: "limited@example.com", password: "a password of somebody limited" };

let server: TestServer;
let own: FurnishedProject;
let other: FurnishedProject;
let cookie: string;
let token: string;
/** One for each walk, which deletes it. */
const repositoryIds: string[] = [];
let routes: Array<{ path: string; hasAction: boolean }>;

beforeAll(async () => {
  // The member's hash is made here, at its real cost.
  server = await startServer({ hasSlowPasswords: true });
  own = await furnishProject(server, { slug: "alpha", word: "aardvark", version: "ferret@1.0.0" });
  other = await furnishProject(server, { slug: "bravo", word: "zebrafish", version: "otter@2.0.0" });
  for (const name of ["acme/one", "acme/two"]) {
    const made = await send(server, "POST", "/organizations/default/repos/", { name });
    repositoryIds.push(((await made.json()) as { id: string }).id);
  }
  const state = await openSqliteState({ path: join(server.dataDir, "state.sqlite") });
  await state.people.createMember({
    email: MEMBER.email,
    name: "Limited",
    passwordHash: hashPasswordSync(MEMBER.password),
    projectIds: [Number(own.projectId)],
    at: Date.now(),
  });
  await state.close();
  const member = { url: server.url, owner: MEMBER };
  ({ cookie } = await signIn(member));
  token = await makeToken(member, { kind: "personal", scopes: [...API_SCOPES] });
  const buildFile = new URL("../../build/server/index.js", import.meta.url);
  routes = listRoutes(await import(pathToFileURL(buildFile.pathname).href));
});
afterAll(() => server?.stop());

/** Of the built table of routes: those that something is answered at. */
function listRoutes({ routes }: ServerBuild): Array<{ path: string; hasAction: boolean }> {
  return Object.values(routes).flatMap((route) => {
    if (!route || (route.path === undefined && !route.index)) return [];
    const segments: string[] = [];
    for (let at: typeof route | undefined = route; at; at = at.parentId ? routes[at.parentId] : undefined) {
      if (at.path) segments.unshift(at.path);
    }
    return [{ path: `/${segments.join("/")}`, hasAction: route.module.action !== undefined }];
  });
}

/** The requests of an endpoint. A name in its path that is not known here has no value. */
function toVisits({ method, path, query }: Endpoint, of: FurnishedProject, own: FurnishedProject): Visit[] {
  const key = `${method} ${path}`;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const fill = (project: FurnishedProject) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(toName(key, name, { of, project })));
  const isNamed = names.some((name) => !["organization", "repository", "tag", "attribute"].includes(name));
  const paths = [`/api/0${fill(of)}`];
  // The project is the viewer's, the rest is not.
  const isOther = names.some((name) => !["organization", "project", "tag"].includes(name));
  if (of !== own && names.includes("project") && isOther) paths.push(`/api/0${fill(own)}`);
  const status = REFUSES_EVERYBODY.includes(key) ? 400 : 200;
  if (method === "GET") {
    const asked = QUERIES[path]?.(of) ?? "";
    const foreign = isNamed ? 404 : status;
    const visits = paths.map((each) => get(`${each}?${asked}`, foreign));
    const takesProject = query !== undefined && "project" in query.shape;
    return takesProject && !isNamed ? [...visits, get(`${paths[0]}?${asked}&project=${of.projectId}`, 404)] : visits;
  }
  const change = CHANGES[key];
  if (!change)
    throw new Error(
      `${key} is new: say in CHANGES of tests/support/limited-visits.ts what it is sent, by somebody limited to one project`,
    );
  return change(of, own).flatMap(({ path: named, query = "", body, foreign }) =>
    (named === undefined ? paths : [`/api/0${named}`]).map((each) => ({
      method,
      path: `${each}?${query}`,
      ...(body && { body }),
      foreign: foreign ?? (isNamed || query || key.includes("code-mappings") ? 404 : 204),
    })),
  );
}

function toName(
  key: string,
  name: string,
  { of, project }: { of: FurnishedProject; project: FurnishedProject },
): string {
  const values: Record<string, string> = {
    organization: "default",
    project: project.slug,
    issue: of.issueId,
    event: of.eventId,
    release: of.version,
    key: of.keyId,
    file: of.fileId,
    tag: "checkout",
    attribute: "release",
    trace: of.traceId,
    item: of.traceId.slice(0, 16),
    repository: repositoryIds[of === other ? 0 : 1] ?? "",
  };
  const value = values[name];
  if (value === undefined)
    throw new Error(`${key} is new: say in toName of tests/server/limited-viewer.test.ts what {${name}} may be`);
  return value;
}

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

/** What is wrong with the answers, and how many of them show the viewer's own project. */
async function walk(visits: Visit[], of: FurnishedProject): Promise<{ mistakes: string[]; ownCount: number }> {
  const mistakes: string[] = [];
  let ownCount = 0;
  for (const visit of visits) {
    const { status, text } = await ask(visit);
    const what = `${visit.method} ${visit.path} ${JSON.stringify(visit.body ?? "")} answered ${status}`;
    const leak = findLeak(visit, text);
    if (leak !== undefined) mistakes.push(`${what}, and tells of ${leak}`);
    if (text.includes(own.word)) ownCount += 1;
    const wanted = visit.foreign ?? 404;
    if (of === other && status !== wanted) mistakes.push(`${what}, not ${wanted}: ${text.slice(0, 200)}`);
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

describe("somebody who is limited to one project", () => {
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
    for (const endpoint of ENDPOINTS) expect(toVisits(endpoint, other, own)).not.toEqual([]);
  });

  test.each<[what: string, list: (of: FurnishedProject) => Visit[], least: number]>([
    ["pages", (of) => Object.values(PAGES).flatMap((visits) => visits(of, own)), 25],
    ["the web API", (of) => ENDPOINTS.flatMap((endpoint) => toVisits(endpoint, of, own)), 25],
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

  test("is told live of the own project alone", async () => {
    const answer = await fetch(`${server.url}/live`, { headers: { cookie } });
    const reader = (answer.body ?? new ReadableStream<Uint8Array>()).getReader();
    const decoder = new TextDecoder();
    let heard = decoder.decode((await reader.read()).value);
    await sendAgain(other);
    await sendAgain(own);
    while (!heard.includes(`"projectId":${own.projectId}`)) {
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
