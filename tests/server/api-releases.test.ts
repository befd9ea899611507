import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  expectAsDocumented,
  getJson,
  send,
  sendEnvelope,
  toEventEnvelope,
  waitFor,
  waitForEvent,
} from "../support/api.ts";
import { makeProject } from "../support/make-project.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

interface ApiRelease {
  version: string;
  projects: Array<{ id: number; slug: string; newGroups: number }>;
  [key: string]: unknown;
}

const ORGANIZATION = "/organizations/default/releases/";
const SHOP = "/projects/default/shop/releases/";

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

const create = (body: Record<string, unknown>, path = ORGANIZATION) => send(server, "POST", path, body);

describe("releases", () => {
  test("are made once: 201, then 208, and what comes later is added", async () => {
    await makeProject(server, "second");
    const first = await create({ version: "app@1.2.0+7", projects: ["shop"], url: "https://example.com/1.2.0" });
    expect(first.status).toBe(201);
    expect(await first.json()).toMatchObject({
      version: "app@1.2.0+7",
      shortVersion: "1.2.0+7",
      versionInfo: { package: "app", version: { raw: "1.2.0+7" }, buildHash: "7" },
      status: "open",
      dateReleased: null,
      url: "https://example.com/1.2.0",
      projects: [{ id: 1, slug: "shop", newGroups: 0 }],
    });
    const again = await create({ version: "app@1.2.0+7", projects: ["second"], dateReleased: "2026-02-03T04:05:06Z" });
    expect(again.status).toBe(208);
    const release = (await again.json()) as ApiRelease;
    expect(release).toMatchObject({ dateReleased: "2026-02-03T04:05:06.000Z", url: "https://example.com/1.2.0" });
    expect(release.projects.map(({ slug }) => slug).sort()).toEqual(["second", "shop"]);
    // As `archive` does.
    const archived = await create({ version: "app@1.2.0+7", projects: [], status: "archived" });
    expect(await archived.json()).toMatchObject({ status: "archived", projects: [{}, {}] });
  });

  test("are found by their name as it stands in a path, with a slash at the end or none", async () => {
    for (const version of ["a@1.0+2", "v 1 ü", "100%", "q?x#y", "a%2Fb", "1.data"]) {
      expect((await create({ version, projects: ["shop"] })).status, version).toBe(201);
      const path = `${SHOP}${encodeURIComponent(version)}`;
      expect(await getJson(server, `${path}/`)).toMatchObject({ version });
      expect(await getJson(server, `${ORGANIZATION}${encodeURIComponent(version)}/`)).toMatchObject({ version });
    }
    expect(await getJson(server, `${SHOP}a@1.0%2B2`)).toMatchObject({ version: "a@1.0+2" });
  });

  test("of a project are those that belong to it", async () => {
    const project = await makeProject(server, "apart");
    await create({ version: "apart@1" }, `/projects/default/${project.slug}/releases/`);
    expect(await getJson(server, `/projects/default/apart/releases/`)).toMatchObject([{ version: "apart@1" }]);
    await expect(getJson(server, `${SHOP}apart%401/`)).rejects.toThrow("404");
    const all = await getJson<ApiRelease[]>(server, `${ORGANIZATION}?query=apart`);
    expect(all.map(({ version }) => version)).toEqual(["apart@1"]);
    const listed = async (query: string) =>
      (await getJson<ApiRelease[]>(server, `${ORGANIZATION}?${query}`)).map(({ version }) => version);
    expect(await listed("project=apart")).toEqual(["apart@1"]);
    expect(await listed(`project=${project.id}&project=-1`)).toEqual(["apart@1"]);
    expect(await listed("project=shop&query=apart")).toEqual([]);
    await expect(listed("project=nobody")).rejects.toThrow("404");
  });

  test("page by their Link header, in the order that is asked for", async () => {
    const project = await makeProject(server, "paged");
    const path = `/projects/default/${project.slug}/releases/`;
    for (const version of ["p@1.0.0", "p@1.10.0", "p@1.9.0"]) await create({ version }, path);
    const seen: string[] = [];
    let next: string | null = `${path}?sort=semver&per_page=2`;
    while (next) {
      const response: Response = await fetch(`${server.url}/api/0${next}`, {
        headers: { authorization: `Bearer ${server.token}` },
      });
      seen.push(...((await response.json()) as ApiRelease[]).map(({ version }) => version));
      const link = /<([^>]+)>; rel="next"; results="true"/.exec(response.headers.get("link") ?? "")?.[1];
      next = link ? link.slice(link.indexOf("/api/0") + 6) : null;
    }
    expect(seen).toEqual(["p@1.10.0", "p@1.9.0", "p@1.0.0"]);
  });

  test("page for clients that count by themselves only to the first page's end, and say which parameter is wrong", async () => {
    expect(await getJson(server, `${SHOP}?per_page=1&cursor=0:0:0`)).toHaveLength(1);
    const refused = [
      ["cursor=0:100:0", /^cursor: was not made by this server/],
      ["cursor=1700000000:0:1", /^cursor: /],
      ["per_page=0", /^per_page: must be/],
      ["limit=many", /^limit: must be/],
    ] as const;
    for (const [query, detail] of refused) {
      const response = await fetch(`${server.url}/api/0${SHOP}?${query}`, {
        headers: { authorization: `Bearer ${server.token}` },
      });
      await expectAsDocumented(server, "GET", SHOP, response);
      expect([response.status, await response.json()], query).toEqual([400, { detail: expect.stringMatching(detail) }]);
    }
  });

  test("have commits of authors with names of any length, which are cut", async () => {
    await create({ version: "long@1", projects: ["shop"] });
    const author = { author_name: "n".repeat(300), author_email: `${"e".repeat(300)}@example.com` };
    const commits = [{ id: "c".repeat(40), repository: "acme/shop", ...author }];
    expect((await send(server, "PUT", `${ORGANIZATION}long%401/`, { commits })).status).toBe(200);
    expect(await getJson(server, `${ORGANIZATION}long%401/commits/`)).toMatchObject([
      { author: { name: "n".repeat(200), email: "e".repeat(200) } },
    ]);
  });

  test("have commits that are replaced as a whole, and cleared by an empty list of refs", async () => {
    await create({ version: "commits@1.0.0", projects: ["shop"] });
    const path = `${ORGANIZATION}commits%401.0.0/`;
    const commit = (id: string, timestamp: string) => ({
      id,
      repository: "acme/shop",
      author_name: "Ann",
      author_email: "ann@example.com",
      timestamp,
      message: `commit ${id}`,
      patch_set: [{ path: "src/app.ts", type: "M" }],
    });
    const commits = [
      commit("b".repeat(40), "2026-05-02T10:00:00+02:00"),
      commit("a".repeat(40), "2026-05-01T10:00:00Z"),
    ];
    expect((await send(server, "PUT", path, { commits })).status).toBe(200);
    expect(await getJson(server, path)).toMatchObject({
      commitCount: 2,
      lastCommit: { id: "b".repeat(40) },
      authors: [{ name: "Ann", email: "ann@example.com" }],
    });
    expect(await getJson(server, `${path}commits/`)).toMatchObject([
      { id: "b".repeat(40), dateCreated: "2026-05-02T08:00:00.000Z", repository: { name: "acme/shop" } },
      { id: "a".repeat(40) },
    ]);
    await create({ version: "commits@1.1.0", projects: ["shop"] });
    const previous = `${SHOP}commits%401.1.0/previous-with-commits/`;
    expect(await getJson(server, previous)).toMatchObject({ version: "commits@1.0.0" });
    const refs = [{ repository: "acme/shop", commit: "c".repeat(40), previousCommit: null }];
    expect(await (await send(server, "PUT", path, { refs })).json()).toMatchObject({
      ref: "c".repeat(40),
      commitCount: 3,
      lastCommit: { id: "c".repeat(40) },
    });
    expect(await (await send(server, "PUT", path, { refs: [] })).json()).toMatchObject({
      commitCount: 0,
      lastCommit: null,
    });
    expect(await getJson(server, `${path}commits/`)).toEqual([]);
    expect(await getJson(server, `${ORGANIZATION}commits%401.0.0/previous-with-commits/`)).toEqual({});
  });

  test("have deploys", async () => {
    await create({ version: "deployed@1", projects: ["shop"] });
    const path = `${ORGANIZATION}deployed%401/deploys/`;
    const body = {
      environment: "production",
      name: null,
      url: null,
      dateStarted: null,
      dateFinished: "2026-05-01T10:00:00Z",
    };
    const made = await send(server, "POST", path, body);
    expect([made.status, await made.json()]).toEqual([
      201,
      { ...body, id: expect.any(String), projects: ["shop"], dateFinished: "2026-05-01T10:00:00.000Z" },
    ]);
    const refused = await send(server, "POST", path, { ...body, url: "ftp://ci.example" });
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { detail: "url: must begin with https:// or http://" },
    ]);
    expect(await getJson(server, path)).toMatchObject([{ environment: "production" }]);
    expect(await getJson(server, `${SHOP}deployed%401/`)).toMatchObject({
      deployCount: 1,
      lastDeploy: { environment: "production" },
    });
  });

  test("of an environment are listed in full pages, also where others lie between", async () => {
    const versions = Array.from({ length: 5 }, (_, index) => `paged@1.0.${index}`);
    for (const version of versions) {
      await create({ version, projects: ["shop"] });
      if (version !== "paged@1.0.1" && version !== "paged@1.0.2")
        await send(server, "POST", `${ORGANIZATION}${encodeURIComponent(version)}/deploys/`, { environment: "rare" });
    }
    const expected = ["paged@1.0.4", "paged@1.0.3", "paged@1.0.0"];
    for (const size of [1, 2, 3, 100]) {
      const pages: string[][] = [];
      let cursor: string | undefined = "";
      while (cursor !== undefined) {
        const path: string = `${ORGANIZATION}?query=paged&environment=rare&per_page=${size}&cursor=${cursor}`;
        const headers = { authorization: `Bearer ${server.token}` };
        const response: Response = await fetch(`${server.url}/api/0${path}`, { headers });
        pages.push(((await response.json()) as Array<{ version: string }>).map(({ version }) => version));
        cursor = /rel="next"; results="true"; cursor="([^"]*)"/.exec(response.headers.get("link") ?? "")?.[1];
      }
      expect(pages.flat()).toEqual(expected);
      expect(pages).toHaveLength(Math.ceil(expected.length / size));
    }
  });

  test("have deploys of some of their projects, which are theirs from then on", async () => {
    await create({ version: "deployed@2", projects: ["shop"] });
    const path = `${ORGANIZATION}deployed%402/`;
    const made = await send(server, "POST", `${path}deploys/`, { environment: "production", projects: ["culprit"] });
    expect([made.status, await made.json()]).toMatchObject([201, { projects: ["culprit"] }]);
    expect(await getJson(server, path)).toMatchObject({ projects: [{ slug: "shop" }, { slug: "culprit" }] });
    const ofProject = await send(server, "POST", `${SHOP}deployed%402/deploys/`, { environment: "staging" });
    expect(await ofProject.json()).toMatchObject({ projects: ["shop"] });
    expect(await getJson(server, `${path}deploys/`)).toMatchObject([
      { environment: "staging", projects: ["shop"] },
      { environment: "production", projects: ["culprit"] },
    ]);
  });

  test("that events name stay; others are deleted, and only as a whole", async () => {
    await create({ version: "kept", projects: ["shop"] });
    const { eventId, envelope } = toEventEnvelope({ message: "of a release", release: "kept" });
    await sendEnvelope(server, envelope);
    await waitForEvent(server, eventId);
    const release = await waitFor("the release's first event", async () => {
      const found = await getJson<ApiRelease>(server, `${SHOP}kept/`);
      return found.firstEvent !== null && found;
    });
    expect(release).toMatchObject({ newGroups: 1, projects: [{ slug: "shop", newGroups: 1 }] });
    expect((await send(server, "DELETE", `${SHOP}kept/`)).status).toBe(400);

    await create({ version: "shared", projects: ["shop", "culprit"] });
    expect((await send(server, "DELETE", `${SHOP}shared/`)).status).toBe(400);
    expect((await send(server, "DELETE", `${ORGANIZATION}shared/`)).status).toBe(204);
    expect((await send(server, "DELETE", `${ORGANIZATION}shared/`)).status).toBe(404);
  });

  test("refuse what is wrong with the field's name", async () => {
    const cases: Array<[Record<string, unknown>, RegExp]> = [
      [{}, /^version: /],
      [{ version: " " }, /^version: must have 1 to 200/],
      [{ version: "x".repeat(201) }, /^version: /],
      [{ version: "a\0b" }, /^version: /],
      [{ version: "a/b" }, /^version: /],
      [{ version: "x", projects: ["nowhere"] }, /^projects: there is no project "nowhere"/],
      [{ version: "x", projects: [{}] }, /^projects\[0\]: /],
      [{ version: "x", dateReleased: "tomorrow" }, /^dateReleased: must be a date/],
      [{ version: "x", status: "burning" }, /^status: /],
      [{ version: "x", commits: [{ id: "a" }, { id: "x".repeat(65) }] }, /^commits\[1\]\.id: /],
    ];
    for (const [body, detail] of cases) {
      const response = await create(body);
      expect([response.status, await response.json()]).toEqual([400, { detail: expect.stringMatching(detail) }]);
    }
    const notJson = await fetch(`${server.url}/api/0${ORGANIZATION}`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
      body: "{",
    });
    expect([notJson.status, await notJson.json()]).toEqual([400, { detail: "the body is not valid JSON" }]);
    const large = await create({ version: "x", url: "y".repeat(21_000_000) });
    expect([large.status, await large.json()]).toEqual([413, { detail: "the body is over 20000000 bytes" }]);
  });
});

