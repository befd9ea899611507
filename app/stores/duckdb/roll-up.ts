import type { DuckDBConnection } from "@duckdb/node-api";
import { createInTurn } from "../../domain/in-turn.ts";
import { findReadLimit } from "../../domain/read-limit.ts";
import { type Cutoffs, categoriesOf, STORED_SIGNALS } from "../../domain/stored-signal.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import { type DayOfSignal, MOVED_SIGNALS, toStoredSignal } from "../events/moved-days.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { saysNoMemory } from "./duckdb-limits.ts";
import {
  joinSmallPieces,
  PIECE_EVENTS,
  sumStalePlaces,
  toCountedColumns,
  toEventIssues,
  toEventPiece,
  toEventTags,
  toUsersOfEvents,
} from "./event-tags.ts";
import { toLogSums } from "./log-sum-sql.ts";
import { toAttributeValues, toSpanMinutes, toTraceParts } from "./span-sum-sql.ts";
import { addTraceFilter } from "./traces-of-pieces.ts";
import { toBoundedTransactionSums } from "./transaction-sum-sql.ts";

/**
 * For each kind of sums, the table of its rows. Each kind has its own position: a kind that a later version added begins with the oldest
 * rows.
 */
const SOURCES = {
  spans: "spans",
  transactions: "spans",
  logs: "logs",
  "log-lines": "logs",
  events: "events",
} as const;
export type Summed = keyof typeof SOURCES;
type SummedTable = (typeof SOURCES)[Summed];
const ALL_SUMMED = Object.keys(SOURCES) as Summed[];

interface SumTable {
  name: string;
  /** @param source SQL of the rows */
  toSql(where: string, source: string): string;
  /** Its sums are computed while they are inserted: in memory, their lists would take all that DuckDB may use. */
  isLarge?: true;
}

const SUMS: Readonly<Record<Summed, readonly SumTable[]>> = {
  spans: [
    { name: "span_minutes", toSql: toSpanMinutes },
    { name: "trace_parts", toSql: toTraceParts },
    { name: "attribute_values", toSql: (where) => toAttributeValues("spans", where) },
  ],
  transactions: [{ name: "transaction_sums", toSql: toBoundedTransactionSums, isLarge: true }],
  logs: [{ name: "attribute_values", toSql: (where) => toAttributeValues("logs", where) }],
  "log-lines": [{ name: "log_sums", toSql: toLogSums }],
  events: [
    { name: "event_tags", toSql: toCountedColumns },
    { name: "event_issues", toSql: toEventIssues },
    { name: "event_pieces", toSql: toEventPiece },
    { name: "event_users", toSql: toUsersOfEvents },
    { name: "event_tags", toSql: toEventTags, isLarge: true },
  ],
};

const SUM_TABLES = [
  ...new Set(Object.values(SUMS).flatMap((tables) => tables.map(({ name }) => name))),
  // See merged-sums.ts.
  ...["span_hours", "transaction_hours", "transaction_days", "log_hours"],
];
/** Sum tables with a column for the day on which their source rows arrived. */
const SUM_TABLES_OF_DAYS = SUM_TABLES.filter((name) => !name.startsWith("event_"));

export type RollUpDatabase = Pick<DuckdbDatabase, "read" | "append" | "transaction" | "sourceOf" | "rowsFrom">;

/** Sums are written beside batches, which only add later rows. Deletions and changes of rows run alone. */
const SUM_KEYS = new Set(["sums"]);

/** Rows of one piece: half a second of processor time, on a connection for reads. */
const ROWS_AT_ONCE = PIECE_EVENTS;
/** How long a few rows wait for more: fewer pieces mean fewer parts of the same minute and trace. */
const MAX_WAIT_MS = MINUTE_MS;

/**
 * Sums rows in pieces, in the order of their ordinals. The position is in the database, and moves in the transaction that writes the sums:
 * so each row is summed once, even if the process is killed. A repeat that is left out takes no ordinal, and a rebuild gives its rows new
 * ordinals.
 */
export class RollUp {
  readonly #database: RollUpDatabase;
  readonly #nextOrdinal: (table: SummedTable) => number;
  readonly #rowsAtOnce: number;
  /** Rows of the next piece, if it must be smaller than usual: senders choose how large rows are. */
  readonly #fewerRows = new Map<Summed, number>();
  readonly #upTo: Map<Summed, number>;
  /** `#tidy` pauses until then, because the last try had not enough memory. */
  #tidyFrom = 0;
  readonly #inTurn = createInTurn();
  /** See `deletions`. */
  #deletions = 0;

  private constructor(
    database: RollUpDatabase,
    { nextOrdinal, rowsAtOnce = ROWS_AT_ONCE, upTo }: RollUpOptions & { upTo: Map<Summed, number> },
  ) {
    this.#database = database;
    this.#nextOrdinal = nextOrdinal;
    this.#rowsAtOnce = rowsAtOnce;
    this.#upTo = upTo;
  }

