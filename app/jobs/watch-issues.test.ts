import { expect, test } from "vitest";
import type { FoundFiring, WorkingRule } from "../stores/state/alert-store.ts";
import { createWatchIssuesJob } from "./watch-issues.ts";

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 4, 20, 12);
const RULE: WorkingRule = {
  id: 1,
  name: "Many",
  projectIds: [3],
  triggers: [{ kind: "events", count: 3, minutes: 10 }],
  match: "all",
  conditions: [],
  actions: [{ kind: "members" }],
  steps: [],
  frequencyMinutes: 0,
  isEnabled: true,
  createdAt: 0,
  changedAt: 0,
  isPrimed: true,
  afterPosition: 0,
};
const ISSUE = { id: 8, projectId: 3, status: "unresolved", level: "error", assignee: null, shortId: "SHOP-1" };

/** One rule, and one issue with events at these instants. */
function open(instants: readonly number[], leftOut: readonly number[] = []) {
  const clock = { now: NOON };
  const found: FoundFiring[] = [];
  const ended: number[] = [];
  const state = {
    alertWork: {
      listEnabledRules: async () => [RULE],
      listSilences: async () => [],
      endPeriods: async ({ exceptIssueIds }: { exceptIssueIds: number[] }) => {
        if (!exceptIssueIds.includes(ISSUE.id)) ended.push(clock.now);
        return 0;
      },
      fire: async (request: { found: readonly FoundFiring[] }) => found.push(...request.found),
    },
    directory: { listProjects: async () => [{ id: 3 }] },
    issues: { getIssues: async () => [ISSUE] },
    volumes: {
      listLeftOut: async (_: unknown, { since, until }: { since: number; until: number }) =>
        new Map([[ISSUE.id, leftOut.filter((at) => at >= since && at < until).length]]),
    },
    members: { listMembers: async () => [], listTeams: async () => [] },
    channels: { listChannels: async () => [] },
    notifications: { getNotificationSettings: async () => ({ recipients: [], channels: [] }) },
    people: { getOwner: async () => null },
    push: { listReach: async () => new Map() },
    comments: { listSnoozers: async () => [] },
  };
  const events = {
    sumEvents: async ({ from, to }: { from: number | null; to: number | null }) => {
      const inside = instants.filter((at) => at >= (from ?? 0) && at < (to ?? Number.POSITIVE_INFINITY)).length;
      return inside === 0 ? [] : [{ group: [String(ISSUE.id)], at: null, events: inside, users: 1 }];
    },
    findEdge: async () => null,
  };
  const job = createWatchIssuesJob({
    ...({ state, events } as never as Parameters<typeof createWatchIssuesJob>[0]),
    isMailSetUp: true,
    now: () => clock.now,
    createKey: () => "key",
  });
  return { job, clock, found, ended };
}

const never = new AbortController().signal;

test("a rule fires for the events of its minutes, those that a sender's clock puts a moment ahead included", async () => {
  const { job, found } = open([NOON - 5 * MINUTE, NOON - MINUTE, NOON + MINUTE / 2]);
  await job.run(never);
  expect(found).toMatchObject([{ issueId: 8, value: 3 }]);
});

test("events from before a clock was set back neither fire a rule nor keep its period open", async () => {
  const { job, clock, found, ended } = open([NOON, NOON, NOON], [NOON, NOON, NOON]);
  await job.run(never);
  expect(found).toHaveLength(1);
  clock.now = NOON - 120 * MINUTE;
  await job.run(never);
  expect(found).toHaveLength(1);
  expect(ended).toEqual([clock.now]);
});
