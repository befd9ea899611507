import type { RowBatch } from "../events/event-log.ts";
import type { RebuildState } from "../events/event-rebuild.ts";
import type { EventStore } from "../events/event-store.ts";
import { EVENTS } from "../events/event-table.ts";
import { ITEMS } from "../events/item-table.ts";
import { readIds } from "../events/rows.ts";
import { createOldItems } from "./convert-items.ts";
import { countEvents, countEventsOverTime } from "./count-events.ts";
import { countSessions } from "./count-sessions.ts";
import { countExpired, sumStored } from "./count-stored.ts";
import { createEventRebuild } from "./create-event-rebuild.ts";
import { createEventDeletion } from "./delete-events.ts";
import { dropOldRows } from "./drop-old-rows.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { EnvironmentLog } from "./environment-log.ts";
import type { CommittedRows, EventWriter } from "./event-writer.ts";
import { findIssues, hasTag, type SearchedReading } from "./find-issues.ts";
import { findLinkingSpans } from "./find-linking-spans.ts";
import { findPayloads } from "./find-payloads.ts";
import { findStored, mayBeStored } from "./find-rows-to-leave-out.ts";
import { findBound } from "./find-sample.ts";
import { SummedIssueFinder } from "./find-summed-issues.ts";
import type { HotAttributes } from "./hot-attributes.ts";
import { IDENTIFIED_EVENTS, type IdentityIndex } from "./identity-index.ts";
import { type FactsLimits, IssueFactsCache } from "./issue-facts.ts";
import { ItemsOfEvents } from "./items-of-events.ts";
import { LargeIssues } from "./large-issues.ts";
import { listTagKeys, listTagValues } from "./list-tags.ts";
import { LogFill, type LogLimits } from "./log-fill.ts";
import { LoggedEvents } from "./logged-events.ts";
import type { LostIdentities } from "./lost-identities.ts";
import type { MergedSums } from "./merged-sums.ts";
import { moveEvents } from "./move-events.ts";
import type { DuckdbMovedDays } from "./moved-days.ts";
import { nameUsers } from "./name-users.ts";
import { type EventReading, findEdge, findNeighbours, getEvent, listEvents } from "./read-events.ts";
import { countItems, listItems } from "./read-items.ts";
import { getLog, listLogsAt } from "./read-logs.ts";
import { createSpanSums } from "./read-span-sums.ts";
import { listSpans, listTraceLogs } from "./read-spans.ts";
import { readTagDistributions } from "./read-tag-distributions.ts";
import { findTraceSpans, readSpan, readTrace, readTraceSpans } from "./read-trace.ts";
import { createTransactionSums } from "./read-transaction-sums.ts";
import { RecentBatches } from "./recent-batches.ts";
import { RecentEvents } from "./recent-events.ts";
import type { RollUp } from "./roll-up.ts";
import { createLogSearch } from "./search-logs.ts";
import { createSpanSearch } from "./search-spans.ts";
import { type SettlingSizes, settleEvents } from "./settle-events.ts";
import { sumEvents } from "./sum-events.ts";

/**
 * How many bytes the sums of a piece count in the log. They stay in memory until a checkpoint, and after an upgrade many pieces follow each
 * other: without checkpoints, the eleventh would find no memory.
 */
const BYTES_OF_SUMS = 4_000_000;

interface StoreParts {
  database: DuckdbDatabase;
  rebuildState: RebuildState | null;
  indexes: ReadonlyMap<string, IdentityIndex>;
  lost: LostIdentities;
  environments: EnvironmentLog;
  writer: EventWriter;
  rollUp: RollUp;
  merged: MergedSums;
  hot: HotAttributes;
  movedDays: DuckdbMovedDays;
  logLimits: LogLimits;
  settlingSizes: SettlingSizes;
  factsLimits: FactsLimits;
}

/**
 * Makes the event store of its opened parts. It holds what is kept in memory of the rows, and says when that is out of date.
 */
