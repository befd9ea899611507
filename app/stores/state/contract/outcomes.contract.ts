import { expect, test } from "vitest";
import { toCutoffs } from "../../../domain/stored-signal.ts";
import { DAY_MS, HOUR_MS } from "../../../domain/time.ts";
import { type CreateStateDatabase, EVERYTHING, JOURNAL, NOON, openStore, outcome, scopeOf } from "./fixture.ts";

export function describeOutcomes(createDatabase: CreateStateDatabase): void {
  const today = { from: NOON - 12 * HOUR_MS, to: NOON + 12 * HOUR_MS, bucketMs: null };

  test("sums add up whatever they are grouped by", async () => {
    await using store = await openStore(createDatabase);
    await store.outcomes.addOutcomes([
      outcome({ quantity: 5 }),
      outcome({ quantity: 2, category: "transaction" }),
      outcome({ quantity: 3, projectId: 2 }),
      outcome({ quantity: 7, outcome: "rate_limited", reason: "key_quota" }),
      outcome({ quantity: 11, outcome: "client_discard", reason: "sample_rate", category: "span", projectId: 2 }),
    ]);
    const sum = (groupBy: Parameters<typeof store.outcomes.sumOutcomes>[1]["groupBy"]) =>
      store.outcomes.sumOutcomes(EVERYTHING, { ...today, groupBy });
    const at = today.from;
    expect(await sum([])).toEqual([{ at, quantity: 28 }]);
    expect(await sum(["outcome"])).toEqual([
      { at, outcome: "accepted", quantity: 10 },
      { at, outcome: "client_discard", quantity: 11 },
      { at, outcome: "rate_limited", quantity: 7 },
    ]);
    expect(await sum(["project", "category"])).toEqual([
      { at, projectId: 1, category: "error", quantity: 12 },
      { at, projectId: 1, category: "transaction", quantity: 2 },
      { at, projectId: 2, category: "error", quantity: 3 },
      { at, projectId: 2, category: "span", quantity: 11 },
    ]);
    expect(await sum(["reason"])).toEqual([
      { at, reason: "", quantity: 10 },
      { at, reason: "key_quota", quantity: 7 },
      { at, reason: "sample_rate", quantity: 11 },
    ]);
    const fine = await sum(["outcome", "reason", "category", "project"]);
    expect(fine).toHaveLength(5);
    expect(fine.reduce((total, { quantity }) => total + quantity, 0)).toBe(28);
  });

  test("what expired is counted beside the buckets, once, up to an instant for each signal", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    await store.outcomes.addOutcomes([outcome({ quantity: 5 })]);
    expect(await store.expirations.expiredUpTo()).toEqual(toCutoffs(() => 0));
    const expired = { outcome: "expired" as const, reason: "retention", receivedAt: NOON };
    await store.expirations.noteExpired({
      cutoffs: toCutoffs((signal) => (signal === "replays" ? 200.5 : 100)),
      counts: [
        outcome({ ...expired, quantity: 3 }),
        outcome({ ...expired, quantity: 7, category: "replay", projectId: 2 }),
        outcome({ ...expired, quantity: 9, category: "replay", reason: "disk_space" }),
      ],
    });
    await store.expirations.noteExpired({ cutoffs: toCutoffs(() => 150), counts: [] });
    expect(await store.expirations.expiredUpTo()).toEqual(toCutoffs((signal) => (signal === "replays" ? 201 : 150)));
    expect(await store.outcomes.sumOutcomes(EVERYTHING, { ...today, groupBy: [] })).toEqual([
      { at: today.from, quantity: 5 },
    ]);
    const sum = (scope = EVERYTHING, categories?: string[]) =>
      store.outcomes.sumExpired(scope, { from: today.from, to: today.to, ...(categories && { categories }) });
    expect(await sum()).toEqual([
      { projectId: 1, category: "replay", reason: "disk_space", quantity: 9 },
      { projectId: 2, category: "replay", reason: "retention", quantity: 7 },
      { projectId: 1, category: "error", reason: "retention", quantity: 3 },
    ]);
    expect(await sum(scopeOf(2))).toHaveLength(1);
    expect(await sum(EVERYTHING, ["error"])).toHaveLength(1);
    expect(await store.outcomes.sumExpired(EVERYTHING, { from: 0, to: HOUR_MS })).toEqual([]);
  });

  test("filters by project, outcome, category and reason; an empty list matches nothing", async () => {
    await using store = await openStore(createDatabase);
    await store.outcomes.addOutcomes([
      outcome({ quantity: 1 }),
      outcome({ quantity: 10, projectId: 2 }),
      outcome({ quantity: 100, outcome: "filtered", reason: "it's" }),
      outcome({ quantity: 1_000, category: "span" }),
    ]);
    const sum = async (filter: Partial<Parameters<typeof store.outcomes.sumOutcomes>[1]>, scope = EVERYTHING) =>
      (await store.outcomes.sumOutcomes(scope, { ...today, groupBy: [], ...filter }))[0]?.quantity;
    expect(await sum({})).toBe(1_111);
    expect(await sum({}, scopeOf(2))).toBe(10);
    expect(await sum({}, scopeOf(1, 2))).toBe(1_111);
    expect(await sum({}, scopeOf())).toBeUndefined();
    expect(await sum({ outcomes: ["filtered"] })).toBe(100);
    expect(await sum({ outcomes: [] })).toBeUndefined();
    expect(await sum({ categories: ["span", "log_item"] })).toBe(1_000);
    expect(await sum({ reasons: ["it's"] })).toBe(100);
    expect(await sum({ reasons: [""], categories: ["error"] }, scopeOf(1))).toBe(1);
  });

  test("buckets are whole hours counted from 1970, and only those with something are given", async () => {
    await using store = await openStore(createDatabase);
    await store.outcomes.addOutcomes([
      outcome({ receivedAt: NOON - 1 }),
      outcome({ receivedAt: NOON }),
      outcome({ receivedAt: NOON + HOUR_MS - 1 }),
      outcome({ receivedAt: NOON + 3 * HOUR_MS }),
    ]);
    const sum = async (from: number, to: number, bucketMs: number) =>
      (await store.outcomes.sumOutcomes(EVERYTHING, { from, to, bucketMs, groupBy: [] })).map(({ at, quantity }) => [
        at - NOON,
        quantity,
      ]);
    expect(await sum(NOON - HOUR_MS, NOON + 4 * HOUR_MS, HOUR_MS)).toEqual([
      [-HOUR_MS, 1],
      [0, 2],
      [3 * HOUR_MS, 1],
    ]);
    expect(await sum(NOON, NOON + 4 * HOUR_MS, 4 * HOUR_MS)).toEqual([[0, 3]]);
    expect(await sum(NOON - DAY_MS, NOON + DAY_MS, DAY_MS)).toEqual([[-12 * HOUR_MS, 4]]);
    // The hours at the ends count whole, in buckets that may begin before the range.
    expect(await sum(NOON + 5, NOON + 6, HOUR_MS)).toEqual([[0, 2]]);
    await expect(sum(NOON, NOON + DAY_MS, 90_000)).rejects.toThrow(RangeError);
    await expect(sum(NOON, NOON + DAY_MS, 0)).rejects.toThrow(RangeError);
  });

  test("a group and a bucket together give one sum for each pair", async () => {
    await using store = await openStore(createDatabase);
    await store.outcomes.addOutcomes([
      outcome({ receivedAt: NOON, quantity: 1 }),
      outcome({ receivedAt: NOON, quantity: 2, outcome: "duplicate" }),
      outcome({ receivedAt: NOON + HOUR_MS, quantity: 4 }),
    ]);
    expect(await store.outcomes.sumOutcomes(EVERYTHING, { ...today, bucketMs: HOUR_MS, groupBy: ["outcome"] })).toEqual(
      [
        { at: NOON, outcome: "accepted", quantity: 1 },
        { at: NOON, outcome: "duplicate", quantity: 2 },
        { at: NOON + HOUR_MS, outcome: "accepted", quantity: 4 },
      ],
    );
  });

  test("a batch's outcomes are counted with it, and those of applied records are not counted again", async () => {
    await using store = await openStore(createDatabase);
    const outcomes = [
      { ...outcome(), sequence: 0 },
      { ...outcome({ quantity: 10 }), sequence: 1 },
    ];
    await store.batches.applyBatch({ journalId: JOURNAL, upTo: 1, occurrences: [], outcomes: outcomes.slice(0, 1) });
    await store.batches.applyBatch({ journalId: JOURNAL, upTo: 2, occurrences: [], outcomes });
    expect(await store.outcomes.sumOutcomes(EVERYTHING, { ...today, groupBy: [] })).toEqual([
      { at: today.from, quantity: 11 },
    ]);
  });

  test("quantities that make no sense are left out, and huge ones stop at what can be read", async () => {
    await using store = await openStore(createDatabase);
    await store.outcomes.addOutcomes([
      outcome({ quantity: 0 }),
      outcome({ quantity: -5 }),
      outcome({ quantity: Number.NaN }),
      outcome({ quantity: 2.9 }),
    ]);
    expect(await store.outcomes.sumOutcomes(EVERYTHING, { ...today, groupBy: [] })).toEqual([
      { at: today.from, quantity: 2 },
    ]);
    await store.outcomes.addOutcomes([outcome({ quantity: 1e300 }), outcome({ quantity: Number.MAX_SAFE_INTEGER })]);
    await store.outcomes.addOutcomes([outcome({ quantity: Number.MAX_SAFE_INTEGER, category: "span" })]);
    const [sum] = await store.outcomes.sumOutcomes(EVERYTHING, { ...today, groupBy: [] });
    expect(sum?.quantity).toBe(Number.MAX_SAFE_INTEGER);
  });

  test("quantities as large as they can be may come any number of times", async () => {
    await using store = await openStore(createDatabase);
    const largest = outcome({ quantity: Number.MAX_SAFE_INTEGER });
    // 1,024 of them are more than 64 bits hold.
    for (let times = 0; times < 1_100; times++) await store.outcomes.addOutcomes([largest, largest]);
    expect(await store.outcomes.sumOutcomes(EVERYTHING, { ...today, groupBy: [] })).toEqual([
      { at: today.from, quantity: Number.MAX_SAFE_INTEGER },
    ]);
  });

  test("category and reason are kept apart, whatever they hold", async () => {
    await using store = await openStore(createDatabase);
    await store.outcomes.addOutcomes([
      outcome({ category: "a b", reason: "c", quantity: 1 }),
      outcome({ category: "a", reason: "b c", quantity: 2 }),
      outcome({ category: "a b", reason: "c", quantity: 4 }),
    ]);
    expect(await store.outcomes.sumOutcomes(EVERYTHING, { ...today, groupBy: ["category", "reason"] })).toEqual([
      { at: today.from, category: "a", reason: "b c", quantity: 2 },
      { at: today.from, category: "a b", reason: "c", quantity: 5 },
    ]);
  });
}
