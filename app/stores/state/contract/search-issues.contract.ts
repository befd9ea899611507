import { expect, test } from "vitest";
import { ISSUE_SUBSTATUSES } from "../../../domain/issue.ts";
import { NEW_ISSUE_MS } from "../../../domain/issues/substatus.ts";
import type { Condition, ValueTest } from "../../../domain/search/condition.ts";
import { createRandom, pick, pickSome } from "../../../domain/search/fixtures/random.ts";
import { matchesCondition } from "../../../domain/search/matches-condition.ts";
import { ANY_TEXT } from "../../../domain/search/search-tree.ts";
import { type CountedIssueField, toSearchedIssue } from "../issue-store.ts";
import {
  apply,
  type CreateStateDatabase,
  EVERYTHING,
  NOON,
  occurrence,
  openStore,
  query,
  scopeOf,
  setStatus,
} from "./fixture.ts";

const TEXTS = ["", "a", "A", "ab", "100%", "a_b", "back\\slash", "ÄÖ", "äö", "İI", "ΑΣ", "🙂", "'; --", "a b"];
const FIELDS = ["text", "title", "type", "value", "culprit", "platform", "shortId", "firstRelease"];
const CHOICES = {
  status: ["unresolved", "resolved", "archived"],
  substatus: [...ISSUE_SUBSTATUSES],
  level: ["error", "fatal"],
};

function makeTest(random: () => number, texts: readonly string[]): ValueTest {
  if (random() < 0.2) return { kind: "exists" };
  if (random() < 0.5) return { kind: "in", values: pickSome(random, texts, 3) };
  const [one, other] = [pick(random, texts), pick(random, texts)];
  return {
    kind: "like",
    parts: pick(random, [[one], [one, ANY_TEXT], [ANY_TEXT, one], [ANY_TEXT, one, ANY_TEXT], [one, ANY_TEXT, other]]),
  };
}

function makeCondition(random: () => number, depth: number): Condition {
  if (depth > 0 && random() < 0.6) {
    const parts = Array.from({ length: Math.floor(random() * 4) }, () => makeCondition(random, depth - 1));
    return { kind: random() < 0.5 ? "all" : "any", parts };
  }
  const isNegated = random() < 0.4;
  const kind = random();
  if (kind < 0.25) {
    const [field, values] = pick(random, [
      ["eventCount", [0, 1, 2, 3]],
      ["userCount", [0, 1]],
      ["isUnhandled", [0, 1]],
      ["firstSeenAt", [NOON, NOON + 0.5, NOON + 3]],
      ["lastSeenAt", [NOON + 1, NOON + 2]],
    ] as Array<[string, number[]]>);
    const sign = pick(random, ["=", ">", ">=", "<", "<="] as const);
    return {
      kind: "test",
      field,
      isTag: false,
      test: { kind: "compare", sign, value: pick(random, values) },
      isNegated,
    };
  }
  if (kind < 0.35) {
    const field = pick(random, ["id", "projectId"]);
    const values = pickSome(random, ["1", "2", "3"], 3);
    return { kind: "test", field, isTag: false, test: { kind: "in", values }, isNegated };
  }
  if (kind < 0.55) {
    const [field, values] = pick(random, Object.entries(CHOICES));
    return { kind: "test", field, isTag: false, test: { kind: "in", values: pickSome(random, values, 2) }, isNegated };
  }
  return { kind: "test", field: pick(random, FIELDS), isTag: false, test: makeTest(random, TEXTS), isNegated };
}

