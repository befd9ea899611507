import { dirname, join } from "node:path";
import type { RowBatch } from "../events/event-log.ts";
import { type EventRebuild, newRebuild, type RebuildState } from "../events/event-rebuild.ts";
import type { EventStore } from "../events/event-store.ts";
import { EVENTS } from "../events/event-table.ts";
import { ITEMS } from "../events/item-table.ts";
import type { DamagedDay } from "../events/moved-days.ts";
import { readIds } from "../events/rows.ts";
import { createOldItems } from "./convert-items.ts";
import { countEvents, countEventsOverTime } from "./count-events.ts";
import { countSessions } from "./count-sessions.ts";
import { countExpired, sumStored } from "./count-stored.ts";
import { isOfOtherDays } from "./day-views.ts";
import { createEventDeletion } from "./delete-events.ts";
import { dropOldRows } from "./drop-old-rows.ts";
import { DuckdbDatabase } from "./duckdb-database.ts";
import { DUCKDB_TABLES } from "./duckdb-tables.ts";
import { EnvironmentLog } from "./environment-log.ts";
import { DamagedEventDatabaseError, saysDamage } from "./event-database-damage.ts";
import {
  claimEventDatabase,
  type EventFolder,
  isCutOffInHeaders,
  isEventDatabaseMade,
  makeEventDatabase,
} from "./event-database-file.ts";
import { sumTagsAgain } from "./event-tags.ts";
import { type CommittedRows, EventWriter } from "./event-writer.ts";
import { findIssues, hasTag, type SearchedReading } from "./find-issues.ts";
import { findLinkingSpans } from "./find-linking-spans.ts";
import { findPayloads } from "./find-payloads.ts";
import { findStored, mayBeStored } from "./find-rows-to-leave-out.ts";
import { findBound } from "./find-sample.ts";
import { SummedIssueFinder } from "./find-summed-issues.ts";
import { HotAttributes } from "./hot-attributes.ts";
import { IDENTIFIED_EVENTS, IdentityIndex } from "./identity-index.ts";
import { FACTS_LIMITS, type FactsLimits, IssueFactsCache } from "./issue-facts.ts";
import { ItemsOfEvents } from "./items-of-events.ts";
import { LargeIssues } from "./large-issues.ts";
import { listTagKeys, listTagValues } from "./list-tags.ts";
import { LOG_LIMITS, LogFill, type LogLimits } from "./log-fill.ts";
import { LoggedEvents } from "./logged-events.ts";
import { deleteLongTexts } from "./long-texts.ts";
import { LostIdentities } from "./lost-identities.ts";
import { MergedSums } from "./merged-sums.ts";
import { migrate, readEventMigrations } from "./migrate.ts";
import { moveEvents } from "./move-events.ts";
import { DuckdbMovedDays } from "./moved-days.ts";
import { nameUsers } from "./name-users.ts";
import { type EventReading, findEdge, findNeighbours, getEvent, listEvents } from "./read-events.ts";
import { countItems, listItems } from "./read-items.ts";
import { getLog, listLogsAt } from "./read-logs.ts";
import { readPayloadRows } from "./read-payload-rows.ts";
import { createSpanSums } from "./read-span-sums.ts";
import { listSpans, listTraceLogs } from "./read-spans.ts";
import { readTagDistributions } from "./read-tag-distributions.ts";
import { findTraceSpans, readSpan, readTrace, readTraceSpans } from "./read-trace.ts";
import { createTransactionSums } from "./read-transaction-sums.ts";
import { readRebuildState, writeRebuildState } from "./rebuild-state.ts";
import { RecentBatches } from "./recent-batches.ts";
import { RecentEvents } from "./recent-events.ts";
import { deleteSumsOfDays, RollUp } from "./roll-up.ts";
import { createLogSearch } from "./search-logs.ts";
import { createSpanSearch } from "./search-spans.ts";
import { readDamageMark, setAsideDatabase, writeDamageMark } from "./set-aside-database.ts";
import { SETTLING_SIZES, type SettlingSizes, settleEvents } from "./settle-events.ts";
import { sumEvents } from "./sum-events.ts";