test("a release that is asked for by its short name is named in full, and no issue waits for the short one", async () => {
  const version = "fall@7.1.0";
  await create({ version, projects: ["shop"] });
  const detail = async (response: Response) => [
    response.status,
    ((await response.json()) as { detail: string }).detail,
  ];
  const asked = "Did you mean fall@7.1.0?";
  for (const base of ["/organizations/default", "/projects/default/shop"]) {
    const missing = `The requested release does not exist. ${asked}`;
    expect(await detail(await send(server, "PUT", `${base}/releases/7.1.0/`, {}))).toEqual([404, missing]);
  }
  const part = await send(server, "PUT", "/organizations/default/releases/7.1/", {});
  expect(await detail(part)).toEqual([404, "The requested release does not exist"]);
  const { eventId, envelope } = toEventEnvelope({ message: "waits for a release", release: version });
  await sendEnvelope(server, envelope);
  const issue = `/issues/${(await waitForEvent(server, eventId)).groupID}/`;
  const resolve = (inRelease: string) =>
    send(server, "PUT", issue, { status: "resolved", statusDetails: { inRelease } });
  const refused = `statusDetails.inRelease: there is no release 7.1.0. ${asked}`;
  expect(await detail(await resolve("7.1.0"))).toEqual([400, refused]);
  expect(await getJson(server, issue)).toMatchObject({ status: "unresolved" });
  // The second is not made yet.
  for (const known of [version, "7.2.0"]) {
    expect((await resolve(known)).status).toBe(200);
    expect(await getJson(server, issue)).toMatchObject({ statusDetails: { inRelease: known } });
  }
});

