import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import { narrowScope } from "../../domain/scope.ts";
import { openTestState } from "../../stores/sqlite/sqlite-state-database.ts";
import { apply, EVERYTHING, occurrence } from "../../stores/state/contract/fixture.ts";
import type { State } from "../../stores/state/state.ts";
import { changeViews } from "./change-views.server.ts";
import { countViews } from "./count-views.server.ts";
import { listViews } from "./list-views.server.ts";

const folder = mkdtempSync(join(tmpdir(), "culprit-views-"));
let state: State;
let people: { mia: Workspace; ben: Workspace };
type Workspace = ReturnType<typeof testWorkspace>;

const FORM = { intent: "save", list: "issues", name: "Fatal", query: "q=level%3Afatal&cursor=abc&range=7d" };
const change = (workspace: Workspace, fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return changeViews(workspace, form);
};

beforeAll(async () => {
  state = await openTestState({ path: join(folder, "state.db") });
  for (const slug of ["web", "api"]) await state.projects.createProject({ slug, name: slug, platform: "node", at: 0 });
  const add = async (name: string, projectIds: number[]) => {
    const email = `${name}@shop.example`;
    const id = await state.people.createMember({
      email,
      name,
      passwordHash: "-",
      role: "member",
      teamIds: [],
      projectIds,
      at: 0,
    });
    return { state, user: await state.people.getUser(id), scope: narrowScope(EVERYTHING, projectIds) };
  };
  people = { mia: testWorkspace(await add("mia", [1, 2])), ben: testWorkspace(await add("ben", [1])) };
  const at = Date.now();
  await apply(state, [occurrence(1, "a", { at }), occurrence(2, "b", { at, projectId: 2 })]);
});
afterAll(async () => {
  await state.close();
  rmSync(folder, { recursive: true });
});

test("a view keeps what narrows a list and not the place in it, and is brought back as it was", async () => {
  const { mia } = people;
  expect(await change(mia, { ...FORM, isDefault: "on" })).toEqual({
    ok: true,
    message: "Fatal saved.",
    path: "/issues?range=7d&q=level%3Afatal",
  });
  expect(await change(mia, FORM)).toMatchObject({ ok: false, status: 409, message: /of that name/ });
  const [view] = await listViews(mia);
  expect(view).toMatchObject({ name: "Fatal", isDefault: true, isShared: false, isOwn: true });
  const deleted = await change(mia, { intent: "delete", view: String(view?.id) });
  expect(deleted).toMatchObject({ ok: true, deleted: view });
  expect(await listViews(mia)).toEqual([]);
  const { query = "", place = 0 } = view ?? {};
  const restored = { ...FORM, intent: "restore", query, place: String(place), isDefault: "on" };
  expect(await change(mia, restored)).toEqual({ ok: true, message: "Fatal saved." });
  expect(await listViews(mia)).toEqual([{ ...view, id: expect.any(Number) }]);
});

test("refuses what is too long, unknown, or of projects that one does not see", async () => {
  const { mia, ben } = people;
  expect(await change(mia, { ...FORM, name: "x".repeat(61) })).toMatchObject({ ok: false, status: 400, message: /60/ });
  expect(await change(mia, { ...FORM, list: "people" })).toMatchObject({ ok: false, status: 400 });
  expect(await change(mia, { ...FORM, query: "q".repeat(8_001) })).toMatchObject({ ok: false, status: 400 });
  for (const query of ["project=api", "q=project:api"])
    expect(await change(ben, { ...FORM, query })).toMatchObject({ status: 400, message: "There is no project “api”." });
  expect(await change(ben, { intent: "rename", view: "1", name: "Mine" })).toMatchObject({ ok: false, status: 404 });
  expect(await change(testWorkspace({ state }), FORM)).toMatchObject({ ok: false, status: 404 });
});

test("who is limited sees shared views of their projects, and counts of their projects alone", async () => {
  const { mia, ben } = people;
  await change(mia, { ...FORM, name: "All", query: "q=", isShared: "on" });
  await change(mia, { ...FORM, name: "Both", query: "q=&project=web&project=api", isShared: "on" });
  const seen = await listViews(ben);
  expect(seen.map(({ name, isOwn, ownerName }) => [name, isOwn, ownerName])).toEqual([["All", false, "mia"]]);
  const count = async (workspace: Workspace) => {
    const views = (await listViews(workspace)).filter(({ name }) => name === "All");
    return Object.values(await countViews(workspace, { views, now: Date.now() }));
  };
  expect(await count(mia)).toEqual([{ count: 2, isAtLeast: false }]);
  expect(await count(ben)).toEqual([{ count: 1, isAtLeast: false }]);
});

test("a shared view that is brought back is the default of others again", async () => {
  const { mia, ben } = people;
  const shared = { ...FORM, list: "logs", name: "For all", query: "q=", isShared: "on" };
  await change(mia, shared);
  const find = async () => (await listViews(ben)).find(({ name }) => name === "For all");
  const view = String((await find())?.id);
  await change(ben, { intent: "default", view });
  await change(mia, { intent: "delete", view });
  // Another person's undo of it gives nobody a default.
  await change(ben, { ...shared, intent: "restore", name: "Taken", deleted: view });
  expect((await listViews(mia)).filter(({ isDefault, list }) => isDefault && list === "logs")).toEqual([]);
  await change(mia, { ...shared, intent: "restore", deleted: view });
  expect(await find()).toMatchObject({ isDefault: true, isOwn: false });
});
