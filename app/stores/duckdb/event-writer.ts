import type { DuckDBConnection } from "@duckdb/node-api";
import { boundRows } from "../events/bound-rows.ts";
import { type AppliedAhead, NOTHING_AHEAD, type RowBatch } from "../events/event-log.ts";
import type { RebuildState, ReservedOrdinals } from "../events/event-rebuild.ts";
import { toAppliedPosition } from "../events/logged-ends.ts";
import { readIds, type TableRows } from "../events/rows.ts";
import type { Table } from "../events/table.ts";
import { type DuckdbDatabase, readRows } from "./duckdb-database.ts";
import { DUCKDB_TABLES, type DuckdbTable } from "./duckdb-tables.ts";
import type { EnvironmentLog } from "./environment-log.ts";
import { SEGMENT_IDS } from "./event-id-filter.ts";
import { findRowsToLeaveOut, type IdentityIndexes } from "./find-rows-to-leave-out.ts";
import { type IdentityIndex, type OrdinalRange, toRowKey } from "./identity-index.ts";
import { type Head, insertRows } from "./insert-rows.ts";
import { type LostIdentities, readIdentities } from "./lost-identities.ts";
import { mergeBatches } from "./merge-batches.ts";
import { PreparedStatements } from "./prepared-statements.ts";
import { readRebuildState, writeRebuildState } from "./rebuild-state.ts";
import { rolledUpTo } from "./roll-up.ts";

interface WrittenTable extends DuckdbTable, Head {
  /** Ordinals below `nextOrdinal` that are kept for the rows of a rebuild. */
  reserved: ReservedOrdinals | null;
}

/** Rows of one table that were written. */
export interface CommittedRows {
  rows: TableRows;
  /** Ordinal of the first row. */
  from: number;
  /** Indexes of the rows that were not written. */
  leftOut: readonly number[];
}

interface EventWriterParts {
  database: DuckdbDatabase;
  indexes: IdentityIndexes;
  environments: EnvironmentLog;
  lost: LostIdentities;
}

