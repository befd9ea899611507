import { expect, test } from "vitest";
import { draftFirstRule } from "../../../domain/alerts/first-rule.ts";
import { MAX_OUTCOMES } from "../../../domain/alerts/outcome.ts";
import { MAX_SILENCES, SILENCE_KEPT_MS, type SilenceDraft } from "../../../domain/alerts/silence.ts";
import { HOUR_MS, MINUTE_MS } from "../../../domain/time.ts";
import type { FoundFiring, SeenByRule } from "../alert-store.ts";
import type { State } from "../state.ts";
import { type CreateStateDatabase, createProject, EVERYTHING, NOON, openStore, scopeOf } from "./fixture.ts";

const DRAFT: SilenceDraft = {
  ruleId: null,
  projectId: 1,
  environment: null,
  reason: "deploy",
  madeBy: "Ada",
  endsAt: NOON + HOUR_MS,
};

async function silence(store: State, change: Partial<SilenceDraft> = {}, at = NOON) {
  const made = await store.silences.createSilence(EVERYTHING, { ...DRAFT, ...change }, at);
  if (!made.ok) throw new Error(made.reason);
  return made.silence;
}

async function makeRule(store: State, projectIds: number[] | null = null, frequencyMinutes = 0) {
  const draft = { ...draftFirstRule({ id: 1, slug: "shop" }), projectIds, frequencyMinutes };
  const made = await store.alerts.createRule(EVERYTHING, draft, NOON);
  if (!made.ok) throw new Error(made.reason);
  return made.rule;
}

