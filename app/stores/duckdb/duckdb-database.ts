import { AsyncLocalStorage } from "node:async_hooks";
import { mkdirSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import { createInTurn } from "../../domain/in-turn.ts";
import { findReadLimit, ReadLimitError } from "../../domain/read-limit.ts";
import { type SharedKeys, Turns } from "../../domain/turns.ts";
import { findSize } from "../../missing-file.ts";
import type { HeldFiles } from "../events/event-store.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { findLimit, saysNoMemory } from "./duckdb-limits.ts";
import type { Reader, SqlRow, SqlValue } from "./duckdb-reader.ts";
import { saysDamage } from "./event-database-damage.ts";
import { type Connections, closeConnections, openConnections } from "./open-connections.ts";
import type { RowRange, ViewDefinition } from "./reader-views.ts";

export interface DuckdbDatabaseOptions {
  path: string;
  memoryLimitMb: number;
  threads: number;
  tempDir: string;
  /** The number of queries that run at the same time. Further ones wait. */
  readerCount: number;
  /** A read that takes longer is interrupted and fails, so that it cannot block the others. Milliseconds. */
  readTimeoutMs: number;
  /** Called with each error that shows that the file is damaged. */
  onDamage?: (error: unknown) => void;
}

const CATALOG = "culprit";

/** One for the digest of each journal, and one for sums. */
const WRITER_COUNT = 3;

/**
 * Rows. A checkpoint rewrites the last row group of each table. With DuckDB's default of 122,880 rows this takes 18 ms of processor time
 * per 1,000 appended events, and with a fourth of it 4 ms. A checkpoint also merges up to three small groups at a time, and holds their
 * rows in memory: with groups of 30,720 this was 60 MB of events. The price: a million events take 2 % more in the file, and up to 3 % more
 * processor time to read.
 */
export const ROW_GROUP_SIZE = 20_480;

/**
 * The storage version of new files: DuckDB 1.5 and newer can open them. It is the first that can compress columns with zstd, and takes 4 %
 * fewer bytes.
 */
const STORAGE_VERSION = "v1.5.0";

/**
 * Bytes of a block in new files. Each table takes at least two blocks, and the last block of a segment of a compressed column is partly
 * empty: 60,000 spans with their sums take 75 bytes each, and 130 with DuckDB's default of 262,144. Blocks of 32,768 are too small to pack
 * whole numbers.
 */
const BLOCK_SIZE = 65_536;

/** The work of one transaction. `onCommit` is called after the commit, before any append with the same keys begins. */
type Transaction<Result> = (connection: DuckDBConnection) => Promise<{ result: Result; onCommit: () => void }>;

/**
 * SQL. If it uses the result of `rowsWithin`, it is a function, which is called for each run of the statement, because day files come and
 * go between runs.
 */
export type StatementText = string | (() => string);

/** Whether what made a statement fail may be gone now. `hasChanged`: views have changed since it was begun. */
type Repair = (error: unknown, hasChanged: () => boolean) => Promise<boolean>;

/** How many times a failed statement runs again. Before each run, one damaged file was set aside. */
const MAX_REPAIRS = 5;

/** DuckDB's lock keeps other processes out, but not a second instance in this one, which would ruin the file. */
const openPaths = new Set<string>();

/**
 * A checkpoint begins only if the disk has this many free bytes beyond the size of the log: a checkpoint that fails makes DuckDB close the
 * file.
 */
const CHECKPOINT_RESERVE_BYTES = 32_000_000;

/**
 * The connections to one DuckDB file: three that write, a few that read, one for checkpoints, one for background work. Reads wait for each
 * other but never for a write. Writes run one after another in the order of the calls, except appends that share no keys.
 */
export class DuckdbDatabase {
  readonly #options: DuckdbDatabaseOptions;
  readonly #connections: Connections;
  readonly #readers: ConnectionPool<Reader>;
  readonly #writers: ConnectionPool<DuckDBConnection>;
  readonly #askers = new AsyncLocalStorage<string>();
  readonly #writeTurns = new Turns();
  readonly #backgroundInTurn = createInTurn();
  #repair: Repair | null = null;
  #checkpoint: Promise<boolean> | null = null;
  #attachments = 1;
  #holds = 0;
  #isAttached = false;
  #isClosed = false;

  private constructor(options: DuckdbDatabaseOptions, connections: Connections) {
    this.#options = options;
    this.#connections = connections;
    this.#readers = new ConnectionPool(connections.readers);
    this.#writers = new ConnectionPool(connections.writers);
  }

  /** @throws when the file is open already, here or in another process, or when it is not a DuckDB database. */
  static async open(options: DuckdbDatabaseOptions): Promise<DuckdbDatabase> {
    const path = resolve(options.path);
    if (openPaths.has(path)) throw new Error(`the event database ${path} is open already`);
    openPaths.add(path);
    try {
      return await DuckdbDatabase.#open({ ...options, path });
    } catch (error) {
      openPaths.delete(path);
      throw error;
    }
  }

  static async #open(options: DuckdbDatabaseOptions): Promise<DuckdbDatabase> {
    mkdirSync(dirname(options.path), { recursive: true });
    mkdirSync(options.tempDir, { recursive: true });
    // The file is attached, not opened. Only then can its row groups be smaller, can it be closed when we choose, and can it be opened
    // again after DuckDB has shut it.
    const connections = await openConnections({ ...options, writerCount: WRITER_COUNT, catalog: CATALOG });
    try {
      const database = new DuckdbDatabase(options, connections);
      await database.#attach();
      return database;
    } catch (error) {
      closeConnections(connections);
      throw error;
    }
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Grows when the file had to be reopened. Prepared statements and cached facts from before are invalid then. */
  get attachments(): number {
    return this.#attachments;
  }

  /** See `EventReader.readFor`. */
  readFor<Result>(asker: string, work: () => Result): Result {
    return this.#askers.run(asker, work);
  }

  /** See `Reader.readRows`. */
  read(sql: StatementText, values: SqlValue[] = []): Promise<SqlRow[]> {
    return this.#readWith((reader) => reader.readRows(toSql(sql), values));
  }

  /**
   * Shows readers a view in place of a table, or the table again (null). Running reads still see the old state.
   *
   * @param sql a query that names its tables with their catalog
   */
  defineView(table: string, sql: string | null, definition: ViewDefinition = {}): Promise<void> {
    return this.#connections.views.define(table, sql, definition);
  }

  /** Columns of attributes in the view of a table: see hot-attributes.ts. */
  hotColumnsOf(table: string): ReadonlySet<string> {
    return this.#connections.views.hotColumnsOf(table);
  }

  /** Sets what is called with each error of a statement. It must not wait for a write. */
  repairWith(repair: Repair): void {
    this.#repair = repair;
  }

  /** Runs an action on a new connection, beside all others. Its statements must take little time and memory. */
  async withConnection<Result>(action: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
    const connection = await this.#connections.instance.connect();
    try {
      return await action(connection);
    } finally {
      connection.closeSync();
    }
  }

  /** Resolves when all reads that have begun by now have ended. */
  waitForReads(): Promise<void> {
    return this.#readers.hold(() => Promise.resolve());
  }

  /** Resolves when running reads, and a running checkpoint, have released their memory. */
  async waitForMemory(): Promise<void> {
    await this.#checkpoint;
    await this.waitForReads();
  }

  /** SQL for `FROM`, by which a writer reads the same rows of a table as readers. */
  sourceOf(table: string): string {
    return this.#connections.views.sourceOf(table);
  }

  /** SQL for `FROM`, by which readers read the rows from an ordinal on. */
  rowsFrom(table: string, ordinal: number): string {
    return this.#connections.views.rowsFrom(table, ordinal);
  }

  /** SQL for `FROM`, by which readers read the rows of some ranges. Call it for each run of a statement: see `StatementText`. */
  rowsWithin(table: string, ranges: readonly RowRange[], columns?: readonly string[]): string {
    return this.#connections.views.rowsWithin(table, ranges, columns);
  }

  /**
   * Runs background work beside reads and writes, one piece of work after another, without a limit of time. The signal interrupts it. It
   * must not write to a table.
   */
  inBackground<Result>(
    action: (connection: DuckDBConnection) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    return this.#backgroundInTurn(async () => {
      if (this.#isClosed) throw new Error("the event database is closed");
      signal?.throwIfAborted();
      const { background } = this.#connections;
      const interrupt = () => background.interrupt();
      signal?.addEventListener("abort", interrupt);
      try {
        return await action(background);
      } catch (error) {
        this.#noteDamage(error);
        // The caller of background work tries it again itself.
        if (!signal?.aborted) await this.#repair?.(error, () => false);
        throw error;
      } finally {
        signal?.removeEventListener("abort", interrupt);
      }
    });
  }

  /** See `Reader.readColumns`. */
  readColumns(sql: StatementText, values: SqlValue[]): Promise<SqlValue[][]> {
    return this.#readWith((reader) => reader.readColumns(toSql(sql), values));
  }

  /** See `Reader.readNumbers`. */
  readNumbers(sql: StatementText, values: SqlValue[]): Promise<Float64Array[]> {
    return this.#readWith((reader) => reader.readNumbers(toSql(sql), values));
  }

  /** The value of a result with one row and one column; null without a row. */
  async readBlob(sql: string, values: SqlValue[]): Promise<Uint8Array | null> {
    const [row] = await this.read(sql, values);
    const value: unknown = row === undefined ? null : Object.values(row)[0];
    return value !== null && typeof value === "object" && "bytes" in value ? (value.bytes as Uint8Array) : null;
  }

  /**
   * Runs alone, after all earlier writes, and not in a transaction. The action runs a second time if the file had to be reopened, or if
   * reads had left it no memory.
   */
  write<Result>(action: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
    return this.#writeSharing("everything", action);
  }

  /** Like `write`, in a transaction that is durable when the promise resolves, and rolled back when it rejects. */
  transaction<Result>(action: Transaction<Result>): Promise<Result> {
    return this.write((connection) => runTransaction(connection, action));
  }

  /**
   * Like `transaction`, but it may run beside other appends that share none of its keys.
   *
   * @param keys keys of everything that it writes, or reads to decide what it writes
   */
  append<Result>(keys: ReadonlySet<string>, action: Transaction<Result>): Promise<Result> {
    return this.#writeSharing(keys, (connection) => runTransaction(connection, action));
  }

  #writeSharing<Result>(keys: SharedKeys, action: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
    return this.#writeTurns.run(keys, async () => {
      if (this.#isClosed) throw new Error("the event database is closed");
      const attachment = this.#attachments;
      try {
        return await this.#writers.use(action);
      } catch (error) {
        this.#noteDamage(error);
        // Still within its turn: an append with the same keys must not be written before it.
        return await this.#writeAgain({ error, attachment }, action);
      }
    });
  }

  /** Tries again if that may help. @throws the original error */
  async #writeAgain<Result>(
    { error, attachment }: { error: unknown; attachment: number },
    action: (connection: DuckDBConnection) => Promise<Result>,
  ): Promise<Result> {
    const isNoMemory = saysNoMemory(error);
    if (!isNoMemory && !this.#isShut(error)) return await this.#runAgain(error, () => this.#writers.use(action));
    // While no append runs: an append may hold the memory, and must not meet a file that is attached again.
    return await this.#writers.hold(async ([writer]) => {
      try {
        if (isNoMemory) await this.waitForMemory();
        else if (this.#attachments === attachment) await this.#attachAgain();
        return await action(writer as DuckDBConnection);
      } catch (again) {
        throw withCause(again, error);
      }
    });
  }

  /**
   * Moves the contents of the log into the file, beside reads and writes. Resolves with false if that is impossible now, because of other
   * work or because the disk is nearly full.
   */
  checkpoint(): Promise<boolean> {
    if (this.#holds > 0) return Promise.resolve(false);
    this.#checkpoint ??= this.#runCheckpoint();
    return this.#checkpoint;
  }

  /** See `EventStore.holdFiles`. Between two checkpoints DuckDB overwrites nothing in the file, and only appends to the log. */
  async holdFiles(snapshot: () => Promise<void>): Promise<HeldFiles> {
    this.#holds++;
    let isHeld = true;
    const release = () => {
      if (isHeld) this.#holds--;
      isHeld = false;
    };
    try {
      await this.#checkpoint;
      await this.write(snapshot);
    } catch (error) {
      release();
      throw error;
    }
    const attachments = this.#attachments;
    return { release, isIntact: () => this.#attachments === attachments };
  }

  async bytesOnDisk(): Promise<number> {
    return ((await findSize(this.#options.path)) ?? 0) + ((await findSize(this.#logPath)) ?? 0);
  }

  /** Waits for the writes and reads that have begun. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.#writeTurns.run("everything", async () => {
      this.#isClosed = true;
    });
    await this.#backgroundInTurn(() => {});
    await this.#connections.views.settled();
    await this.#readers.hold(async () => {
      await this.checkpoint();
      if (this.#isAttached) await this.#detach();
    });
    closeConnections(this.#connections);
    openPaths.delete(this.#options.path);
  }

  get #logPath(): string {
    return `${this.#options.path}.wal`;
  }

  async #readWith<Result>(query: (reader: Reader) => Promise<Result>): Promise<Result> {
    const viewVersion = this.#connections.views.version;
    try {
      return await this.#readAttached(query);
    } catch (error) {
      return await this.#runAgain(error, () => this.#readAttached(query), viewVersion);
    }
  }

  /** Runs a failed query again, as long as that may help. @param viewVersion version of the views that the query used */
  async #runAgain<Result>(
    error: unknown,
    again: () => Promise<Result>,
    viewVersion = this.#connections.views.version,
  ): Promise<Result> {
    let [failure, shown] = [error, viewVersion];
    for (let tried = 0; tried < MAX_REPAIRS && this.#repair !== null; tried++) {
      if (!(await this.#repair(failure, () => shown !== this.#connections.views.version))) break;
      shown = this.#connections.views.version;
      try {
        return await again();
      } catch (next) {
        failure = withCause(next, failure);
      }
    }
    throw failure;
  }

  async #readAttached<Result>(query: (reader: Reader) => Promise<Result>): Promise<Result> {
    const attachment = this.#attachments;
    try {
      return await this.#readOnce(query).catch((error: unknown) => {
        const isRefused = this.#readers.isHeavyUser(this.#askers.getStore() ?? null);
        if (findReadLimit(error) !== "memory" || isRefused) throw error;
        return this.#readAlone(query);
      });
    } catch (error) {
      if (!this.#isShut(error)) throw error;
      await this.write(async () => {
        if (this.#attachments === attachment) await this.#attachAgain();
      });
      return await this.#readOnce(query);
    }
  }

  #readOnce<Result>(query: (reader: Reader) => Promise<Result>): Promise<Result> {
    return this.#readers.use((reader) => this.#readBy(reader, query), this.#askers.getStore());
  }

  /** Runs the query with the memory that other reads and a checkpoint would take. */
  #readAlone<Result>(query: (reader: Reader) => Promise<Result>): Promise<Result> {
    return this.#readers.hold(async ([first]) => {
      await this.#checkpoint;
      return await this.#readBy(first as Reader, query);
    });
  }

  async #readBy<Result>(reader: Reader, query: (reader: Reader) => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw new Error("the event database is closed");
    const timer = setTimeout(() => reader.connection.interrupt(), this.#options.readTimeoutMs);
    try {
      // A prepared statement keeps the meaning that its names had when it was prepared.
      if (reader.viewVersion !== this.#connections.views.version) reader.forgetStatements();
      reader.viewVersion = this.#connections.views.version;
      return await query(reader);
    } catch (error) {
      this.#noteDamage(error);
      const limit = findLimit(error);
      throw limit === null ? error : new ReadLimitError(limit, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  async #runCheckpoint(): Promise<boolean> {
    try {
      const { bavail, bsize } = await statfs(dirname(this.#options.path));
      if (bavail * bsize < ((await findSize(this.#logPath)) ?? 0) + CHECKPOINT_RESERVE_BYTES) return false;
      await this.#connections.control.run(`CHECKPOINT ${CATALOG}`);
      return true;
    } catch {
      // If something is wrong, the next read or write shows it. Nothing depends on a checkpoint.
      return false;
    } finally {
      this.#checkpoint = null;
    }
  }

  async #attach(): Promise<void> {
    const { control, writers, readers, views, background } = this.#connections;
    const path = this.#options.path.replaceAll("'", "''");
    // A file keeps the version and the blocks that it was made with.
    const isMade = ((await findSize(this.#options.path)) ?? 0) > 0;
    const layout = isMade ? "" : `, STORAGE_VERSION '${STORAGE_VERSION}', BLOCK_SIZE ${BLOCK_SIZE}`;
    await control.run(`ATTACH '${path}' AS ${CATALOG} (ROW_GROUP_SIZE ${ROW_GROUP_SIZE}${layout})`);
    this.#isAttached = true;
    for (const connection of [...writers, background]) await connection.run(`USE ${CATALOG}`);
    for (const { connection } of readers) await connection.run(`SET search_path = '${views.searchPath}'`);
  }

  /** Closes the file, with a checkpoint if possible. Otherwise the contents of the log stay there. */
  async #detach(): Promise<void> {
    const { control } = this.#connections;
    try {
      await control.run(`DETACH ${CATALOG}`);
    } catch (error) {
      const attached = await readRows(control, "SELECT 1 FROM duckdb_databases() WHERE database_name = $1", [CATALOG]);
      if (attached.length > 0) throw error;
    }
    this.#isAttached = false;
  }

  async #attachAgain(): Promise<void> {
    // The running checkpoint keeps the file attached, and reads continue until it ends.
    await this.#checkpoint;
    await this.#readers.hold(async (readers) => {
      try {
        for (const reader of readers) reader.forgetStatements();
        if (this.#isAttached) await this.#detach();
        await this.#attach();
        this.#attachments++;
      } catch (error) {
        this.#noteDamage(error);
        throw error;
      }
    });
  }

  #noteDamage(error: unknown): void {
    if (saysDamage(error)) this.#options.onDamage?.(error);
  }

  /** DuckDB takes no more queries after a checkpoint has failed. The rows are safe in the log. */
  #isShut(error: unknown): boolean {
    return !this.#isAttached || (error instanceof Error && error.message.includes("has been invalidated"));
  }
}

function toSql(text: StatementText): string {
  return typeof text === "string" ? text : text();
}

async function runTransaction<Result>(connection: DuckDBConnection, action: Transaction<Result>): Promise<Result> {
  await connection.run("BEGIN");
  try {
    const { result, onCommit } = await action(connection);
    await connection.run("COMMIT");
    onCommit();
    return result;
  } catch (error) {
    // Fails when the commit has failed, because then there is no transaction any more.
    await connection.run("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** Adds the earlier error to the error of a second try. */
function withCause(error: unknown, before: unknown): unknown {
  if (error instanceof Error && error !== before) error.cause ??= before;
  return error;
}

/** Reads rows on a connection that the caller holds. */
export async function readRows(connection: DuckDBConnection, sql: string, values: SqlValue[] = []): Promise<SqlRow[]> {
  const result = await connection.runAndReadAll(sql, values satisfies DuckDBValue[]);
  return result.getRowObjectsJS() as SqlRow[];
}
