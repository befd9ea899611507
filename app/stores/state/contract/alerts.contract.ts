import { expect, test } from "vitest";
import { type AlertRule, type AlertRuleDraft, MAX_RULES } from "../../../domain/alerts/alert-rule.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../domain/time.ts";
import { type FoundFiring, MAX_FIRINGS } from "../alert-store.ts";
import type { State } from "../state.ts";
import {
  apply,
  type CreateStateDatabase,
  createProject,
  EVERYTHING,
  NOON,
  occurrence,
  openStore,
  scopeOf,
} from "./fixture.ts";

const DRAFT: AlertRuleDraft = {
  name: "Checkout",
  projectIds: [1],
  triggers: [{ kind: "new" }, { kind: "users", count: 20, minutes: 10 }],
  match: "all",
  conditions: ["environment:production"],
  actions: [{ kind: "members" }],
  steps: [],
  frequencyMinutes: 0,
  isEnabled: true,
};

async function make(store: State, change: Partial<AlertRuleDraft> = {}) {
  const made = await store.alerts.createRule(EVERYTHING, { ...DRAFT, ...change }, NOON);
  if (!made.ok) throw new Error(made.reason);
  return made.rule;
}

function firing(ruleId: number, change: Partial<FoundFiring> = {}): FoundFiring {
  const { at = NOON, issueId = 7, projectId = 1 } = change;
  return {
    ruleId,
    projectId,
    issueId,
    trigger: "new",
    at,
    value: null,
    isPeriod: false,
    targets: [{ projectId, channel: "email", address: "ada@example.com" }],
    item: { transition: "new", issueId, eventId: "", at, release: null },
    ...change,
  };
}

