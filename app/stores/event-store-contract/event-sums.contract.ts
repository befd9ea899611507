import { expect, test } from "vitest";
import { createRandom, pick, pickSome } from "../../domain/search/fixtures/random.ts";
import { HOUR_MS } from "../../domain/time.ts";
import type { EventGroupSum, EventKey, EventRow, EventSumOptions } from "../events/error-events.ts";
import { append, type CreateEventDatabase, event, filter, NOON, openStore, projects } from "./fixture.ts";

const ENVIRONMENT: EventKey = { name: "environment", isTag: false };
const PLAN: EventKey = { name: "plan", isTag: true };
const USER: EventKey = { name: "user", isTag: true };

function makeEvents(count: number): EventRow[] {
  const random = createRandom(5);
  const some = (values: readonly string[]) => (random() < 0.25 ? null : pick(random, values));
  return Array.from({ length: count }, (_, sequence) => {
    const plan = some(["pro", "free", "a=b", "line\nfeed"]);
    return event(sequence, {
      projectId: 1 + Math.floor(random() * 3),
      issueId: 1 + Math.floor(random() * 6),
      at: NOON + Math.floor(random() * 5 * HOUR_MS),
      environment: some(["production", "staging"]),
      userKey: some(["id:1", "id:2", "id:3", "id:4"]),
      tags: plan === null ? [] : [["plan", plan]],
    });
  });
}

function readKey(row: EventRow, { name }: EventKey): string | null {
  if (name === "environment") return row.environment;
  return name === "user" ? row.userKey : (new Map(row.tags).get(name) ?? null);
}

/** The same in memory. */
function sumInMemory(
  rows: readonly EventRow[],
  { from, by, bucketMs, limit, largest }: EventSumOptions & { from: number },
): EventGroupSum[] {
  const groupsOf = (bucketed: boolean) =>
    Map.groupBy(rows, (row) =>
      JSON.stringify([
        by.map((key) => readKey(row, key)),
        bucketed && bucketMs !== null ? from + Math.floor((row.occurredAt - from) / bucketMs) * bucketMs : null,
      ]),
    );
  const count = (group: readonly EventRow[]) => ({
    events: group.length,
    users: new Set(group.flatMap(({ userKey }) => userKey ?? [])).size,
    issues: new Set(group.map(({ issueId }) => issueId)).size,
    firstAt: Math.min(...group.map(({ occurredAt }) => occurredAt)),
    lastAt: Math.max(...group.map(({ occurredAt }) => occurredAt)),
  });
  const sizeOf = (group: readonly EventRow[]) => {
    const { events, users, issues, lastAt } = count(group);
    return { events, users, issues, newest: lastAt }[largest];
  };
  const kept = [...groupsOf(false)]
    .map(([key, group]) => ({ values: JSON.parse(key)[0] as Array<string | null>, size: sizeOf(group) }))
    .sort((one, other) => other.size - one.size || compareValues(one.values, other.values))
    .slice(0, limit)
    .map(({ values }) => JSON.stringify(values));
  return [...groupsOf(true)]
    .map(([key, group]) => {
      const [values, at] = JSON.parse(key) as [Array<string | null>, number | null];
      return { group: values, at, ...count(group) };
    })
    .filter(({ group }) => kept.includes(JSON.stringify(group)))
    .sort(
      (one, other) =>
        kept.indexOf(JSON.stringify(one.group)) - kept.indexOf(JSON.stringify(other.group)) ||
        (one.at ?? 0) - (other.at ?? 0),
    );
}

/** What has no value comes last. */
function compareValues(ones: ReadonlyArray<string | null>, others: ReadonlyArray<string | null>): number {
  for (const [index, one] of ones.entries()) {
    const other = others[index] ?? null;
    if (one === other) continue;
    if (one === null || other === null) return one === null ? 1 : -1;
    return one < other ? -1 : 1;
  }
  return 0;
}

/** Figures of groups of error events, as the web API asks for them. */
export function describeEventSums(createDatabase: CreateEventDatabase): void {
  test("sums are those of adding up the events one by one", async () => {
    await using store = await openStore(createDatabase);
    const rows = makeEvents(400);
    await append(store, rows);
    const random = createRandom(9);
    for (let round = 0; round < 60; round++) {
      const options: EventSumOptions = {
        by: [...new Set(pickSome(random, [ENVIRONMENT, PLAN, USER], 3))],
        bucketMs: pick(random, [null, HOUR_MS, 7_000_000]),
        limit: pick(random, [1, 2, 5, 100]),
        largest: pick(random, ["events", "users", "issues", "newest"]),
      };
      const from = pick(random, [NOON, NOON + 1_234_567]);
      const to = NOON + pick(random, [2, 4, 6]) * HOUR_MS;
      const projectIds = pick(random, [[1], [1, 2], [2, 3]]);
      const expected = sumInMemory(
        rows.filter((row) => projectIds.includes(row.projectId) && row.occurredAt >= from && row.occurredAt < to),
        { ...options, from },
      );
      const sums = await store.sumEvents(filter({ projectIds: projects(...projectIds), from, to }), options);
      expect(sums, `round ${round}: ${JSON.stringify({ ...options, from, to, projectIds })}`).toEqual(expected);
      const { largest: figure } = options;
      if (options.bucketMs !== null || figure === "newest") continue;
      const alone = await store.sumEvents(filter({ projectIds: projects(...projectIds), from, to }), {
        ...options,
        onlyLargest: true,
      });
      const toFigure = (sum: EventGroupSum) => [sum.group, sum[figure]];
      expect(alone.map(toFigure)).toEqual(expected.map(toFigure));
    }
  });

  test("of nothing there are no sums, and at most a hundred groups are given", async () => {
    await using store = await openStore(createDatabase);
    const options: EventSumOptions = { by: [PLAN], bucketMs: null, limit: 1_000, largest: "events" };
    expect(await store.sumEvents(filter(), options)).toEqual([]);
    await append(
      store,
      Array.from({ length: 150 }, (_, sequence) => event(sequence, { tags: [["plan", `plan ${sequence}`]] })),
    );
    expect(await store.sumEvents(filter(), options)).toHaveLength(100);
    expect(await store.sumEvents(filter({ projectIds: projects() }), options)).toEqual([]);
    expect(await store.sumEvents(filter(), { ...options, by: [] })).toMatchObject([
      { group: [], at: null, events: 150 },
    ]);
    await expect(
      store.sumEvents(filter(), { ...options, by: [{ name: "no such field", isTag: false }] }),
    ).rejects.toThrow(RangeError);
  });
}
