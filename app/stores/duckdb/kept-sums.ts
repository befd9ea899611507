import { LRUCache } from "lru-cache";
import { findReadLimit } from "../../domain/read-limit.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { saysNoMemory } from "./duckdb-limits.ts";
import type { SqlValue } from "./duckdb-reader.ts";
import type { RollUp } from "./roll-up.ts";
import type { Minutes } from "./stored-sums.ts";

/** The sums of one search by group and bucket, from the pieces up to `upTo`. */
export interface KeptTable {
  /** The name of the table in memory. */
  table: string;
  /** The minutes that it covers. */
  range: Minutes;
  upTo: number;
}

interface HeldSums extends KeptTable {
  readers: number;
  isGone: boolean;
}

export interface AskedSums {
  /** The same for searches that differ only in their time. */
  key: string;
  range: Minutes;
  bucketMinutes: number;
  /** The piece up to which sums are stored. */
  upTo: number;
  /** SQL of the rows to keep. */
  sql: string;
  values: SqlValue[];
}

/** Keys of searches that are remembered. */
const MAX_ASKED = 100;
/** After this many newly summed rows, the sums are computed again. */
const MAX_BEHIND = 200_000;

type Database = Pick<DuckdbDatabase, "read">;

/**
 * Caches the sums of pages. The sums of a piece never change, so a repeated page reads only the newer pieces, and the minutes at the ends
 * of its time. Without the cache, a page of a day reads 240,000 sums by the minute each time, with 10,000,000 spans in 14 days. Deletions
 * empty the cache.
 */
export class KeptSums {
  readonly #database: Database;
  readonly #rollUp: Pick<RollUp, "deletions">;
  readonly #name: string;
  readonly #maxRows: number;
  /** Null: the sums have too many rows. */
  readonly #kept: LRUCache<string, Promise<HeldSums | null>>;
  /** Sums are kept when they are asked for a second time: keeping them takes a fifth more time than adding up. */
  readonly #asked = new LRUCache<string, true>({ max: MAX_ASKED });
  #deletions: number;
  #number = 0;

  /**
   * @param options.name prefix of the names of its tables
   * @param options.max the most tables
   * @param options.maxRows the most rows of a table
   */
  constructor(
    database: Database,
    rollUp: Pick<RollUp, "deletions">,
    { name, max, maxRows }: { name: string; max: number; maxRows: number },
  ) {
    const dispose = (kept: Promise<HeldSums | null>) =>
      void kept.then((sums) => sums && this.#leave(sums)).catch(() => undefined);
    this.#kept = new LRUCache({ max, dispose });
    this.#name = name;
    this.#maxRows = maxRows;
    this.#database = database;
    this.#rollUp = rollUp;
    this.#deletions = rollUp.deletions;
  }

  /** @param read gets the kept table, which exists until the promise settles; null: no table is kept */
  async use<Result>(asked: AskedSums, read: (kept: KeptTable | null) => Promise<Result>): Promise<Result> {
    const sums = await this.#find(asked);
    if (sums === null || sums.isGone) return await read(null);
    sums.readers++;
    try {
      return await read(sums);
    } finally {
      sums.readers--;
      if (sums.isGone) await this.#drop(sums);
    }
  }

  async #find(asked: AskedSums): Promise<HeldSums | null> {
    // The first bucket would be cut otherwise.
    if (asked.range.from % asked.bucketMinutes !== 0) return null;
    const { deletions } = this.#rollUp;
    if (deletions !== this.#deletions) this.#kept.clear();
    this.#deletions = deletions;
    const known = this.#kept.get(asked.key);
    const kept = await known?.catch(() => undefined);
    if (kept === null || (kept && isOf(kept, asked))) return kept;
    if (!this.#asked.has(asked.key)) {
      this.#asked.set(asked.key, true);
      return null;
    }
    // The first caller computes the sums, and the others wait for it.
    const begun = this.#kept.get(asked.key);
    const making = begun !== undefined && begun !== known ? begun : this.#make(asked);
    if (making !== begun) this.#kept.set(asked.key, making);
    const made = await making.catch(() => undefined);
    const isTrue = made !== undefined && deletions === this.#rollUp.deletions;
    if (!isTrue && this.#kept.get(asked.key) === making) this.#kept.delete(asked.key);
    return isTrue && made !== null && isOf(made, asked) ? made : null;
  }

  /** Null: too many rows, or too little memory. Then each page adds up the sums itself. */
  async #make({ range, upTo, sql, values }: AskedSums): Promise<HeldSums | null> {
    const sums = { table: `${this.#name}_${this.#number++}`, range, upTo, readers: 0, isGone: false };
    try {
      await this.#database.read(`CREATE TABLE memory.main.${sums.table} AS ${sql}`, values);
      const [row] = await this.#database.read(`SELECT count(*)::DOUBLE AS rows FROM memory.main.${sums.table}`);
      if (Number(row?.rows) <= this.#maxRows) return sums;
    } catch (error) {
      if (findReadLimit(error) === null && !saysNoMemory(error)) throw error;
    }
    await this.#drop(sums);
    return null;
  }

  #leave(sums: HeldSums): void {
    sums.isGone = true;
    void this.#drop(sums).catch(() => undefined);
  }

  async #drop({ table, readers }: HeldSums): Promise<void> {
    if (readers === 0) await this.#database.read(`DROP TABLE IF EXISTS memory.main.${table}`);
  }
}

function isOf(kept: HeldSums, { range, upTo }: AskedSums): boolean {
  const isNear = range.from >= kept.range.from && range.from < kept.range.to && range.to >= kept.range.to;
  return !kept.isGone && isNear && upTo >= kept.upTo && upTo - kept.upTo <= MAX_BEHIND;
}
