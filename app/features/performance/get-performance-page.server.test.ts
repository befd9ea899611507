import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import { openTestState } from "../../stores/sqlite/sqlite-state-database.ts";
import type { State } from "../../stores/state/state.ts";
import { getPerformancePage } from "./get-performance-page.server.ts";
import { parsePerformanceFilters } from "./performance-filters.ts";

const NOW = Date.UTC(2026, 4, 20, 12, 10);

let folder: string;
let state: State;
let projectId: number;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "culprit-performance-"));
  state = await openTestState({ path: join(folder, "state.db"), now: () => NOW });
  const created = await state.projects.createProject({ slug: "web", name: "Web", platform: "node", at: NOW });
  if (!created.ok) throw new Error(created.reason);
  projectId = created.project.id;
});
afterAll(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

test("a web vital is rated by its exact shares, and its figure is within the bounds of the rating", async () => {
  // The bucket from 194 to 206 ms, whose middle is above the 200 ms that are good.
  const values = [[209, 4]];
  const vital = { projectId, name: "/", vital: "inp", spans: 4, weight: 4, poorWeight: 0, values };
  const show = async (goodWeight: number) => {
    const page = await getPerformancePage(
      testWorkspace({
        state,
        monitoringProjectId: () => null,
        events: {
          listEnvironments: async () => [],
          sumVitals: async () => ({ sums: [{ ...vital, goodWeight }] as never, hasMore: false }),
        },
      }),
      { filters: parsePerformanceFilters(new URLSearchParams("view=vitals")), now: NOW },
    );
    if (page.content.view !== "vitals") throw new Error("other view");
    return page.content.rows[0]?.vitals.inp;
  };
  expect(await show(3)).toMatchObject({ rating: "good", p75: 200 });
  expect(await show(2)).toMatchObject({ rating: "needs-improvement", p75: expect.closeTo(200.2, 1) });
});

/**
 * What the page shows for a store with `count` transactions. Each took less time in total than the one before it.
 * The last one is the slowest of all for a single request.
 */
async function getContent(query: string, count: number) {
  const page = await getPerformancePage(
    testWorkspace({
      state,
      monitoringProjectId: () => null,
      events: {
        listEnvironments: async () => [],
        sumTransactions: async (_, { limit, rankFrom = 0 }) => {
          const names = Array.from({ length: Math.min(count, limit) }, (_, index) => index);
          const sums = names.map((index) => ({
            ...{ projectId, name: `GET /${index}`, op: "http.server", at: rankFrom, spans: 1, failedWeight: 0 },
            ...{ weight: count - index, totalUs: 10_000 - index, durations: [[index === count - 1 ? 200 : 100, 1]] },
          }));
          return { sums: sums as never, hasMore: count > limit };
        },
      },
    }),
    { filters: parsePerformanceFilters(new URLSearchParams(query)), now: NOW },
  );
  if (page.content.view !== "transactions") throw new Error("other view");
  const { rows, hasMore, sorted } = page.content;
  return { first: rows[0]?.name, rows: rows.length, hasMore, sorted };
}

test("all transactions are sorted, and the first hundred are shown", async () => {
  expect(await getContent("", 150)).toEqual({ first: "GET /0", rows: 100, hasMore: true, sorted: 100 });
  expect(await getContent("sort=p95", 150)).toEqual({ first: "GET /149", rows: 100, hasMore: true, sorted: null });
  expect(await getContent("sort=p95", 80)).toEqual({ first: "GET /79", rows: 80, hasMore: false, sorted: null });
});

test("of very many, those of most time are sorted, and the page can say how many", async () => {
  expect(await getContent("sort=p95", 1_200)).toEqual({ first: "GET /0", rows: 100, hasMore: true, sorted: 1_000 });
});

test("what the server itself does is left out of all projects, and a text or a chosen project finds it", async () => {
  const own = await state.projects.createProject({ slug: "culprit", name: "Culprit", platform: "node", at: NOW });
  if (!own.ok) throw new Error(own.reason);
  const asked: unknown[] = [];
  const getPage = (query: string) =>
    getPerformancePage(
      testWorkspace({
        state,
        monitoringProjectId: () => own.project.id,
        events: {
          listEnvironments: async () => [],
          sumTransactions: async ({ projectIds }) => {
            asked.push(projectIds);
            return { sums: [], hasMore: false };
          },
        },
      }),
      { filters: parsePerformanceFilters(new URLSearchParams(query)), now: NOW },
    );
  expect((await getPage("")).leftOut).toBe("culprit");
  expect(asked).toEqual([[projectId]]);
  for (const query of ["project=culprit", "q=job"]) {
    asked.length = 0;
    expect((await getPage(query)).leftOut).toBeNull();
    expect(asked[0]).toContain(own.project.id);
  }
});
