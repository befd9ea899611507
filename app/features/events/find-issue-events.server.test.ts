import { expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import type { EventFilter, EventRow } from "../../stores/events/error-events.ts";
import type { ScopedState } from "../../stores/state/state.ts";
import { findIssueEvents, SEARCHED_ISSUE_EVENTS } from "./find-issue-events.server.ts";

const ID = "0123456789abcdef0123456789abcdef";
const issue = { id: 7, projectId: 1 } as Issue;

function find(
  search: string,
  { rows = [], bound = null, known = [] }: { rows?: EventRow[]; bound?: number | null; known?: string[] } = {},
) {
  const asked: EventFilter[] = [];
  const bounds: number[] = [];
  const workspace = testWorkspace({
    state: {} as ScopedState,
    events: {
      getEvent: async (eventId) => rows.find((row) => row.eventId === eventId) ?? null,
      hasTag: async (_, key) => known.includes(key),
      findBound: async (_, count) => {
        bounds.push(count);
        return bound;
      },
      listEvents: async (filter) => {
        asked.push(filter);
        return { events: rows, nextCursor: null, previousCursor: null };
      },
    },
  });
  const filter = { projectIds: workspace.scope.projectIds, issueId: 7, from: 10, to: null };
  const place = { cursor: null, limit: 25 };
  return findIssueEvents(workspace, { issue, filter, search, place }).then((found) => ({ found, asked, bounds }));
}

const row = { eventId: ID, issueId: 7 } as EventRow;

test("without a search, nothing is bounded", async () => {
  const { found, asked, bounds } = await find("", { rows: [row] });
  expect(found).toMatchObject({ problems: [], searchedFrom: null, events: [row] });
  expect(asked[0]).toMatchObject({ issueId: 7, from: 10 });
  expect(bounds).toEqual([]);
});

test("a search is kept to the newest events, and says how far it came", async () => {
  const { found, asked, bounds } = await find("checkout", { rows: [row], bound: 50 });
  expect(found.searchedFrom).toBe(50);
  expect(asked[0]).toMatchObject({ words: ["checkout"], from: 50 });
  expect(bounds).toEqual([SEARCHED_ISSUE_EVENTS]);
});

test("a word that is not understood is searched for by nobody", async () => {
  const { found, asked } = await find("is:new", { rows: [row] });
  expect(found.problems).toHaveLength(1);
  expect(found.events).toEqual([]);
  expect(asked).toEqual([]);
});

test("a tag that no event has is named, with “!” too; a known one finds nothing", async () => {
  expect((await find("nothing:x")).found.problems).toEqual([expect.stringContaining("“nothing:” is not known.")]);
  expect((await find("!nothing:x")).found.problems).toEqual([expect.stringContaining("“nothing:” is not known.")]);
  expect((await find("plan:x", { known: ["plan"] })).found.problems).toEqual([]);
  expect((await find("browser:x")).found.problems).toEqual([]);
});

test("an id is an event of this issue, else a trace", async () => {
  const named = await find(ID, { rows: [row] });
  expect(named.found.events).toEqual([row]);
  expect(named.asked).toEqual([]);
  const traced = await find("f".repeat(32), { rows: [] });
  expect(traced.asked[0]).toMatchObject({ traceId: "f".repeat(32) });
  expect(traced.found).toMatchObject({ isUnknownId: true, problems: [] });
});
