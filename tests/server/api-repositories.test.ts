import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getJson, send } from "../support/api.ts";
import { makeToken } from "../support/make-token.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const PATH = "/organizations/default/repos/";

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

interface ApiRepository {
  id: string;
  name: string;
  [key: string]: unknown;
}

async function make(body: object): Promise<ApiRepository> {
  const response = await send(server, "POST", PATH, body);
  expect(response.status).toBe(201);
  return (await response.json()) as ApiRepository;
}
const refuse = async (method: "POST" | "PUT" | "DELETE", path: string, body: object) => {
  const response = await send(server, method, path, body);
  return `${response.status} ${((await response.json()) as { detail: string }).detail}`;
};

describe("repositories", () => {
  test("are made, read, changed, disabled and deleted", async () => {
    const made = await make({
      name: "acme/shop",
      provider: "integrations:github",
      url: "https://github.com/acme/shop.git/",
    });
    expect(made).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: "acme/shop",
      provider: { id: "github", name: "GitHub" },
      url: "https://github.com/acme/shop",
      status: "active",
      dateCreated: expect.stringMatching(/Z$/),
      externalSlug: "acme/shop",
      externalId: null,
      integrationId: null,
    });
    const path = `${PATH}${made.id}/`;
    expect(await getJson(server, path)).toEqual(made);
    const changed = await send(server, "PUT", path, { url: null, status: "disabled" });
    expect(await changed.json()).toEqual({ ...made, url: null, status: "disabled" });
    expect(await getJson(server, PATH)).toEqual([]);
    expect(await getJson(server, `${PATH}?status=disabled&query=SHOP`)).toMatchObject([{ name: "acme/shop" }]);
    expect((await send(server, "DELETE", path)).status).toBe(204);
    await expect(getJson(server, path)).rejects.toThrow("404");
  });

  test("are refused with the field that is wrong", async () => {
    const { id } = await make({ name: "acme/refused" });
    expect(await refuse("POST", PATH, { name: "acme/refused" })).toContain("409 There is a repository acme/refused");
    expect(await refuse("POST", PATH, { name: " " })).toMatch(/^400 name:/);
    expect(await refuse("POST", PATH, { name: "a b" })).toBe("400 name: must have no blanks");
    expect(await refuse("POST", PATH, { name: "a/b", provider: "sourceforge" })).toMatch(/^400 provider:/);
    for (const url of ["javascript:alert(1)", "git@github.com:a/b", "https://user:pw@github.com/a/b", "https://x"])
      expect(await refuse("PUT", `${PATH}${id}/`, { url })).toMatch(/^400 url:/);
    expect(await refuse("PUT", `${PATH}${id}/`, { status: "odd" })).toMatch(/^400 status:/);
    for (const unknown of ["999", "acme%2Frefused"])
      await expect(getJson(server, `${PATH}${unknown}/`)).rejects.toThrow("404");
  });

  test("page by their Link header, and are the business of who may write projects", async () => {
    for (const name of ["z/1", "z/2", "z/3"]) await make({ name });
    const response = await fetch(`${server.url}/api/0${PATH}?query=z/&per_page=2`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    expect(await response.json()).toMatchObject([{ name: "z/1" }, { name: "z/2" }]);
    const cursor = /rel="next"; results="true"; cursor="([^"]+)"/.exec(response.headers.get("link") ?? "")?.[1];
    expect(await getJson(server, `${PATH}?query=z/&cursor=${cursor}`)).toMatchObject([{ name: "z/3" }]);
    const build = { ...server, token: await makeToken(server, { scopes: ["org:ci"] }) };
    expect(await getJson(build, `${PATH}?query=z/1`)).toMatchObject([{ name: "z/1" }]);
    expect((await send(build, "POST", PATH, { name: "z/4" })).status).toBe(403);
  });
});

describe("heads that a build names without a list", () => {
  const releases = "/organizations/default/releases/";
  const shas = ["c", "b", "a"].map((digit) => digit.repeat(40)) as [string, string, string];

  test("are in the answer with what is known of them, and what no list holds is its hash", async () => {
    const ref = { repository: "acme/heads", commit: shas[0], previousCommit: shas[2] };
    await send(server, "POST", releases, { version: "heads-1", projects: ["shop"] });
    const named = await send(server, "PUT", `${releases}heads-1/`, { refs: [ref] });
    expect(await named.json()).toMatchObject({
      ref: shas[0],
      commitCount: 1,
      lastCommit: { id: shas[0] },
      refs: [{ ...ref, hasCommits: false }],
    });
    expect(await getJson(server, `${PATH}?query=acme/heads`)).toMatchObject([{ name: "acme/heads", url: null }]);

    const commits = shas.map((id) => ({ id, repository: "origin", message: `of ${id[0]}`, author_name: "Ann" }));
    await send(server, "POST", releases, { version: "canary", projects: ["shop"], commits });
    const again = await send(server, "PUT", `${releases}heads-1/`, { refs: [ref] });
    expect(await again.json()).toMatchObject({ commitCount: 2, refs: [{ hasCommits: true }] });
    expect(await getJson(server, `${releases}heads-1/commits/`)).toMatchObject([
      { id: shas[0], message: "of c", author: { name: "Ann" } },
      { id: shas[1], message: "of b" },
    ]);
    const cleared = await send(server, "PUT", `${releases}heads-1/`, { refs: [] });
    expect(await cleared.json()).toMatchObject({ commitCount: 0, lastCommit: null, refs: [] });
  });

  test("may be no hash, and then are no commit", async () => {
    const refs = [{ repository: "acme/heads", commit: "HEAD", previousCommit: "HEAD~3" }];
    const made = await send(server, "POST", releases, { version: "heads-2", projects: ["shop"], refs });
    expect(await made.json()).toMatchObject({
      ref: null,
      commitCount: 0,
      lastCommit: null,
      refs: [{ commit: "HEAD" }],
    });
  });
});
