import { expect, test } from "vitest";
import type { AlertRuleDraft } from "../../../domain/alerts/alert-rule.ts";
import { MAX_PERIODS } from "../../../domain/alerts/escalation.ts";
import { draftFirstRule } from "../../../domain/alerts/first-rule.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../domain/time.ts";
import type { FoundFiring } from "../alert-store.ts";
import type { DeliveryTarget, NewsItem } from "../delivery-store.ts";
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
  setStatus,
} from "./fixture.ts";

const DRAFT: AlertRuleDraft = {
  ...draftFirstRule({ id: 1, slug: "shop" }),
  name: "Checkout",
  projectIds: null,
  steps: [
    { afterMinutes: 15, actions: [{ kind: "team", id: 3 }] },
    { afterMinutes: 60, actions: [{ kind: "members" }] },
  ],
};
const TARGET: DeliveryTarget = { projectId: 1, channel: "email", address: "ada@example.com" };
const ITEM: NewsItem = { transition: "escalated", issueId: 0, eventId: "", at: NOON, release: null };
const PAGE = { ruleId: undefined, limit: 100 };

/** Issues of project 1, and a rule with steps. */
async function furnish(store: State, hashes: readonly string[] = ["a"], change: Partial<AlertRuleDraft> = {}) {
  await createProject(store, "shop");
  const made = await apply(
    store,
    hashes.map((hash, index) => occurrence(index, hash)),
  );
  const rule = await store.alerts.createRule(EVERYTHING, { ...DRAFT, ...change }, NOON);
  if (!rule.ok) throw new Error(rule.reason);
  return { ruleId: rule.rule.id, issueIds: made.map(({ issueId }) => issueId) };
}

