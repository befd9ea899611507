import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import type { EventFilter, TagDistribution } from "../../stores/events/error-events.ts";
import { openSqliteState } from "../../stores/sqlite/open-sqlite-state.ts";
import { EVERYTHING } from "../../stores/state/contract/fixture.ts";
import type { State } from "../../stores/state/state.ts";
import { listSearchValues } from "./list-search-values.server.ts";

const folder = mkdtempSync(join(tmpdir(), "culprit-values-"));
let state: State;

beforeAll(async () => {
  state = await openSqliteState({ path: join(folder, "state.db") });
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
  const found = await listSearchValues(testWorkspace({ state }), { key: "release", text, slugs, issueId: null });
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

test("keys of tags and their values, with how many of the newest events have them", async () => {
  const asked: Array<[EventFilter, { keys?: string[]; newest?: number }]> = [];
  const tag = (key: string, total: number, ...values: Array<[string, number]>): TagDistribution => ({
    key,
    total,
    distinctCount: values.length,
    values: values.map(([value, count]) => ({ value, count, lastSeenAt: 0 })),
  });
  const tags = [tag("plan", 8, ["pro", 6], ["a pro", 2]), tag("Region", 5, ["eu", 5])];
  const workspace = testWorkspace({
    state,
    events: {
      tagDistributions: async (filter, options) => {
        asked.push([filter, options]);
        return {
          countedEvents: 10,
          isSampled: false,
          tags: tags.filter(({ key }) => options.keys?.includes(key) ?? true),
        };
      },
    },
  });
  const ask = (key: string | null, text: string, issueId: string | null = null) =>
    listSearchValues(workspace, { key, text, slugs: ["api"], issueId });
  expect(await ask(null, "")).toEqual({
    values: [
      { value: "plan", share: 0.8 },
      { value: "Region", share: 0.5 },
    ],
    isAll: true,
  });
  expect(asked[0]).toMatchObject([{ projectIds: [2] }, { newest: 2_000, valuesPerKey: 1 }]);
  expect((await ask(null, "reg"))?.values).toEqual([{ value: "Region", share: 0.5 }]);
  expect((await ask("plan", "PRO"))?.values).toEqual([
    { value: "pro", share: 0.6 },
    { value: "a pro", share: 0.2 },
  ]);
  expect((await ask("nothing", ""))?.values).toEqual([]);
  expect((await ask("x".repeat(201), ""))?.values).toEqual([]);
  expect(await ask(null, "", "4711")).toBeNull();
});
