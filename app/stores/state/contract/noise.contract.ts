import { expect, test } from "vitest";
import type { AlertRuleDraft } from "../../../domain/alerts/alert-rule.ts";
import { ROLE_RIGHTS } from "../../../domain/people/roles.ts";
import { makeScope } from "../../../domain/scope.ts";
import { DAY_MS, HOUR_MS } from "../../../domain/time.ts";
import type { FoundFiring } from "../alert-store.ts";
import type { State } from "../state.ts";
import { apply, type CreateStateDatabase, EVERYTHING, NOON, occurrence, openStore, scopeOf } from "./fixture.ts";

const DRAFT: AlertRuleDraft = {
  name: "Loud",
  projectIds: [1],
  triggers: [{ kind: "users", count: 20, minutes: 10 }],
  match: "all",
  conditions: [],
  actions: [{ kind: "members" }],
  steps: [{ afterMinutes: 15, actions: [{ kind: "members" }] }],
  frequencyMinutes: 0,
  isEnabled: true,
};
const WEEK = { from: NOON - 7 * DAY_MS, to: NOON, now: NOON, limit: 10 };
const NO_NOISE = { fired: 6, messages: 12, acknowledged: 0, acted: 0, leftAlone: 6, undecided: 0 };

async function make(store: State, change: Partial<AlertRuleDraft> = {}) {
  const made = await store.alerts.createRule(EVERYTHING, { ...DRAFT, ...change }, NOON - 8 * DAY_MS);
  if (!made.ok) throw new Error(made.reason);
  return made.rule;
}

/** An owner, and a member; gives their ids. */
async function setUp(store: State): Promise<{ owner: number; member: number }> {
  await store.people.setUp({
    organization: { slug: "o", name: "O" },
    owner: { email: "ada@example.com", name: "Ada", passwordHash: "x" },
    project: { slug: "shop", name: "Shop", platform: "node" },
    at: NOON - 9 * DAY_MS,
  });
  const account = { email: "grace@example.com", name: "Grace", passwordHash: "x", role: "member" } as const;
  const member = await store.people.createMember({ ...account, teamIds: [], projectIds: [1], at: NOON - 9 * DAY_MS });
  return { owner: (await store.people.getOwner())?.id ?? 0, member };
}