  static async open(database: RollUpDatabase, options: RollUpOptions): Promise<RollUp> {
    const rows = await database.read("SELECT table_name, up_to::DOUBLE AS up_to FROM rolled_up");
    const upTo = new Map(rows.map((row): [Summed, number] => [row.table_name as Summed, Number(row.up_to)]));
    return new RollUp(database, { ...options, upTo });
  }

  /** Rows below this ordinal are summed: their sums have a `chunk` up to it. */
  upTo(summed: Summed): number {
    return this.#upTo.get(summed) ?? 0;
  }

  /** SQL for `FROM`: the rows that are not summed yet, and perhaps earlier ones. */
  rowsBehind(summed: Summed): string {
    return this.#database.rowsFrom(SOURCES[summed], this.upTo(summed));
  }

  /** Grows when rows of the tables are deleted or changed: sums that were computed before must not be written then. */
  get deletions(): number {
    return this.#deletions;
  }

  /** Every row, summed or not, has a lower ordinal. */
  endOf(summed: Summed): number {
    return this.#nextOrdinal(SOURCES[summed]);
  }

  /** An upper bound for the rows that are not summed yet. */
  countBehind(summed: Summed): number {
    return this.endOf(summed) - this.upTo(summed);
  }

  /** Call it right after the commit that deletes rows of the tables, or moves events to another issue. */
  noteDeletion(): void {
    this.#deletions++;
  }

  /**
   * Sums the next piece. False: there is none, or it is too small yet. Calls run one after another.
   * @param now milliseconds since 1970; Infinity: a small piece is summed, too
   */
  run(now: number): Promise<boolean> {
    return this.#inTurn(() => this.#runNext(now));
  }

  async #runNext(now: number): Promise<boolean> {
    for (const summed of ALL_SUMMED) if (await this.#runWithinMemory(summed, now)) return true;
    return await this.#tidy(Math.min(now - MAX_WAIT_MS, Number.MAX_SAFE_INTEGER));
  }

  /** Sums stale pieces again, joins small ones, and adds what an earlier version did not sum. */
  async #tidy(staleBefore: number): Promise<boolean> {
    if (staleBefore < this.#tidyFrom) return false;
    const [pieces] = await this.#database.read(
      `SELECT count(*) FILTER (stale_since <= $1)::DOUBLE AS stale, count(*) FILTER (events <= ${PIECE_EVENTS / 2})::DOUBLE AS small,
         count(*) FILTER (traces IS NULL)::DOUBLE AS untraced FROM event_pieces`,
      [staleBefore],
    );
    if (Number(pieces?.stale) === 0 && Number(pieces?.small) < 2 && Number(pieces?.untraced) === 0) return false;
    try {
      return await this.#database.transaction(async (connection) => ({
        result:
          (await sumStalePlaces(connection, staleBefore)) ||
          (await joinSmallPieces(connection)) ||
          (await addTraceFilter(connection)),
        onCommit: () => undefined,
      }));
    } catch (error) {
      if (!saysNoMemory(error)) throw error;
      // Until then, searches read the events.
      this.#tidyFrom = staleBefore + HOUR_MS;
      return false;
    }
  }

  /** Sums a piece with fewer rows if it needs more memory than there is. Later pieces slowly become larger again. */
  async #runWithinMemory(summed: Summed, now: number): Promise<boolean> {
    for (;;) {
      const rows = this.#fewerRows.get(summed) ?? this.#rowsAtOnce;
      try {
        const isWritten = await this.#runOf(summed, rows, now);
        if (isWritten && rows < this.#rowsAtOnce)
          this.#fewerRows.set(summed, Math.min(this.#rowsAtOnce, Math.ceil(rows * 1.1)));
        return isWritten;
      } catch (error) {
        const isMemory = findReadLimit(error) === "memory" || saysNoMemory(error);
        if (!isMemory || rows === 1) throw error;
        this.#fewerRows.set(summed, Math.max(1, Math.floor(rows / 4)));
      }
    }
  }

  /** @param rows the number of rows of a full piece */
  async #runOf(summed: Summed, rows: number, now: number): Promise<boolean> {
    const table = SOURCES[summed];
    const upTo = this.upTo(summed);
    if (this.countBehind(summed) <= 0) return false;
    const source = this.rowsBehind(summed);
    // Skips ordinals whose rows are gone. The ordinal is a parameter: DuckDB keeps the plan of a prepared statement without parameters, and
    // if no row was beyond a number in its text when it was planned, it never finds any.
    const [first] = await this.#database.read(
      `SELECT min(ordinal)::DOUBLE AS ordinal FROM ${source} WHERE ordinal >= $1`,
      [upTo],
    );
    if (typeof first?.ordinal !== "number") return false;
    const from = first.ordinal;
    const to = Math.min(from + rows, this.#nextOrdinal(table));
    const piece = `ordinal >= ${from} AND ordinal < ${to}`;
    if (to < from + rows) {
      const [row] = await this.#database.read(
        `SELECT min(received_at)::DOUBLE AS oldest FROM ${source} WHERE ${piece}`,
      );
      if (typeof row?.oldest === "number" && now - row.oldest < MAX_WAIT_MS) return false;
    }
    const deletions = this.#deletions;
    // On a connection for reads, so that no write waits for it. The result is small.
    const inMemory = SUMS[summed].filter(({ isLarge }) => !isLarge);
    try {
      for (const { name, toSql } of inMemory)
        await this.#database.read(
          `CREATE OR REPLACE TABLE memory.main.${name} AS SELECT ${to}::BIGINT AS chunk, * FROM (${toSql(piece, table)})`,
        );
      return await this.#database.append(SUM_KEYS, async (connection) => {
        const isCurrent = deletions === this.#deletions && upTo === this.upTo(summed);
        if (isCurrent) await this.#write(connection, summed, { piece, to });
        return {
          result: isCurrent,
          onCommit: () => {
            if (isCurrent) this.#upTo.set(summed, to);
          },
        };
      });
    } finally {
      for (const { name } of inMemory) await this.#database.read(`DROP TABLE IF EXISTS memory.main.${name}`);
    }
  }

  async #write(
    connection: DuckDBConnection,
    summed: Summed,
    { piece, to }: { piece: string; to: number },
  ): Promise<void> {
    const source = this.#database.sourceOf(SOURCES[summed]);
    for (const { name, toSql, isLarge } of SUMS[summed]) {
      const sums = isLarge
        ? `SELECT ${to}::BIGINT AS chunk, * FROM (${toSql(piece, source)})`
        : `FROM memory.main.${name}`;
      await connection.run(`INSERT INTO ${name} BY NAME ${sums}`);
    }
    await connection.run(`UPDATE rolled_up SET up_to = ${to} WHERE table_name = '${summed}'`);
  }
}

