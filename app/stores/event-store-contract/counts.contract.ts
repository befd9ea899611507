import { expect, test } from "vitest";
import { HOUR_MS } from "../../domain/time.ts";
import type { EventRow } from "../events/error-events.ts";
import { append, type CreateEventDatabase, event, filter, NOON, openStore, projects } from "./fixture.ts";

export function describeCounts(createDatabase: CreateEventDatabase): void {
  test("an empty store counts nothing, and its buckets are all there", async () => {
    await using store = await openStore(createDatabase);
    expect(await store.count(filter())).toEqual({ events: 0, users: 0 });
    expect(await store.countOverTime({ ...filter(), from: NOON, to: NOON + 3 * HOUR_MS }, HOUR_MS)).toEqual([
      { at: NOON, events: 0, users: 0 },
      { at: NOON + HOUR_MS, events: 0, users: 0 },
      { at: NOON + 2 * HOUR_MS, events: 0, users: 0 },
    ]);
  });

  test("counts events and distinct users; events without a user count as none", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [
      event(0, { userKey: "id:1" }),
      event(1, { userKey: "id:1" }),
      event(2, { userKey: "email:1" }),
      event(3),
      event(4, { userKey: "id:9", issueId: 2 }),
    ]);
    expect(await store.count(filter())).toEqual({ events: 5, users: 3 });
    expect(await store.count(filter({ issueId: 1 }))).toEqual({ events: 4, users: 2 });
    expect(await store.count(filter({ projectIds: projects() }))).toEqual({ events: 0, users: 0 });
  });

  test("puts each event into its bucket: the start belongs to it, the end to the next", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [
      event(0, { at: NOON - 1, userKey: "id:1" }),
      event(1, { at: NOON, userKey: "id:1" }),
      event(2, { at: NOON + HOUR_MS - 1, userKey: "id:2" }),
      event(3, { at: NOON + HOUR_MS, userKey: "id:2" }),
      event(4, { at: NOON + HOUR_MS, userKey: "id:2" }),
      event(5, { at: NOON + 3 * HOUR_MS, userKey: "id:3" }),
    ]);
    expect(await store.countOverTime({ ...filter(), from: NOON, to: NOON + 3 * HOUR_MS }, HOUR_MS)).toEqual([
      { at: NOON, events: 2, users: 2 },
      { at: NOON + HOUR_MS, events: 2, users: 1 },
      { at: NOON + 2 * HOUR_MS, events: 0, users: 0 },
    ]);
  });

  test("begins the buckets at the start of the range, and the last one may be shorter", async () => {
    await using store = await openStore(createDatabase);
    const from = NOON + 1_234;
    await append(store, [
      event(0, { at: from }),
      event(1, { at: from + HOUR_MS + 9 }),
      event(2, { at: from + HOUR_MS + 10 }),
    ]);
    expect(await store.countOverTime({ ...filter(), from, to: from + HOUR_MS + 10 }, HOUR_MS)).toEqual([
      { at: from, events: 1, users: 0 },
      { at: from + HOUR_MS, events: 1, users: 0 },
    ]);
    expect(await store.countOverTime({ ...filter(), from, to: from }, HOUR_MS)).toEqual([]);
  });

  test("counts over time only what the filter takes", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [
      event(0, { environment: "production" }),
      event(1, { environment: "dev" }),
      event(2, { environment: "production", projectId: 2 }),
    ]);
    const range = { from: NOON, to: NOON + HOUR_MS };
    const count = async (change: Parameters<typeof filter>[0]) =>
      (await store.countOverTime({ ...filter(change), ...range }, HOUR_MS))[0]?.events;
    expect(await count({ environments: ["production"] })).toBe(1);
    expect(await count({ projectIds: projects(1, 2) })).toBe(3);
    expect(await count({ projectIds: projects() })).toBe(0);
  });

  test("refuses a number of buckets that no page could draw", async () => {
    await using store = await openStore(createDatabase);
    await expect(store.countOverTime({ ...filter(), from: 0, to: NOON }, 1)).rejects.toThrow(RangeError);
    await expect(store.countOverTime({ ...filter(), from: 0, to: NOON }, 0)).rejects.toThrow(RangeError);
    await expect(store.countOverTime({ ...filter(), from: 0, to: NOON }, Number.NaN)).rejects.toThrow(RangeError);
  });

  test("an empty store has no tags", async () => {
    await using store = await openStore(createDatabase);
    const nothing = { countedEvents: 0, isSampled: false, tags: [] };
    expect(await store.tagDistributions(filter(), { valuesPerKey: 3 })).toEqual(nothing);
    expect(await store.tagDistributions(filter({ projectIds: projects() }), { valuesPerKey: 3 })).toEqual(nothing);
  });

  test("gives the values of each tag, the most frequent first, with how many events carry the key", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [
      event(0, {
        at: NOON + 1,
        tags: [
          ["os", "Linux"],
          ["browser", "Firefox"],
        ],
      }),
      event(1, { at: NOON + 2, tags: [["os", "Linux"]] }),
      event(2, { at: NOON + 3, tags: [["os", "Windows"]] }),
      event(3, { at: NOON + 4, tags: [["os", "macOS"]], issueId: 2 }),
      event(4, { at: NOON + 5 }),
    ]);
    expect(await store.tagDistributions(filter({ issueId: 1 }), { valuesPerKey: 5 })).toEqual({
      countedEvents: 4,
      isSampled: false,
      tags: [
        {
          key: "os",
          total: 3,
          distinctCount: 2,
          values: [
            { value: "Linux", count: 2, firstSeenAt: NOON + 1, lastSeenAt: NOON + 2 },
            { value: "Windows", count: 1, firstSeenAt: NOON + 3, lastSeenAt: NOON + 3 },
          ],
        },
        {
          key: "browser",
          total: 1,
          distinctCount: 1,
          values: [{ value: "Firefox", count: 1, firstSeenAt: NOON + 1, lastSeenAt: NOON + 1 }],
        },
      ],
    });
  });

  test("gives only the keys asked for, and no more values than asked for", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [
      event(0, {
        at: NOON + 1,
        tags: [
          ["a", "1"],
          ["b=c", "x\n"],
          ["c", "y"],
        ],
      }),
      event(1, {
        at: NOON + 2,
        tags: [
          ["a", "2"],
          ["b=c", "x\n"],
        ],
      }),
      event(2, { at: NOON + 3, tags: [["a", "2"]] }),
    ]);
    const { tags } = await store.tagDistributions(filter(), { keys: ["a", "b=c", "none"], valuesPerKey: 1 });
    expect(tags).toEqual([
      {
        key: "a",
        total: 3,
        distinctCount: 2,
        values: [{ value: "2", count: 2, firstSeenAt: NOON + 2, lastSeenAt: NOON + 3 }],
      },
      {
        key: "b=c",
        total: 2,
        distinctCount: 1,
        values: [{ value: "x\n", count: 2, firstSeenAt: NOON + 1, lastSeenAt: NOON + 2 }],
      },
    ]);
    expect((await store.tagDistributions(filter(), { keys: [], valuesPerKey: 1 })).tags).toEqual([]);
  });

  test("gives the same for keys that are asked for often as for all keys", async () => {
    await using store = await openStore(createDatabase);
    const browsers = ["Chrome", "Firefox", "Chrome", "back\\slash"];
    await append(
      store,
      Array.from({ length: 12 }, (_, sequence): EventRow => {
        const [environment, release] = [sequence % 3 === 0 ? "dev" : "production", `web@${sequence % 5}`];
        const tags: EventRow["tags"] = [
          ["environment", environment],
          ["release", release],
          ["level", "error"],
          ["os.name", sequence < 7 ? "Linux" : "Windows"],
        ];
        const browser = browsers[sequence];
        if (browser !== undefined) tags.push(["browser.name", browser]);
        return event(sequence, { at: NOON + sequence, environment, release, tags });
      }),
    );
    const keys = ["environment", "release", "browser.name", "os.name", "level", "server_name"];
    const all = await store.tagDistributions(filter(), { valuesPerKey: 2 });
    expect(all.tags.map(({ key, distinctCount }) => [key, distinctCount])).toEqual([
      ["environment", 2],
      ["level", 1],
      ["os.name", 2],
      ["release", 5],
      ["browser.name", 3],
    ]);
    expect(await store.tagDistributions(filter(), { keys, valuesPerKey: 2 })).toEqual(all);
    const narrowed = filter({ tags: [{ key: "browser.name", value: "back\\slash" }] });
    expect(await store.count(narrowed)).toMatchObject({ events: 1 });
    expect((await store.tagDistributions(narrowed, { keys: ["os.name"], valuesPerKey: 1 })).tags).toEqual([
      {
        key: "os.name",
        total: 1,
        distinctCount: 1,
        values: [{ value: "Linux", count: 1, firstSeenAt: NOON + 3, lastSeenAt: NOON + 3 }],
      },
    ]);
  });

  test("counts the tags of the newest 10,000 events and says when there are more", async () => {
    await using store = await openStore(createDatabase);
    const old = Array.from({ length: 5 }, (_, sequence) => event(sequence, { at: NOON - 10, tags: [["age", "old"]] }));
    const recent = Array.from(
      { length: 9_997 },
      (_, index): EventRow => event(5 + index, { at: NOON + (index % 7), tags: [["age", "new"]] }),
    );
    await append(store, [...old, ...recent]);
    const sampled = await store.tagDistributions(filter(), { valuesPerKey: 5 });
    expect(sampled).toMatchObject({ countedEvents: 10_000, isSampled: true });
    expect(sampled.tags[0]?.values.map(({ value, count }) => [value, count])).toEqual([
      ["new", 9_997],
      ["old", 3],
    ]);
    const whole = await store.tagDistributions(filter({ from: NOON }), { valuesPerKey: 5 });
    expect(whole).toMatchObject({ countedEvents: 9_997, isSampled: false });
  });

  test("counts the tags of fewer of the newest events when told to", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [
      event(0, { at: NOON, tags: [["age", "old"]], environment: "old" }),
      event(1, { at: NOON + 1, tags: [["age", "new"]], environment: "new" }),
      event(2, { at: NOON + 2, tags: [["age", "new"]], environment: "new" }),
    ]);
    for (const keys of [["age"], ["environment"]]) {
      const options = { keys, valuesPerKey: 5, newest: 2 };
      expect(await store.tagDistributions(filter({ issueId: 1 }), options)).toMatchObject({
        countedEvents: 2,
        isSampled: true,
        tags: [{ total: 2, distinctCount: 1, values: [{ value: "new", count: 2 }] }],
      });
    }
  });

  test("exactly 10,000 events are not a sample", async () => {
    await using store = await openStore(createDatabase);
    await append(
      store,
      Array.from({ length: 10_000 }, (_, sequence) => event(sequence, { tags: [["a", "b"]] })),
    );
    expect(await store.tagDistributions(filter(), { valuesPerKey: 5 })).toMatchObject({
      countedEvents: 10_000,
      isSampled: false,
      tags: [{ total: 10_000 }],
    });
  });
}