export function describeNoise(createDatabase: CreateStateDatabase): void {
  let keys = 0;
  const createKey = () => `${++keys}`;

  /** Two receivers are told each time; on issue 7 unless said otherwise. */
  async function fire(store: State, ruleId: number, ...firings: Array<Partial<FoundFiring> & { at: number }>) {
    for (const { at, issueId = 7, ...rest } of firings) {
      const targets = ["a", "b"].map((address) => ({ projectId: 1, channel: "email", address }) as const);
      const item = { transition: "reached", issueId, eventId: "", at, release: null } as const;
      const found = {
        ruleId,
        projectId: 1,
        issueId,
        trigger: "users",
        at,
        value: 25,
        isPeriod: false,
        ...rest,
      } as const;
      await store.alertWork.fire({ reader: null, found: [{ ...found, targets, item }], now: at, createKey });
    }
  }
  const daysAgo = (...days: number[]) => days.map((each) => ({ at: NOON - each * DAY_MS }));

  test("a rule that fires often is found by those who may change it, the loudest first", async () => {
    await using store = await openStore(createDatabase);
    await setUp(store);
    const loud = await make(store);
    const louder = await make(store, { name: "Louder", projectIds: null });
    const quiet = await make(store, { name: "Quiet" });
    const off = await make(store, { name: "Off" });
    await fire(store, loud.id, ...daysAgo(7, 6, 5, 4, 3, 2));
    await fire(store, louder.id, ...daysAgo(7, 6, 5, 4, 3, 2, 2.5));
    await fire(store, quiet.id, ...daysAgo(7.1, 6, 5, 4, 3, 2));
    await fire(store, off.id, ...daysAgo(7, 6, 5, 4, 3, 2));
    await store.alerts.changeRule(EVERYTHING, off.id, { isEnabled: false }, NOON);
    expect(await store.alertNoiseWork.listNoisyRules(WEEK)).toEqual([
      { rule: louder, noise: { ...NO_NOISE, fired: 7, messages: 14, leftAlone: 7 }, suggested: null },
      { rule: loud, noise: NO_NOISE, suggested: null },
    ]);
    const seen = async (role: "admin" | "owner" | "member", ...projectIds: number[]) => {
      const scope = makeScope({ organizationId: 1, projectIds, rights: ROLE_RIGHTS[role] });
      return (await store.alertNoise.listNoisyRules(scope, WEEK)).map(({ rule }) => rule.name);
    };
    expect(await seen("owner", 1)).toEqual(["Louder", "Loud"]);
    expect(await seen("admin", 1)).toEqual(["Loud"]);
    expect(await seen("admin", 2)).toEqual([]);
    expect(await seen("member", 1)).toEqual([]);
    expect(await store.alertNoiseWork.listNoisyRules({ ...WEEK, limit: 1 })).toHaveLength(1);
  });

  test("it counts what people did within a day, and leaves the last day undecided", async () => {
    await using store = await openStore(createDatabase);
    const { owner } = await setUp(store);
    const [one, other] = await apply(store, [
      occurrence(0, "a", { projectId: 1, receivedAt: NOON - 8 * DAY_MS }),
      occurrence(1, "b", { projectId: 1, receivedAt: NOON - 8 * DAY_MS }),
    ]);
    const ids = { one: one?.issueId ?? 0, other: other?.issueId ?? 0 };
    const rule = await make(store);
    await fire(store, rule.id, ...daysAgo(6, 5, 4).map((each) => ({ ...each, issueId: ids.one })));
    await fire(store, rule.id, ...daysAgo(3, 2.5, 0.5).map((each) => ({ ...each, issueId: ids.other })));
    // What was so before the rule began told nobody.
    await fire(store, rule.id, { at: NOON - 3 * DAY_MS, issueId: ids.other, isKnown: true });
    const sum = async () => (await store.alertNoiseWork.listNoisyRules(WEEK))[0]?.noise;
    expect(await sum()).toEqual({ ...NO_NOISE, leftAlone: 5, undecided: 1 });
    // After the first, and within a day of the second.
    await store.alertPeriods.acknowledge(EVERYTHING, {
      issueId: ids.one,
      userId: owner,
      via: "page",
      at: NOON - 4.2 * DAY_MS,
    });
    expect(await sum()).toEqual({ ...NO_NOISE, acknowledged: 1, acted: 1, leftAlone: 4, undecided: 1 });
    const acted = (from: number) =>
      store.alertNoise.listActedIssues(EVERYTHING, { issueIds: [ids.one, ids.other, 99], from, to: NOON });
    expect(await acted(WEEK.from)).toEqual([ids.one]);
    expect(await acted(NOON - 4 * DAY_MS)).toEqual([]);
    const inOther = { issueIds: [ids.one], from: WEEK.from, to: NOON };
    expect(await store.alertNoise.listActedIssues(scopeOf(2), inOther)).toEqual([]);
    expect(await store.alertNoiseWork.listFiredIssues({ ruleId: rule.id, from: WEEK.from, to: NOON })).toEqual([
      ids.one,
      ids.other,
    ]);
    await store.issues.changeIssueStatus(EVERYTHING, {
      issueIds: [ids.other],
      status: "resolved",
      userId: owner,
      at: NOON - HOUR_MS,
    });
    expect(await sum()).toEqual({ ...NO_NOISE, acknowledged: 1, acted: 2, leftAlone: 4, undecided: 0 });
  });

  test("receivers of steps count as messages", async () => {
    await using store = await openStore(createDatabase);
    await setUp(store);
    const [made] = await apply(store, [occurrence(0, "a", { projectId: 1, receivedAt: NOON - 8 * DAY_MS })]);
    const issueId = made?.issueId ?? 0;
    const rule = await make(store);
    await fire(store, rule.id, ...daysAgo(6, 5, 4, 3, 2.5, 2).map((each) => ({ ...each, issueId })));
    const [period] = await store.alertPeriodWork.listDue({ now: NOON, after: null, limit: 9 });
    if (period === undefined) throw new Error("no period is open");
    const item = { transition: "escalated", issueId, eventId: "", at: NOON, release: null } as const;
    const targets = [1, 2, 3].map((id) => ({ projectId: 1, channel: "person", address: String(id) }) as const);
    await store.alertPeriodWork.tellStep({
      periodId: period.id,
      number: 0,
      targets,
      item,
      now: NOON - DAY_MS,
      createKey,
    });
    expect((await store.alertNoiseWork.listNoisyRules(WEEK))[0]?.noise.messages).toBe(15);
  });

  test("a line is suggested of a rule as it is", async () => {
    await using store = await openStore(createDatabase);
    await setUp(store);
    const rule = await make(store);
    await fire(store, rule.id, ...daysAgo(6, 5, 4, 3, 2, 1));
    const suggested = { line: 40, times: 2, ownTimes: 6 };
    const found = { ruleId: rule.id, ruleChangedAt: rule.changedAt, lookedAt: NOON };
    await store.alertNoiseWork.saveLine({ ...found, suggested });
    await store.alertNoiseWork.saveLine({ ...found, ruleId: 999, suggested });
    const read = async () => (await store.alertNoiseWork.listNoisyRules(WEEK))[0]?.suggested;
    expect(await read()).toEqual(suggested);
    expect([...(await store.alertNoiseWork.listLookedAt())]).toEqual([[rule.id, NOON]]);
    await store.alertNoiseWork.saveLine({ ...found, lookedAt: NOON + 1, suggested: null });
    expect(await read()).toBeNull();
    await store.alertNoiseWork.saveLine({ ...found, suggested });
    await store.alerts.changeRule(EVERYTHING, rule.id, { name: "Louder" }, NOON + 5);
    expect(await read()).toBeNull();
    expect([...(await store.alertNoiseWork.listLookedAt())]).toEqual([]);
  });

  test("a person is told once for each week, unless they want none", async () => {
    await using store = await openStore(createDatabase);
    const { owner, member } = await setUp(store);
    const readers = () => store.alertNoiseWork.listReaders();
    const unknown = { timezone: null, toldUntil: null };
    expect(await readers()).toEqual([
      { userId: owner, ...unknown },
      { userId: member, ...unknown },
    ]);
    const hours = { from: 0, to: 60, days: [1], timezone: "Europe/Berlin", letsHighThrough: false } as const;
    await store.quietHours.saveQuietHours(owner, hours);
    await store.alertNoiseWork.noteReaders([owner, member], NOON - 7 * DAY_MS);
    expect(await readers()).toEqual([
      { userId: owner, timezone: "Europe/Berlin", toldUntil: NOON - 7 * DAY_MS },
      { userId: member, timezone: null, toldUntil: NOON - 7 * DAY_MS },
    ]);
    const tell = () => store.alertNoiseWork.tellReader({ userId: member, until: NOON, now: NOON, createKey });
    expect([await tell(), await tell()]).toEqual([true, false]);
    const message = await store.deliveries.claim({ now: NOON, retryAt: () => NOON + DAY_MS });
    expect(message).toMatchObject({
      target: { projectId: 0, channel: "person", address: String(member) },
      items: [{ transition: "noise", at: NOON }],
    });
    await store.alertNoise.setWantsReport(owner, false, NOON);
    expect([await store.alertNoise.wantsReport(owner), await store.alertNoise.wantsReport(member)]).toEqual([
      false,
      true,
    ]);
    expect((await readers()).map(({ userId }) => userId)).toEqual([member]);
    await store.alertNoise.setWantsReport(owner, true, NOON);
    expect((await readers())[0]).toMatchObject({ userId: owner, toldUntil: NOON });
  });
}
