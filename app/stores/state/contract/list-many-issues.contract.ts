import { expect, test } from "vitest";
import type { IssueStatus } from "../../../domain/issue.ts";
import type { IssueOccurrence } from "../../../domain/issues/occurrence.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import { DAY_MS, HOUR_MS } from "../../../domain/time.ts";
import type { IssueQuery } from "../issue-store.ts";
import type { State } from "../state.ts";
import {
  apply,
  type CreateStateDatabase,
  EVERYTHING,
  NOON,
  occurrence,
  openStore,
  query,
  type ScopedQuery,
} from "./fixture.ts";

/** More than are counted one by one, so that engines which treat many matches otherwise are seen to agree. */
const ISSUE_COUNT = 1_400;
const DAYS = 20;
const ENVIRONMENTS = ["production", "staging", null] as const;

interface KnownIssue {
  id: number;
  projectId: number;
  status: IssueStatus;
  events: IssueOccurrence[];
}

/** A small generator (mulberry32), so that every run has the same issues. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Issues with one to a few events each in the last 20 days; a few have many. */
async function fill(store: State): Promise<KnownIssue[]> {
  const random = createRandom(7);
  const events = Array.from({ length: ISSUE_COUNT }, (_, issue) =>
    Array.from({ length: issue % 50 === 0 ? 30 : 1 + Math.floor(random() * 4) }, () =>
      occurrence(0, `hash-${issue}`, {
        projectId: 1 + (issue % 3),
        at: NOON - Math.floor(random() * DAYS * DAY_MS),
        environment: ENVIRONMENTS[Math.floor(random() ** 2 * 3)] ?? null,
        userKey: random() < 0.5 ? `id:${Math.floor(random() * 20)}` : null,
        level: random() < 0.1 ? "warning" : "error",
      }),
    ),
  );
  const ordered = events
    .flatMap((own, issue) => own.map((event) => ({ issue, event })))
    .sort((a, b) => a.event.occurredAt - b.event.occurredAt);
  for (const [sequence, { event }] of ordered.entries()) event.sequence = sequence;
  const assignments = await apply(
    store,
    ordered.map(({ event }) => event),
  );
  const issues: KnownIssue[] = events.map((own, issue) => ({
    id: 0,
    projectId: 1 + (issue % 3),
    status: issue % 11 === 0 ? "resolved" : "unresolved",
    events: own,
  }));
  for (const [index, { issue }] of ordered.entries()) {
    const known = issues[issue];
    if (known) known.id = assignments[index]?.issueId ?? 0;
  }
  await store.issues.changeIssueStatus(EVERYTHING, {
    issueIds: issues.filter((issue) => issue.status === "resolved").map((issue) => issue.id),
    status: "resolved",
    userId: null,
    at: NOON,
  });
  return issues;
}

/** The expected list, computed from all issues one by one. */
function expectedIssues(
  issues: KnownIssue[],
  [scope, asked]: [Scope, IssueQuery],
): Array<{ id: number; matchingEventCount: number }> {
  const latestAt = Math.max(...issues.flatMap((issue) => issue.events.map((event) => event.occurredAt)));
  const isOpenEnded = asked.to === null || asked.to > latestAt;
  const fromHour = asked.from === null ? Number.NEGATIVE_INFINITY : Math.floor(asked.from / HOUR_MS);
  const endHour = asked.to === null || isOpenEnded ? Number.POSITIVE_INFINITY : Math.ceil(asked.to / HOUR_MS);
  return issues
    .flatMap((issue) => {
      const times = issue.events.map((event) => event.occurredAt);
      const inEnvironment = issue.events.filter(
        (event) => !asked.environments?.length || asked.environments.includes(event.environment ?? ""),
      );
      const inRange = inEnvironment.filter(({ occurredAt }) => {
        const hour = Math.floor(occurredAt / HOUR_MS);
        return hour >= fromHour && hour < endHour;
      });
      const matches =
        includesProject(scope, issue.projectId) &&
        (!asked.statuses?.length || asked.statuses.includes(issue.status)) &&
        inRange.length > 0 &&
        (isOpenEnded
          ? inEnvironment.some((event) => event.occurredAt >= (asked.from ?? Number.NEGATIVE_INFINITY))
          : Math.max(...times) >= (asked.from ?? Number.NEGATIVE_INFINITY) && Math.min(...times) < (asked.to ?? 0));
      if (!matches) return [];
      const key = {
        last_seen: Math.max(...times),
        first_seen: Math.min(...times),
        events: inRange.length,
        users: new Set(issue.events.flatMap((event) => event.userKey ?? [])).size,
        // All of these are errors that come seldom: the latest event decides.
        priority: Math.max(...times),
      }[asked.sort];
      return [{ id: issue.id, matchingEventCount: inRange.length, key }];
    })
    .sort((a, b) => b.key - a.key || b.id - a.id)
    .map(({ id, matchingEventCount }) => ({ id, matchingEventCount }));
}

