import { expect, test } from "vitest";
import { makeTempFolder } from "../../../tests/support/temp-folder.ts";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import type { SavedView } from "../../domain/saved-view.ts";
import type { SpanSearchFilter } from "../../stores/events/span-search.ts";
import { openTestState } from "../../stores/sqlite/sqlite-state-database.ts";
import { readExploreOptions } from "../explore/explore-options.ts";
import { getExplorePage } from "../explore/get-explore-page.server.ts";
import { countViews } from "./count-views.server.ts";

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
