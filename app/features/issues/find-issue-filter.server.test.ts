import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testWorkspace } from "../../../tests/support/test-workspace.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time.ts";
import {
  createDuckdbEventDatabase,
  type DuckdbEventDatabase,
} from "../../stores/duckdb/fixtures/duckdb-event-database.ts";
import { append, event } from "../../stores/event-store-contract/fixture.ts";
import type { EventStore } from "../../stores/events/event-store.ts";
import { openTestState } from "../../stores/sqlite/sqlite-state-database.ts";
import { apply, createProject, NOON, occurrence, scopeOf, setStatus } from "../../stores/state/contract/fixture.ts";
import type { State } from "../../stores/state/state.ts";
import { findIssueFilter } from "./find-issue-filter.server.ts";

let folder: string;
let state: State;
let database: DuckdbEventDatabase;
let events: EventStore;

/** Events. The letter names the issue of each. */
const EVENTS = [
  { issue: "a", release: "web@2.2.0", tags: { plan: "pro", region: "eu" }, environment: "production", userKey: "id:1" },
  { issue: "a", release: "web@2.10.0", tags: { plan: "free", region: "us" }, environment: "staging", userKey: "id:2" },
  { issue: "b", release: "web@2.3.0", tags: { plan: "pro", region: "us" }, environment: "production", userKey: null },
  { issue: "c", release: null, tags: { region: "eu" }, environment: "staging", userKey: "email:sam@shop.example" },
  {
    issue: "d",
    release: "api@3.0.0",
    tags: { plan: "Gold" },
    environment: "production",
    userKey: "id:1",
    project: "api",
  },
] as const;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "culprit-search-"));
  state = await openTestState({ path: join(folder, "state.db"), now: () => NOON });
  database = await createDuckdbEventDatabase();
  events = await database.open();
  const ids = { web: await createProject(state, "web"), api: await createProject(state, "api") };
  const projectOf = (row: (typeof EVENTS)[number]) => ids["project" in row ? row.project : "web"];
  const assigned = await apply(
    state,
    EVENTS.map((row, index) =>
      occurrence(index + 1, row.issue, {
        projectId: projectOf(row),
        title: `Error ${row.issue}`,
        at: NOON - (index + 1) * HOUR_MS,
        environment: row.environment,
        release: row.release,
        userKey: row.userKey,
      }),
    ),
  );
  await append(
    events,
    EVENTS.map((row, index) =>
      event(index + 1, {
        projectId: projectOf(row),
        issueId: assigned[index]?.issueId ?? 0,
        at: NOON - (index + 1) * HOUR_MS,
        environment: row.environment,
        release: row.release,
        userKey: row.userKey,
        tags: Object.entries(row.tags),
      }),
    ),
  );
  const first = assigned[2]?.issueId ?? 0;
  await setStatus(state, [first], "resolved", NOON);
});
afterAll(async () => {
  await state.close();
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const scope = scopeOf(1, 2);

async function read(search: string, place: { environments?: string[]; from?: number } = {}) {
  const workspace = testWorkspace({ state, events, scope });
  return findIssueFilter(workspace, { search, scope, place: { from: null, to: null, ...place }, now: NOON });
}

/** The letters of the issues that a search finds. */
async function find(search: string, place: Parameters<typeof read>[1] = {}): Promise<string> {
  const found = await read(search, place);
  expect(found.errors).toEqual([]);
  const query = { ...found.query, sort: "first_seen", cursor: null, limit: 100 } as const;
  const { issues } = await state.issues.listIssues(found.scope, query);
  return issues
    .map(({ title }) => title.slice(-1))
    .sort()
    .join("");
}

describe("a search over issues and their events", () => {
  test.each([
    ["", "abcd"],
    ["plan:pro", "ab"],
    ["plan:pro region:us", "b"],
    ["plan:free region:us", "a"],
    ["plan:[pro, Gold]", "abd"],
    ["plan:g*", "d"],
    ["!plan:pro", "acd"],
    ["!has:plan", "c"],
    ["is:resolved", "b"],
    ["is:resolved OR plan:free", "ab"],
    ["is:resolved plan:pro", "b"],
    ["(is:resolved OR plan:Gold) OR user.email:sam@shop.example", "bcd"],
    ["(is:unresolved OR region:us) plan:pro", "ab"],
    ["!(is:resolved OR plan:pro)", "acd"],
    ["timesSeen:>1 OR region:us", "ab"],
    ["timesSeen:2 plan:pro", "a"],
    ["release:web@2.3.0", "b"],
    ["release:>2.3", "ad"],
    ["release:>=web@2.3 is:unresolved", "a"],
    ["release:>2.3 region:eu", ""],
    ["release:latest", "ad"],
    ["!release:latest", "abc"],
    ["first-release:>2.3", "ad"],
    ["environment:production", "abd"],
    ["!environment:production", "ac"],
    ["environment:staging OR plan:Gold", "acd"],
    ["project:api OR plan:pro", "abd"],
    ["!project:api", "abc"],
    ["project:w* plan:pro", "ab"],
    ["user.id:1", "ad"],
    ["user:sam@shop.example", "c"],
    ["*:us", "ab"],
    ["ERROR app/b", "b"],
    ['"error a" OR region:eu', "ac"],
    ["age:<150m", "a"],
    [`id:${(3).toString(16).padStart(32, "0")}`, "b"],
  ])("%s finds %s", async (search, issues) => {
    expect(await find(search)).toBe(issues);
  });

  test("looks only at events of the chosen time and environments", async () => {
    expect(await find("plan:pro", { environments: ["staging"] })).toBe("");
    expect(await find("plan:free", { environments: ["staging"] })).toBe("a");
    expect(await find("plan:pro", { from: NOON - 2 * HOUR_MS })).toBe("a");
    expect(await find("plan:pro", { from: NOON - DAY_MS })).toBe("ab");
  });

  test("names a key that nobody knows with the nearest one, tags included, and its place", async () => {
    expect((await read("is:new plaan:pro")).errors).toEqual([
      { from: 7, to: 12, message: "“plaan:” is not known. Did you mean plan:? Put quotes around what is text." },
    ]);
    expect((await read("!levle:error")).errors[0]).toMatchObject({ from: 1, to: 6 });
    expect((await read("project:wbe")).errors[0]?.message).toBe("There is no project “wbe”. Did you mean project:web?");
  });

  test("refuses more combinations of issues and events than it would read", async () => {
    const pair = (index: number) => `(timesSeen:${index} OR plan:${index})`;
    expect((await read([1, 2, 3, 4].map(pair).join(" "))).errors).toEqual([]);
    expect((await read([1, 2, 3, 4, 5].map(pair).join(" "))).errors[0]?.message).toContain("more than 16 combinations");
  });

  test("says which of the choices beside it the search contradicts", async () => {
    const { errors } = await read("is:new environment:staging", { environments: ["production"] });
    expect(errors).toEqual([
      { from: 7, to: 26, message: "No environment is both chosen beside the search and named in it." },
    ]);
  });
});
