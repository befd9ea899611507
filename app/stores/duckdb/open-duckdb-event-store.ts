import { dirname, join } from "node:path";
import { newRebuild, type RebuildState } from "../events/event-rebuild.ts";
import type { EventStore } from "../events/event-store.ts";
import type { DamagedDay } from "../events/moved-days.ts";
import { createDuckdbEventStore } from "./create-duckdb-event-store.ts";
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
import { EventWriter } from "./event-writer.ts";
import { HotAttributes } from "./hot-attributes.ts";
import { IdentityIndex } from "./identity-index.ts";
import { FACTS_LIMITS, type FactsLimits } from "./issue-facts.ts";
import { LOG_LIMITS, type LogLimits } from "./log-fill.ts";
import { LostIdentities } from "./lost-identities.ts";
import { MergedSums } from "./merged-sums.ts";
import { migrate, readEventMigrations } from "./migrate.ts";
import { DuckdbMovedDays } from "./moved-days.ts";
import { readRebuildState } from "./rebuild-state.ts";
import { RollUp } from "./roll-up.ts";
import { readDamageMark, setAsideDatabase, writeDamageMark } from "./set-aside-database.ts";
import { SETTLING_SIZES, type SettlingSizes } from "./settle-events.ts";

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
    return createDuckdbEventStore({
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