interface RollUpOptions {
  /** Every committed row of the table has a lower ordinal. */
  nextOrdinal: (table: SummedTable) => number;
  /** Rows of one piece. */
  rowsAtOnce?: number | undefined;
}

/** Deletes the sums of a project, in the transaction that deletes its rows. */
export async function deleteSumsOfProject(connection: DuckDBConnection, projectId: number): Promise<void> {
  for (const name of SUM_TABLES)
    if (name !== "event_pieces") await connection.run(`DELETE FROM ${name} WHERE project_id = $1`, [projectId]);
  await connection.run("DELETE FROM searched_attributes WHERE project_id = $1", [projectId]);
}

/** Deletes sums of rows that arrived on days that ended before the instant of their signal, in the transaction that deletes the rows. */
export async function deleteSumsBefore(connection: DuckDBConnection, cutoffs: Cutoffs): Promise<void> {
  const conditions = STORED_SIGNALS.flatMap((signal) =>
    categoriesOf(signal).map(
      (category) => `(category = '${category}' AND (received_day + 1) * ${DAY_MS} <= ${Math.floor(cutoffs[signal])})`,
    ),
  );
  for (const name of SUM_TABLES_OF_DAYS) await connection.run(`DELETE FROM ${name} WHERE ${conditions.join(" OR ")}`);
}

/**
 * Deletes sums of rows that arrived on the days from `from` (inclusive) to `to` (exclusive), in milliseconds since 1970, except those of
 * the days in `kept`.
 */
export async function deleteSumsOfDays(
  connection: DuckDBConnection,
  { from, to }: { from: number; to: number },
  kept: readonly DayOfSignal[],
): Promise<void> {
  const isKept = kept.map(({ day, signal }) => {
    const { category } = MOVED_SIGNALS[signal];
    const categories = category === null ? categoriesOf(toStoredSignal(signal)) : [category];
    return `(received_day = ${day} AND category IN (${categories.map((each) => `'${each}'`).join(", ")}))`;
  });
  const others = isKept.length === 0 ? "" : ` AND NOT (${isKept.join(" OR ")})`;
  for (const name of SUM_TABLES_OF_DAYS)
    await connection.run(
      `DELETE FROM ${name} WHERE received_day * ${DAY_MS} >= ${from} AND received_day * ${DAY_MS} < ${to}${others}`,
    );
}

/**
 * SQL of the ordinal up to which the rows of a table are summed. Later rows get no ordinal below it, even if the newest rows were deleted.
 */
export function rolledUpTo(table: string): string {
  const names = ALL_SUMMED.filter((summed) => SOURCES[summed] === table).map((summed) => `'${summed}'`);
  return names.length === 0
    ? "0"
    : `coalesce((SELECT max(up_to) FROM rolled_up WHERE table_name IN (${names.join(", ")})), 0)`;
}