describe("resolving by release", () => {
  test.each([
    [{ status: "resolvedInNextRelease" }, { inNextRelease: true }],
    [{ status: "resolved", statusDetails: { inNextRelease: true } }, { inNextRelease: true }],
    [{ status: "resolved", statusDetails: { inRelease: "fixed@2" } }, { inRelease: "fixed@2" }],
    [
      { status: "resolved", statusDetails: { inCommit: { commit: "d".repeat(40), repository: "acme/shop" } } },
      { inCommit: { commit: "d".repeat(40), repository: "acme/shop" } },
    ],
    [{ status: "resolved" }, {}],
  ])("%j", async (body, statusDetails) => {
    await create({ version: "fixed@2", projects: ["shop"] });
    const { eventId, envelope } = toEventEnvelope({
      message: `resolved by ${JSON.stringify(body)}`,
      release: "fixed@1",
    });
    await sendEnvelope(server, envelope);
    const { groupID } = await waitForEvent(server, eventId);
    const changed = await send(server, "PUT", `/projects/default/shop/issues/?id=${groupID}`, body);
    expect(await changed.json()).toEqual({ status: "resolved", statusDetails, matchingCount: 1, changedCount: 1 });
    expect(await getJson(server, `/issues/${groupID}/`)).toMatchObject({ status: "resolved", statusDetails });
    const back = await send(server, "PUT", `/issues/${groupID}/`, { status: "unresolved" });
    expect(await back.json()).toMatchObject({ status: "unresolved", statusDetails: {} });
  });
});
