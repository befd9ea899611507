import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { digestRecord, joinParts } from "../../app/digest/digest-records.ts";
import type { IssueOccurrence } from "../../app/domain/issues/occurrence.ts";
import { DAY_MS } from "../../app/domain/time.ts";
import { loadGroupingMoves } from "../../app/grouping/grouping-moves.ts";
import { encodeJournalEntry } from "../../app/journal/journal-entry.ts";
import { SqliteConnection } from "../../app/stores/sqlite/connection.ts";
import { migrate, readStateMigrations } from "../../app/stores/sqlite/migrate.ts";
import { openSqliteState } from "../../app/stores/sqlite/open-sqlite-state.ts";
import { createProject, EVERYTHING, JOURNAL, query } from "../../app/stores/state/contract/fixture.ts";
import type { State } from "../../app/stores/state/state.ts";
import { browserCases, readRecorded } from "../support/grouping-fixtures.ts";
import { makeError } from "../support/make-event.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

/** The last one before projects could move over. */
const LAST_OLD_MIGRATION = 27;
const MADE_ERRORS = 240;

/** Errors that the browser SDK has sent, and made ones: each has names of its own. */
const KINDS: ReadonlyArray<Record<string, unknown>> = [
  ...browserCases().map((name) => readRecorded("chromium", name)),
  ...Array.from({ length: MADE_ERRORS }, (_, number) => makeError(`Kind${inLetters(number)}`)),
];

/** Digits are no part of a name. */
function inLetters(number: number): string {
  return [...String(number)].map((digit) => "abcdefghij"[Number(digit)]).join("");
}

type Moves = Awaited<ReturnType<typeof loadGroupingMoves>>;

/** One event of each kind, as the digest gives it to the state store. */
async function digestEach(
  { projectId, at, from }: { projectId: number; at: number; from: number },
  groupingMoves: Moves,
): Promise<IssueOccurrence[]> {
  const digested = KINDS.map(async (kind, index) => {
    const sequence = from + index;
    const eventId = createHash("md5").update(String(sequence)).digest("hex");
    const event = { ...kind, event_id: eventId, timestamp: at / 1000 };
    const parts = encodeJournalEntry({
      kind: "envelope",
      projectId,
      keyId: 1,
      receivedAt: at,
      eventId,
      clientAddress: null,
      userAgent: null,
      client: null,
      dropped: [],
      body: Buffer.from(`${JSON.stringify({ event_id: eventId })}\n{"type":"event"}\n${JSON.stringify(event)}\n`),
    });
    const { items } = await joinParts(digestRecord({ sequence, bytes: Buffer.concat(parts) }, { groupingMoves }));
    const { occurrence } = items[0] ?? {};
    if (occurrence === undefined) throw new Error(`kind ${index} is no occurrence`);
    return occurrence;
  });
  return await Promise.all(digested);
}

async function issueIdsOf(store: State, occurrences: IssueOccurrence[]): Promise<number[]> {
  const upTo = Math.max(...occurrences.map(({ sequence }) => sequence)) + 1;
  const assigned = await store.batches.applyBatch({ journalId: JOURNAL, upTo, occurrences, outcomes: [] });
  return assigned.map(({ issueId }) => issueId);
}

/** With the key that version 1 gave it alone, as versions with that have stored it. */
function asOfVersion1({ earlier, ...occurrence }: IssueOccurrence): IssueOccurrence {
  if (!earlier) throw new Error("the project does not move over");
  return { ...occurrence, hashes: [...earlier.hashes] };
}

/** The same rows in a database with the schema of then; the search index has no texts that could be copied. */
async function copyToOldSchema(path: string, oldPath: string): Promise<void> {
  const db = await SqliteConnection.open({ path: oldPath, isReadOnly: false });
  try {
    await migrate(
      db,
      readStateMigrations().filter(({ number }) => number <= LAST_OLD_MIGRATION),
    );
    db.exec("PRAGMA foreign_keys = OFF");
    db.exec(`ATTACH '${path}' AS filled`);
    const tables = db.all<{ name: string }>(
      `SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name <> 'schema_migrations'
         AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'issue_search%'`,
    );
    for (const { name } of tables) {
      const columns = db
        .all<{ name: string }>(
          `SELECT name FROM pragma_table_info('${name}', 'main')
           INTERSECT SELECT name FROM pragma_table_info('${name}', 'filled')`,
        )
        .map((column) => column.name)
        .join(", ");
      db.exec(`DELETE FROM main.${name}; INSERT INTO main.${name} (${columns}) SELECT ${columns} FROM filled.${name}`);
    }
    db.exec("DETACH filled");
  } finally {
    db.close();
  }
}

