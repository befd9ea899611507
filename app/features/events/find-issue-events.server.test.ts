import { expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import type { EventFilter, EventRow } from "../../stores/events/error-events.ts";
import type { ScopedState } from "../../stores/state/state.ts";
import { findIssueEvents, SEARCHED_ISSUE_EVENTS } from "./find-issue-events.server.ts";

const ID = "0123456789abcdef0123456789abcdef";
const NOW = Date.UTC(2026, 4, 20, 12);
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
      tagDistributions: async () => ({ countedEvents: 0, isSampled: false, tags: [] }),
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
  return findIssueEvents(workspace, { issue, filter, search, place, now: NOW }).then((found) => ({
    found,
    asked,
    bounds,
  }));
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
  const message = expect.stringContaining("“nothing:” is not known.");
  expect((await find("nothing:x")).found.problems).toEqual([{ from: 0, to: 7, message }]);
  expect((await find("!nothing:x")).found.problems).toEqual([{ from: 1, to: 8, message }]);
  expect((await find("plan:x", { known: ["plan"] })).found.problems).toEqual([]);
  expect((await find("browser:x")).found.problems).toEqual([]);
});

test("an id is an event of this issue, else a trace", async () => {
  const named = await find(ID, { rows: [row] });
  expect(named.found.events).toEqual([row]);
  expect(named.asked).toEqual([]);
  const traced = await find("f".repeat(32), { rows: [] });
  expect(traced.asked[0]?.where).toMatchObject({ field: "traceId", test: { kind: "in", values: ["f".repeat(32)] } });
  expect(traced.found).toMatchObject({ isUnknownId: true, problems: [] });
});

test("words that must occur are words, and all else is a condition", async () => {
  const { asked } = await find('checkout "not found" plan:[pro, trial] !timestamp:-1h', { known: ["plan"] });
  const tests = [
    { field: "plan", isTag: true, test: { kind: "in", values: ["pro", "trial"] }, isNegated: false },
    { field: "occurredAt", test: { kind: "compare", sign: ">=", value: NOW - 3_600_000 }, isNegated: true },
  ];
  expect(asked[0]).toMatchObject({ words: ["checkout", "not found"], where: { kind: "all", parts: tests } });
});

test.each([
  ["is:unresolved", "“is:” cannot be used. It says something about whole issues."],
  ["project:shop", "all events of an issue are of one project"],
  ["level:loud", "It can be debug"],
  ["a OR", "needs something"],
  [Array.from({ length: 11 }, (_, index) => `word${index}`).join(" "), "at most 10 words"],
])("%s is refused with a sentence", async (search, sentence) => {
  const [error] = (await find(search)).found.problems;
  expect(error?.message.toLowerCase()).toContain(sentence.toLowerCase());
});
