import type { DuckDBConnection } from "@duckdb/node-api";
import type { RowKey } from "../events/event-log.ts";
import { type DuckdbDatabase, readRows } from "./duckdb-database.ts";
import { EventIdFilter, parseEventId, SEGMENT_IDS, segmentOf } from "./event-id-filter.ts";
import { toEventId } from "./event-rows.ts";

export interface OrdinalRange {
  from: number;
  /** Exclusive. */
  to: number;
}

/** A table whose rows, or some of them, have an identity. */
export interface IdentifiedTable {
  table: string;
  /** Its column of identities: UUIDs. */
  identity: string;
  /** Its column that numbers the rows with an identity. */
  ordinal: string;
  /** The table that keeps the filters of its full segments. */
  filters: string;
}

export const IDENTIFIED_EVENTS: IdentifiedTable = {
  table: "events",
  identity: "event_id",
  ordinal: "ordinal",
  filters: "event_id_filters",
};

export const IDENTIFIED_ITEMS: IdentifiedTable = {
  table: "items",
  identity: "identity",
  ordinal: "identity_ordinal",
  filters: "item_identity_filters",
};

export const IDENTIFIED_SESSIONS: IdentifiedTable = {
  table: "sessions",
  identity: "identity",
  ordinal: "identity_ordinal",
  filters: "session_identity_filters",
};

/**
 * Finds rows by their identity without reading all rows: the filter in memory names the segments of the table that may contain it. The
 * filters of full segments are in the database, written in the transaction that fills them. The filter of the last segment is computed from
 * its rows when the store opens.
 */
export class IdentityIndex {
  readonly columns: IdentifiedTable;
  readonly #filter = new EventIdFilter();

  private constructor(columns: IdentifiedTable) {
    this.columns = columns;
  }

  /** The index of a table without rows. */
  static empty(columns: IdentifiedTable): IdentityIndex {
    return new IdentityIndex(columns);
  }

  static async open(database: DuckdbDatabase, columns: IdentifiedTable): Promise<IdentityIndex> {
    const index = new IdentityIndex(columns);
    const { table, ordinal, filters } = columns;
    const segments = await database.read(`
      SELECT segment::DOUBLE AS segment, filters.segment IS NOT NULL AS is_saved
      FROM (SELECT DISTINCT ${ordinal} // ${SEGMENT_IDS} AS segment FROM ${table} WHERE ${ordinal} IS NOT NULL) AS stored
      LEFT JOIN ${filters} AS filters USING (segment)
      ORDER BY segment`);
    // One at a time: each is half a megabyte, and the event loop can do other work in between.
    for (const row of segments) {
      const segment = Number(row.segment);
      if (row.is_saved) await index.#loadSegment(database, segment);
      else await index.#rebuildSegment(database, segment);
    }
    return index;
  }

  /** The ranges of ordinals that may contain rows with this identity, newest first. Empty: no row has it. */
  rangesOf(identity: string): OrdinalRange[] {
    const words = parseEventId(identity);
    if (words === null) return [];
    return this.#filter.find(words).map(rangeOf);
  }

  /** The keys that a row has, in the form of `toRowKey`. */
  async findStored(connection: DuckDBConnection, keys: Iterable<RowKey>): Promise<Set<string>> {
    const identitiesBySegment = new Map<number, string[]>();
    const asked = new Set<string>();
    for (const key of keys) {
      const words = parseEventId(key.identity);
      if (words === null) continue;
      for (const segment of this.#filter.find(words)) {
        const identities = identitiesBySegment.get(segment);
        if (identities) identities.push(key.identity);
        else identitiesBySegment.set(segment, [key.identity]);
        asked.add(toRowKey(key));
      }
    }
    const stored = new Set<string>();
    const { table, identity, ordinal } = this.columns;
    for (const [segment, identities] of identitiesBySegment) {
      const { from, to } = rangeOf(segment);
      const rows = await readRows(
        connection,
        `SELECT project_id::DOUBLE AS project_id, ${identity}::VARCHAR AS identity FROM ${table}
         WHERE ${ordinal} >= $1 AND ${ordinal} < $2 AND ${identity} IN (SELECT unnest(string_split($3, ','))::UUID)`,
        [from, to, identities.join(",")],
      );
      for (const row of rows) {
        const key = toRowKey({ projectId: Number(row.project_id), identity: toEventId(row.identity) });
        if (asked.has(key)) stored.add(key);
      }
    }
    return stored;
  }