async function listIssues(store: State) {
  const issues = [];
  for (let cursor: string | null = null; ; ) {
    const page = await store.issues.listIssues(...query({ limit: 100, cursor }));
    issues.push(...page.issues);
    cursor = page.nextCursor;
    if (cursor === null) return issues;
  }
}

test("a project of version 1 with hundreds of triaged issues moves over, and none of them splits", async () => {
  using folder = makeTempFolder();
  const now = Date.now();
  const filled = await openSqliteState({ path: join(folder.path, "filled.sqlite") });
  const projectId = await createProject(filled, "shop");
  const asMoving: Moves = new Map([[projectId, now]]);
  const first = await digestEach({ projectId, at: now - 20 * DAY_MS, from: 0 }, asMoving);
  const oldIds = await issueIdsOf(filled, first.map(asOfVersion1));
  const issueIds = [...new Set(oldIds)];
  expect(issueIds.length).toBeGreaterThan(300);
  const nth = (place: number) => issueIds.filter((_, index) => index % 4 === place);
  const change = (ids: number[], status: "resolved" | "archived") =>
    filled.issues.changeIssueStatus(EVERYTHING, { issueIds: ids, status, userId: null, at: now - 10 * DAY_MS });
  await change(nth(0), "resolved");
  await change(nth(1), "archived");
  // Each fourth is merged into the one behind it.
  const mergedInto = new Map<number, number>();
  for (const issueId of nth(2)) {
    const target = issueIds[issueIds.indexOf(issueId) + 1];
    if (target === undefined) continue;
    const events = first.filter((_, kind) => oldIds[kind] === issueId).map(asOfVersion1);
    const [event] = events as [IssueOccurrence];
    const { hashes } = asOfVersion1(first[oldIds.indexOf(target)] as IssueOccurrence);
    const { title, type, value, culprit, level, platform, logger, isUnhandled, grouping } = event;
    const result = await filled.reprocessing.regroupEvents({
      fromIssueId: issueId,
      at: now - 10 * DAY_MS,
      groups: [
        {
          hashes,
          grouping,
          headline: { title, type, value, culprit, level, platform, logger, isUnhandled },
          events,
        },
      ],
      isComplete: true,
    });
    expect(result.mergedInto).toBe(target);
    mergedInto.set(issueId, target);
  }
  expect(mergedInto.size).toBeGreaterThan(75);
  const before = new Map((await listIssues(filled)).map((issue) => [issue.id, issue]));
  await filled.close();
  const path = join(folder.path, "state.sqlite");
  await copyToOldSchema(join(folder.path, "filled.sqlite"), path);

  const store = await openSqliteState({ path });
  const moves = await loadGroupingMoves(store.directory);
  expect(moves.get(projectId)).toBeGreaterThanOrEqual(now - 1000);
  const expected = oldIds.map((issueId) => mergedInto.get(issueId) ?? issueId);
  const count = KINDS.length;
  const second = await digestEach({ projectId, at: now + 1000, from: count }, moves);
  expect(second.every(({ earlier, hashes }) => earlier?.hashes.every((hash) => !hashes.includes(hash)))).toBe(true);
  expect(await issueIdsOf(store, second)).toEqual(expected);
  // Later, nobody looks up the keys of version 1 any more.
  const third = await digestEach({ projectId, at: now + 2000, from: 2 * count }, new Map());
  expect(await issueIdsOf(store, third)).toEqual(expected);

  const after = await listIssues(store);
  expect(after.map(({ id }) => id).sort()).toEqual([...before.keys()].sort());
  const eventsOf = (id: number) => expected.filter((each) => each === id).length;
  for (const { id, shortId, title, status, eventCount } of after) {
    const was = before.get(id);
    // What was resolved happens again; what is archived stays out of sight.
    const wanted = was?.status === "resolved" ? "unresolved" : was?.status;
    expect({ id, shortId, title, status, eventCount }).toEqual({
      id,
      shortId: was?.shortId,
      title,
      status: wanted,
      eventCount: (was?.eventCount ?? 0) + 2 * eventsOf(id),
    });
  }
  await store.close();
});
