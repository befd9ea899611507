import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time.ts";
import type { SpanSearchFilter } from "../../stores/events/span-search.ts";
import { openSqliteState } from "../../stores/sqlite/open-sqlite-state.ts";
import type { State } from "../../stores/state/state.ts";
import { readExploreOptions } from "./explore-options.ts";
import { getExplorePage } from "./get-explore-page.server.ts";

const NOW = Date.UTC(2026, 4, 20, 12, 10);
const END = Date.UTC(2026, 4, 20, 15);
const START = END - 7 * DAY_MS;

let folder: string;
let state: State;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "culprit-explore-"));
  state = await openSqliteState({ path: join(folder, "state.db"), now: () => NOW });
});
afterAll(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

/** A page of a search that reads three hours back from where it begins. */
async function getPage(query: string) {
  const asked: SpanSearchFilter[] = [];
  const reach = ({ to }: SpanSearchFilter) => ({ searchedFrom: to - 3 * HOUR_MS });
  const page = await getExplorePage(
    testWorkspace({
      state,
      events: {
        listAttributeKeys: async () => [],
        listAttributeValues: async () => [{ value: "pro", count: 1 }],
        listEnvironments: async () => [],
        sumSpans: async () => [],
        sumFoundSpans: async (filter) => ({ sums: [], hasMore: false, ...reach(filter) }),
        findSpans: async (filter) => {
          asked.push(filter);
          return { spans: [], nextCursor: null, ...reach(filter) };
        },
      },
    }),
    { options: readExploreOptions(new URLSearchParams(query)), now: NOW },
  );
  return { page, filter: asked.at(-1) };
}

describe("a search of spans that comes only so far", () => {
  test("begins at the end of the period, and says how far it came", async () => {
    const { page, filter } = await getPage("q=plan:pro&period=7d");
    expect(filter).toMatchObject({ from: START, to: END });
    expect(page).toMatchObject({ from: START, to: END, searchedTo: null, searchedFrom: END - 3 * HOUR_MS });
    expect(page.searchable).toEqual({ from: START, to: END });
  });

  test("goes on before the instant that its address says, with charts that end there", async () => {
    const before = END - 4 * HOUR_MS;
    const { page, filter } = await getPage(`q=plan:pro&period=7d&before=${before}`);
    expect(filter).toMatchObject({ from: START, to: before });
    expect(page).toMatchObject({ searchedTo: before, searchedFrom: before - 3 * HOUR_MS, to: END - 3 * HOUR_MS });
    expect(page.searchable).toEqual({ from: START, to: END });
  });

  test("takes no notice of an instant outside of the period", async () => {
    for (const before of [START, START - 1, END, END + DAY_MS])
      expect((await getPage(`q=plan:pro&period=7d&before=${before}`)).page).toMatchObject({
        searchedTo: null,
        to: END,
      });
  });
});
