import { AsyncLocalStorage } from "node:async_hooks";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { AuditActor, AuditNote } from "../../domain/audit/audit-entry.ts";
import { MIB } from "../../domain/bytes.ts";
import { toNameKey } from "../../domain/compare-names.ts";
import type { IssueOfProject } from "../../domain/live-message.ts";
import { foldText } from "../../domain/search/fold-text.ts";
import { appendEntry } from "../sql/audit-log.ts";
import type { Query, SqlParams } from "../sql/query.ts";

export interface SqliteOptions {
  path: string;
  isReadOnly?: boolean;
  /** How long a write waits for another writer, in milliseconds. */
  busyTimeoutMs?: number;
}

/** The value that SQLite recommends for a few short writers. A batch of the digest holds the lock for some 20 ms. */
const BUSY_TIMEOUT_MS = 5_000;
/** The pause between attempts to begin a write, in milliseconds. Meanwhile the thread serves requests. */
const BUSY_RETRY_MS = 2;
/** Page cache of one connection. One process has two connections, and other pages are in the system's cache. */
const CACHE_KIB = 16 * 1024;
/**
 * In pages of 4 KiB. A batch with a thousand new users changes about a thousand pages: with 1,000, each such batch would cause a
 * checkpoint.
 */
const WAL_CHECKPOINT_PAGES = 4_000;
const WAL_MAX_BYTES = 64 * MIB;
/** List queries are combined from a few conditions, so their number is bounded but not small. */
const MAX_CACHED_STATEMENTS = 300;

const SQLITE_BUSY = 5;

interface PreparedStatement {
  statement: StatementSync;
  parameterNames: string[];
  /** True for a SELECT, and for statements with RETURNING. */
  givesRows: boolean;
}

/**
 * One connection to the state database, with the parts that `node:sqlite` leaves to its users: cached statements, checked parameters (it
 * silently binds missing names and NaN as NULL), and write transactions that wait without blocking the thread.
 *
 * Commits are synced (`synchronous=full`): the position of a batch decides which journal segments are deleted, so a power cut must not roll
 * back a commit after its segment is gone. One sync per batch costs less than the batch.
 */
export class SqliteConnection {
  readonly path: string;
  readonly isReadOnly: boolean;
  /** The person or token whose request writes, for the audit log. */
  readonly actors = new AsyncLocalStorage<AuditActor>();
  /** Called after the commit of each entry in the activity of an issue. */
  onActivity: ((issue: IssueOfProject) => void) | null = null;
  readonly #database: DatabaseSync;
  readonly #busyTimeoutMs: number;
  readonly #statements = new Map<string, PreparedStatement>();
  #afterCommit: Array<() => void> = [];

  private constructor(database: DatabaseSync, options: SqliteOptions) {
    this.#database = database;
    this.path = options.path;
    this.isReadOnly = options.isReadOnly ?? false;
    this.#busyTimeoutMs = options.busyTimeoutMs ?? BUSY_TIMEOUT_MS;
  }

