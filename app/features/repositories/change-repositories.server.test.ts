import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import { openTestState } from "../../stores/sqlite/sqlite-state-database.ts";
import { EVERYTHING } from "../../stores/state/contract/fixture.ts";
import type { State } from "../../stores/state/state.ts";
import { changeRepositories } from "./change-repositories.server.ts";
import { listRepositories, listRepositoryPages } from "./list-repositories.server.ts";

const folder = mkdtempSync(join(tmpdir(), "culprit-repositories-"));
let state: State;

beforeAll(async () => {
  state = await openTestState({ path: join(folder, "state.db") });
});
afterAll(async () => {
  await state.close();
  rmSync(folder, { recursive: true });
});

function change(fields: Record<string, string | number>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  return changeRepositories(testWorkspace({ state }), { form, now: 5 });
}

test("what is wrong with a form is said at its field", async () => {
  const create = (fields: Record<string, string>) => change({ intent: "create", ...fields });
  expect(await create({ name: " " })).toMatchObject({ ok: false, status: 400, field: "name" });
  expect(await create({ name: "a b" })).toMatchObject({ field: "name" });
  expect(await create({ name: "x".repeat(201) })).toMatchObject({ field: "name" });
  expect(await create({ name: "a/b", provider: "sourceforge" })).toMatchObject({ field: "provider" });
  expect(await create({ name: "a/b", url: "here" })).toMatchObject({ field: "url" });
  expect(await create({ name: "a/b" })).toEqual({ ok: true, message: "a/b added." });
  expect(await create({ name: "a/b" })).toMatchObject({ status: 409, field: "name" });
  const { repositories } = await listRepositories(testWorkspace({ state }), null);
  const id = repositories[0]?.id ?? 0;
  expect(await change({ intent: "place", repository: id, url: "x" })).toMatchObject({ field: "url", repositoryId: id });
  expect(await change({ intent: "nothing", repository: id })).toMatchObject({ status: 400, field: "list" });
  for (const repository of [999, "x", -1])
    expect(await change({ intent: "delete", repository })).toMatchObject({ status: 404 });
});

test("what links of projects name is offered until it is there; pages of what is disabled are not", async () => {
  await state.projects.createProject({ slug: "web", name: "Web", platform: "node", at: 0 });
  const sourceLinks = {
    host: "github",
    repositoryUrl: "https://github.com/acme/shop",
    template: null,
    defaultBranch: "main",
    codeMappings: [],
  } as const;
  await state.projects.changeProject(EVERYTHING, 1, { sourceLinks: { ...sourceLinks, codeMappings: [] } });
  expect((await listRepositories(testWorkspace({ state }), null)).offers).toEqual([
    { name: "acme/shop", provider: "github", projectName: "Web" },
  ]);
  await change({ intent: "create", name: "acme/shop", provider: "github" });
  const { offers, repositories } = await listRepositories(testWorkspace({ state }), null);
  expect(offers).toEqual([]);
  expect(await listRepositoryPages(testWorkspace({ state }))).toEqual(["https://github.com/acme/shop"]);
  const id = repositories.find(({ name }) => name === "acme/shop")?.id ?? 0;
  expect(await change({ intent: "disable", repository: id })).toMatchObject({ message: "acme/shop disabled." });
  expect(await listRepositoryPages(testWorkspace({ state }))).toEqual([]);
});