/** What a search finds in the store is what `matchesCondition` finds in memory. */
export function describeSearchIssues(createDatabase: CreateStateDatabase): void {
  test("finds the issues that the evaluator in memory finds", async () => {
    await using store = await openStore(createDatabase, { now: () => NOON + NEW_ISSUE_MS + 2 });
    const occurrences = Array.from({ length: 80 }, (_, index) => {
      const random = createRandom(index + 1);
      return occurrence(index + 1, `hash ${index % 40}`, {
        projectId: 1 + ((index % 40) % 3),
        at: NOON + Math.floor(random() * 5),
        title: pick(random, TEXTS),
        type: pick(random, [null, ...TEXTS]),
        value: pick(random, TEXTS),
        culprit: pick(random, TEXTS),
        platform: pick(random, TEXTS),
        level: pick(random, ["error", "fatal"] as const),
        isUnhandled: random() < 0.5,
        release: pick(random, [null, "ab", "a b"]),
        userKey: pick(random, [null, "id:1"]),
      });
    });
    await apply(store, occurrences);
    await setStatus(store, [1, 5, 9, 13], "resolved", NOON + 10);
    await setStatus(store, [2, 6, 10], "archived", NOON + 10);
    const { issues } = await store.issues.listIssues(...query({ limit: 100 }));
    let foundCount = 0;
    for (let seed = 1; seed <= 400; seed++) {
      const where = makeCondition(createRandom(seed), 3);
      const found = await store.issues.listIssues(...query({ where, limit: 100 }));
      const expected = issues.filter((issue) => matchesCondition(where, toSearchedIssue(issue)));
      const ids = (list: typeof issues) => list.map(({ id }) => id).sort((a, b) => a - b);
      expect(ids(found.issues), `seed ${seed}: ${JSON.stringify(where)}`).toEqual(ids(expected));
      foundCount += expected.length;
    }
    expect(foundCount).toBeGreaterThan(1_000);
    expect(foundCount).toBeLessThan(15_000);
  });

  test("finds issues with an event of one of the releases", async () => {
    await using store = await openStore(createDatabase);
    await apply(store, [
      occurrence(1, "a", { release: "1.0" }),
      occurrence(2, "a", { release: "2.0" }),
      occurrence(3, "b", { release: "3.0" }),
    ]);
    const ofReleases = async (values: string[], isNegated = false) => {
      const where: Condition = {
        kind: "test",
        field: "release",
        isTag: false,
        test: { kind: "in", values },
        isNegated,
      };
      return (await store.issues.listIssues(EVERYTHING, query({ where })[1])).issues.map(({ id }) => id).sort();
    };
    expect(await ofReleases(["1.0"])).toEqual([1]);
    expect(await ofReleases(["2.0", "3.0"])).toEqual([1, 2]);
    expect(await ofReleases([])).toEqual([]);
    expect(await ofReleases(["1.0"], true)).toEqual([2]);
  });

  test("counts issues by the values of a field, within the scope", async () => {
    await using store = await openStore(createDatabase, { now: () => NOON + 10 });
    await apply(store, [
      occurrence(1, "a", { at: NOON, level: "fatal", type: "TypeError", release: "1.0" }),
      occurrence(2, "b", { at: NOON, level: "error", type: null }),
      occurrence(3, "c", { at: NOON, level: "error", projectId: 2 }),
    ]);
    await setStatus(store, [2], "resolved", NOON + 5);
    const count = async (field: CountedIssueField, scope = scopeOf(1)) => {
      const { values, isComplete } = await store.issues.countIssueValues(scope, { field, limit: 10 });
      return [...values.map(({ value, count }) => `${value} ${count}`), ...(isComplete ? [] : ["more"])];
    };
    expect(await count("level")).toEqual(["error 1", "fatal 1"]);
    expect(await count("level", scopeOf(1, 2))).toEqual(["error 2", "fatal 1"]);
    expect(await count("status")).toEqual(["resolved 1", "unresolved 1"]);
    expect(await count("substatus")).toEqual(["new 1"]);
    expect(await count("type")).toEqual(["TypeError 1"]);
    expect(await count("projectId", scopeOf(2))).toEqual(["2 1"]);
    expect(await count("firstRelease")).toEqual(["1.0 1"]);
    expect(await count("level", scopeOf())).toEqual([]);
  });
}