export function describeAlerts(createDatabase: CreateStateDatabase): void {
  let keys = 0;
  const createKey = () => `${++keys}`;
  const fire = (store: State, found: FoundFiring[], now = NOON) =>
    store.alertWork.fire({ reader: null, found, now, createKey });

  test("a rule is made, changed, listed and deleted, by whom it concerns", async () => {
    await using store = await openStore(createDatabase);
    const rule = await make(store);
    expect(rule).toEqual({ ...DRAFT, id: rule.id, createdAt: NOON, changedAt: NOON });
    const everywhere = await make(store, { name: "all", projectIds: null });
    const listed = async (...ids: number[]) =>
      (await store.alerts.listRules(scopeOf(...ids), NOON)).map(({ name }) => name);
    expect(await listed(1)).toEqual(["all", "Checkout"]);
    expect(await listed(2)).toEqual(["all"]);
    const numbered: AlertRule[] = [];
    for (const name of ["Rule 10", "Rule 1", "rule 2"]) numbered.push(await make(store, { name, projectIds: null }));
    expect(await listed(2)).toEqual(["all", "Rule 1", "rule 2", "Rule 10"]);
    for (const each of numbered) await store.alerts.deleteRule(EVERYTHING, each.id);
    expect(await store.alerts.getRule(scopeOf(2), rule.id)).toBeNull();
    expect(await store.alerts.changeRule(scopeOf(2), rule.id, { name: "x" }, NOON)).toEqual({
      ok: false,
      reason: "not-found",
    });
    expect(await store.alerts.changeRule(EVERYTHING, rule.id, { isEnabled: false }, NOON + 5)).toEqual({
      ok: true,
      rule: { ...rule, isEnabled: false, changedAt: NOON + 5 },
    });
    // Of two who began with the same rule, the first saves.
    const change = (name: string, known: number) =>
      store.alerts.changeRule(EVERYTHING, rule.id, { name }, NOON + 6, known);
    expect(await change("stale", NOON)).toEqual({ ok: false, reason: "changed-meanwhile" });
    expect((await Promise.all([change("one", NOON + 5), change("two", NOON + 5)])).map(({ ok }) => ok)).toEqual([
      true,
      false,
    ]);
    expect((await store.alerts.getRule(EVERYTHING, rule.id))?.name).toBe("one");
    expect((await store.alertWork.listEnabledRules()).map(({ id }) => id)).toEqual([everywhere.id]);
    expect(await store.alerts.deleteRule(scopeOf(2), rule.id)).toBe(false);
    expect(await store.alerts.deleteRule(EVERYTHING, rule.id)).toBe(true);
    expect(await store.alerts.deleteRule(EVERYTHING, rule.id)).toBe(false);
  });

  test("a rule of a team covers the projects that it sees, until the team is gone", async () => {
    await using store = await openStore(createDatabase);
    const [one, other] = [await createProject(store, "one"), await createProject(store, "other")];
    const made = await store.members.createTeam(EVERYTHING, { slug: "t", name: "T", memberId: null, at: NOON });
    if (!made.ok) throw new Error(made.reason);
    const teamId = made.team.id;
    const see = (...projectIds: number[]) => store.members.changeTeam(EVERYTHING, { teamId, projectIds });
    await see(one);
    const rule = await make(store, { projectIds: [], teamId });
    expect(rule).toMatchObject({ teamId, projectIds: [one] });
    await see(one, other);
    const covered = async () => (await store.alertWork.listEnabledRules())[0]?.projectIds;
    expect(await covered()).toEqual([one, other]);
    // Who sees one of them sees the rule, and may not change it.
    expect(await store.alerts.getRule(scopeOf(other), rule.id)).toMatchObject({ teamId });
    const hidden = { ok: false, reason: "hidden" };
    expect(await store.alerts.changeRule(scopeOf(other), rule.id, { name: "x" }, NOON)).toEqual(hidden);
    expect(await store.alerts.createRule(scopeOf(other), { ...DRAFT, teamId }, NOON)).toEqual(hidden);
    await store.members.changeTeam(EVERYTHING, { teamId, hasAllProjects: true });
    expect(await covered()).toBeNull();
    await store.members.changeTeam(EVERYTHING, { teamId, hasAllProjects: false });
    await store.members.deleteTeam(EVERYTHING, { teamId, userId: 1, at: NOON });
    expect(await store.alerts.getRule(EVERYTHING, rule.id)).toEqual({
      ...rule,
      teamId: undefined,
      projectIds: [one, other],
    });
    const changed = await store.alerts.changeRule(EVERYTHING, rule.id, { projectIds: [one], teamId: null }, NOON);
    expect(changed.ok && changed.rule.projectIds).toEqual([one]);
  });

  test(`there are at most ${MAX_RULES}`, async () => {
    await using store = await openStore(createDatabase);
    for (let index = 0; index < MAX_RULES; index++) await make(store, { name: `${index}` });
    expect(await store.alerts.createRule(EVERYTHING, DRAFT, NOON)).toEqual({ ok: false, reason: "full" });
  });

  test("a firing and its messages are one step with the reader of the outbox", async () => {
    await using store = await openStore(createDatabase);
    const rule = await make(store);
    expect(await fire(store, [firing(rule.id), firing(rule.id, { issueId: 8 }), firing(999)])).toBe(2);
    expect(await store.alerts.listFirings(EVERYTHING, { ruleId: rule.id, limit: 9 })).toMatchObject([
      { issueId: 8, trigger: "new", at: NOON, endedAt: NOON, peak: null, targetCount: 1 },
      { issueId: 7 },
    ]);
    expect(await store.alerts.listFirings(scopeOf(2), { ruleId: rule.id, limit: 9 })).toEqual([]);
    const message = await store.deliveries.claim({ now: NOON, retryAt: () => NOON + HOUR_MS });
    expect(message?.items).toMatchObject([
      { issueId: 7, rule: "Checkout" },
      { issueId: 8, rule: "Checkout" },
    ]);
    expect(await store.deliveries.claim({ now: NOON, retryAt: () => NOON + HOUR_MS })).toBeNull();
    const [listed] = await store.alerts.listRules(EVERYTHING, NOON + DAY_MS);
    expect(listed).toMatchObject({ lastFiredAt: NOON, recentFirings: 2 });
  });

  test("a period fires once until it ends, and keeps its largest number", async () => {
    await using store = await openStore(createDatabase);
    const { id } = await make(store);
    const above = (value: number, at = NOON) => firing(id, { trigger: "users", isPeriod: true, value, at });
    expect(await fire(store, [above(21)])).toBe(1);
    expect(await fire(store, [above(40), above(30)])).toBe(0);
    expect(await store.alerts.listFirings(EVERYTHING, { ruleId: id, limit: 9 })).toMatchObject([
      { peak: 40, endedAt: null },
    ]);
    const of = { ruleId: id, trigger: "users", at: NOON + 9 } as const;
    expect(await store.alertWork.endPeriods({ ...of, exceptIssueIds: [7] })).toBe(0);
    expect(await store.alertWork.endPeriods({ ...of, exceptIssueIds: [] })).toBe(1);
    expect(await fire(store, [above(25, NOON + 10)])).toBe(1);
  });

  test("nothing of an issue is told again within the frequency", async () => {
    await using store = await openStore(createDatabase);
    const { id } = await make(store, { frequencyMinutes: 30 });
    const at = (minutes: number, issueId = 7) => firing(id, { at: NOON + minutes * MINUTE_MS, issueId });
    expect(await fire(store, [at(0), at(29), at(29, 8), at(30), at(31)])).toBe(3);
  });

  test("a firing of a clock that was ahead keeps nothing from being told", async () => {
    await using store = await openStore(createDatabase);
    const { id } = await make(store, { frequencyMinutes: 30 });
    const at = (minutes: number) => firing(id, { at: NOON + minutes * MINUTE_MS, issueId: 7 });
    expect(await fire(store, [at(24 * 60), at(0), at(29)])).toBe(2);
  });

  test("what was so before the rule began is known, and not told", async () => {
    await using store = await openStore(createDatabase);
    const { id } = await make(store);
    const known = firing(id, { trigger: "high-priority", isPeriod: true, isKnown: true });
    expect((await store.alertWork.listEnabledRules())[0]?.isPrimed).toBe(false);
    expect(await fire(store, [known])).toBe(0);
    await store.alertWork.notePrimed(id);
    expect((await store.alertWork.listEnabledRules())[0]?.isPrimed).toBe(true);
    expect(await fire(store, [{ ...known, isKnown: false }])).toBe(0);
    expect(await store.deliveries.countDeliveries()).toEqual({ waiting: 0, failing: 0, dead: 0 });
    expect(await store.alerts.listFirings(EVERYTHING, { ruleId: id, limit: 9 })).toEqual([]);
  });

  test("a rule that is disabled fires nothing, and begins again when it is enabled", async () => {
    await using store = await openStore(createDatabase);
    const { id } = await make(store);
    await store.alertWork.notePrimed(id);
    await fire(store, [firing(id, { trigger: "users", isPeriod: true, value: 20 })]);
    await store.alerts.changeRule(EVERYTHING, id, { isEnabled: false }, NOON);
    expect(await fire(store, [firing(id)])).toBe(0);
    await store.alerts.changeRule(EVERYTHING, id, { isEnabled: true }, NOON + 7);
    expect((await store.alertWork.listEnabledRules())[0]?.isPrimed).toBe(false);
    expect(await store.alerts.listFirings(EVERYTHING, { ruleId: id, limit: 9 })).toMatchObject([{ endedAt: NOON + 7 }]);
  });

  test("past changes are those that rules wait for, of the scope and the range", async () => {
    await using store = await openStore(createDatabase);
    const [made] = await apply(store, [occurrence(0, "a"), occurrence(1, "b", { projectId: 2 })]);
    const issueId = made?.issueId ?? 0;
    const resolve = { issueIds: [issueId], status: "resolved", userId: null, at: NOON + 5 } as const;
    const previous = await store.issues.changeIssueStatus(EVERYTHING, { ...resolve, issueIds: [issueId] });
    await store.issues.restoreIssueStatuses(EVERYTHING, previous, { userId: null, at: NOON + 6 });
    const of = { from: NOON, to: NOON + 100, limit: 9 };
    expect(await store.alerts.listChanges(scopeOf(1), of)).toMatchObject([
      { issueId, kind: "resolved", at: NOON + 5 },
      { issueId, kind: "first_seen", at: NOON, data: { eventId: "0".repeat(32) } },
    ]);
    expect(await store.alerts.listChanges(scopeOf(1), { ...of, to: NOON + 5 })).toMatchObject([{ kind: "first_seen" }]);
    expect(await store.alerts.listChanges(scopeOf(3), of)).toEqual([]);
  });

  test("the newest firings are kept", async () => {
    await using store = await openStore(createDatabase);
    const { id } = await make(store);
    const many = Array.from({ length: MAX_FIRINGS + 20 }, (_, index) =>
      firing(id, { issueId: index + 1, targets: [] }),
    );
    await fire(store, many);
    expect((await store.alerts.listRules(EVERYTHING, NOON))[0]?.recentFirings).toBe(MAX_FIRINGS);
    expect((await store.alerts.listFirings(EVERYTHING, { ruleId: id, limit: 1 }))[0]?.issueId).toBe(MAX_FIRINGS + 20);
  });

  test("rules of a deleted project go, and others go on without it", async () => {
    await using store = await openStore(createDatabase);
    const projectId = await createProject(store, "gone");
    await make(store, { name: "only", projectIds: [projectId] });
    const both = await make(store, { name: "both", projectIds: [projectId, projectId + 1] });
    const by = { userId: null, at: NOON };
    expect(await store.deletions.deleteProject(EVERYTHING, { ...by, projectId })).toBe(true);
    expect((await store.alerts.listRules(EVERYTHING, NOON)).map(({ name }) => name)).toEqual(["both"]);
    expect((await store.alerts.getRule(EVERYTHING, both.id))?.projectIds).toEqual([projectId + 1]);
  });
}
