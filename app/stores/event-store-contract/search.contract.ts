import { expect, test } from "vitest";
import type { Condition, ValueTest } from "../../domain/search/condition.ts";
import { createRandom, pick, pickSome } from "../../domain/search/fixtures/random.ts";
import { foldText } from "../../domain/search/fold-text.ts";
import { matchesCondition } from "../../domain/search/matches-condition.ts";
import { ANY_TEXT } from "../../domain/search/search-tree.ts";
import { toCutoffs } from "../../domain/stored-signal.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { EventRow } from "../events/error-events.ts";
import { toSearchedEvent } from "../events/searched-event.ts";
import { append, type CreateEventDatabase, event, eventId, filter, NOON, openStore, projects } from "./fixture.ts";

const TEXTS = [
  "",
  "a",
  "A",
  "ab",
  "abab",
  "a=b",
  "b",
  "100%",
  "a_b",
  "back\\slash",
  "back\\nslash",
  "line\nfeed",
  "ÄÖ",
  "äö",
  "İI",
  "ΑΣ",
  "🙂",
  "'; --",
  "a b",
];
const KEYS = ["plan", "a", "a=b", "back\\slash", "os.name", "browser.name", "server_name", "level", "release"];
const FIELDS = [
  "environment",
  "release",
  "dist",
  "transaction",
  "title",
  "user",
  "userName",
  "platform",
  "sdk",
  "text",
];
const NUMBERS = ["occurredAt", "isUnhandled"];
const LATER = NOON + DAY_MS;
const IDS = [1, 2, 3].map(eventId);

function makeEvent(random: () => number, sequence: number): EventRow {
  const text = () => (random() < 0.3 ? null : pick(random, TEXTS));
  const tags = new Map(pickSome(random, KEYS.slice(0, 7), 5).map((key) => [key, pick(random, TEXTS)]));
  return event(sequence, {
    issueId: sequence,
    projectId: 1 + (sequence % 3),
    at: NOON + Math.floor(random() * 5),
    level: pick(random, ["error", "fatal"]),
    environment: text(),
    release: text(),
    dist: text(),
    transaction: text(),
    title: pick(random, TEXTS),
    userKey: text(),
    userName: text(),
    platform: pick(random, TEXTS),
    sdkName: text(),
    isUnhandled: random() < 0.5,
    tags: [...tags],
  });
}

function makeTest(random: () => number): ValueTest {
  switch (Math.floor(random() * 3)) {
    case 0:
      return { kind: "exists" };
    case 1:
      return { kind: "in", values: random() < 0.1 ? manyTexts() : pickSome(random, TEXTS, 3) };
    default:
      return {
        kind: "like",
        parts: pick(random, [
          [ANY_TEXT],
          [pick(random, TEXTS)],
          [pick(random, TEXTS), ANY_TEXT],
          [ANY_TEXT, pick(random, TEXTS)],
          [ANY_TEXT, pick(random, TEXTS), ANY_TEXT],
          [pick(random, TEXTS), ANY_TEXT, pick(random, TEXTS)],
        ]),
      };
  }
}

/** More than become placeholders. */
function manyTexts(): string[] {
  return [...Array.from({ length: 30 }, (_, index) => `text ${index}`), "ab"];
}

function makeCondition(random: () => number, depth: number): Condition {
  if (depth > 0 && random() < 0.6) {
    const parts = Array.from({ length: Math.floor(random() * 4) }, () => makeCondition(random, depth - 1));
    return { kind: random() < 0.5 ? "all" : "any", parts };
  }
  const isNegated = random() < 0.4;
  const kind = random();
  if (kind < 0.15) {
    const compare = { kind: "compare", sign: pick(random, ["=", ">", ">=", "<", "<="] as const) } as const;
    const field = pick(random, NUMBERS);
    const value =
      field === "occurredAt" ? NOON + Math.floor(random() * 6) - 0.5 * (random() < 0.3 ? 1 : 0) : pick(random, [0, 1]);
    return { kind: "test", field, isTag: false, test: { ...compare, value }, isNegated };
  }
  if (kind < 0.25) {
    const [field, values] = pick(random, [
      ["projectId", ["1", "3"]],
      ["eventId", pickSome(random, IDS, 2)],
      ["issueId", ["2", "7", "59"]],
    ]);
    return {
      kind: "test",
      field: field as string,
      isTag: false,
      test: { kind: "in", values: values as string[] },
      isNegated,
    };
  }
  if (kind < 0.35)
    return {
      kind: "test",
      field: "*",
      isTag: true,
      test: { kind: "in", values: pickSome(random, TEXTS, 2) },
      isNegated,
    };
  const isTag = kind < 0.65;
  return { kind: "test", field: pick(random, isTag ? KEYS : FIELDS), isTag, test: makeTest(random), isNegated };
}