export function describeSilences(createDatabase: CreateStateDatabase): void {
  let keys = 0;
  const fire = (store: State, found: FoundFiring[], seen: SeenByRule[] = []) =>
    store.alertWork.fire({ reader: null, found, seen, now: NOON, createKey: () => `${++keys}` });

  test("a silence is made, ended, held longer and listed, by whom it concerns", async () => {
    await using store = await openStore(createDatabase);
    const [shop, web] = [await createProject(store, "shop"), await createProject(store, "web")];
    const rule = await makeRule(store, [web]);
    const ofShop = await silence(store, { projectId: shop });
    expect(ofShop).toEqual({ ...DRAFT, id: ofShop.id, projectId: shop, startsAt: NOON });
    await silence(store, { projectId: null, ruleId: rule.id, reason: "rule" });
    await silence(store, { projectId: null, environment: "staging", reason: "all" });
    const reasons = async (scope = EVERYTHING, now = NOON) =>
      (await store.silences.listSilences(scope, now)).map(({ reason }) => reason).sort();
    expect(await reasons()).toEqual(["all", "deploy", "rule"]);
    expect(await reasons(scopeOf(shop))).toEqual(["all", "deploy"]);
    expect(await reasons(scopeOf(web))).toEqual(["all", "rule"]);
    expect(await store.silences.getSilence(scopeOf(web), ofShop.id)).toBeNull();
    expect(await store.silences.createSilence(scopeOf(web), { ...DRAFT, projectId: shop }, NOON)).toEqual({
      ok: false,
      reason: "gone",
    });
    expect(await store.silences.moveSilenceEnd(scopeOf(web), ofShop.id, NOON)).toBeNull();

    const between = async (from: number, to = from) =>
      (await store.alertWork.listSilences({ from, to })).map(({ reason }) => reason).sort();
    expect(await between(NOON - 1)).toEqual([]);
    expect(await between(NOON + HOUR_MS - 1)).toEqual(["all", "deploy", "rule"]);
    expect(await store.silences.moveSilenceEnd(EVERYTHING, ofShop.id, NOON + MINUTE_MS)).toMatchObject({
      endsAt: NOON + MINUTE_MS,
    });
    expect(await between(NOON + MINUTE_MS)).toEqual(["all", "rule"]);
    expect(await between(NOON, NOON + HOUR_MS)).toEqual(["all", "deploy", "rule"]);
    // An end is never before the start.
    expect(await store.silences.moveSilenceEnd(EVERYTHING, ofShop.id, 0)).toMatchObject({ endsAt: NOON });
    expect(await reasons(EVERYTHING, NOON + HOUR_MS + SILENCE_KEPT_MS)).toEqual([]);
    await store.alerts.deleteRule(EVERYTHING, rule.id);
    expect(await reasons()).toEqual(["all", "deploy"]);
  });

  test(`at most ${MAX_SILENCES} hold at the same time`, async () => {
    await using store = await openStore(createDatabase);
    await createProject(store, "shop");
    for (let count = 0; count < MAX_SILENCES; count++) await silence(store);
    expect(await store.silences.createSilence(EVERYTHING, DRAFT, NOON)).toEqual({ ok: false, reason: "full" });
    expect(
      (await store.silences.createSilence(EVERYTHING, { ...DRAFT, endsAt: NOON + 3 * HOUR_MS }, NOON + HOUR_MS)).ok,
    ).toBe(true);
  });

  test("what a rule saw is kept with what came of it, the same of one issue once", async () => {
    await using store = await openStore(createDatabase);
    await createProject(store, "shop");
    const rule = await makeRule(store, null, 10);
    const held = await silence(store);
    const about = { ruleId: rule.id, projectId: 1, issueId: 7, trigger: "new" } as const;
    const found = (change: Partial<FoundFiring>): FoundFiring => ({
      ...about,
      at: NOON,
      value: null,
      isPeriod: false,
      targets: [{ projectId: 1, channel: "email", address: "ada@example.com" }],
      item: { transition: "new", issueId: 7, eventId: "", at: NOON, release: null },
      ...change,
    });
    await fire(store, [], [{ ...about, at: NOON, outcome: "unfit", detail: "level:fatal" }]);
    await fire(store, [], [{ ...about, at: NOON + 1, outcome: "unfit", detail: "level:fatal" }]);
    await fire(store, [], [{ ...about, at: NOON + 2, outcome: "silenced", silenceId: held.id }]);
    expect(await fire(store, [found({ at: NOON + 3 })])).toBe(1);
    expect(await fire(store, [found({ at: NOON + 4 })])).toBe(0);
    const many = { trigger: "events", value: 30, isPeriod: true, issueId: 8, silenceId: held.id } as const;
    expect(await fire(store, [found({ ...many, at: NOON + 5 })])).toBe(0);
    expect(await fire(store, [found({ ...many, at: NOON + 6 })])).toBe(0);
    const entries = await store.alerts.listOutcomes(EVERYTHING, { ruleId: rule.id, limit: 10 });
    expect(
      entries.map(({ issueId, outcome, detail, at, lastAt, times }) => [
        issueId,
        outcome,
        detail,
        at - NOON,
        lastAt - NOON,
        times,
      ]),
    ).toEqual([
      [8, "silenced", "", 5, 6, 1],
      [7, "frequency", "", 4, 4, 1],
      [7, "fired", "", 3, 3, 1],
      [7, "silenced", "", 2, 2, 1],
      [7, "unfit", "level:fatal", 0, 1, 2],
    ]);
    expect(entries[2]?.targets).toEqual([{ channel: "email", address: "ada@example.com" }]);
    const outcomesOf = async (of: object, scope = EVERYTHING) =>
      (await store.alerts.listOutcomes(scope, { limit: 10, ...of })).map(({ outcome }) => outcome);
    expect(await outcomesOf({ ruleId: rule.id, outcome: "fired" })).toEqual(["fired"]);
    expect(await outcomesOf({ silenceId: held.id })).toEqual(["silenced", "silenced"]);
    expect(await outcomesOf({ issueId: 8 })).toEqual(["silenced"]);
    expect(await outcomesOf({ ruleId: rule.id }, scopeOf(2))).toEqual([]);
    expect((await store.silences.getSilence(EVERYTHING, held.id))?.held).toBe(2);
    // A number that is above the line when the silence is over is told then.
    const { silenceId: _, ...loud } = many;
    expect(await fire(store, [found({ ...loud, at: NOON + HOUR_MS })])).toBe(1);
    // One that was told before the silence goes on in it.
    expect(await fire(store, [found({ ...many, value: 40, at: NOON + HOUR_MS + 1 })])).toBe(0);
    expect((await store.alerts.listFirings(EVERYTHING, { ruleId: rule.id, limit: 1 }))[0]?.peak).toBe(40);
  });

  test(`the newest ${MAX_OUTCOMES} entries of a rule are kept`, async () => {
    await using store = await openStore(createDatabase);
    await createProject(store, "shop");
    const rule = await makeRule(store);
    const seen = Array.from({ length: MAX_OUTCOMES + 5 }, (_, issueId) => ({
      ruleId: rule.id,
      projectId: 1,
      issueId: issueId + 1,
      trigger: "new" as const,
      at: NOON,
      outcome: "unfit" as const,
    }));
    await fire(store, [], seen);
    const entries = await store.alerts.listOutcomes(EVERYTHING, { ruleId: rule.id, limit: 5_000 });
    expect([entries.length, entries.at(-1)?.issueId]).toEqual([MAX_OUTCOMES, 6]);
  });
}