  static async open(options: SqliteOptions): Promise<SqliteConnection> {
    if (!options.isReadOnly) mkdirSync(dirname(options.path), { recursive: true });
    const database = new DatabaseSync(options.path, {
      readOnly: options.isReadOnly ?? false,
      timeout: options.busyTimeoutMs ?? BUSY_TIMEOUT_MS,
      enableForeignKeyConstraints: true,
    });
    try {
      const connection = new SqliteConnection(database, options);
      await connection.#configure();
      return connection;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  async #configure(): Promise<void> {
    if (!this.isReadOnly) {
      // Unlike other statements, this one does not wait for other connections, hence the retry. The mode is stored in the file.
      await this.#whenFree(() => {
        const mode = this.#database.prepare("PRAGMA journal_mode").get()?.journal_mode;
        if (mode !== "wal") this.#database.exec("PRAGMA journal_mode = wal");
        return true;
      });
    }
    this.#database.exec(`
      PRAGMA synchronous = full;
      PRAGMA cache_size = -${CACHE_KIB};
      PRAGMA mmap_size = 0;
      PRAGMA temp_store = memory;
      PRAGMA secure_delete = fast;
      PRAGMA wal_autocheckpoint = ${WAL_CHECKPOINT_PAGES};
      PRAGMA journal_size_limit = ${WAL_MAX_BYTES};
    `);
    // SQLite's own `lower` knows only ASCII.
    this.#database.function("fold_text", { deterministic: true }, (text) =>
      typeof text === "string" ? foldText(text) : null,
    );
    this.#database.function("name_key", { deterministic: true }, (name) =>
      typeof name === "string" ? toNameKey(name) : null,
    );
  }

  /** Runs several statements without parameters. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  all<Row>(sql: string, params: SqlParams = {}): Row[] {
    return this.#prepare(sql, params).statement.all(params) as Row[];
  }

  get<Row>(sql: string, params: SqlParams = {}): Row | undefined {
    return this.#prepare(sql, params).statement.get(params) as Row | undefined;
  }

  /** Iterates over rows, so that the caller can stop early. The same statement must not be started again meanwhile. */
  iterate<Row>(sql: string, params: SqlParams = {}): IterableIterator<Row> {
    return this.#prepare(sql, params).statement.iterate(params) as IterableIterator<Row>;
  }

  run(sql: string, params: SqlParams = {}): { changedRows: number; insertedId: number } {
    const { statement } = this.#prepare(sql, params);
    for (const name in params) {
      if (Number.isNaN(params[name])) throw new TypeError(`SQL parameter :${name} is NaN, which SQLite takes for NULL`);
    }
    const { changes, lastInsertRowid } = statement.run(params);
    return { changedRows: Number(changes), insertedId: Number(lastInsertRowid) };
  }

  /** Runs all statements of a query, in the open transaction if there is one. */
  perform<Result>(query: Query<Result>): Result {
    let step = query.next();
    while (!step.done) {
      const { sql, params } = step.value;
      const { givesRows } = this.#prepare(sql, params);
      step = query.next(
        givesRows ? { rows: this.all(sql, params), changedRows: 0 } : { rows: [], ...this.run(sql, params) },
      );
    }
    return step.value;
  }

  /** Adds an entry to the audit log, within the write transaction of the change. */
  note(note: AuditNote): void {
    this.perform(appendEntry(note, this.actors.getStore(), Date.now()));
  }

  /** Calls `call` after the commit of the present write transaction, and never if it is rolled back. `call` must not throw. */
  afterCommit(call: () => void): void {
    this.#afterCommit.push(call);
  }

  /** Runs `work` on one snapshot of the database. */
  read<T>(work: () => T): T {
    this.#database.exec("BEGIN");
    try {
      return work();
    } finally {
      if (this.#database.isTransaction) this.#database.exec("COMMIT");
    }
  }

  /**
   * Runs `work` in a write transaction, which is rolled back if it throws. `work` must be synchronous.
   * @throws {Error} SQLite's, with `errcode` 5, if other writers did not finish in time
   */
  async write<T>(work: () => T): Promise<T> {
    return await this.#whenFree(() => {
      this.#beginImmediate();
      this.#afterCommit = [];
      try {
        const result = work();
        this.#database.exec("COMMIT");
        for (const call of this.#afterCommit) call();
        return result;
      } catch (error) {
        // SQLite has rolled back by itself when the disk is full.
        if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
        throw error;
      }
    });
  }

  /** Moves the contents of the log into the database. False: a reader or a writer was in the way, and some of it is left. */
  checkpoint(): boolean {
    this.#database.exec("PRAGMA busy_timeout = 0");
    try {
      return this.#database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0;
    } finally {
      this.#database.exec(`PRAGMA busy_timeout = ${this.#busyTimeoutMs}`);
    }
  }

  /** Like `write`, but database pages that become free are overwritten with zeros. */
  async erase<T>(work: () => T): Promise<T> {
    return await this.write(() => {
      this.#database.exec("PRAGMA secure_delete = on");
      try {
        return work();
      } finally {
        this.#database.exec("PRAGMA secure_delete = fast");
      }
    });
  }

  close(): void {
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  /** BEGIN IMMEDIATE, because a transaction that reads first and writes later fails if another has written in between. */
  #beginImmediate(): void {
    this.#database.exec("PRAGMA busy_timeout = 0");
    try {
      this.#database.exec("BEGIN IMMEDIATE");
    } finally {
      this.#database.exec(`PRAGMA busy_timeout = ${this.#busyTimeoutMs}`);
    }
  }

  async #whenFree<T>(work: () => T): Promise<T> {
    const giveUpAt = performance.now() + this.#busyTimeoutMs;
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || performance.now() >= giveUpAt) throw error;
      }
      await sleep(BUSY_RETRY_MS);
    }
  }

  #prepare(sql: string, params: SqlParams): PreparedStatement {
    let prepared = this.#statements.get(sql);
    if (prepared === undefined) {
      const statement = this.#database.prepare(sql);
      // Callers may pass an object with more fields. It must have all names of the statement.
      statement.setAllowUnknownNamedParameters(true);
      prepared = { statement, parameterNames: parameterNamesOf(sql), givesRows: statement.columns().length > 0 };
      if (this.#statements.size >= MAX_CACHED_STATEMENTS) {
        const oldest = this.#statements.keys().next();
        if (!oldest.done) this.#statements.delete(oldest.value);
      }
      this.#statements.set(sql, prepared);
    }
    for (const name of prepared.parameterNames) {
      if (params[name] === undefined) throw new TypeError(`SQL parameter :${name} is missing`);
    }
    return prepared;
  }
}

function parameterNamesOf(sql: string): string[] {
  return [...new Set(Array.from(sql.matchAll(/:([a-z_]\w*)/gi), (match) => match[1] ?? ""))];
}

function isBusy(error: unknown): boolean {
  // The low byte is the primary code: 517 (snapshot) and 261 (recovery) are busy as well.
  return (
    error instanceof Error &&
    "errcode" in error &&
    typeof error.errcode === "number" &&
    (error.errcode & 0xff) === SQLITE_BUSY
  );
}
