import { expect, test } from "vitest";
import { makeTempFolder } from "../../../tests/support/temp-folder.ts";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import { ReadLimitError } from "../../domain/read-limit.ts";
import type { SavedView } from "../../domain/saved-view.ts";
import type { SpanSearchFilter } from "../../stores/events/span-search.ts";
import { openTestState } from "../../stores/sqlite/sqlite-state-database.ts";
import type { State } from "../../stores/state/state.ts";
import { readExploreOptions } from "../explore/explore-options.ts";
import { getExplorePage } from "../explore/get-explore-page.server.ts";
import { countViews } from "./count-views.server.ts";

/** A workspace whose searches of traces fail. */
function failingWorkspace(state: State, error: Error) {
  return testWorkspace({
    state,
    monitoringProjectId: () => null,
    events: {
      listAttributeKeys: async () => [],
      listEnvironments: async () => [],
      sumFoundSpans: () => Promise.reject(error),
    },
  });
}

const NOW = Date.UTC(2026, 4, 20, 12, 10, 7);

test.each(["", "period=1h", "period=30d"])(
  "a view of traces with “%s” counts the time that its page shows",
  async (query) => {
    using folder = makeTempFolder();
    const state = await openTestState({ path: `${folder.path}/state.db`, now: () => NOW });
    const asked: SpanSearchFilter[] = [];
    const none = { sums: [], hasMore: false };
    const workspace = testWorkspace({
      state,
      monitoringProjectId: () => null,
      events: {
        listAttributeKeys: async () => [],
        listEnvironments: async () => [],
        sumFoundSpans: async (filter) => {
          asked.push(filter);
          return { ...none, totals: [], whole: none, searchedFrom: null };
        },
        findSpans: async () => ({ spans: [], nextCursor: null, searchedFrom: null }),
      },
    });
    await getExplorePage(workspace, { options: readExploreOptions(new URLSearchParams(query)), now: NOW });
    await countViews(workspace, { views: [{ id: 1, list: "traces", query } as SavedView], now: NOW });
    const [page, view] = asked.map(({ from, to }) => ({ from, to }));
    expect(view).toEqual(page);
    await state.close();
  },
);

test("a view that takes too much to count has no number, and a fault is not kept from the log", async () => {
  using folder = makeTempFolder();
  const state = await openTestState({ path: `${folder.path}/state.db`, now: () => NOW });
  const views = [{ id: 1, list: "traces", query: "q=failing" } as SavedView];
  const count = (error: Error) => countViews(failingWorkspace(state, error), { views, now: NOW });
  await expect(count(new TypeError("a fault"))).rejects.toThrow("a fault");
  expect(await count(new ReadLimitError("time"))).toEqual({});
  await state.close();
});
