import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import { makeScope, type Right } from "../../domain/scope.ts";
import { openTestState } from "../../stores/sqlite/sqlite-state-database.ts";
import { EVERYTHING } from "../../stores/state/contract/fixture.ts";
import type { State } from "../../stores/state/state.ts";
import { listSearchValues } from "./list-search-values.server.ts";

const folder = mkdtempSync(join(tmpdir(), "culprit-values-"));
let state: State;

beforeAll(async () => {
  state = await openTestState({ path: join(folder, "state.db") });
  for (const slug of ["web", "api"]) await state.projects.createProject({ slug, name: slug, platform: "node", at: 0 });
  const save = (version: string, projectId: number, at: number, status: "open" | "archived" = "open") =>
    state.releases.saveRelease(EVERYTHING, { version, projectIds: [projectId], at, status });
  for (let minor = 0; minor < 12; minor++) await save(`web@1.${minor}.0`, 1, minor);
  await save("api@1.0.0-Web", 2, 100);
  await save("web@9.0.0", 1, 200, "archived");
});
afterAll(async () => {
  await state.close();
  rmSync(folder, { recursive: true });
});

async function list(text: string, slugs: string[] = []) {
  const events = { listTagValues: async () => [{ value: "web@1.11.0", count: 7 }] };
  const found = await listSearchValues(testWorkspace({ state, events }), {
    key: "release",
    text,
    slugs,
    issueId: null,
  });
  return { values: found?.values.map(({ value }) => value), isAll: found?.isAll };
}

test("the newest versions, ten of them, those that are archived left out", async () => {
  const { values, isAll } = await list("");
  expect(values).toHaveLength(10);
  expect(values?.slice(0, 3)).toEqual(["api@1.0.0-Web", "web@1.11.0", "web@1.10.0"]);
  expect(isAll).toBe(false);
});

test("those that begin with the letters come before those that hold them", async () => {
  const { values } = await list("WEB");
  expect(values?.[0]).toBe("web@1.11.0");
  expect(values).not.toContain("api@1.0.0-Web");
  expect(await list("1.1")).toEqual({ values: ["web@1.11.0", "web@1.10.0", "web@1.1.0"], isAll: true });
  expect(await list("nothing")).toEqual({ values: [], isAll: true });
});

test("of the projects that are chosen", async () => {
  expect(await list("web", ["api"])).toEqual({ values: ["api@1.0.0-Web"], isAll: true });
  expect(await list("", ["gone"])).toEqual({ values: [], isAll: true });
  expect(await list("x".repeat(10_000))).toEqual({ values: [], isAll: true });
});

test("a version has the number of its events", async () => {
  const events = { listTagValues: async () => [{ value: "web@1.11.0", count: 7 }] };
  const workspace = testWorkspace({ state, events });
  const found = await listSearchValues(workspace, { key: "release", text: "web@1.1", slugs: [], issueId: null });
  expect(found?.values).toEqual([
    { value: "web@1.11.0", counted: { count: 7, of: "events" } },
    { value: "web@1.10.0", counted: { count: 0, of: "events" } },
    { value: "web@1.1.0", counted: { count: 0, of: "events" } },
  ]);
});

test("keys of tags and their values, with the number of events of the chosen projects that have them", async () => {
  const asked: unknown[] = [];
  const values: Record<string, Array<[string, number]>> = {
    plan: [["pro", 6]],
    user: [
      ["id:42", 3],
      ["email:sam@shop.example", 2],
    ],
  };
  const workspace = testWorkspace({
    state,
    events: {
      listTagKeys: async (projectIds) => {
        asked.push(projectIds);
        return [
          { key: "plan", count: 8 },
          { key: "Region", count: 5 },
        ];
      },
      listTagValues: async (filter) => {
        asked.push(filter);
        return (values[filter.key] ?? []).map(([value, count]) => ({ value, count }));
      },
    },
  });
  const ask = async (key: string | null, text: string) =>
    (await listSearchValues(workspace, { key, text, slugs: ["api"], issueId: null }))?.values;
  expect(await ask(null, "reg")).toEqual([{ value: "Region", counted: { count: 5, of: "events" } }]);
  expect(await ask("plan", "PR")).toEqual([{ value: "pro", counted: { count: 6, of: "events" } }]);
  expect(await ask("env", "")).toEqual([]);
  expect(await ask("user", "")).toHaveLength(2);
  expect(await ask("user.email", "sam")).toEqual([{ value: "sam@shop.example", counted: { count: 2, of: "events" } }]);
  expect(asked).toMatchObject([
    [2],
    { projectIds: [2], key: "plan", part: "PR" },
    { key: "environment" },
    { key: "user", part: "" },
    { key: "user", part: "" },
  ]);
  expect(await ask("trace", "")).toEqual([]);
  expect(await ask("message", "")).toEqual([]);
  expect(await ask("x".repeat(201), "")).toEqual([]);
  expect(asked).toHaveLength(5);
  const ofIssue = { key: null, text: "", slugs: [], issueId: "4711" };
  expect(await listSearchValues(workspace, ofIssue)).toBeNull();
});

test("fields of issues, with the number of issues", async () => {
  const counts: Record<string, Array<[string, number]>> = {
    status: [
      ["unresolved", 4],
      ["resolved", 2],
    ],
    substatus: [["new", 1]],
    isUnhandled: [
      ["0", 5],
      ["1", 1],
    ],
    type: [["TypeError", 3]],
    projectId: [["2", 6]],
  };
  const issues: State["issues"] = {
    ...state.issues,
    countIssueValues: async (_, { field }) => ({
      values: (counts[field] ?? []).map(([value, count]) => ({ value, count })),
      isComplete: field !== "type",
    }),
  };
  const ask = async (key: string, text: string) => {
    const workspace = testWorkspace({ state: { ...state, issues } });
    const found = await listSearchValues(workspace, { key, text, slugs: [], issueId: null });
    return found?.values.map(({ value, counted }) => [value, counted]);
  };
  expect(await ask("is", "re")).toEqual([
    ["resolved", { count: 2, of: "issues" }],
    ["unresolved", { count: 4, of: "issues" }],
  ]);
  expect(await ask("is", "handled")).toEqual([
    ["handled", { count: 5, of: "issues" }],
    ["unhandled", { count: 1, of: "issues" }],
  ]);
  expect(await ask("error.type", "")).toEqual([["TypeError", { count: 3, of: "issues", isAtLeast: true }]]);
  expect(await ask("project", "")).toEqual([["api", { count: 6, of: "issues" }]]);
});

test("people are offered after assigned: to readers of members, and to others the words that mean somebody", async () => {
  const owner = { email: "ada@example.com", name: "Ada", passwordHash: "x" };
  await state.people.setUp({ organization: { slug: "acme", name: "Acme" }, owner, project: null, at: 0 });
  const ask = async (rights: Right[]) => {
    const scope = makeScope({ organizationId: 1, projectIds: [1, 2], rights });
    const asked = { key: "assigned", text: "", slugs: [], issueId: null };
    return (await listSearchValues(testWorkspace({ state, scope }), asked))?.values.map(({ value }) => value);
  };
  expect(await ask(["event:read", "member:read"])).toEqual(["me", "my_teams", "none", "Ada"]);
  expect(await ask(["event:read"])).toEqual(["me", "my_teams", "none"]);
});
