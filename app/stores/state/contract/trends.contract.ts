import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../domain/time.ts";
import { apply, type CreateStateDatabase, EVERYTHING, NOON, occurrence, openStore, outcome, query } from "./fixture.ts";

const MIDNIGHT = NOON - 12 * HOUR_MS;

export function describeTrends(createDatabase: CreateStateDatabase): void {
  test("events are counted by the hour in which they occurred, empty hours included", async () => {
    await using store = await openStore(createDatabase);
    const [a, b] = (
      await apply(store, [
        occurrence(0, "a", { at: NOON }),
        occurrence(1, "b", { at: NOON + HOUR_MS - 1 }),
        occurrence(2, "a", { at: NOON + 2 * HOUR_MS, environment: "staging" }),
        occurrence(3, "a", { at: NOON + 2 * HOUR_MS }),
        occurrence(4, "a", { at: NOON + 3 * HOUR_MS }),
        occurrence(5, "a", { at: NOON - 1 }),
      ])
    ).map((assignment) => assignment.issueId);
    const range = { from: NOON, to: NOON + 3 * HOUR_MS, bucketMs: HOUR_MS };
    expect(await store.issues.listTrends(EVERYTHING, [a ?? 0, b ?? 0, 999], range)).toEqual(
      new Map([
        [a, [1, 0, 2]],
        [b, [1, 0, 0]],
        [999, [0, 0, 0]],
      ]),
    );
    expect(await store.issues.listTrends(EVERYTHING, [a ?? 0], { ...range, environments: ["staging"] })).toEqual(
      new Map([[a, [0, 0, 1]]]),
    );
    expect(await store.issues.listTrends(EVERYTHING, [a ?? 0], { ...range, environments: ["other"] })).toEqual(
      new Map([[a, [0, 0, 0]]]),
    );
    expect(await store.issues.listTrends(EVERYTHING, [], range)).toEqual(new Map());
  });

  test("days begin at midnight UTC", async () => {
    await using store = await openStore(createDatabase);
    const [a] = await apply(store, [
      occurrence(0, "a", { at: MIDNIGHT - 1 }),
      occurrence(1, "a", { at: MIDNIGHT }),
      occurrence(2, "a", { at: NOON }),
      occurrence(3, "a", { at: MIDNIGHT + DAY_MS }),
    ]);
    const trend = async (from: number, to: number, bucketMs: number) =>
      (await store.issues.listTrends(EVERYTHING, [a?.issueId ?? 0], { from, to, bucketMs })).get(a?.issueId ?? 0);
    expect(await trend(MIDNIGHT - DAY_MS, MIDNIGHT + 2 * DAY_MS, DAY_MS)).toEqual([1, 2, 1]);
    expect(await trend(MIDNIGHT, MIDNIGHT + DAY_MS, 6 * HOUR_MS)).toEqual([1, 0, 1, 0]);
    // A range that begins and ends within buckets has both of them whole.
    expect(await trend(NOON - 5, NOON + DAY_MS, DAY_MS)).toEqual([2, 1]);
    expect(await trend(NOON + 5 * MINUTE_MS, NOON + 6 * MINUTE_MS, HOUR_MS)).toEqual([1]);
    expect(await trend(NOON, NOON, HOUR_MS)).toEqual([]);
  });

  test("the buckets of an issue add up to its events", async () => {
    await using store = await openStore(createDatabase);
    const [a] = await apply(
      store,
      Array.from({ length: 200 }, (_, index) => occurrence(index, "a", { at: NOON + index * 37 * MINUTE_MS })),
    );
    for (const bucketMs of [HOUR_MS, 3 * HOUR_MS, DAY_MS, 2 * DAY_MS]) {
      const trends = await store.issues.listTrends(EVERYTHING, [a?.issueId ?? 0], {
        from: NOON,
        to: NOON + 6 * DAY_MS,
        bucketMs,
      });
      expect((trends.get(a?.issueId ?? 0) ?? []).reduce((sum, count) => sum + count, 0)).toBe(200);
    }
  });

  test("buckets that are not whole hours, or too many of them, are refused", async () => {
    await using store = await openStore(createDatabase);
    const trends = (to: number, bucketMs: number) =>
      store.issues.listTrends(EVERYTHING, [1], { from: 0, to, bucketMs });
    await expect(trends(NOON, 90 * MINUTE_MS)).rejects.toThrow(RangeError);
    await expect(trends(NOON, 0)).rejects.toThrow(RangeError);
    await expect(trends(NOON, Number.NaN)).rejects.toThrow(RangeError);
    await expect(trends(NOON, HOUR_MS)).rejects.toThrow(RangeError);
    expect((await trends(10_000 * HOUR_MS, HOUR_MS)).get(1)).toHaveLength(10_000);
  });

  test("retention drops whole days and hours before its instant, and leaves issues and their totals", async () => {
    await using store = await openStore(createDatabase);
    const [a] = await apply(store, [
      occurrence(0, "a", { at: MIDNIGHT - DAY_MS }),
      occurrence(1, "a", { at: MIDNIGHT - 1 }),
      occurrence(2, "a", { at: MIDNIGHT }),
      occurrence(3, "a", { at: NOON }),
    ]);
    await store.outcomes.addOutcomes([
      outcome({ receivedAt: NOON - HOUR_MS - 1 }),
      outcome({ receivedAt: NOON - 1 }),
      outcome({ receivedAt: NOON }),
    ]);
    expect(await store.dropBefore(NOON)).toBeGreaterThan(0);
    const range = { from: MIDNIGHT - DAY_MS, to: MIDNIGHT + DAY_MS };
    const trends = await store.issues.listTrends(EVERYTHING, [a?.issueId ?? 0], { ...range, bucketMs: DAY_MS });
    expect(trends.get(a?.issueId ?? 0)).toEqual([0, 2]);
    const hours = await store.issues.listTrends(EVERYTHING, [a?.issueId ?? 0], { ...range, bucketMs: HOUR_MS });
    expect((hours.get(a?.issueId ?? 0) ?? []).reduce((sum, count) => sum + count, 0)).toBe(2);
    const sums = await store.outcomes.sumOutcomes(EVERYTHING, {
      ...range,
      bucketMs: null,
      groupBy: [],
    });
    expect(sums).toEqual([{ at: range.from, quantity: 1 }]);
    expect((await store.issues.listIssues(...query())).issues[0]?.eventCount).toBe(4);
    expect(await store.dropBefore(NOON)).toBe(0);
  });
}