/** Cases of the search: what it finds in the store is what `matchesCondition` finds in memory. */
export function describeSearch(createDatabase: CreateEventDatabase): void {
  // With 40, each search reads both what is summed and what is not. The others have conditions of their own, and fewer.
  test.each([
    { summed: 40, seeds: [1, 400] },
    { summed: 0, seeds: [401, 500] },
    { summed: 60, seeds: [501, 600] },
  ] as const)(
    "finds the rows that the evaluator in memory finds; tags of $summed events are summed",
    async ({ summed, seeds: [firstSeed, lastSeed] }) => {
      await using store = await openStore(createDatabase);
      const rows = Array.from({ length: 60 }, (_, index) => makeEvent(createRandom(index + 1), index + 1));
      if (summed > 0) await append(store, rows.slice(0, summed));
      while (await store.rollUp(LATER));
      if (summed < 60) await append(store, rows.slice(summed));
      let foundCount = 0;
      for (let seed = firstSeed; seed <= lastSeed; seed++) {
        const where = makeCondition(createRandom(seed), 3);
        const { issueIds } = await store.findIssues(filter({ projectIds: projects(1, 2, 3), where }), 100);
        const expected = rows.filter((row) => matchesCondition(where, toSearchedEvent(row))).map((row) => row.issueId);
        expect(
          issueIds.toSorted((a, b) => a - b),
          `seed ${seed}: ${JSON.stringify(where)}`,
        ).toEqual(expected);
        foundCount += expected.length;
      }
      // Neither everything nor nothing.
      const count = lastSeed - firstSeed + 1;
      expect(foundCount).toBeGreaterThan(5 * count);
      expect(foundCount).toBeLessThan(55 * count);
    },
  );

  test("finds the issues that have an event that fits, whatever is summed, moved, deleted, joined and out of the time", async () => {
    await using store = await openStore(createDatabase);
    const random = createRandom(77);
    let rows: EventRow[] = [];
    // That of a deleted event is not used again: the store takes it for one that it has.
    let sequence = 1;
    const add = async (count: number) => {
      const added = Array.from({ length: count }, () => {
        const made = makeEvent(random, sequence++);
        const issueId = 1 + Math.floor(random() * 9);
        return { ...made, issueId, projectId: 1 + (issueId % 3), environment: pick(random, [null, "eu", "us"]) };
      });
      await append(store, added);
      rows = [...rows, ...added];
    };
    let seed = 700;
    const check = async () => {
      for (const until = seed + 60; seed < until; seed++) {
        const choose = createRandom(seed);
        const where = makeCondition(choose, 2);
        const environments = pick(choose, [undefined, ["eu"], ["eu", "us"]]);
        const [from, to] = [pick(choose, [null, NOON + 1, NOON + 3]), pick(choose, [null, NOON + 2, NOON + 4])];
        const projectIds = pick(choose, [projects(1, 2, 3), projects(2), projects(3, 1)]);
        const asked = filter({ projectIds, from, to, where, ...(environments ? { environments } : {}) });
        const expected = rows.filter(
          (row) =>
            (projectIds as readonly number[]).includes(row.projectId) &&
            (from === null || row.occurredAt >= from) &&
            (to === null || row.occurredAt < to) &&
            (!environments || environments.includes(row.environment ?? "")) &&
            matchesCondition(where, toSearchedEvent(row)),
        );
        const { issueIds } = await store.findIssues(asked, 100);
        expect(
          issueIds.toSorted((a, b) => a - b),
          `seed ${seed}: ${JSON.stringify(asked)}`,
        ).toEqual([...new Set(expected.map(({ issueId }) => issueId))].toSorted((a, b) => a - b));
      }
    };
    await add(20);
    while (await store.rollUp(LATER));
    await add(15);
    while (await store.rollUp(LATER));
    await add(5);
    await check();
    const moved = pickSome(random, rows, 8);
    const toNewIssue = (row: EventRow) => ({ ...row, issueId: row.projectId === 1 ? 30 : 20, title: "moved" });
    await store.moveEvents(moved.map(toNewIssue));
    rows = rows.map((row) => (moved.includes(row) ? toNewIssue(row) : row));
    await check();
    const deleted = pickSome(random, rows, 6);
    for (const projectId of [1, 2, 3]) {
      const eventIds = deleted.filter((row) => row.projectId === projectId).map((row) => row.eventId);
      await store.deletion.deleteEvents(
        await store.deletion.listSelected({ kind: "events", projectId, eventIds }, 100),
      );
    }
    rows = rows.filter((row) => !deleted.includes(row));
    await check();
    // Summed again, as long after.
    while (await store.rollUp(Number.POSITIVE_INFINITY));
    await check();
    for (let piece = 0; piece < 62; piece++) {
      await add(1);
      while (await store.rollUp(LATER));
    }
    while (await store.rollUp(Number.POSITIVE_INFINITY));
    await check();
  });

  test("looks for text in the title, the transaction, the user's name and the values of tags, not in keys", async () => {
    await using store = await openStore(createDatabase);
    const rows = [
      event(1, { issueId: 1, title: "Checkout failed", transaction: "GET /cart", userKey: "email:sam@shop.example" }),
      event(2, {
        issueId: 2,
        tags: [
          ["plan", "Pro=x"],
          ["region", "line\nfeed"],
        ],
      }),
    ];
    await append(store, rows);
    const find = async (text: string) => {
      const test: ValueTest = { kind: "like", parts: [ANY_TEXT, text, ANY_TEXT] };
      const where: Condition = { kind: "test", field: "text", isTag: false, isNegated: false, test };
      const { issueIds } = await store.findIssues(filter({ where }), 100);
      const expected = rows.filter((row) => matchesCondition(where, toSearchedEvent(row))).map((row) => row.issueId);
      expect(issueIds, text).toEqual(expected);
      return issueIds.join();
    };
    expect(await find("checkout")).toBe("1");
    expect(await find("failed\nget")).toBe("1");
    expect(await find("sam@")).toBe("1");
    expect(await find("email:")).toBe("");
    expect(await find("pro=X")).toBe("2");
    expect(await find("x\nline\nfeed\n")).toBe("2");
    expect(await find("plan")).toBe("");
  });

  test("a tag that is summed follows what happens to its events", async () => {
    await using store = await openStore(createDatabase);
    const tagged = (sequence: number, plan: string, at = NOON) =>
      event(sequence, { issueId: sequence, projectId: 1 + (sequence % 2), at, tags: [["plan", plan]] });
    await append(store, [tagged(1, "pro"), tagged(2, "pro"), tagged(3, "only")]);
    while (await store.rollUp(LATER));
    await append(store, [tagged(4, "pro", NOON + 2 * DAY_MS), tagged(5, "last", NOON + 2 * DAY_MS)]);
    while (await store.rollUp(LATER + 2 * DAY_MS));
    const both = projects(1, 2);
    const find = async (value: string) => {
      const test: ValueTest = { kind: "in", values: [value] };
      const where: Condition = { kind: "test", field: "plan", isTag: true, isNegated: false, test };
      return (await store.findIssues(filter({ projectIds: both, where }), 100)).issueIds.toSorted((a, b) => a - b);
    };
    expect(await find("pro")).toEqual([1, 2, 4]);
    await store.moveEvents([{ projectId: 1, eventId: eventId(2), issueId: 9, title: "moved" }]);
    expect(await find("pro")).toEqual([1, 4, 9]);
    const selected = await store.deletion.listSelected({ kind: "events", projectId: 2, eventIds: [eventId(3)] }, 10);
    expect(selected).toHaveLength(1);
    await store.deletion.deleteEvents(selected);
    expect(await find("only")).toEqual([]);
    expect(await find("pro")).toEqual([1, 4, 9]);
    await store.dropBefore(
      toCutoffs(() => NOON + DAY_MS),
      LATER,
    );
    expect(await find("pro")).toEqual([4]);
    expect(await store.hasTag(both, "plan")).toBe(true);
    await store.deletion.deleteProject(1);
    await store.deletion.deleteProject(2);
    expect(await store.hasTag(both, "plan")).toBe(false);
  });

  test("counts the tags of events, whether they are summed or not, and forgets those of deleted ones", async () => {
    await using store = await openStore(createDatabase);
    const plan = (value: string): [string, string] => ["plan", value];
    await append(store, [
      event(1, { release: "web@2", environment: "eu\nwest", userKey: "id:7", tags: [plan("pro"), ["a=b", "c\\d"]] }),
      event(2, { release: "web@1", userKey: "id:7", transaction: "GET /", tags: [plan("Pro+")] }),
      event(3, { projectId: 2, release: "web@2", tags: [plan("none")] }),
      event(4, { tags: [plan("a pro")] }),
    ]);
    const read = async () => ({
      keys: await store.listTagKeys(projects(1), 100),
      plans: await store.listTagValues({ projectIds: projects(1), key: "plan", part: "PRO" }, 2),
      all: await store.listTagValues({ projectIds: projects(1, 2), key: "release" }, 10),
      chosen: await store.listTagValues({ projectIds: projects(1), key: "release", values: ["web@1", "web@9"] }, 10),
      users: await store.listTagValues({ projectIds: projects(1), key: "user" }, 10),
      strange: await store.listTagValues({ projectIds: projects(1), key: "a=b" }, 10),
      places: await store.listTagValues({ projectIds: projects(1), key: "environment" }, 10),
      levels: await store.listTagValues({ projectIds: projects(1), key: "level" }, 10),
      nowhere: await store.listTagValues({ projectIds: projects(), key: "plan" }, 10),
    });
    const before = await read();
    expect(before).toEqual({
      keys: [
        { key: "level", count: 3 },
        { key: "plan", count: 3 },
        { key: "release", count: 2 },
        { key: "user", count: 2 },
        { key: "a=b", count: 1 },
        { key: "environment", count: 1 },
        { key: "transaction", count: 1 },
      ],
      plans: [
        { value: "Pro+", count: 1 },
        { value: "pro", count: 1 },
      ],
      all: [
        { value: "web@2", count: 2 },
        { value: "web@1", count: 1 },
      ],
      chosen: [{ value: "web@1", count: 1 }],
      users: [{ value: "id:7", count: 2 }],
      strange: [{ value: "c\\d", count: 1 }],
      places: [{ value: "eu\nwest", count: 1 }],
      levels: [{ value: "error", count: 3 }],
      nowhere: [],
    });
    while (await store.rollUp(LATER));
    expect(await read()).toEqual(before);
    await store.deletion.deleteEvents(
      await store.deletion.listSelected({ kind: "events", projectId: 1, eventIds: [eventId(1), eventId(2)] }, 10),
    );
    const after = await read();
    expect(after.users).toEqual([]);
    expect(after.keys).toEqual([
      { key: "level", count: 1 },
      { key: "plan", count: 1 },
    ]);
    await append(store, [event(5, { at: NOON + 5 * DAY_MS, release: "web@3" })]);
    while (await store.rollUp(LATER + 10 * DAY_MS));
    await store.dropBefore(
      toCutoffs(() => NOON + DAY_MS),
      LATER + 10 * DAY_MS,
    );
    expect((await read()).all).toEqual([{ value: "web@3", count: 1 }]);
  });

  test("narrows down to issues", async () => {
    await using store = await openStore(createDatabase);
    await append(
      store,
      [1, 2, 3].map((issueId) => event(issueId, { issueId })),
    );
    expect((await store.findIssues(filter({ issueIds: [1, 3, 9] }), 100)).issueIds.toSorted()).toEqual([1, 3]);
    expect((await store.findIssues(filter({ issueIds: [] }), 100)).issueIds).toEqual([]);
  });

  test("ignores case as the evaluator in memory does, letter by letter", async () => {
    await using store = await openStore(createDatabase);
    const letters = Array.from({ length: 0x2fff }, (_, index) => String.fromCodePoint(0x21 + index)).filter(
      (letter) => !/\p{Surrogate}|\p{Cn}/u.test(letter),
    );
    await append(
      store,
      letters.map((letter, index) => event(index + 1, { issueId: index + 1, title: letter })),
    );
    const folded = letters.filter((letter) => foldText(letter) !== letter);
    for (const letter of folded.filter((_, index) => index % 12 === 0)) {
      const where: Condition = {
        kind: "test",
        field: "title",
        isTag: false,
        isNegated: false,
        test: { kind: "like", parts: [letter] },
      };
      const { issueIds } = await store.findIssues(filter({ where }), 10_000);
      expect(issueIds, letter).toContain(letters.indexOf(letter) + 1);
    }
  });
}