export interface DuckdbEventStoreOptions {
  /** The database file. Its folder is made if it is missing. */
  path: string;
  /** Megabytes that DuckDB may hold in memory. Queries that need more use `tempDir`. The process grows by about twice as much. */
  memoryLimitMb?: number;
  threads?: number;
  tempDir: string;
  /** The data folder that the file must belong to; without one, a file of any folder is opened. */
  folder?: EventFolder;
  /** The limits after which a checkpoint begins. */
  logLimits?: LogLimits;
  settlingSizes?: SettlingSizes;
  factsLimits?: FactsLimits;
  /** Rows that are summed in one piece. */
  rowsSummedAtOnce?: number;
  /** A day with fewer rows of a signal stays in its table. */
  rowsOfMovedDay?: number;
  /** The same for slices of the present day. */
  rowsOfSlice?: number;
  /** The clock for the days on which attributes were searched, milliseconds since 1970. */
  now?: () => number;
  /** Called once if the file is found damaged while it is open. The next start makes it again. */
  onDamage?: (error: unknown) => void;
  /** Called for each day file that is found damaged while the store is open. Its rows are no longer read. */
  onDamagedDay?: (day: DamagedDay, reason: string) => void;
}

/**
 * How many bytes the sums of a piece count in the log. They stay in memory until a checkpoint, and after an upgrade many pieces follow each
 * other: without checkpoints, the eleventh would find no memory.
 */
const BYTES_OF_SUMS = 4_000_000;

/** For two cores. A third query would slow down the others, and need memory at the same time. */
const READER_COUNT = 2;

const READ_TIMEOUT_MS = 20_000;

/**
 * Opens the event database of a data folder. If the file is missing or damaged, a new one is made, and a damaged one is kept in `damaged/`.
 * Then `rebuild.state()` says that its rows must be restored.
 * @throws if another process has the database open, Culprit did not make it, or a newer version did
 * @throws {DataFolderError} if it does not belong to `folder`
 */
export async function openDuckdbEventStore(options: DuckdbEventStoreOptions): Promise<EventStore> {
  const { folder, path } = options;
  if (folder === undefined) return openStore(options);
  const known = await readDamageMark(path);
  if (known !== null) {
    await setAsideDatabase(path, Date.now());
    return openStore(options, newRebuild(`was damaged (${known})`, Date.now()));
  }
  if (folder.hasStored && (await isCutOffInHeaders(path))) {
    await setAsideDatabase(path, Date.now());
    return openStore(options, newRebuild("was damaged (it ends within its headers)", Date.now()));
  }
  try {
    return await openStore(options);
  } catch (error) {
    if (!folder.hasStored || !saysDamage(error, { isOpening: true })) throw error;
    await setAsideDatabase(path, Date.now());
    const reason = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
    return openStore(options, newRebuild(`was damaged (${reason})`, Date.now()));
  }
}

/** The folder of day files (moved-days.ts). */
function movedDaysDir(path: string): string {
  return join(dirname(path), "days");
}