/** Applies batches, and leaves out rows that are stored already. Nothing else adds rows. */
export class EventWriter {
  readonly #database: DuckdbDatabase;
  readonly #indexes: IdentityIndexes;
  readonly #environments: EnvironmentLog;
  readonly #lost: LostIdentities;
  /** Applied sequence by journal, as committed. */
  readonly #positions = new Map<string, number>();
  /** By journal: what a rebuild has restored beyond the position of the journal. */
  readonly #ahead = new Map<string, AppliedAhead>();
  readonly #tables: ReadonlyMap<string, WrittenTable> = new Map(
    DUCKDB_TABLES.map((table) => [
      table.shape.name,
      { ...table, nextOrdinal: 0, nextIdentityOrdinal: 0, reserved: null },
    ]),
  );
  readonly #statements = new Map<DuckDBConnection, PreparedStatements>();
  /** The attachment of the database that the state above was read from. */
  #attachment = 0;
  #loading: Promise<void> | null = null;

  private constructor({ database, indexes, environments, lost }: EventWriterParts) {
    this.#database = database;
    this.#indexes = indexes;
    this.#environments = environments;
    this.#lost = lost;
  }

  static async open(parts: EventWriterParts): Promise<EventWriter> {
    const writer = new EventWriter(parts);
    await parts.database.write((connection) => writer.#load(connection));
    return writer;
  }

  appliedSequence(journalId: string): number {
    return this.#positions.get(journalId) ?? 0;
  }

  appliedAhead(journalId: string): AppliedAhead {
    return this.#ahead.get(journalId) ?? NOTHING_AHEAD;
  }

  /** Applied sequence by journal. */
  positions(): Record<string, number> {
    return Object.fromEntries(this.#positions);
  }

  /** Every committed row of the table has a lower ordinal. */
  nextOrdinal(table: string): number {
    return this.#table(table).nextOrdinal;
  }

  /** The same, but only for rows with an identity, as `IdentifiedTable.ordinal` counts them. */
  nextIdentityOrdinal(table: string): number {
    const { identity, nextOrdinal, nextIdentityOrdinal } = this.#table(table);
    return identity?.ordinal === "ordinal" ? nextOrdinal : nextIdentityOrdinal;
  }

  /** New rows get no ordinal below this one: rows in day files have those. */
  keepBelow(table: string, ordinal: number): void {
    const written = this.#table(table);
    written.nextOrdinal = Math.max(written.nextOrdinal, ordinal);
  }

  /** `onCommit` is called before anyone can read the new rows. `logged` as for `EventLog.append`. */
  async apply(
    batch: RowBatch,
    onCommit: (committed: readonly CommittedRows[]) => void,
    logged?: Promise<unknown>,
  ): Promise<{ stored: number; duplicates: number }> {
    // It is awaited below, after the rows are written, and may fail before that.
    logged?.catch(() => undefined);
    return this.#database.append(this.#keysOf(batch), async (connection) => {
      await this.#beReady(connection);
      const applied = this.appliedSequence(batch.journalId);
      // The batch before it failed. With a later position, its rows would count as applied.
      if (applied < (batch.follows ?? 0)) throw new Error(`rows of records below ${batch.follows} are not stored yet`);
      const heads = new Heads();
      const { result, written } = await this.#writeRows(connection, batch, {
        applied,
        known: [...this.#indexes.values(), this.#lost.index],
        headOf: (table) => heads.of(table),
      });
      const goesOn = batch.upTo > applied;
      const onEnd = goesOn || result.stored > 0 ? await this.#end(connection, heads, batch.environments) : null;
      // From here to the commit no checkpoint may begin, so the wait comes before it.
      await logged;
      if (goesOn) await this.#savePosition(connection, batch.journalId, batch.upTo);
      return {
        result,
        onCommit: () => {
          if (onEnd === null) return;
          if (goesOn) this.#positions.set(batch.journalId, batch.upTo);
          onEnd();
          onCommit(written);
        },
      };
    });
  }

  /**
   * The keys of a batch. No batch that is written beside it may have one of them: both would change the position of a journal, the next
   * ordinal of a table, or store an identity twice.
   */
  #keysOf({ journalId, rows, leftOut, environments }: RowBatch): Set<string> {
    const keys = new Set([`journal ${journalId}`]);
    for (const { table } of rows) keys.add(`table ${table}`);
    for (const key of readIdentities(rows, leftOut)) keys.add(toRowKey(key));
    if (this.#environments.listDue(environments).length > 0) keys.add("environments");
    return keys;
  }

  /** See `EventRebuild.noteLost`. */
  async noteLost(batches: readonly RowBatch[], state: RebuildState, onCommit: () => void): Promise<void> {
    await this.#database.transaction(async (connection) => {
      await this.#beReady(connection);
      const noted = await this.#lost.note(
        connection,
        batches.flatMap(({ rows, leftOut }) => readIdentities(rows, leftOut)),
      );
      await writeRebuildState(connection, state);
      return {
        result: undefined,
        onCommit: () => {
          noted();
          onCommit();
        },
      };
    });
  }

  /** See `EventRebuild.reserve`. Returns the new state. */
  async reserve(state: RebuildState): Promise<RebuildState> {
    return await this.#database.transaction(async (connection) => {
      await this.#beReady(connection);
      const reserved: Record<string, ReservedOrdinals> = {};
      for (const [name, { nextOrdinal: from, nextIdentityOrdinal: identityFrom }] of this.#tables) {
        const rows = (state.files ?? []).reduce((sum, file) => sum + (file.rows?.[name] ?? 0), 0);
        // Whole segments, so that none has both restored and new rows, and each becomes full at a known time.
        const to = (Math.ceil((from + rows) / SEGMENT_IDS) + 1) * SEGMENT_IDS;
        const identityTo = (Math.ceil((identityFrom + rows) / SEGMENT_IDS) + 1) * SEGMENT_IDS;
        if (rows > 0) reserved[name] = { from, identityFrom, to, identityTo };
      }
      const positions = new Map<string, number>();
      const ahead = new Map<string, AppliedAhead>();
      for (const [journalId, end] of Object.entries(state.ends)) {
        const applied = toAppliedPosition(end);
        positions.set(journalId, Math.max(this.appliedSequence(journalId), applied.position));
        ahead.set(journalId, applied.ahead);
      }
      for (const [journalId, upTo] of positions) {
        await this.#savePosition(connection, journalId, upTo);
        await connection.run("UPDATE applied_positions SET ahead = $2 WHERE journal_id = $1", [
          journalId,
          JSON.stringify(ahead.get(journalId)),
        ]);
      }
      const result = { ...state, reserved };
      await writeRebuildState(connection, result);
      return {
        result,
        onCommit: () => {
          for (const [journalId, upTo] of positions) this.#positions.set(journalId, upTo);
          for (const [journalId, each] of ahead) this.#ahead.set(journalId, each);
          this.#keepFree(reserved);
        },
      };
    });
  }

  #keepFree(reserved: RebuildState["reserved"]): void {
    for (const table of this.#tables.values()) {
      table.reserved = reserved?.[table.shape.name] ?? null;
      if (table.reserved === null) continue;
      table.nextOrdinal = Math.max(table.nextOrdinal, table.reserved.to);
      table.nextIdentityOrdinal = Math.max(table.nextIdentityOrdinal, table.reserved.identityTo);
    }
  }

  /**
   * Writes rows of the row log, whatever the applied positions are. The same transaction stores the progress of the rebuild, and which
   * ordinals the rows got. The rows belong to the file that `before` names. `onCommit` as for `apply`.
   */
  async restore(
    batches: readonly RowBatch[],
    { before, after }: { before: RebuildState; after: RebuildState },
    onCommit: (reached: RebuildState) => void,
  ): Promise<void> {
    await this.#database.transaction(async (connection) => {
      await this.#beReady(connection);
      const shapes = new Map(DUCKDB_TABLES.map(({ shape }) => [shape.name, shape]));
      let { rows } = before;
      const placed = { ...before.placed };
      const heads = new Heads();
      const bounded = batches.map((batch) => ({ ...batch, rows: boundAll(batch.rows, shapes) }));
      for (const batch of mergeBatches(bounded, shapes)) {
        // `reserve` has set the positions already.
        const { result } = await this.#writeRows(connection, batch, {
          applied: 0,
          known: [...this.#indexes.values()],
          headOf: (table, count) => toRestoredHead(table, before, { placed, count, behind: heads.of(table) }),
        });
        rows += result.stored;
        for (const { table, count } of batch.rows) placed[table] = (placed[table] ?? 0) + count;
      }
      const onEnd = await this.#end(connection, heads, listEnvironments(batches));
      const reached = { ...after, rows, placed: after.fileIndex === before.fileIndex ? placed : {} };
      await writeRebuildState(connection, reached);
      return {
        result: undefined,
        onCommit: () => {
          onEnd();
          onCommit(reached);
        },
      };
    });
  }

  /**
   * Writes rows of records that were applied long ago, after all other rows. `select` chooses them within the transaction. `onCommit` as
   * for `apply`.
   */
  async addRows(
    select: (connection: DuckDBConnection) => Promise<readonly RowBatch[]>,
    onCommit: () => void,
  ): Promise<void> {
    await this.#database.transaction(async (connection) => {
      await this.#beReady(connection);
      const shapes = new Map(DUCKDB_TABLES.map(({ shape }) => [shape.name, shape]));
      const heads = new Heads();
      const batches = await select(connection);
      for (const batch of mergeBatches(batches, shapes))
        await this.#writeRows(connection, batch, { applied: 0, known: [], headOf: (table) => heads.of(table) });
      const onEnd = await this.#end(connection, heads, listEnvironments(batches));
      return {
        result: undefined,
        onCommit: () => {
          onEnd();
          onCommit();
        },
      };
    });
  }

  /** See `EventRebuild.end`. */
  async endRebuild(onCommit: () => void): Promise<void> {
    await this.#database.transaction(async (connection) => {
      const forgotten = await this.#lost.forget(connection);
      await writeRebuildState(connection, null);
      return {
        result: undefined,
        onCommit: () => {
          forgotten();
          this.#keepFree(null);
          onCommit();
        },
      };
    });
  }

  /** Writes the rows of a batch that are not stored yet. They stay invisible until the commit: see `#end`. */
  async #writeRows(
    connection: DuckDBConnection,
    batch: RowBatch,
    {
      applied,
      known,
      headOf,
    }: {
      applied: number;
      /** Indexes that may contain the identities of stored rows. */
      known: readonly IdentityIndex[];
      /** Returns the ordinals for this many rows of a table. */
      headOf: (table: WrittenTable, count: number) => Head;
    },
  ): Promise<{ result: { stored: number; duplicates: number }; written: CommittedRows[] }> {
    const leftOut = await findRowsToLeaveOut(this.#indexes, connection, batch, { applied, known });
    const result = { stored: 0, duplicates: 0 };
    const written: CommittedRows[] = [];
    for (const [rows, indexes] of leftOut) {
      result.stored += rows.count - indexes.length;
      result.duplicates += indexes.length;
      if (rows.count === indexes.length) continue;
      const table = this.#table(rows.table);
      const head = headOf(table, rows.count);
      written.push({ rows, from: head.nextOrdinal, leftOut: indexes });
      await this.#write(connection, { table, head }, rows, indexes);
    }
    return { result, written };
  }

  /**
   * Writes what belongs to the rows of a transaction. Call the returned function after the commit: readers take every row below
   * `nextOrdinal` as committed, and would count rows of an open transaction as summed.
   */
  async #end(connection: DuckDBConnection, heads: Heads, environments: RowBatch["environments"]): Promise<() => void> {
    const saved: Array<[IdentityIndex, number[]]> = [];
    for (const [table, { nextOrdinal, nextIdentityOrdinal }] of heads) {
      const index = this.#indexes.get(table.shape.name);
      if (index === undefined) continue;
      const upTo = table.identity?.ordinal === "ordinal" ? nextOrdinal : nextIdentityOrdinal;
      saved.push([index, await index.saveFullSegments(connection, upTo, toFilling(table))]);
    }
    const noted = await this.#environments.note(connection, environments);
    return () => {
      heads.commit();
      for (const [index, segments] of saved) index.markSaved(segments);
      this.#environments.markNoted(noted);
    };
  }

  /** Destroys the prepared statements, which would keep the database open. Call it before the database is closed. */
  async close(): Promise<void> {
    await this.#database.write(async () => this.#forgetStatements());
  }

  #statementsOf(connection: DuckDBConnection): PreparedStatements {
    const statements = this.#statements.get(connection) ?? new PreparedStatements();
    this.#statements.set(connection, statements);
    return statements;
  }

  #forgetStatements(): void {
    for (const statements of this.#statements.values()) statements.forget();
  }

  /** Reads the state again if the database was reopened. Batches that are written beside each other wait for the same read. */
  async #beReady(connection: DuckDBConnection): Promise<void> {
    if (this.#attachment === this.#database.attachments) return;
    this.#loading ??= this.#load(connection).finally(() => {
      this.#loading = null;
    });
    await this.#loading;
  }

  async #load(connection: DuckDBConnection): Promise<void> {
    this.#forgetStatements();
    const positions = await readRows(
      connection,
      "SELECT journal_id, applied_sequence::DOUBLE AS applied_sequence, ahead FROM applied_positions",
    );
    this.#positions.clear();
    this.#ahead.clear();
    for (const { journal_id, applied_sequence, ahead } of positions) {
      this.#positions.set(String(journal_id), Number(applied_sequence));
      if (ahead !== null) this.#ahead.set(String(journal_id), JSON.parse(String(ahead)));
    }
    for (const table of this.#tables.values()) {
      const [next] = await readRows(
        connection,
        `SELECT coalesce(max(ordinal) + 1, 0)::DOUBLE AS rows,
                coalesce(max(${table.identity?.ordinal ?? "ordinal"}) + 1, 0)::DOUBLE AS identities,
                ${toFilteredUpTo(table)}::DOUBLE AS filtered,
                ${rolledUpTo(table.shape.name)}::DOUBLE AS summed
         FROM ${table.shape.name}`,
      );
      const filtered = Number(next?.filtered);
      // Never lower than before: ordinals of dropped rows are in cursors, and must not be used again.
      const isOfAll = table.identity?.ordinal === "ordinal";
      table.nextOrdinal = Math.max(table.nextOrdinal, Number(next?.rows), Number(next?.summed), isOfAll ? filtered : 0);
      table.nextIdentityOrdinal = Math.max(table.nextIdentityOrdinal, Number(next?.identities), filtered);
    }
    this.#keepFree((await readRebuildState(connection))?.reserved ?? null);
    this.#attachment = this.#database.attachments;
  }

  #table(name: string): WrittenTable {
    const table = this.#tables.get(name);
    if (table === undefined) throw new RangeError(`the event store has no table ${name}`);
    return table;
  }

  /** Rows that are left out leave gaps in the ordinals. */
  async #write(
    connection: DuckDBConnection,
    { table, head }: { table: WrittenTable; head: Head },
    rows: TableRows,
    leftOut: readonly number[],
  ): Promise<void> {
    const { places, identityCount } = this.#noteIdentities({ table, head }, rows);
    await insertRows(connection, this.#statementsOf(connection), { table, head, rows, leftOut, places });
    head.nextOrdinal += rows.count;
    head.nextIdentityOrdinal += identityCount;
  }

  /**
   * Adds the identities to the index before the rows are written. Returns a column with the place of each row among the rows with an
   * identity.
   */
  #noteIdentities(
    { table, head }: { table: WrittenTable; head: Head },
    rows: TableRows,
  ): { places: string; identityCount: number } {
    const index = this.#indexes.get(table.shape.name);
    if (table.identity === undefined || index === undefined) return { places: "", identityCount: 0 };
    const isOfAll = table.identity.ordinal === "ordinal";
    const from = isOfAll ? head.nextOrdinal : head.nextIdentityOrdinal;
    let identityCount = 0;
    const places = readIds(rows, table.identity.identity).map((identity) => {
      if (identity === "") return "";
      index.add(from + identityCount, identity);
      return identityCount++;
    });
    return { places: isOfAll ? "" : places.join(","), identityCount };
  }

  async #savePosition(connection: DuckDBConnection, journalId: string, upTo: number): Promise<void> {
    const sql = this.#positions.has(journalId)
      ? "UPDATE applied_positions SET applied_sequence = $2 WHERE journal_id = $1"
      : "INSERT INTO applied_positions (journal_id, applied_sequence) VALUES ($1, $2)";
    const statement = await this.#statementsOf(connection).prepare(connection, sql);
    statement.bindVarchar(1, journalId);
    statement.bindBigInt(2, BigInt(upTo));
    await statement.run();
  }
}

