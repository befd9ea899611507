import { expect, test } from "vitest";
import type { OutcomeCount } from "../../../domain/outcome.ts";
import { MAX_REPORT_DELAY_MS, MAX_REPORTED_PAIRS_PER_HOUR } from "../../../domain/outcomes/count-outcomes.ts";
import { DAY_MS, HOUR_MS } from "../../../domain/time.ts";
import type { AppliedOutcome } from "../batch-store.ts";
import type { State } from "../state.ts";
import { type CreateStateDatabase, JOURNAL, NOON, openStore, outcome, scopeOf } from "./fixture.ts";

function refused(sequence: number, change: Partial<OutcomeCount> = {}): AppliedOutcome {
  return { ...outcome({ outcome: "too_large", reason: "event_bytes", canBeReported: true, ...change }), sequence };
}

function reported(
  sequence: number,
  change: Partial<OutcomeCount> = {},
  refusedAs = [change.category ?? "error", "default", "unknown"],
): AppliedOutcome {
  const counted = outcome({ outcome: "client_discard", reason: "send_error", ...change });
  return { ...counted, sequence, isFromClientReport: true, refusedAs };
}

async function count(store: State, outcomes: AppliedOutcome[]): Promise<void> {
  const upTo = Math.max(...outcomes.map(({ sequence }) => sequence)) + 1;
  await store.batches.applyBatch({ journalId: JOURNAL, upTo, occurrences: [], outcomes });
}

/** As `category outcome reason`, of all hours. */
async function ledgerOf(store: State, projectId = 1): Promise<Record<string, number>> {
  const sums = await store.outcomes.sumOutcomes(scopeOf(projectId), {
    from: NOON - 10 * DAY_MS,
    to: NOON + 10 * DAY_MS,
    bucketMs: null,
    groupBy: ["outcome", "category", "reason"],
  });
  return Object.fromEntries(sums.map((sum) => [`${sum.category} ${sum.outcome} ${sum.reason}`, sum.quantity]));
}

