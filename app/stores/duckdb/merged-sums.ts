import { createInTurn } from "../../domain/in-turn.ts";
import { findReadLimit } from "../../domain/read-limit.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import { saysNoMemory } from "./duckdb-limits.ts";
import { FACET_NAMES } from "./log-sum-sql.ts";
import type { RollUp, RollUpDatabase, Summed } from "./roll-up.ts";
import { MINUTE_KEYS } from "./span-sum-sql.ts";

/** How a table of hours or days is made. */
interface Merge {
  /** The table that is merged. */
  from: string;
  /** The column of that table with minutes since 1970. */
  slot: "slot" | "minute";
  unitMs: number;
  /** How far the rows of that table are complete: as far as the sums, or as another merged table. */
  upTo: { summed: Summed } | { merged: MergedTable };
  /** `slot`: SQL of the slot of hours or days. */
  toSql(where: string, slot: string): string;
}

export type MergedTable = "span_hours" | "transaction_hours" | "transaction_days" | "log_hours";

const mergeTransactions = (from: string) => (where: string, slot: string) =>
  `
  SELECT project_id, category, received_day, kind, ${slot} AS slot, name, op, environment, bucket, sum(spans)::BIGINT AS spans,
    sum(weight) AS weight, sum(total_us) AS total_us, sum(failed) AS failed, sum(good) AS good, sum(poor) AS poor
  FROM ${from} WHERE ${where} GROUP BY ALL ORDER BY kind, slot`;

/** The tables in the order in which they are merged. Days come after the hours that they are made of. */
const MERGES: Readonly<Record<MergedTable, Merge>> = {
  span_hours: {
    from: "span_minutes",
    slot: "minute",
    unitMs: HOUR_MS,
    upTo: { summed: "spans" },
    toSql: (where, slot) => {
      const keys = MINUTE_KEYS.replace(/\bminute\b/, `${slot} AS minute`);
      const names = MINUTE_KEYS;
      const same = names.split(", ").map((name) => `sums.${name} IS NOT DISTINCT FROM lists.${name}`);
      return `
        WITH parts AS MATERIALIZED (SELECT ${keys}, spans, weight, total_us, buckets, weights FROM span_minutes WHERE ${where}),
        sums AS (SELECT ${names}, sum(spans)::BIGINT AS spans, sum(weight) AS weight, sum(total_us) AS total_us FROM parts GROUP BY ALL),
        bars AS (
          SELECT ${names}, bucket, sum(bar) AS bar FROM (SELECT ${names}, unnest(buckets) AS bucket, unnest(weights) AS bar FROM parts) GROUP BY ALL
        ), lists AS (SELECT ${names}, list(bucket) AS buckets, list(bar) AS weights FROM bars GROUP BY ${names})
        SELECT sums.*, buckets, weights FROM sums JOIN lists ON ${same.join(" AND ")}`;
    },
  },
  transaction_hours: {
    from: "transaction_sums",
    slot: "slot",
    unitMs: HOUR_MS,
    upTo: { summed: "transactions" },
    toSql: mergeTransactions("transaction_sums"),
  },
  log_hours: {
    from: "log_sums",
    slot: "slot",
    unitMs: HOUR_MS,
    upTo: { summed: "log-lines" },
    toSql: (where, slot) => `
      SELECT project_id, category, received_day, ${slot} AS slot, severity, ${FACET_NAMES}, sum(lines)::BIGINT AS lines
      FROM log_sums WHERE kind = 'hour' AND ${where} GROUP BY ALL`,
  },
  transaction_days: {
    from: "transaction_hours",
    slot: "slot",
    unitMs: DAY_MS,
    upTo: { merged: "transaction_hours" },
    toSql: mergeTransactions("transaction_hours"),
  },
};
const MERGED_TABLES = Object.keys(MERGES) as MergedTable[];

/** Slots below `before` (minutes since 1970), from pieces up to `chunk`, are in a merged table. */
export interface Coverage {
  before: number;
  chunk: number;
}
const NOTHING: Coverage = { before: Number.NEGATIVE_INFINITY, chunk: 0 };

/** For differences of senders' clocks, and data on its way. Data that comes later is read beside the hour until the next one is merged. */
const GRACE_MS = 5 * MINUTE_MS;
/** The most parts of one step, unless one hour or day has more: a tenth of a second of processor time. */
const PARTS_AT_ONCE = 100_000;
const MAX_UNITS = 1_000;
const MIN_PAUSE_MS = MINUTE_MS;
const PAUSE_AFTER_FAILURE_MS = HOUR_MS;

/**
 * Adds up the parts of hours and days that are over. The parts stay, for queries by the minute: a reader takes a slot either from here or
 * from them. A part that comes later is merged with the next hour; until then, readers find it by its `chunk`. So a row is never changed.
 */
export class MergedSums {
  readonly #database: RollUpDatabase;
  readonly #rollUp: Pick<RollUp, "upTo" | "deletions">;
  readonly #coverage: Map<MergedTable, Coverage>;
  /** When a table is tried again. */
  readonly #pausedUntil = new Map<MergedTable, number>();
  readonly #inTurn = createInTurn();

