import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { makeProject } from "../support/make-project.ts";
import { makeToken } from "../support/make-token.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const PATH = "/organizations/default/code-mappings/bulk/";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

async function saveLinks(slug: string, fields: Record<string, string>): Promise<void> {
  const visitor = await signIn(server);
  const page = await visitor.post(`/projects/${slug}/settings`, {
    intent: "source-links",
    host: "github",
    repositoryUrl: "https://github.com/acme/shop",
    ...fields,
  });
  expect(page.status).toBe(200);
}

/** Roots as the settings page shows them, in its order. */
async function listRows(slug: string): Promise<string[]> {
  const { html } = await (await signIn(server)).open(`/projects/${slug}/settings`);
  const values = (name: string) =>
    [...html.matchAll(/<input\b[^>]*>/g)]
      .map(([tag]) => tag)
      .filter((tag) => tag.includes(`name="${name}"`))
      .map((tag) => /value="([^"]*)"/.exec(tag)?.[1]);
  const sourceRoots = values("sourceRoot");
  return values("stackRoot").map((stackRoot, index) => `${stackRoot} > ${sourceRoots[index]}`);
}

const upload = async (slug: string, mappings: unknown, more: Record<string, unknown> = {}) => {
  const response = await send(server, "POST", PATH, {
    project: slug,
    repository: "acme/shop",
    defaultBranch: "trunk",
    mappings,
    ...more,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

test("mappings are added before the one for any path, and those with the same stack root are changed", async () => {
  const { slug } = await makeProject(server, "mapped");
  await saveLinks(slug, { stackRoot: "", sourceRoot: "apps" });
  const first = await upload(slug, [
    { stackRoot: "com/acme/shop", sourceRoot: "shop/src/main/java/com/acme/shop" },
    { stackRoot: "/srv/app/", sourceRoot: "." },
  ]);
  expect(first).toEqual({
    status: 200,
    body: {
      created: 2,
      updated: 0,
      errors: 0,
      mappings: [
        { stackRoot: "com/acme/shop", sourceRoot: "shop/src/main/java/com/acme/shop", status: "created" },
        { stackRoot: "/srv/app/", sourceRoot: ".", status: "created" },
      ],
    },
  });
  const second = await upload(slug, [
    { stackRoot: "com/acme/shop", sourceRoot: "cart" },
    { stackRoot: "lib", sourceRoot: "../lib" },
  ]);
  expect(second.body).toMatchObject({ created: 0, updated: 1, errors: 1 });
  expect(await listRows(slug)).toEqual(["com/acme/shop > cart", "/srv/app/ > ", " > apps"]);
});

test("of a project without a repository, or with another one, each is answered with what is wrong", async () => {
  const { slug } = await makeProject(server, "unmapped");
  const mappings = [{ stackRoot: "a", sourceRoot: "b" }];
  expect((await upload(slug, mappings)).body).toMatchObject({
    errors: 1,
    mappings: [{ status: "error", detail: expect.stringContaining("no repository yet") }],
  });
  await saveLinks(slug, {});
  expect((await upload(slug, mappings, { repository: "acme/other" })).body).toMatchObject({
    mappings: [{ detail: "The repository of the project is https://github.com/acme/shop, not acme/other." }],
  });
  expect(await listRows(slug)).toEqual([]);
});

test("of a project without a repository, the one of that name takes its place where its page is known", async () => {
  const { slug } = await makeProject(server, "found");
  await send(server, "POST", "/organizations/default/repos/", {
    name: "acme/known",
    provider: "gitlab",
    url: "https://gitlab.com/acme/known",
  });
  const answer = await upload(slug, [{ stackRoot: "a", sourceRoot: "b" }], { repository: "acme/known" });
  expect(answer.body).toMatchObject({ created: 1, errors: 0 });
  expect(await listRows(slug)).toEqual(["a > b"]);
  const { html } = await (await signIn(server)).open(`/projects/${slug}/settings`);
  expect(html).toContain('value="https://gitlab.com/acme/known"');
});

test("a project has no more than it may have", async () => {
  const { slug } = await makeProject(server, "full");
  await saveLinks(slug, {});
  const many = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ stackRoot: `/srv/${from + index}`, sourceRoot: "." }));
  expect((await upload(slug, many(0, 299))).body).toMatchObject({ created: 299, errors: 0 });
  expect((await upload(slug, many(299, 2))).body).toMatchObject({ created: 1, errors: 1 });
});

test("what is no such body, no such project, or not allowed is refused", async () => {
  const mappings = [{ stackRoot: "a", sourceRoot: "b" }];
  expect(await upload("shop", [])).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/^mappings/) } });
  expect(await upload("shop", [{ stackRoot: "a" }])).toMatchObject({
    status: 400,
    body: { detail: expect.stringMatching(/^mappings\[0\]\.sourceRoot/) },
  });
  expect(await upload("nobody", mappings)).toMatchObject({ status: 404 });
  const reader = await makeToken(server, { kind: "personal", scopes: ["project:read"] });
  const refused = await send({ ...server, token: reader }, "POST", PATH, {
    project: "shop",
    repository: "a",
    mappings,
  });
  expect(refused.status).toBe(403);
});
