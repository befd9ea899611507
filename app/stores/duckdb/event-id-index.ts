import type { DuckDBConnection } from "@duckdb/node-api";
import { type DuckdbDatabase, readRows } from "./duckdb-database.ts";
import { EventIdFilter, parseEventId, SEGMENT_EVENTS, segmentOf } from "./event-id-filter.ts";
import { toEventId } from "./event-rows.ts";

export interface OrdinalRange {
  from: number;
  /** Exclusive. */
  to: number;
}

/**
 * Finds events by their id without reading the ids of all: the filter in memory names the segments of the table that may
 * hold it. The filters of full segments are kept in the database, written in the transaction that fills them; that of
 * the last segment is made from its rows when the store opens.
 */
export class EventIdIndex {
  readonly #filter = new EventIdFilter();

  static async open(database: DuckdbDatabase): Promise<EventIdIndex> {
    const index = new EventIdIndex();
    const segments = await database.read(`
      SELECT segment::DOUBLE AS segment, filters.segment IS NOT NULL AS is_saved
      FROM (SELECT DISTINCT ordinal // ${SEGMENT_EVENTS} AS segment FROM events) AS stored
      LEFT JOIN event_id_filters AS filters USING (segment)
      ORDER BY segment`);
    // One at a time: half a megabyte each, and others may use the event loop in between.
    for (const row of segments) {
      const segment = Number(row.segment);
      if (row.is_saved) await index.#loadSegment(database, segment);
      else await index.#rebuildSegment(database, segment);
    }
    return index;
  }

  /** Where rows with this id can lie, newest first; empty: there is none. */
  rangesOf(eventId: string): OrdinalRange[] {
    const words = parseEventId(eventId);
    if (words === null) return [];
    return this.#filter.find(words).map(rangeOf);
  }

  /** Which of the keys have a row, as `${projectId}:${eventId}`. */
  async findStored(
    connection: DuckDBConnection,
    keys: Iterable<{ projectId: number; eventId: string }>,
  ): Promise<Set<string>> {
    const idsBySegment = new Map<number, string[]>();
    const asked = new Set<string>();
    for (const { projectId, eventId } of keys) {
      const words = parseEventId(eventId);
      if (words === null) continue;
      for (const segment of this.#filter.find(words)) {
        const ids = idsBySegment.get(segment);
        if (ids) ids.push(eventId);
        else idsBySegment.set(segment, [eventId]);
        asked.add(toEventKey(projectId, eventId));
      }
    }
    const stored = new Set<string>();
    for (const [segment, ids] of idsBySegment) {
      const { from, to } = rangeOf(segment);
      const rows = await readRows(
        connection,
        `SELECT project_id::DOUBLE AS project_id, event_id::VARCHAR AS event_id FROM events
         WHERE ordinal >= $1 AND ordinal < $2 AND event_id IN (SELECT unnest(string_split($3, ','))::UUID)`,
        [from, to, ids.join(",")],
      );
      for (const row of rows) {
        const key = toEventKey(Number(row.project_id), toEventId(row.event_id));
        if (asked.has(key)) stored.add(key);
      }
    }
    return stored;
  }

  /** Before the row is written: an id that is noted too much only costs a look into the rows. */
  add(ordinal: number, eventId: string): void {
    const words = parseEventId(eventId);
    if (words !== null) this.#filter.add(ordinal, words);
  }

  /** Writes the filters of segments that are full once ordinals have come to `nextOrdinal`; gives which. */
  async saveFullSegments(connection: DuckDBConnection, nextOrdinal: number): Promise<number[]> {
    const full = this.#filter.fullUnsaved(nextOrdinal);
    for (const { segment, bits } of full) {
      const statement = await connection.prepare("INSERT INTO event_id_filters (segment, bits) VALUES ($1, $2)");
      statement.bindBigInt(1, BigInt(segment));
      statement.bindBlob(2, bits);
      await statement.run();
      statement.destroySync();
    }
    return full.map(({ segment }) => segment);
  }

  /** After the commit. */
  markSaved(segments: number[]): void {
    for (const segment of segments) this.#filter.markSaved(segment);
  }

  /** Of segments that lie wholly before this ordinal. */
  async deleteFiltersBefore(connection: DuckDBConnection, ordinal: number): Promise<void> {
    await connection.run("DELETE FROM event_id_filters WHERE segment < $1", [segmentOf(ordinal)]);
  }

  /** After the commit: forgetting an id whose row is still there would let it in twice. */
  forgetBefore(ordinal: number): void {
    this.#filter.dropBefore(segmentOf(ordinal));
  }

  async #loadSegment(database: DuckdbDatabase, segment: number): Promise<void> {
    const bits = await database.readBlob("SELECT bits FROM event_id_filters WHERE segment = $1", [segment]);
    if (bits === null) throw new Error(`the filter of segment ${segment} is gone`);
    this.#filter.load(segment, bits);
  }

  async #rebuildSegment(database: DuckdbDatabase, segment: number): Promise<void> {
    const { from, to } = rangeOf(segment);
    for (let start = from; start < to; start += REBUILD_ROWS) {
      const rows = await database.read(
        "SELECT event_id::VARCHAR AS event_id FROM events WHERE ordinal >= $1 AND ordinal < $2",
        [start, Math.min(to, start + REBUILD_ROWS)],
      );
      for (const row of rows) this.add(from, toEventId(row.event_id));
    }
  }
}

const REBUILD_ROWS = 20_000;

export function toEventKey(projectId: number, eventId: string): string {
  return `${projectId}:${eventId}`;
}

function rangeOf(segment: number): OrdinalRange {
  return { from: segment * SEGMENT_EVENTS, to: (segment + 1) * SEGMENT_EVENTS };
}