export function createDuckdbEventStore(parts: StoreParts): EventStore {
  const { database, indexes, lost, environments, writer, rollUp, merged, hot, movedDays } = parts;
  const { logLimits, settlingSizes, factsLimits } = parts;
  const nextOrdinal = () => writer.nextOrdinal(EVENTS.name);
  const eventIndex = indexes.get(IDENTIFIED_EVENTS.table);
  if (eventIndex === undefined) throw new Error("events have no index of identities");
  const facts = new IssueFactsCache(database, nextOrdinal, factsLimits);
  const reading: EventReading = {
    database,
    index: eventIndex,
    nextOrdinal,
    largeIssues: new LargeIssues(),
    facts,
    recent: new RecentEvents(),
    recentBatches: new RecentBatches(),
    logged: new LoggedEvents(),
  };
  const searched: SearchedReading = {
    ...reading,
    tagsUpTo: () => rollUp.upTo("events"),
    summedIssues: new SummedIssueFinder(database),
  };
  const itemsOfEvents = new ItemsOfEvents(database);
  let rowsVersion = 0;
  function forgetRows(): void {
    rowsVersion++;
    facts.clear();
    reading.recent.clearRows();
    reading.recentBatches.clear();
  }
  function noteCommitted(committed: readonly CommittedRows[]): void {
    for (const { rows, from, leftOut } of committed) {
      if (rows.table === ITEMS.name) itemsOfEvents.addRows(rows);
      if (rows.table !== EVENTS.name) continue;
      reading.logged.noteStored(rows);
      reading.recentBatches.add(from, rows, leftOut);
      const held = facts.add(rows, from, leftOut);
      if (held.length === 0) continue;
      const eventIds = readIds(rows, "event_id");
      for (const index of held) reading.recent.addId(from + index, eventIds[index] ?? "");
    }
  }
  const dropped = [...indexes].map(([table, index]) => ({
    index,
    nextOrdinal: () => writer.nextIdentityOrdinal(table),
  }));
  const logFill = new LogFill(logLimits);

  async function append(batch: RowBatch, logged?: Promise<unknown>): Promise<{ stored: number; duplicates: number }> {
    const store = () => writer.apply(batch, noteCommitted, logged);
    const result = logged
      ? await store()
      : await reading.logged.during(batch, writer.appliedSequence(batch.journalId), store);
    const bytes = logFill.add(batch);
    const checkpoint = logFill.emptyWhenDue(() => database.checkpoint());
    // More batches of this size beside the checkpoint would leave it no memory.
    if (bytes >= logLimits.bytes / 4) await checkpoint;
    return result;
  }

  /** Counts the written bytes, and waits for a checkpoint that is due: nobody waits for the writes of a rebuild. */
  async function noteWritten(batches: readonly RowBatch[]): Promise<void> {
    for (const batch of batches) logFill.add(batch);
    await logFill.emptyWhenDue(() => database.checkpoint());
  }

  /** For reads of several events: see `LoggedEvents.whenSeenAreStored`. */
  async function afterSeen<Answer>(read: () => Promise<Answer>): Promise<Answer> {
    await reading.logged.whenSeenAreStored();
    return await read();
  }

  const rebuild = createEventRebuild(
    { database, writer, rollUp, movedDays, begunWith: parts.rebuildState },
    {
      onBegin: forgetRows,
      onRestored() {
        forgetRows();
        itemsOfEvents.forget();
      },
      noteWritten,
    },
  );
  const onMove = () => {
    rollUp.noteDeletion();
    forgetRows();
  };
  return {
    rebuild,
    oldItems: createOldItems({ database, writer }, { onCommit: forgetRows, noteWritten }),
    findPayloads: (places) => findPayloads(database, places),
    movedDays,
    deletion: createEventDeletion(
      { database, movedDays },
      {
        onCommit() {
          forgetRows();
          itemsOfEvents.forget();
        },
        onDelete: () => rollUp.noteDeletion(),
      },
    ),
    // Twice: a checkpoint that was already running does not include later deletions.
    checkpoint: async () => (await database.checkpoint()) && (await database.checkpoint()),
    appliedSequence: async (journalId) => writer.appliedSequence(journalId),
    appliedAhead: async (journalId) => writer.appliedAhead(journalId),
    async findExisting(keys) {
      const known = [...indexes.values(), lost.index];
      // A running write may take long, and most keys are new.
      if (!mayBeStored(known, keys)) return new Set();
      return await database.write((connection) => findStored(known, connection, keys));
    },
    append,
    moveEvents: (moves) => moveEvents({ database, index: eventIndex, onCommit: onMove }, moves),
    getEvent: (eventId, projectIds) => getEvent(reading, eventId, projectIds),
    listEvents: (filter, page) => afterSeen(() => listEvents(searched, filter, page)),
    findNeighbours: (filter, eventId) => findNeighbours(reading, filter, eventId),
    findEdge: (filter, edge) => afterSeen(() => findEdge(reading, filter, edge)),
    findBound: (filter, count) => afterSeen(() => findBound(reading, filter, count)),
    findIssues: (filter, limit, storedFrom) => afterSeen(() => findIssues(searched, filter, limit, storedFrom)),
    listTagKeys: (projectIds, limit) => afterSeen(() => listTagKeys(searched, projectIds, limit)),
    listTagValues: (filter, limit) => afterSeen(() => listTagValues(searched, filter, limit)),
    hasTag: (projectIds, key) => afterSeen(() => hasTag(searched, projectIds, key)),
    countOverTime: (filter, bucketMs) => afterSeen(() => countEventsOverTime(reading, filter, bucketMs)),
    count: (filter) => afterSeen(() => countEvents(reading, filter)),
    sumEvents: (filter, options) => afterSeen(() => sumEvents(reading, filter, options)),
    tagDistributions: (filter, tagOptions) => afterSeen(() => readTagDistributions(reading, filter, tagOptions)),
    nameUsers: (filter, userKeys) => nameUsers(database, filter, userKeys),
    listItems: (filter) => listItems({ database, itemsOfEvents, logged: reading.logged }, filter),
    countItems: (filter) => countItems(database, filter),
    ...createSpanSums(database, rollUp),
    ...createTransactionSums(database, rollUp, merged),
    ...createSpanSearch(database, { rollUp, merged, hot }),
    async rollUp(now) {
      if (rebuild.state() !== null || !((await rollUp.run(now)) || (await merged.run(now)))) return false;
      logFill.addBytes(BYTES_OF_SUMS);
      await logFill.emptyWhenDue(() => database.checkpoint());
      return true;
    },
    listSpans: (filter) => listSpans(database, rollUp.upTo("spans"), filter),
    listTraceLogs: (filter) => listTraceLogs(database, filter),
    ...createLogSearch({ database, rollUp, merged }, hot),
    getLog: (projectIds, id) => getLog(database, projectIds, id),
    listLogsAt: (projectIds, occurredUs, limit) => listLogsAt(database, projectIds, occurredUs, limit),
    findLinkingSpans: (projectIds, linked) => findLinkingSpans(database, projectIds, linked),
    findTraceSpans: (filter, where) => findTraceSpans(database, rollUp.upTo("spans"), filter, where),
    readTraceSpans: (filter) => readTraceSpans(database, rollUp.upTo("spans"), filter),
    readTrace: (filter, lines) => readTrace(database, rollUp.upTo("spans"), filter, lines),
    readSpan: (filter, ordinal) => readSpan(database, filter, ordinal),
    countSessions: (filter, options) => countSessions(database, filter, options),
    listEnvironments: async (projectIds) => environments.list(projectIds),
    rowsVersion: () => rowsVersion,
    readFor: (asker, work) => database.readFor(asker, work),
    countExpired: (cutoffs, since) => countExpired(database, cutoffs, since),
    sumStored: () => sumStored(database),
    async dropBefore(cutoffs, now) {
      const moved = await movedDays.dropBefore(cutoffs);
      const rowCount = moved + (await dropOldRows({ database, environments, rollUp, indexes: dropped }, cutoffs, now));
      forgetRows();
      return rowCount;
    },
    async settle() {
      const isSettled = await settleEvents(database, nextOrdinal, settlingSizes);
      // Frees the space of the old rows.
      if (isSettled) await database.checkpoint();
      return isSettled;
    },
    holdFiles: (snapshot) => database.holdFiles(snapshot),
    ping: async () => {
      await database.read("SELECT applied_sequence::DOUBLE FROM applied_positions LIMIT 1");
    },
    bytesOnDisk: async () => (await database.bytesOnDisk()) + movedDays.bytesOnDisk(),
    async close() {
      if (database.isClosed) return;
      await writer.close();
      await database.close();
    },
  };
}