async function openStore(options: DuckdbEventStoreOptions, rebuild?: RebuildState): Promise<EventStore> {
  const { folder } = options;
  let isDamageTold = false;
  let isOpen = false;
  const databaseOptions = {
    path: options.path,
    memoryLimitMb: options.memoryLimitMb ?? 128,
    threads: options.threads ?? 1,
    tempDir: options.tempDir,
    readerCount: READER_COUNT,
    readTimeoutMs: READ_TIMEOUT_MS,
    onDamage(error: unknown) {
      if (isDamageTold || !folder || !isOpen) return;
      isDamageTold = true;
      const reason = error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error);
      writeDamageMark(options.path, reason).catch(() => undefined);
      options.onDamage?.(error);
    },
  };
  if (folder && !(await isEventDatabaseMade(options.path))) {
    const missing = folder.hasStored ? newRebuild("was missing", Date.now()) : null;
    await makeEventDatabase(databaseOptions, folder.id, rebuild ?? missing);
  }
  const database = await DuckdbDatabase.open(databaseOptions);
  try {
    const rebuildState = await database.write(async (connection) => {
      await migrate(connection, readEventMigrations());
      if (folder) await claimEventDatabase(connection, options.path, folder);
      return readRebuildState(connection);
    });
    const indexes = new Map<string, IdentityIndex>();
    for (const { shape, identity } of DUCKDB_TABLES) {
      if (identity) indexes.set(shape.name, await IdentityIndex.open(database, identity));
    }
    const environments = await EnvironmentLog.open(database);
    const lost = await LostIdentities.open(database);
    const writer = await EventWriter.open({ database, indexes, environments, lost });
    if (folder && rebuildState === null) requireJournals(folder, (journalId) => writer.appliedSequence(journalId));
    const rollUp = await RollUp.open(database, {
      nextOrdinal: (table) => writer.nextOrdinal(table),
      rowsAtOnce: options.rowsSummedAtOnce,
    });
    const merged = await MergedSums.open(database, rollUp);
    const hot = new HotAttributes(database, options.now);
    const movedDays = await DuckdbMovedDays.open({
      database,
      hot,
      writer,
      rollUp,
      dir: movedDaysDir(options.path),
      minRows: options.rowsOfMovedDay,
      sliceRows: options.rowsOfSlice,
      onDamagedDay: (day, reason) => options.onDamagedDay?.(day, reason),
    });
    await requireRestored(movedDays, options);
    isOpen = true;
    return createStore({
      database,
      rebuildState,
      indexes,
      lost,
      environments,
      writer,
      rollUp,
      merged,
      hot,
      movedDays,
      logLimits: options.logLimits ?? LOG_LIMITS,
      settlingSizes: options.settlingSizes ?? SETTLING_SIZES,
      factsLimits: options.factsLimits ?? FACTS_LIMITS,
    });
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Records that state has applied and the file has not must still be in the journal. If they are not, the file is older than the rest of its
 * folder, or lacks a part of its log: the row log has their rows.
 */
function requireJournals({ journals }: EventFolder, appliedSequence: (journalId: string) => number): void {
  for (const { id, firstSequence, from, applied } of journals) {
    const position = Math.max(firstSequence, appliedSequence(id));
    if (position >= Math.min(from, applied)) continue;
    throw new DamagedEventDatabaseError(
      `it has the records below ${position}, and the journal begins with record ${from}`,
    );
  }
}

/** Requires a full rebuild from the row log and the other files, if the rebuild of a day cannot restore the rows of some damaged files. */
async function requireRestored(movedDays: DuckdbMovedDays, { folder, path }: DuckdbEventStoreOptions): Promise<void> {
  const days = movedDays.listUnrestored();
  if (!folder?.hasStored || days.length === 0) return;
  const reason = `${days[0]?.name} is damaged, and the row log has its rows`;
  // Comes first: from now on, the next start makes a new database, whatever happens.
  await writeDamageMark(path, reason);
  await movedDays.forgetDamaged(days);
  throw new DamagedEventDatabaseError(reason);
}

function createStore(parts: {
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
}): EventStore {
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

  let { rebuildState } = parts;
  const rebuild: EventRebuild = {
    state: () => rebuildState,
    async begin(asked) {
      if (rebuildState !== null) throw new Error("the event store is being rebuilt already");
      const state = { ...asked, upTo: writer.positions() };
      await database.transaction(async (connection) => {
        if (state.received !== null) {
          const { from, to } = state.received;
          const isGone = `received_at >= ${Math.ceil(from)} AND received_at < ${Math.ceil(to)}`;
          await sumTagsAgain(connection, isGone, async () => {
            for (const table of DUCKDB_TABLES) {
              // Day files still have their rows, and the row log does not.
              const isLost = `${isGone} AND ${isOfOtherDays(table.shape.name, movedDays.list())}`;
              await deleteLongTexts(connection, table.shape, isLost);
              await connection.run(`DELETE FROM ${table.shape.name} WHERE ${isLost}`);
            }
          });
          await deleteSumsOfDays(connection, { from, to }, movedDays.list());
        }
        await writeRebuildState(connection, state);
        return { result: undefined, onCommit: () => rollUp.noteDeletion() };
      });
      rebuildState = state;
      forgetRows();
    },
    async noteLost(batches, state) {
      await writer.noteLost(batches, state, () => {
        rebuildState = state;
      });
      await noteWritten(batches);
    },
    async reserve(state) {
      rebuildState = await writer.reserve(state);
    },
    async restore(batches, after) {
      if (rebuildState === null) throw new Error("the event store is not being rebuilt");
      await writer.restore(batches, { before: rebuildState, after }, (reached) => {
        rebuildState = reached;
        forgetRows();
        itemsOfEvents.forget();
      });
      await noteWritten(batches);
    },
    async end() {
      await writer.endRebuild(() => {
        rebuildState = null;
      });
      await database.checkpoint();
    },
    rowsOf: (range) => readPayloadRows(database, range),
  };

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
      if (rebuildState !== null || !((await rollUp.run(now)) || (await merged.run(now)))) return false;
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