/** The next ordinals of the tables that a transaction writes to. Others see them after the commit. */
class Heads {
  readonly #heads = new Map<WrittenTable, Head>();

  of(table: WrittenTable): Head {
    const { nextOrdinal, nextIdentityOrdinal } = table;
    const head = this.#heads.get(table) ?? { nextOrdinal, nextIdentityOrdinal };
    this.#heads.set(table, head);
    return head;
  }

  [Symbol.iterator]() {
    return this.#heads.entries();
  }

  commit(): void {
    for (const [table, head] of this.#heads) Object.assign(table, head);
  }
}

function listEnvironments(batches: readonly RowBatch[]): RowBatch["environments"] {
  return batches.flatMap(({ environments }) => environments);
}

function boundAll(rows: RowBatch["rows"], shapes: ReadonlyMap<string, Table>): TableRows[] {
  return rows.map((each) => {
    const shape = shapes.get(each.table);
    return shape === undefined ? each : boundRows(shape, each);
  });
}

/**
 * The ordinals of rows that a rebuild restores: after the rows of earlier files, and before rows that arrived meanwhile. `behind`: the
 * ordinals after all rows.
 */
function toRestoredHead(
  table: WrittenTable,
  { files, fileIndex }: Pick<RebuildState, "files" | "fileIndex">,
  { placed, count, behind }: { placed: RebuildState["placed"]; count: number; behind: Head },
): Head {
  const { reserved } = table;
  const name = table.shape.name;
  const filesBefore = (files ?? []).slice(0, Math.max(0, fileIndex));
  let at = placed[name] ?? 0;
  for (const { rows } of filesBefore) at += rows?.[name] ?? 0;
  // The files have more rows now than when the rebuild first read them.
  if (reserved === null || reserved.from + at + count > reserved.to) return behind;
  return { nextOrdinal: reserved.from + at, nextIdentityOrdinal: reserved.identityFrom + at };
}

/** Ordinals of identities that are kept for the rows of a rebuild. */
function toFilling({ identity, reserved }: WrittenTable): OrdinalRange | null {
  if (identity === undefined || reserved === null) return null;
  if (identity.ordinal === "ordinal") return { from: reserved.from, to: reserved.to };
  return { from: reserved.identityFrom, to: reserved.identityTo };
}

/**
 * SQL of the first ordinal after the last full segment of identities. Its newest rows may be deleted, and no other rows may get their
 * ordinals, because its filter does not know them.
 */
function toFilteredUpTo({ identity }: WrittenTable): string {
  return identity ? `coalesce((SELECT max(segment) + 1 FROM ${identity.filters}) * ${SEGMENT_IDS}, 0)` : "0";
}
