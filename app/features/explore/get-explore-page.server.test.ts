import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import { HOUR_MS } from "../../domain/time.ts";
import type { SpanGroupOrder, SpanGroupSum, SpanKey, SpanSearchFilter } from "../../stores/events/span-search.ts";
import { openTestState } from "../../stores/sqlite/sqlite-state-database.ts";
import { EVERYTHING } from "../../stores/state/contract/fixture.ts";
import type { State } from "../../stores/state/state.ts";
import { readExploreOptions } from "./explore-options.ts";
import { getExplorePage } from "./get-explore-page.server.ts";

const NOW = Date.UTC(2026, 4, 20, 12, 10);

let folder: string;
let state: State;
let monitoringProjectId: number | null = null;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "culprit-explore-"));
  state = await openTestState({ path: join(folder, "state.db"), now: () => NOW });
});
afterAll(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

function toSum(op: string, spans: number, failedWeight: number): SpanGroupSum {
  return { group: [op], at: null, spans, weight: spans, failedWeight, totalUs: spans, durations: [] };
}

/** A page of a search that stopped early: its spans at the ordinal 50, its groups at 70. Its other parts are whole. */
async function getPage(query: string, found = [toSum("db", 3, 2), toSum("http", 2, 0), toSum("cache", 1, 1)]) {
  const asked: SpanSearchFilter[] = [];
  const orders: Array<SpanGroupOrder | undefined> = [];
  const keys = new Set<SpanKey>();
  const reach = (next: number) => ({ searchedFrom: NOW - HOUR_MS, progress: { searched: 1, spans: 9, next } });
  const page = await getExplorePage(
    testWorkspace({
      state,
      monitoringProjectId: () => monitoringProjectId,
      events: {
        listAttributeKeys: async () => [{ key: "plan", count: 1 }],
        listAttributeValues: async ({ key }) => (key === "plan" ? [{ value: "pro", count: 1 }] : []),
        listEnvironments: async () => [],
        sumFoundSpans: async (filter, { by, order }) => {
          asked.push(filter);
          orders.push(order);
          for (const key of by) keys.add(key);
          const none = { sums: [], hasMore: false };
          const whole = { ...none, sums: found };
          return { ...none, totals: [toSum("", 6, 3)], whole, ...(by.length > 0 ? reach(70) : { searchedFrom: null }) };
        },
        findSpans: async (filter) => {
          asked.push(filter);
          return { spans: [], nextCursor: null, ...reach(50) };
        },
      },
    }),
    { options: readExploreOptions(new URLSearchParams(query)), now: NOW },
  );
  return { page, asked, orders, keys: [...keys] };
}

test("an attribute with so many values that some are not counted says so", async () => {
  const values = (count: number) => Array.from({ length: count }, (_, index) => ({ value: `v${index}`, count: 1 }));
  const none = { sums: [], hasMore: false };
  const page = await getExplorePage(
    testWorkspace({
      state,
      monitoringProjectId: () => monitoringProjectId,
      events: {
        listAttributeKeys: async () => ["many", "few"].map((key) => ({ key, count: 60 })),
        listAttributeValues: async ({ key }, limit) => values(key === "many" ? 60 : 49).slice(0, limit),
        listEnvironments: async () => [],
        sumFoundSpans: async () => ({ ...none, totals: [], whole: none, searchedFrom: null }),
      },
    }),
    { options: readExploreOptions(new URLSearchParams("view=attributes")), now: NOW },
  );
  const { attributes } = page.content as Extract<typeof page.content, { view: "attributes" }>;
  expect(attributes.map(({ key, isCut, values }) => [key, isCut, values.length])).toEqual([
    ["many", true, 5],
    ["few", false, 5],
  ]);
  // Values were read later than their key. Shares are shares of the sum of the values.
  expect(attributes.map(({ count }) => count)).toEqual([60, 49]);
});

test("an attribute with many numbers has their ranges, in which a sampled span counts more than once", async () => {
  const none = { hasMore: false, totals: [], whole: { sums: [], hasMore: false }, searchedFrom: null };
  const numbers = Array.from({ length: 100 }, (_, number) => [number, number < 50 ? 3 : 1] as const);
  const sum = { weight: 200, total: 1, min: -1, max: 99.5, values: numbers };
  const asked: unknown[] = [];
  const page = await getExplorePage(
    testWorkspace({
      state,
      monitoringProjectId: () => monitoringProjectId,
      events: {
        listAttributeKeys: async () => ["items", "status", "plan", "release"].map((key) => ({ key, count: 60 })),
        listAttributeValues: async ({ key }) =>
          Array.from({ length: key === "status" ? 10 : 11 }, (_, index) => ({
            value: key === "plan" ? `p${index}` : String(index),
            count: 1,
          })),
        listEnvironments: async () => [],
        sumFoundSpans: async (_filter, { numbers = [] }) => {
          if (numbers.length === 0) return { ...none, sums: [] };
          asked.push(numbers);
          return { ...none, sums: [{ ...toSum("", 100, 0), numbers: [sum] }] };
        },
      },
    }),
    { options: readExploreOptions(new URLSearchParams("view=attributes")), now: NOW },
  );
  expect(asked).toEqual([[{ name: "items", isTag: true }]]);
  const { attributes } = page.content as Extract<typeof page.content, { view: "attributes" }>;
  expect(attributes.map(({ key, numbers }) => [key, numbers !== null])).toEqual([
    ["items", true],
    ["status", false],
    ["plan", false],
    ["release", false],
  ]);
  expect(attributes[0]?.numbers).toMatchObject({ count: 200, min: -1, median: 33, p95: 89, max: 99.5 });
  expect(attributes[0]?.numbers?.ranges[0]).toEqual({ from: null, to: 20, share: 0.3 });
});

describe("a search of spans that comes only so far", () => {
  test("goes on where all of its parts are", async () => {
    const { page, asked } = await getPage("q=plan:pro&by=span.op");
    expect(asked).toHaveLength(2);
    expect(asked.every(({ beforeOrdinal }) => beforeOrdinal === undefined)).toBe(true);
    expect(page.reach).toEqual({ searchedFrom: NOW - HOUR_MS, progress: { searched: 1, spans: 9, next: 70 } });
  });

  test("says what attribute no span has, as far as it came, and which key is near", async () => {
    const { page } = await getPage("q=plna:pro");
    expect(page.problems).toEqual([]);
    expect(page.notes).toEqual([
      "No span since 2026-05-20T11:10:00Z has the attribute “plna”, and the search came no further. The nearest is “plan”.",
    ]);
  });

  test("reads what was stored before the place that its address says", async () => {
    const { asked } = await getPage("q=plan:pro&before=70");
    expect(asked.map(({ beforeOrdinal }) => beforeOrdinal)).toEqual([70, 70]);
  });
});

test.each([
  ["", undefined],
  ["&sort=-failure_rate()", { of: "failure_rate()", isDescending: true }],
  ["&show=p95(plan)&show=avg(cost)&sort=-avg(cost)", { of: "avg(span.duration)", isDescending: true, number: 1 }],
  ["&sort=failure_rate()", { of: "failure_rate()", isDescending: false }],
  ["&sort=span.op", { of: 0, isDescending: false }],
  ["&by=span.status&by=span.op&sort=-span.op", { of: 1, isDescending: true }],
  ["&sort=-p99(span.duration)", undefined],
])("asks for the groups that come first with “%s”", async (sort, order) => {
  const { page, orders } = await getPage(`view=aggregates${sort}`);
  expect(orders).toEqual([order]);
  const names = ["db", "http", "cache"];
  expect(page.content).toMatchObject({ view: "aggregates", sums: { rows: names.map((name) => ({ group: [name] })) } });
});

test("projects are in the order of their slugs, not of their ids, and one that is not there is unknown", async () => {
  const ids: string[] = [];
  for (const slug of ["shop", "checkout"]) {
    const created = await state.projects.createProject({ slug, name: slug, platform: "node", at: NOW });
    if (created.ok) ids.push(String(created.project.id));
  }
  expect((await getPage("project=shop")).page.isUnknownProject).toBe(false);
  expect((await getPage("project=shopp")).page.isUnknownProject).toBe(true);
  const both = await getPage("project=shop&project=shopp&project=checkout&environment=live&environment=test");
  expect(both.page).toMatchObject({ isUnknownProject: false, notes: ["There is no project “shopp”."] });
  expect(both.asked[0]?.projectIds.map(String).sort()).toEqual(ids.toSorted());
  expect(JSON.stringify(both.asked[0]?.where)).toContain('["live","test"]');
  const { page } = await getPage(
    "view=aggregates&by=project&sort=project",
    ids.map((id) => toSum(id, 1, 0)),
  );
  expect(page.content).toMatchObject({ sums: { rows: [{ group: ["checkout"] }, { group: ["shop"] }] } });
});

test("spans that name no service are grouped by their project, as it stands for them elsewhere", async () => {
  const shop = await state.projects.getProjectBySlug(EVERYTHING, "shop");
  const { keys } = await getPage("project=shop&view=aggregates&by=service&by=span.op");
  const services = keys.filter(({ name }) => name === "service");
  expect(services.length).toBeGreaterThan(0);
  for (const { unnamed } of services) expect(unnamed).toEqual(new Map([[shop?.id, "shop"]]));
});

test("the server's own spans are left out of those of all projects, and a search finds them", async () => {
  const [shop, own] = await state.projects.listProjects(EVERYTHING);
  monitoringProjectId = own?.id ?? null;
  const all = await getPage("");
  expect(all.page.leftOut).toBe(own?.slug);
  expect(all.asked[0]?.projectIds).toEqual([shop?.id]);
  for (const query of ["q=op:db", `project=${own?.slug}`]) {
    const { page, asked } = await getPage(query);
    expect(page.leftOut).toBeNull();
    expect(asked[0]?.projectIds).toContain(own?.id);
  }
});