  /** Adds an identity before its row is written. If the row is never written, the identity only costs a useless lookup. */
  add(ordinal: number, identity: string): void {
    const words = parseEventId(identity);
    if (words !== null) this.#filter.add(ordinal, words);
  }

  /**
   * Writes the filters of segments that are full once ordinals have reached `nextOrdinal`, a few at a time. Returns their numbers. Segments
   * with ordinals of `filling` are not full: those rows are written later.
   */
  async saveFullSegments(
    connection: DuckDBConnection,
    nextOrdinal: number,
    filling: OrdinalRange | null = null,
  ): Promise<number[]> {
    const isFilling = (segment: number) =>
      filling !== null && segment >= segmentOf(filling.from) && segment <= segmentOf(filling.to - 1);
    const full = this.#filter.fullUnsaved(nextOrdinal).filter(({ segment }) => !isFilling(segment));
    full.splice(SAVED_AT_ONCE);
    for (const { segment, bits } of full) {
      const statement = await connection.prepare(`INSERT INTO ${this.columns.filters} (segment, bits) VALUES ($1, $2)`);
      statement.bindBigInt(1, BigInt(segment));
      statement.bindBlob(2, bits);
      await statement.run();
      statement.destroySync();
    }
    return full.map(({ segment }) => segment);
  }

  /** Call it after the commit of `saveFullSegments`. */
  markSaved(segments: number[]): void {
    for (const segment of segments) this.#filter.markSaved(segment);
  }

  /**
   * After rows were deleted, in the same transaction: deletes the filters of segments without rows, or all of them when no row is left
   * below `nextOrdinal`. Call the returned function after the commit: if an identity were forgotten while its row still exists, it could be
   * stored twice.
   */
  async deleteFiltersOfGone(connection: DuckDBConnection, nextOrdinal: number): Promise<() => void> {
    const { table, ordinal, filters } = this.columns;
    const [oldest] = await readRows(connection, `SELECT min(${ordinal})::DOUBLE AS ordinal FROM ${table}`);
    const first = segmentOf(typeof oldest?.ordinal === "number" ? oldest.ordinal : nextOrdinal);
    await connection.run(`DELETE FROM ${filters} WHERE segment < $1`, [first]);
    return () => this.#filter.dropBefore(first);
  }

  async #loadSegment(database: DuckdbDatabase, segment: number): Promise<void> {
    const bits = await database.readBlob(`SELECT bits FROM ${this.columns.filters} WHERE segment = $1`, [segment]);
    if (bits === null) throw new Error(`the filter of segment ${segment} of ${this.columns.table} is gone`);
    this.#filter.load(segment, bits);
  }

  async #rebuildSegment(database: DuckdbDatabase, segment: number): Promise<void> {
    const { table, identity, ordinal } = this.columns;
    const { from, to } = rangeOf(segment);
    for (let start = from; start < to; start += REBUILD_ROWS) {
      const rows = await database.read(
        `SELECT ${identity}::VARCHAR AS identity FROM ${table} WHERE ${ordinal} >= $1 AND ${ordinal} < $2`,
        [start, Math.min(to, start + REBUILD_ROWS)],
      );
      for (const row of rows) this.add(from, toEventId(row.identity));
    }
  }
}

const REBUILD_ROWS = 20_000;

/** Segments that are saved in one transaction: half a megabyte each, in DuckDB's memory until the commit. */
const SAVED_AT_ONCE = 8;

/** The key of a row, as in `EventStore.findExisting`. */
export function toRowKey({ projectId, identity }: RowKey): string {
  return `${projectId}:${identity}`;
}

function rangeOf(segment: number): OrdinalRange {
  return { from: segment * SEGMENT_IDS, to: (segment + 1) * SEGMENT_IDS };
}