  private constructor(
    database: RollUpDatabase,
    rollUp: Pick<RollUp, "upTo" | "deletions">,
    coverage: Map<MergedTable, Coverage>,
  ) {
    this.#database = database;
    this.#rollUp = rollUp;
    this.#coverage = coverage;
  }

  static async open(database: RollUpDatabase, rollUp: Pick<RollUp, "upTo" | "deletions">): Promise<MergedSums> {
    const rows = await database.read(
      "SELECT table_name, before::DOUBLE AS before, chunk::DOUBLE AS chunk FROM merged_sums",
    );
    const coverage = rows.map((row): [MergedTable, Coverage] => [
      row.table_name as MergedTable,
      { before: Number(row.before), chunk: Number(row.chunk) },
    ]);
    return new MergedSums(database, rollUp, new Map(coverage));
  }

  /** Call it once for each statement, because it grows. */
  coverageOf(table: MergedTable): Coverage {
    return this.#coverage.get(table) ?? NOTHING;
  }

  /**
   * Merges the next hours or days. False: there are none. Calls run one after another: two jobs call it, and the same hours must not be
   * added twice.
   * @param now milliseconds since 1970
   */
  run(now: number): Promise<boolean> {
    return this.#inTurn(() => this.#runNext(now));
  }

  async #runNext(now: number): Promise<boolean> {
    for (const table of MERGED_TABLES) {
      if (now < (this.#pausedUntil.get(table) ?? 0)) continue;
      try {
        if (await this.#runOf(table, now)) return true;
        this.#pausedUntil.set(table, now + MIN_PAUSE_MS);
      } catch (error) {
        if (findReadLimit(error) === null && !saysNoMemory(error)) throw error;
        // The memory is too small for it: readers use the parts.
        this.#pausedUntil.set(table, now + PAUSE_AFTER_FAILURE_MS);
      }
    }
    return false;
  }

  async #runOf(table: MergedTable, now: number): Promise<boolean> {
    const { from, slot, unitMs, upTo, toSql } = MERGES[table];
    const { before, chunk } = this.coverageOf(table);
    const each = unitMs / MINUTE_MS;
    const source = "merged" in upTo ? this.coverageOf(upTo.merged) : null;
    const reached = source?.chunk ?? this.#rollUp.upTo((upTo as { summed: Summed }).summed);
    const end = Math.min(Math.floor((now - GRACE_MS) / unitMs), Math.floor((source?.before ?? Infinity) / each)) * each;
    if (end <= before) return false;
    const within = ["chunk <= $1", ...bound(slot, ">=", before), ...bound(slot, "<", end)].join(" AND ");
    const units = await this.#database.read(
      `SELECT (${slot} // ${each})::DOUBLE AS unit, count(*)::DOUBLE AS parts FROM ${from} WHERE ${within} GROUP BY ALL ORDER BY unit LIMIT ${MAX_UNITS}`,
      [reached],
    );
    const last = takeUnits(units.map(({ unit, parts }) => ({ unit: Number(unit), parts: Number(parts) })));
    if (last === undefined) return false;
    const next = (last + 1) * each;
    const isNew = [`chunk > ${chunk}`, ...bound(slot, ">=", before)].join(" OR ");
    const where = `chunk <= ${reached} AND ${slot} < ${next} AND (${isNew})`;
    const deletions = this.#rollUp.deletions;
    try {
      await this.#database.read(
        `CREATE OR REPLACE TABLE memory.main.${table} AS SELECT ${reached}::BIGINT AS chunk, * FROM (${toSql(where, `${slot} // ${each} * ${each}`)})`,
      );
      return await this.#database.transaction(async (connection) => {
        const isCurrent = deletions === this.#rollUp.deletions;
        if (isCurrent) {
          await connection.run(`INSERT INTO ${table} BY NAME FROM memory.main.${table}`);
          await connection.run("DELETE FROM merged_sums WHERE table_name = $1", [table]);
          await connection.run(`INSERT INTO merged_sums VALUES ($1, ${next}, ${reached})`, [table]);
        }
        return {
          result: true,
          onCommit: () => {
            if (isCurrent) this.#coverage.set(table, { before: next, chunk: reached });
          },
        };
      });
    } finally {
      await this.#database.read(`DROP TABLE IF EXISTS memory.main.${table}`);
    }
  }
}

/** The last of the first units that fit into one step; undefined: there are none. */
function takeUnits(units: ReadonlyArray<{ unit: number; parts: number }>): number | undefined {
  let sum = 0;
  const beyond = units.findIndex(({ parts }, index) => {
    sum += parts;
    return index > 0 && sum > PARTS_AT_ONCE;
  });
  return (beyond === -1 ? units : units.slice(0, beyond)).at(-1)?.unit;
}

function bound(column: string, sign: ">=" | "<", value: number): string[] {
  return Number.isFinite(value) ? [`${column} ${sign} ${value}`] : [];
}