export function describeAlertPeriods(createDatabase: CreateStateDatabase): void {
  let keys = 0;
  const createKey = () => `${++keys}`;
  const at = (minutes: number) => NOON + minutes * MINUTE_MS;

  async function fire(store: State, ruleId: number, issueId: number, now = NOON, change: Partial<FoundFiring> = {}) {
    const item: NewsItem = { transition: "new", issueId, eventId: "e1", at: now, release: "shop@2" };
    const found = { ruleId, projectId: 1, issueId, trigger: "new", at: now, value: null, isPeriod: false } as const;
    return await store.alertWork.fire({
      reader: null,
      found: [{ ...found, targets: [TARGET], item, ...change }],
      now,
      createKey,
    });
  }
  const listOpen = (store: State, of: { ruleId?: number; issueId?: number } = {}) =>
    store.alertPeriods.listPeriods(EVERYTHING, { ...of, isOpen: true, limit: 100 });
  const listDue = (store: State, minutes: number, after: { nextAt: number; id: number } | null = null) =>
    store.alertPeriodWork.listDue({ now: at(minutes), after, limit: 100 });
  const tell = (store: State, periodId: number, number: number, minutes: number) =>
    store.alertPeriodWork.tellStep({ periodId, number, targets: [TARGET], item: ITEM, now: at(minutes), createKey });
  const countMessages = async (store: State) => (await store.deliveries.countDeliveries()).waiting;
  const acknowledge = (store: State, issueId: number, minutes: number) =>
    store.alertPeriods.acknowledge(EVERYTHING, { issueId, userId: null, via: "page", at: at(minutes) });

  test("a rule with steps opens one period of an issue, and tells who was told", async () => {
    await using store = await openStore(createDatabase);
    const { ruleId, issueIds } = await furnish(store);
    const [issueId = 0] = issueIds;
    expect(await fire(store, ruleId, issueId)).toBe(1);
    expect(await fire(store, ruleId, issueId, at(1))).toBe(1);
    const [period, second] = await listOpen(store, { issueId });
    expect(second).toBeUndefined();
    expect(period).toEqual({
      id: period?.id,
      ruleId,
      projectId: 1,
      issueId,
      eventId: "e1",
      release: "shop@2",
      openedAt: NOON,
      nextStep: 0,
      nextAt: at(15),
      told: [{ step: null, at: NOON, targets: [{ channel: "email", address: "ada@example.com" }] }],
      acknowledged: null,
      ended: null,
    });
    expect(await store.alertPeriods.listPeriods(scopeOf(2), { ...PAGE, issueId })).toEqual([]);
    expect(await listOpen(store, { ruleId: ruleId + 1 })).toEqual([]);
  });

  test("nothing opens without steps, for an issue that is dealt with, or of a firing that tells nobody", async () => {
    await using store = await openStore(createDatabase);
    const { ruleId, issueIds } = await furnish(store, ["a", "b", "c"]);
    const [a = 0, b = 0, c = 0] = issueIds;
    await setStatus(store, [a], "resolved", NOON);
    await fire(store, ruleId, a);
    await fire(store, ruleId, b, NOON, { isKnown: true });
    await fire(store, ruleId, 999);
    const plain = await store.alerts.createRule(EVERYTHING, { ...DRAFT, steps: [] }, NOON);
    await fire(store, plain.ok ? plain.rule.id : 0, c);
    expect(await listOpen(store)).toEqual([]);
  });

  test("a step is told once, with its messages, and the next one is due later", async () => {
    await using store = await openStore(createDatabase);
    const { ruleId, issueIds } = await furnish(store);
    await fire(store, ruleId, issueIds[0] ?? 0);
    expect(await listDue(store, 14)).toEqual([]);
    const [due] = await listDue(store, 15);
    expect(due).toMatchObject({ ruleName: "Checkout", steps: DRAFT.steps, nextStep: 0 });
    const id = due?.id ?? 0;
    expect(await listDue(store, 15, { nextAt: at(15), id })).toEqual([]);
    expect(await tell(store, id, 1, 15)).toBe(false);
    expect(await tell(store, id, 0, 15)).toBe(true);
    expect(await tell(store, id, 0, 15)).toBe(false);
    const message = await store.deliveries.claim({ now: at(15), retryAt: () => at(99) });
    expect(message?.items.map(({ transition }) => transition)).toEqual(["new", "escalated"]);
    expect(await listDue(store, 59)).toEqual([]);
    expect((await listDue(store, 60))[0]?.nextStep).toBe(1);
    expect(await tell(store, id, 1, 61)).toBe(true);
    expect(await listDue(store, 100_000)).toEqual([]);
    expect(await listOpen(store)).toMatchObject([
      {
        nextStep: 2,
        nextAt: null,
        told: [{ step: null }, { step: 0, at: at(15) }, { step: 1, at: at(61), targets: [{ channel: "email" }] }],
      },
    ]);
  });

  test("an acknowledgement ends the steps, and what the rule tells of the issue, until it is taken back", async () => {
    await using store = await openStore(createDatabase);
    const { ruleId, issueIds } = await furnish(store);
    const [issueId = 0] = issueIds;
    await fire(store, ruleId, issueId);
    const of = { issueId, userId: null, via: "page", at: at(5) } as const;
    expect(await store.alertPeriods.acknowledge(scopeOf(2), of)).toEqual([]);
    expect(await store.alertPeriodWork.isUnanswered(issueId)).toBe(true);
    const ids = await acknowledge(store, issueId, 5);
    expect(ids).toHaveLength(1);
    expect(await store.alertPeriodWork.isUnanswered(issueId)).toBe(false);
    expect(await acknowledge(store, issueId, 6)).toEqual([]);
    expect(await listDue(store, 1_000)).toEqual([]);
    expect(await tell(store, ids[0] ?? 0, 0, 20)).toBe(false);
    expect(await fire(store, ruleId, issueId, at(20))).toBe(0);
    expect(await store.alerts.listOutcomes(EVERYTHING, { ruleId, limit: 1 })).toMatchObject([
      { outcome: "acknowledged" },
    ]);
    expect((await store.issues.listActivity(EVERYTHING, issueId)).map(({ kind }) => kind)).toContain("acknowledged");

    const back = { issueId, periodIds: ids, userId: null, at: at(30) };
    expect(await store.alertPeriods.withdraw(scopeOf(2), back)).toBe(0);
    expect(await store.alertPeriods.withdraw(EVERYTHING, { ...back, issueId: issueId + 1 })).toBe(0);
    expect(await store.alertPeriods.withdraw(EVERYTHING, back)).toBe(1);
    expect(await store.alertPeriods.withdraw(EVERYTHING, back)).toBe(0);
    expect((await listDue(store, 30)).map(({ id }) => id)).toEqual(ids);
    expect(await fire(store, ruleId, issueId, at(31))).toBe(1);
  });

  test("a period ends with a resolve or an archive, and goes on when that is undone", async () => {
    await using store = await openStore(createDatabase);
    const { ruleId, issueIds } = await furnish(store, ["a", "b"]);
    const [a = 0, b = 0] = issueIds;
    await fire(store, ruleId, a);
    await fire(store, ruleId, b);
    const previous = await setStatus(store, [a], "resolved", at(5));
    await setStatus(store, [b], "archived", at(6));
    expect(await store.alertPeriods.listPeriods(EVERYTHING, { ruleId, limit: 9 })).toMatchObject([
      { issueId: b, ended: { at: at(6), reason: "archived" } },
      { issueId: a, ended: { at: at(5), reason: "resolved" }, nextAt: null },
    ]);
    expect(await listDue(store, 1_000)).toEqual([]);
    await store.issues.restoreIssueStatuses(EVERYTHING, previous, { userId: null, at: at(7) });
    expect(await listOpen(store)).toMatchObject([{ issueId: a, ended: null, nextAt: at(15) }]);
    // Somebody who reopens an issue by hand tells nobody.
    await setStatus(store, [b], "unresolved", at(8));
    expect(await listOpen(store, { issueId: b })).toEqual([]);
    await fire(store, ruleId, b, at(9));
    expect(await listOpen(store, { issueId: b })).toMatchObject([{ openedAt: at(9) }]);
  });

  test("a period ends with its rule, and goes with its issue and its project", async () => {
    await using store = await openStore(createDatabase);
    const { ruleId, issueIds } = await furnish(store, ["a", "b"]);
    const [a = 0, b = 0] = issueIds;
    await fire(store, ruleId, a);
    await store.alerts.changeRule(EVERYTHING, ruleId, { isEnabled: false }, at(1));
    expect(await store.alertPeriods.listPeriods(EVERYTHING, { ruleId, limit: 9 })).toMatchObject([
      { ended: { at: at(1), reason: "rule" } },
    ]);
    await store.alerts.changeRule(EVERYTHING, ruleId, { isEnabled: true }, at(2));
    await fire(store, ruleId, a, at(3));
    await fire(store, ruleId, b, at(3));
    await store.deletions.deleteIssues(EVERYTHING, { issueIds: [a], userId: null, at: at(4) });
    expect((await listOpen(store)).map(({ issueId }) => issueId)).toEqual([b]);
    expect(await store.alerts.deleteRule(EVERYTHING, ruleId)).toBe(true);
    expect(await store.alertPeriods.listPeriods(EVERYTHING, { issueId: b, limit: 9 })).toEqual([]);
  });

  test("other steps of the rule hold at once for what waits; without steps nothing does", async () => {
    await using store = await openStore(createDatabase);
    const { ruleId, issueIds } = await furnish(store);
    await fire(store, ruleId, issueIds[0] ?? 0);
    const change = async (...minutes: number[]) => {
      const steps = minutes.map((afterMinutes) => ({ afterMinutes, actions: [{ kind: "members" }] as const }));
      await store.alerts.changeRule(EVERYTHING, ruleId, { steps }, at(1));
    };
    await change(5, 10);
    expect(await listOpen(store)).toMatchObject([{ nextAt: at(5) }]);
    await tell(store, (await listOpen(store))[0]?.id ?? 0, 0, 5);
    await change(5, 30);
    expect(await listOpen(store)).toMatchObject([{ nextStep: 1, nextAt: at(30) }]);
    await change(5);
    expect(await listOpen(store)).toMatchObject([{ nextAt: null }]);
    await change();
    expect(await listOpen(store)).toEqual([]);
  });

  test("a merge takes what waits along to the issue that is left", async () => {
    await using store = await openStore(createDatabase);
    const { ruleId, issueIds } = await furnish(store, ["a", "b", "c"]);
    const [a = 0, b = 0, c = 0] = issueIds;
    await fire(store, ruleId, b);
    const merge = (targetId: number, ids: number[]) =>
      store.issueMerges.mergeIssues(EVERYTHING, {
        targetId,
        issueIds: ids,
        isOnce: false,
        name: "",
        userId: null,
        at: at(1),
      });
    await merge(a, [b]);
    expect(await listOpen(store)).toMatchObject([{ issueId: a, nextAt: at(15) }]);
    await fire(store, ruleId, c, at(2));
    await merge(a, [c]);
    expect(await listOpen(store)).toMatchObject([{ issueId: a, openedAt: NOON }]);
  });

  test("a clock that is set back starts what waits again, and tells no step twice", async () => {
    await using store = await openStore(createDatabase);
    const { ruleId, issueIds } = await furnish(store);
    const ahead = NOON + 400 * DAY_MS;
    await fire(store, ruleId, issueIds[0] ?? 0, ahead);
    const [period] = await listOpen(store);
    const told = { periodId: period?.id ?? 0, targets: [TARGET], item: ITEM, createKey };
    const now = ahead + HOUR_MS;
    expect(await store.alertPeriodWork.tellStep({ ...told, number: 0, now })).toBe(true);
    expect(await store.alertPeriodWork.settleClock(now)).toBe(0);
    expect(await store.alertPeriodWork.settleClock(NOON)).toBe(1);
    expect(await listOpen(store)).toMatchObject([{ openedAt: NOON, nextStep: 1, nextAt: at(60) }]);
    expect(await store.alertPeriodWork.tellStep({ ...told, number: 0, now: NOON })).toBe(false);
    expect(await listDue(store, 59)).toEqual([]);
  });

  test("the newest are kept", async () => {
    await using store = await openStore(createDatabase);
    const hashes = Array.from({ length: MAX_PERIODS + 3 }, (_, index) => `h${index}`);
    const { ruleId, issueIds } = await furnish(store, hashes);
    const found = issueIds.map(
      (issueId): FoundFiring => ({
        ruleId,
        projectId: 1,
        issueId,
        trigger: "new",
        at: NOON,
        value: null,
        isPeriod: false,
        targets: [],
        item: { ...ITEM, issueId },
      }),
    );
    await store.alertWork.fire({ reader: null, found, now: NOON, createKey });
    const ended = await store.alertPeriods.listPeriods(EVERYTHING, { ruleId, isOpen: false, limit: 9 });
    expect(ended.map(({ issueId, ended: end }) => [issueId, end?.reason])).toEqual(
      issueIds
        .slice(0, 3)
        .map((id) => [id, "limit"])
        .reverse(),
    );
    expect(await countMessages(store)).toBe(0);
  });

  test("a step wakes: its message waits for no quiet hours", async () => {
    await using store = await openStore(createDatabase);
    await store.people.setUp({
      organization: { slug: "o", name: "O" },
      owner: { email: "ada@example.com", name: "Ada", passwordHash: "x" },
      project: null,
      at: NOON,
    });
    const { ruleId, issueIds } = await furnish(store);
    const [issueId = 0] = issueIds;
    const user = await store.people.getOwner();
    const quiet = { from: 0, to: 1_439, days: [1, 2, 3, 4, 5, 6, 7], timezone: "UTC", letsHighThrough: false };
    await store.quietHours.saveQuietHours(user?.id ?? 0, quiet);
    const claim = (minutes: number) => store.deliveries.claim({ now: at(minutes), retryAt: () => at(9_999) });
    const person: DeliveryTarget = { projectId: 1, channel: "person", address: String(user?.id) };
    await fire(store, ruleId, issueId, NOON, { targets: [person] });
    expect(await claim(1)).toBeNull();
    const [period] = await listOpen(store);
    const step = { periodId: period?.id ?? 0, number: 0, targets: [person], item: { ...ITEM, issueId }, createKey };
    expect(await store.alertPeriodWork.tellStep({ ...step, now: at(15) })).toBe(true);
    expect((await claim(16))?.items).toHaveLength(2);
    expect(await acknowledge(store, issueId, 17)).toHaveLength(1);
  });
}
