import { expect, test } from "vitest";
import type { OutcomeCount } from "../../../domain/outcome.ts";
import { MAX_REPORTED_PAIRS_PER_HOUR } from "../../../domain/outcomes/count-outcomes.ts";
import { DAY_MS, HOUR_MS } from "../../../domain/time.ts";
import type { AppliedOutcome } from "../batch-store.ts";
import type { State } from "../state.ts";
import { type CreateStateDatabase, JOURNAL, NOON, openStore, outcome, scopeOf } from "./fixture.ts";

const MAX = MAX_REPORTED_PAIRS_PER_HOUR;

function reported(sequence: number, change: Partial<OutcomeCount> = {}): AppliedOutcome {
  return { ...outcome({ outcome: "client_discard", ...change }), sequence, isFromClientReport: true };
}

/** As many reasons as an hour has room for, one a record, and so many more. */
function flood(moreThanFit: number, change: Partial<OutcomeCount> = {}): AppliedOutcome[] {
  return Array.from({ length: MAX + moreThanFit }, (_, at) => reported(at, { reason: `r${at}`, ...change }));
}

async function count(store: State, outcomes: AppliedOutcome[]): Promise<void> {
  const upTo = Math.max(...outcomes.map(({ sequence }) => sequence)) + 1;
  await store.batches.applyBatch({ journalId: JOURNAL, upTo, occurrences: [], outcomes });
}

type Row = [outcome: string | undefined, category: string | undefined, reason: string | undefined, quantity: number];

async function ledgerOf(store: State, projectId = 1, at = NOON): Promise<Row[]> {
  const sums = await store.outcomes.sumOutcomes(scopeOf(projectId), {
    from: at,
    to: at + 1,
    bucketMs: null,
    groupBy: ["outcome", "category", "reason"],
  });
  return sums.map((sum) => [sum.outcome, sum.category, sum.reason, sum.quantity]);
}

const withReason = (rows: Row[], wanted: string) => rows.filter(([, , reason]) => reason === wanted);

export function describeReportedWords(createDatabase: CreateStateDatabase): void {
  test("an hour counts so many pairs under their own words, and the rest as `other`, losing none", async () => {
    await using store = await openStore(createDatabase);
    await count(store, flood(3, { quantity: 2 }));
    const rows = await ledgerOf(store);
    expect(rows).toHaveLength(MAX + 1);
    expect(withReason(rows, "other")).toEqual([["client_discard", "error", "other", 6]]);
    expect(withReason(rows, `r${MAX - 1}`)).toHaveLength(1);
    expect(withReason(rows, `r${MAX}`)).toEqual([]);
    expect(rows.reduce((sum, [, , , quantity]) => sum + quantity, 0)).toBe(2 * (MAX + 3));
  });

  test("a category of the protocol stays, any other becomes `unknown`", async () => {
    await using store = await openStore(createDatabase);
    await count(store, [
      ...flood(0),
      reported(MAX, { category: "span", reason: "late" }),
      reported(MAX + 1, { category: "made up", reason: "late" }),
      reported(MAX + 2, { category: "__proto__", reason: "constructor" }),
    ]);
    expect(withReason(await ledgerOf(store), "other")).toEqual([
      ["client_discard", "span", "other", 1],
      ["client_discard", "unknown", "other", 2],
    ]);
  });

  test("words that were there before the hour was full go on counting", async () => {
    await using store = await openStore(createDatabase);
    await count(store, [
      ...flood(1),
      reported(MAX + 1, { reason: "r0", quantity: 10 }),
      // Whatever list of a report they stand in: a pair is a pair.
      reported(MAX + 2, { reason: "r1", outcome: "filtered", quantity: 20 }),
      reported(MAX + 3, { reason: "r1", category: "span" }),
    ]);
    const rows = await ledgerOf(store);
    expect(withReason(rows, "r0")).toEqual([["client_discard", "error", "r0", 11]]);
    expect(withReason(rows, "r1")).toEqual([
      ["client_discard", "error", "r1", 1],
      ["filtered", "error", "r1", 20],
    ]);
    expect(withReason(rows, "other")).toEqual([
      ["client_discard", "error", "other", 1],
      ["client_discard", "span", "other", 1],
    ]);
  });

  test("every project and every hour has room of its own", async () => {
    await using store = await openStore(createDatabase);
    await count(store, [
      ...flood(1),
      reported(MAX + 1, { reason: "own", projectId: 2 }),
      reported(MAX + 2, { reason: "own", receivedAt: NOON + HOUR_MS }),
    ]);
    expect(await ledgerOf(store, 2)).toEqual([["client_discard", "error", "own", 1]]);
    expect(await ledgerOf(store, 1, NOON + HOUR_MS)).toEqual([["client_discard", "error", "own", 1]]);
  });

  test("what the server counts itself keeps its words, and takes no room", async () => {
    await using store = await openStore(createDatabase);
    const ownWords = (sequence: number, reason: string): AppliedOutcome => ({
      ...outcome({ outcome: "rate_limited", reason }),
      sequence,
    });
    await count(store, [
      ownWords(0, "own_0"),
      ownWords(0, "own_1"),
      ...flood(0).map((counted) => ({ ...counted, sequence: 1 })),
      ownWords(2, "own_2"),
    ]);
    await store.outcomes.addOutcomes([outcome({ outcome: "malformed", reason: "own_3" })]);
    const rows = await ledgerOf(store);
    expect(rows).toHaveLength(MAX + 4);
    expect(withReason(rows, "other")).toEqual([]);
  });

  test("counts of nothing take no room", async () => {
    await using store = await openStore(createDatabase);
    await count(
      store,
      flood(0).map((counted) => ({ ...counted, quantity: 0 })),
    );
    await count(store, [reported(MAX, { reason: "real" })]);
    expect(await ledgerOf(store)).toEqual([["client_discard", "error", "real", 1]]);
  });

  test("category and reason are kept apart, whatever they hold", async () => {
    await using store = await openStore(createDatabase);
    await count(store, [
      ...flood(0).slice(1),
      reported(MAX, { category: "a b", reason: "c" }),
      reported(MAX + 1, { category: "a", reason: "b c" }),
    ]);
    const rows = await ledgerOf(store);
    expect(withReason(rows, "c")).toHaveLength(1);
    expect(withReason(rows, "b c")).toEqual([]);
    expect(withReason(rows, "other")).toEqual([["client_discard", "unknown", "other", 1]]);
  });

  test("batches cut differently, a restart between them, and a replay count the same", async () => {
    const records = flood(20).map((counted) => ({ ...counted, category: counted.sequence % 3 === 0 ? "span" : "x y" }));
    await using inOne = await createDatabase();
    const expected = await inOne.connect();
    await count(expected, records);
    await using cut = await createDatabase();
    let store = await cut.connect();
    await count(store, records.slice(0, MAX - 10));
    await store.close();
    store = await cut.connect();
    await count(store, records.slice(MAX - 30, MAX + 5));
    await count(store, records);
    await count(store, records);
    expect(await ledgerOf(store)).toEqual(await ledgerOf(expected));
  });

  test("dropped hours have room again", async () => {
    await using store = await openStore(createDatabase);
    await count(store, flood(1));
    expect(await store.dropBefore(NOON + DAY_MS)).toBe(MAX + 1);
    await count(store, [reported(MAX + 1, { reason: "again" })]);
    expect(await ledgerOf(store)).toEqual([["client_discard", "error", "again", 1]]);
  });
}
