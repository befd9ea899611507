import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import { HOUR_MS } from "../../domain/time.ts";
import type { SpanGroupSum, SpanSearchFilter } from "../../stores/events/span-search.ts";
import { openTestState } from "../../stores/sqlite/sqlite-state-database.ts";
import type { State } from "../../stores/state/state.ts";
import { readExploreOptions } from "./explore-options.ts";
import { getExplorePage } from "./get-explore-page.server.ts";

const NOW = Date.UTC(2026, 4, 20, 12, 10);

let folder: string;
let state: State;
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
async function getPage(query: string) {
  const asked: SpanSearchFilter[] = [];
  const reach = (next: number) => ({ searchedFrom: NOW - HOUR_MS, progress: { searched: 1, spans: 9, next } });
  const page = await getExplorePage(
    testWorkspace({
      state,
      events: {
        listAttributeKeys: async () => [{ key: "plan", count: 1 }],
        listAttributeValues: async ({ key }) => (key === "plan" ? [{ value: "pro", count: 1 }] : []),
        listEnvironments: async () => [],
        sumSpans: async () => [],
        sumFoundSpans: async (filter, { by }) => {
          asked.push(filter);
          const none = { sums: [], hasMore: false };
          const whole = { ...none, sums: [toSum("db", 3, 2), toSum("http", 2, 0), toSum("cache", 1, 1)] };
          return { ...none, totals: [], whole, ...(by.length > 0 ? reach(70) : { searchedFrom: null }) };
        },
        findSpans: async (filter) => {
          asked.push(filter);
          return { spans: [], nextCursor: null, ...reach(50) };
        },
      },
    }),
    { options: readExploreOptions(new URLSearchParams(query)), now: NOW },
  );
  return { page, asked };
}

test("an attribute with so many values that some are not counted says so", async () => {
  const values = (count: number) => Array.from({ length: count }, (_, index) => ({ value: `v${index}`, count: 1 }));
  const none = { sums: [], hasMore: false };
  const page = await getExplorePage(
    testWorkspace({
      state,
      events: {
        listAttributeKeys: async () => ["many", "few"].map((key) => ({ key, count: 60 })),
        listAttributeValues: async ({ key }, limit) => values(key === "many" ? 60 : 49).slice(0, limit),
        listEnvironments: async () => [],
        sumSpans: async () => [],
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
  // Its values were read later than its key: they are what shares are of.
  expect(attributes.map(({ count }) => count)).toEqual([60, 49]);
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
  ["", ["db", "http", "cache"]],
  ["&sort=-failure_rate()", ["cache", "db", "http"]],
  ["&sort=failure_rate()", ["http", "db", "cache"]],
  ["&sort=span.op", ["cache", "db", "http"]],
])("the groups of the table with “%s”", async (sort, names) => {
  const { page } = await getPage(`view=aggregates${sort}`);
  expect(page.content).toMatchObject({ view: "aggregates", sums: { rows: names.map((name) => ({ group: [name] })) } });
});