async function walk(store: State, [scope, asked]: [Scope, IssueQuery]) {
  const forward: Array<{ id: number; matchingEventCount: number }> = [];
  const backward: typeof forward = [];
  let page = await store.issues.listIssues(scope, { ...asked, cursor: null });
  const { matchingCount, previousCursor } = page;
  const take = () => page.issues.map(({ id, matchingEventCount }) => ({ id, matchingEventCount }));
  for (;;) {
    forward.push(...take());
    if (page.nextCursor === null) break;
    page = await store.issues.listIssues(scope, { ...asked, cursor: page.nextCursor });
  }
  for (;;) {
    backward.unshift(...take());
    if (page.previousCursor === null) break;
    page = await store.issues.listIssues(scope, { ...asked, cursor: page.previousCursor });
  }
  return { forward, backward, matchingCount, previousCursor };
}

export function describeListManyIssues(createDatabase: CreateStateDatabase): void {
  const unresolved = { statuses: ["unresolved" as const] };
  const lastWeek = { from: NOON - 12 * DAY_MS, to: NOON - 5 * DAY_MS };
  const CASES: Array<[name: string, change: ScopedQuery]> = [
    ["all", {}],
    ["unresolved", unresolved],
    ["two projects", { projectIds: [1, 3], ...unresolved }],
    ["the last 14 days", { from: NOON - 14 * DAY_MS + 12_345, ...unresolved }],
    ["the last 14 days, with an end", { from: NOON - 14 * DAY_MS + 12_345, to: NOON + 1 }],
    ["the last 30 hours", { from: NOON - 30 * HOUR_MS }],
    ["a week of the past", lastWeek],
    ["a day and a half of the past", { from: NOON - 9 * DAY_MS + 777, to: NOON - 8 * DAY_MS + 12 * HOUR_MS + 5 }],
    ["until ten days ago", { to: NOON - 10 * DAY_MS }],
    ["an environment", { environments: ["production"] }],
    ["an environment of the last ten days", { environments: ["production"], from: NOON - 10 * DAY_MS + 99 }],
    ["no environment, or staging", { environments: ["", "staging"] }],
    ["environments in a week of the past", { environments: ["production", ""], ...lastWeek }],
  ];

  // One database for all cases: they only read.
  test("many issues are listed as one by one, forward and back, in every order", async () => {
    await using store = await openStore(createDatabase, { now: () => NOON });
    const issues = await fill(store);
    for (const [name, change] of CASES) {
      for (const sort of ["last_seen", "first_seen", "events", "users"] as const) {
        const asked = query({ ...change, sort, limit: 100 });
        const expected = expectedIssues(issues, asked);
        const { forward, backward, matchingCount, previousCursor } = await walk(store, asked);
        expect(forward, `${name} by ${sort}, forward`).toEqual(expected);
        expect(backward, `${name} by ${sort}, back`).toEqual(expected);
        expect(matchingCount, `${name} by ${sort}, counted`).toBe(Math.min(expected.length, 1_000));
        expect(previousCursor, `${name} by ${sort}, start`).toBeNull();
      }
    }
  });
}