export function describeReportableRefusals(createDatabase: CreateStateDatabase): void {
  test("a refused item that its SDK reports as lost stands in the ledger once, as refused", async () => {
    await using store = await openStore(createDatabase);
    await count(store, [refused(0)]);
    await count(store, [reported(1)]);
    expect(await ledgerOf(store)).toEqual({ "error too_large event_bytes": 1 });
    await count(store, [reported(2)]);
    expect(await ledgerOf(store)).toEqual({
      "error too_large event_bytes": 1,
      "error client_discard send_error": 1,
    });
  });

  test("what goes beyond the refusals is counted as the report says, what falls short is left for the next", async () => {
    await using store = await openStore(createDatabase);
    await count(store, [
      refused(0, { quantity: 5 }),
      reported(1, { quantity: 2, reason: "network_error" }),
      reported(2, { quantity: 10 }),
    ]);
    expect(await ledgerOf(store)).toEqual({
      "error too_large event_bytes": 5,
      "error client_discard send_error": 7,
    });
  });

  test("the own category goes first, then what was refused unread; other categories and projects are not touched", async () => {
    await using store = await openStore(createDatabase);
    await count(store, [
      refused(0, { category: "default", outcome: "malformed", reason: "malformed_envelope" }),
      refused(0, { category: "error" }),
      refused(0, { category: "session", reason: "session_bytes" }),
      refused(0, { projectId: 2 }),
      reported(1, { category: "error" }),
      reported(2, { category: "span", quantity: 3 }),
      reported(3, { category: "error" }),
    ]);
    expect(await ledgerOf(store)).toEqual({
      "default malformed malformed_envelope": 1,
      "error too_large event_bytes": 1,
      "session too_large session_bytes": 1,
      "span client_discard send_error": 2,
      "error client_discard send_error": 1,
    });
    await count(store, [reported(4, { category: "session" }), reported(5, { projectId: 2 })]);
    expect((await ledgerOf(store))["session client_discard send_error"]).toBeUndefined();
    expect(await ledgerOf(store, 2)).toEqual({ "error too_large event_bytes": 1 });
  });

  test("losses for other reasons, and refusals that no SDK reports, are left as they are", async () => {
    await using store = await openStore(createDatabase);
    const { refusedAs: _, ...sampled } = reported(1, { reason: "sample_rate" });
    const { canBeReported: __, ...leftOut } = refused(2, { category: "attachment" });
    await count(store, [refused(0), sampled, leftOut, reported(3, { category: "attachment" }, ["attachment"])]);
    expect(await ledgerOf(store)).toEqual({
      "error too_large event_bytes": 1,
      "error client_discard sample_rate": 1,
      "attachment too_large event_bytes": 1,
      "attachment client_discard send_error": 1,
    });
  });

  test("what was taken after all, though its sender was told that it is refused, is not counted as lost", async () => {
    await using store = await openStore(createDatabase);
    await count(store, [
      refused(0),
      refused(0, { category: "session", outcome: "accepted", reason: "" }),
      reported(1),
      reported(1, { category: "session" }),
    ]);
    expect(await ledgerOf(store)).toEqual({ "error too_large event_bytes": 1, "session accepted ": 1 });
  });

  test("a report speaks of refusals of a day, over midnight and over hours, and no longer", async () => {
    await using store = await openStore(createDatabase);
    await count(store, [
      refused(0, { receivedAt: NOON }),
      refused(1, { receivedAt: NOON + HOUR_MS }),
      reported(2, { receivedAt: NOON + MAX_REPORT_DELAY_MS, quantity: 2 }),
      refused(3, { receivedAt: NOON + MAX_REPORT_DELAY_MS }),
      reported(4, { receivedAt: NOON + 2 * MAX_REPORT_DELAY_MS + HOUR_MS }),
    ]);
    expect(await ledgerOf(store)).toEqual({
      "error too_large event_bytes": 3,
      "error client_discard send_error": 1,
    });
  });

  test("a report does not speak of its own record, nor of later ones", async () => {
    await using store = await openStore(createDatabase);
    await count(store, [refused(0), reported(0), refused(1)]);
    expect(await ledgerOf(store)).toEqual({
      "error too_large event_bytes": 2,
      "error client_discard send_error": 1,
    });
  });

  test("a report that says nothing new takes no room for words", async () => {
    await using store = await openStore(createDatabase);
    await count(store, [
      refused(0, { quantity: MAX_REPORTED_PAIRS_PER_HOUR }),
      ...Array.from({ length: MAX_REPORTED_PAIRS_PER_HOUR }, (_, at) =>
        reported(1, { category: "error", reason: `r${at}` }),
      ),
      reported(2, { reason: "real" }),
    ]);
    expect(await ledgerOf(store)).toEqual({
      "error too_large event_bytes": MAX_REPORTED_PAIRS_PER_HOUR,
      "error client_discard real": 1,
    });
  });

  test("quantities that make no sense take nothing, and huge ones no more than there is", async () => {
    await using store = await openStore(createDatabase);
    const largest = Number.MAX_SAFE_INTEGER;
    await count(store, [
      ...[0, -3, Number.NaN].map((quantity) => refused(0, { quantity, category: "span" })),
      refused(0, { quantity: 2.9 }),
      ...[0, -3, Number.NaN].map((quantity) => reported(1, { quantity })),
      reported(2, { quantity: 1e300, category: "span" }, ["span"]),
      reported(3, { quantity: 3 }),
    ]);
    expect(await ledgerOf(store)).toEqual({
      "error too_large event_bytes": 2,
      "error client_discard send_error": 1,
      "span client_discard send_error": largest,
    });
    await count(store, [refused(4, { quantity: largest }), refused(5, { quantity: largest }), reported(6)]);
    expect((await ledgerOf(store))["error client_discard send_error"]).toBe(1);
  });

  test("batches cut differently, in another order within, a restart between them, and a replay count the same", async () => {
    const categories = ["error", "default", "session", "unknown"];
    const records = Array.from({ length: 60 }, (_, at): AppliedOutcome => {
      const category = categories[(at * 7) % categories.length] as string;
      const change = { category, quantity: (at % 5) + 1, receivedAt: NOON + at * 2 * HOUR_MS };
      return at % 3 === 0 ? refused(at, change) : reported(at, { ...change, quantity: (at % 2) + 1 });
    });
    await using inOne = await createDatabase();
    const expected = await inOne.connect();
    await count(expected, records);
    await using cut = await createDatabase();
    let store = await cut.connect();
    await count(store, records.slice(0, 20));
    await store.close();
    store = await cut.connect();
    // The outcomes of events stand behind those of reports, whatever record they are of.
    const isReport = ({ isFromClientReport }: AppliedOutcome) => isFromClientReport === true;
    const middle = records.slice(10, 45);
    await count(store, [...middle.filter(isReport), ...middle.filter((counted) => !isReport(counted))]);
    await count(store, records);
    await count(store, records);
    const ledger = await ledgerOf(store);
    expect(ledger).toEqual(await ledgerOf(expected));
    // It is a case only if some reports were taken, and some counted.
    expect(ledger["error client_discard send_error"]).toBeGreaterThan(0);
    const all = records.filter(isReport).reduce((sum, { quantity }) => sum + quantity, 0);
    const counted = Object.entries(ledger).filter(([words]) => words.includes("client_discard"));
    expect(counted.reduce((sum, [, quantity]) => sum + quantity, 0)).toBeLessThan(all);
  });

  test("dropped hours leave nothing that a report could take", async () => {
    await using store = await openStore(createDatabase);
    await count(store, [refused(0)]);
    await store.dropBefore(NOON + HOUR_MS);
    await count(store, [reported(1, { receivedAt: NOON + HOUR_MS })]);
    expect(await ledgerOf(store)).toEqual({ "error client_discard send_error": 1 });
  });
}
