import { expect, test } from "vitest";
import { digestRecords } from "../../app/digest/digest-records.ts";
import type { IssueOccurrence } from "../../app/domain/issues/occurrence.ts";
import { createSqliteStateDatabase } from "../../app/stores/sqlite/sqlite-state-database.ts";

import { EVERYTHING } from "../../app/stores/state/contract/fixture.ts";
import { toBrowserRecord } from "../support/browser-record.ts";
import { BROWSERS, type Browser, browserCases } from "../support/grouping-fixtures.ts";

const JOURNAL = "browsers";
const CASES = browserCases();

const ORDERS = [
  ["chromium", "firefox", "webkit"],
  ["chromium", "webkit", "firefox"],
  ["firefox", "chromium", "webkit"],
  ["firefox", "webkit", "chromium"],
  ["webkit", "chromium", "firefox"],
  ["webkit", "firefox", "chromium"],
] satisfies Browser[][];

interface Arrival {
  browser: Browser;
  name: string;
}

/** How events of one order may come in: browser after browser or case after case, and in which batches. */
const CUTS: Array<[how: string, cut: (order: readonly Browser[]) => Arrival[][]]> = [
  ["a batch for each browser", (order) => order.map((browser) => CASES.map((name) => ({ browser, name })))],
  [
    "one batch, browser after browser",
    (order) => [order.flatMap((browser) => CASES.map((name) => ({ browser, name })))],
  ],
  ["one batch, case after case", (order) => [CASES.flatMap((name) => order.map((browser) => ({ browser, name })))]],
];

const MATRIX = ORDERS.flatMap((order) =>
  CUTS.map(([how, cut]) => ({ browsers: order.join(", "), how, batches: cut(order) })),
);

test.each(MATRIX)("an error reported by $browsers ($how) is one issue, and no two errors are", async ({ batches }) => {
  await using database = await createSqliteStateDatabase();
  const store = await database.connect();
  const issuesByCase = new Map<string, Set<number>>();
  const assigned: number[] = [];
  let sequence = 0;
  const replay: IssueOccurrence[] = [];
  for (const batch of batches) {
    const occurrences = batch.map((arrival) => toOccurrence(arrival, sequence++));
    replay.push(...occurrences);
    const assignments = await store.batches.applyBatch({
      journalId: JOURNAL,
      upTo: sequence,
      occurrences,
      outcomes: [],
    });
    assignments.forEach(({ issueId }, index) => {
      const { name } = batch[index] as Arrival;
      issuesByCase.set(name, (issuesByCase.get(name) ?? new Set()).add(issueId));
      assigned.push(issueId);
    });
  }

  const split = [...issuesByCase].filter(([, issues]) => issues.size > 1).map(([name]) => name);
  expect(split).toEqual([]);

  // The same error in a readable and in a minified build may share an issue.
  const casesByIssue = new Map<number, Set<string>>();
  for (const [name, issues] of issuesByCase) {
    for (const issue of issues) {
      casesByIssue.set(issue, (casesByIssue.get(issue) ?? new Set()).add(name.replace(/\.min$/, "")));
    }
  }
  expect([...casesByIssue.values()].filter((names) => names.size > 1)).toEqual([]);

  const again = await store.batches.applyBatch({
    journalId: JOURNAL,
    upTo: sequence,
    occurrences: replay,
    outcomes: [],
  });
  expect(again.map(({ issueId }) => issueId)).toEqual(assigned);
});

test("some errors need the keys for other engines, and the store says which hashes were found by them", async () => {
  await using database = await createSqliteStateDatabase();
  const store = await database.connect();
  const occurrences = BROWSERS.map((browser, sequence) => toOccurrence({ browser, name: "tail-call" }, sequence));
  const [assignment] = await store.batches.applyBatch({ journalId: JOURNAL, upTo: 3, occurrences, outcomes: [] });
  const hashes = await store.issues.listIssueHashes(EVERYTHING, assignment?.issueId ?? 0);
  expect(hashes.map(({ hash, isFoundByAlias }) => [hash, isFoundByAlias])).toEqual([
    [occurrences[0]?.hashes[0], false],
    [occurrences[2]?.hashes[0], true],
  ]);
});

/** As the digest makes it of what the browser sent. */
function toOccurrence({ browser, name }: Arrival, sequence: number): IssueOccurrence {
  const [event] = digestRecords([toBrowserRecord(browser, name, sequence)]).items;
  if (event?.occurrence === undefined) throw new Error(`${name} of ${browser} was not digested`);
  return event.occurrence;
}
