import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ENDPOINTS } from "../../app/web-api/endpoints.ts";
import { send } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { toEndpointVisits } from "../support/endpoint-visits.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { type FurnishedProject, furnishProject } from "../support/furnish-project.ts";
import { PAGES, type Visit } from "../support/limited-visits.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

// A read of the event store that takes too long is given up. Whoever asked hears that, at every page, stream, export and endpoint.

const PRELOAD = `--import ${new URL("../support/preload-read-limits.mjs", import.meta.url).href}`;
const SENTENCE = "This search took too long, and was stopped.";

const folder = makeTempFolder();
const switchFile = join(folder.path, "reads-end");
let server: TestServer;
let own: FurnishedProject;
let cookie: string;
let repositoryId: string;

beforeAll(async () => {
  const options = {
    env: { NODE_OPTIONS: PRELOAD, READ_LIMIT_FILE: switchFile },
    dataDir: join(folder.path, "data"),
    port: await findFreePort(),
  };
  server = await startServer(options);
  own = await furnishProject(server, { slug: "alpha", word: "aardvark", version: "ferret@1.0.0" });
  const made = await send(server, "POST", "/organizations/default/repos/", { name: "acme/one" });
  repositoryId = ((await made.json()) as { id: string }).id;
  ({ cookie } = await signIn(server));
  // What was just written is found in memory, and is there whatever a read takes.
  await server.stop();
  server = await startServer(options);
  writeFileSync(switchFile, "");
});
afterAll(async () => {
  rmSync(switchFile, { force: true });
  await server?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** What was answered 503, and what is wrong with the answers. */
async function walk(
  visits: Visit[],
  headers: Record<string, string>,
): Promise<{ given: string[]; mistakes: string[] }> {
  const [given, mistakes]: [string[], string[]] = [[], []];
  for (const { method, path, body, isAnonymous } of visits) {
    const isForm = body !== undefined && !path.startsWith("/api/");
    const answer = await fetch(server.url + path, {
      method,
      redirect: "manual",
      headers: isAnonymous ? { origin: server.url } : headers,
      ...(body !== undefined && {
        body:
          body instanceof FormData
            ? body
            : isForm
              ? new URLSearchParams(body as Record<string, string>)
              : JSON.stringify(body),
      }),
    });
    const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream");
    const text = isStream ? await answer.body?.cancel() : await answer.text();
    const what = `${method} ${path} answered ${answer.status}: ${String(text).slice(0, 200)}`;
    if (answer.status < 500) continue;
    given.push(`${method} ${path.split("?")[0]}`);
    if (answer.status !== 503 || !String(text).includes(SENTENCE)) mistakes.push(what);
  }
  return { given, mistakes };
}

/** First what changes nothing. */
const inOrder = (visits: Visit[]) => [
  ...visits.filter(({ method }) => method === "GET"),
  ...visits.filter(({ method }) => method !== "GET"),
];

test("every page, its data, every stream and every download say so with 503", async () => {
  const visits = inOrder(Object.values(PAGES).flatMap((toVisits) => toVisits(own, own)));
  const pages = await walk(visits, { cookie, origin: server.url, accept: "text/html" });
  expect(pages.mistakes).toEqual([]);
  expect(pages.given).toEqual(
    expect.arrayContaining([
      "GET /issues",
      "GET /logs",
      "GET /logs/lines",
      "GET /traces",
      `GET /traces/${own.traceId}`,
      `GET /traces/${own.traceId}.md`,
      `GET /events/${own.eventId}/json`,
      `GET /events/${own.eventId}.md`,
      "GET /performance",
    ]),
  );
  const isDocument = (path: string) => pages.given.includes(`GET ${path.split("?")[0]}`) && !/\.md|\/json/.test(path);
  const data = visits
    .filter(({ method, path }) => method === "GET" && isDocument(path))
    .map((visit) => ({ ...visit, path: visit.path.replace(/(?=\?|$)/, ".data") }));
  const ofData = await walk(data, { cookie, origin: server.url });
  expect(ofData.mistakes).toEqual([]);
  expect(ofData.given.length).toBeGreaterThan(10);
});

test("every endpoint of the web API says so with 503", async () => {
  const visits = ENDPOINTS.flatMap((endpoint) => toEndpointVisits(endpoint, { of: own, own, repositoryId }));
  const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
  const { given, mistakes } = await walk(inOrder(visits), headers);
  expect(mistakes).toEqual([]);
  expect(given.length).toBeGreaterThan(10);
});

test("it is no fault of the server: nothing is logged or reported as one", () => {
  const faults = server
    .logLines()
    .filter(({ msg, err }) => msg === "a request failed" && /Interrupt|too much/.test(JSON.stringify(err)));
  expect(faults).toEqual([]);
});
