import { pathToFileURL } from "node:url";
import type { ServerBuild } from "react-router";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signIn } from "../support/browse.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const KEYS = "/api/0/projects/default/shop/keys/";

let server: TestServer;
let cookie: string;
let pathsWithActions: string[];

beforeAll(async () => {
  server = await startServer();
  ({ cookie } = await signIn(server));
  const buildFile = new URL("../../build/server/index.js", import.meta.url);
  pathsWithActions = listPathsWithActions(await import(pathToFileURL(buildFile.pathname).href));
});
afterAll(() => server.stop());

/** Of the table of routes, with something in the place of each parameter. */
function listPathsWithActions({ routes }: ServerBuild): string[] {
  return Object.values(routes).flatMap((route) => {
    if (!route?.module.action) return [];
    const segments: string[] = [];
    for (let at: typeof route | undefined = route; at; at = at.parentId ? routes[at.parentId] : undefined) {
      if (at.path) segments.unshift(at.path);
    }
    const path = segments
      .join("/")
      .replace(/:\w+\??/g, "1")
      .replace("*", "anything");
    return `/${path}`;
  });
}

function post(path: string, headers: Record<string, string>, body: BodyInit = new URLSearchParams({ theme: "dark" })) {
  return fetch(server.url + path, { method: "POST", redirect: "manual", headers, body });
}

const FOREIGN: Array<[from: string, headers: () => Record<string, string>]> = [
  ["another site", () => ({ origin: "https://evil.test", "sec-fetch-site": "cross-site" })],
  ["another port of the same host", () => ({ origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" })],
  ["nowhere that it says", () => ({})],
  ["an origin that is no URL", () => ({ origin: "nonsense" })],
];

describe.each(FOREIGN)("a form from %s", (_, headersOf) => {
  test("changes nothing at any address that takes forms", async () => {
    expect(pathsWithActions).toEqual(
      expect.arrayContaining(["/sign-in", "/set-up", "/sign-out", "/theme", "/error-feedback", "/issues", "/settings"]),
    );
    for (const path of pathsWithActions) {
      const answer = await post(path, { cookie, ...headersOf() });
      expect([path, answer.status, answer.headers.getSetCookie()]).toEqual([path, 403, []]);
      expect(await answer.text()).toContain(`expects ${server.url}`);
    }
    // The session is still there.
    expect((await fetch(`${server.url}/projects`, { headers: { cookie }, redirect: "manual" })).status).toBe(200);
  });

  test("signs nobody in, and is answered with a page in plain words", async () => {
    const answer = await post("/sign-in", headersOf(), new URLSearchParams(server.owner));
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
    const html = await answer.text();
    expect(html).toContain("Not allowed");
    expect(html).toMatch(/PUBLIC_URL.*TRUST_PROXY=1/);
    expect(html).not.toContain("This page broke");
  });

  test("makes no key by the web API with a person's cookie", async () => {
    const answer = await post(
      KEYS,
      { cookie, "content-type": "application/json", ...headersOf() },
      '{"name":"stolen"}',
    );
    expect([answer.status, await answer.json()]).toEqual([403, { detail: expect.stringContaining(server.url) }]);
    const keys = await fetch(server.url + KEYS, { headers: { cookie } });
    expect(await keys.text()).not.toContain("stolen");
  });

  test("is no fault: nothing in the log, no event of Culprit's own", async () => {
    for (const path of ["/sign-in", "/sign-in.data", "/theme", KEYS]) {
      expect((await post(path, { cookie, ...headersOf() })).status).toBe(403);
    }
    await server.pageRequests();
    expect(server.logLines().filter(({ level }) => level >= 40)).toEqual([]);
  });
});

test("forms of its own pages work, with and without the headers of newer browsers", async () => {
  const kinds: Array<Record<string, string>> = [{ origin: server.url }, { "sec-fetch-site": "same-origin" }];
  for (const headers of kinds) {
    expect((await post("/theme", { cookie, ...headers })).status).toBe(302);
    const json = { "content-type": "application/json" };
    expect((await post(KEYS, { cookie, ...headers, ...json }, '{"name":"mine"}')).status).toBe(201);
  }
});

test("a tool with a token needs no origin, and one without any credentials is told so", async () => {
  const json = { "content-type": "application/json" };
  const authorization = `Bearer ${server.token}`;
  expect((await post(KEYS, { authorization, ...json }, '{"name":"tool"}')).status).toBe(201);
  expect((await post(KEYS, json, '{"name":"nobody"}')).status).toBe(401);
});

test.each(["text/plain", "application/json", "multipart/form-data", "multipart/form-data; boundary=q"])(
  "a page answers 400 to a body that is no form, sent as %s",
  async (contentType) => {
    const headers = { origin: new URL(server.url).origin, "content-type": contentType };
    for (const path of pathsWithActions.filter((each) => !each.startsWith("/api/"))) {
      expect([path, (await post(path, headers, Buffer.from("x"))).status]).toEqual([path, 400]);
    }
  },
);

describe("a body of the web API", () => {
  const make = (contentType: string | null, body: string) =>
    // A buffer, so that fetch adds no content type.
    post(
      KEYS,
      { authorization: `Bearer ${server.token}`, ...(contentType !== null && { "content-type": contentType }) },
      Buffer.from(body),
    );

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonx",
    null,
  ])("is refused when it is sent as %s", async (contentType) => {
    const answer = await make(contentType, '{"name":"typed"}');
    expect([answer.status, await answer.json()]).toEqual([
      415,
      { detail: "the body must be JSON, sent with Content-Type: application/json" },
    ]);
  });

  test("is taken as JSON with parameters, and may be empty without a type", async () => {
    expect((await make("application/json; charset=utf-8", '{"name":"typed"}')).status).toBe(201);
    expect((await make(null, "")).status).toBe(201);
  });
});
