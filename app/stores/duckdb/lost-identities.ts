import type { DuckDBConnection } from "@duckdb/node-api";
import type { RowKey } from "../events/event-log.ts";
import { type RowsByTable, readIds, readNumbers } from "../events/rows.ts";
import { type DuckdbDatabase, readRows } from "./duckdb-database.ts";
import { DUCKDB_TABLES } from "./duckdb-tables.ts";
import { parseEventId } from "./event-id-filter.ts";
import { type IdentifiedTable, IdentityIndex } from "./identity-index.ts";

const LOST_IDENTITIES: IdentifiedTable = {
  table: "lost_identities",
  identity: "identity",
  ordinal: "ordinal",
  filters: "lost_identity_filters",
};

const IDENTITY_COLUMNS = new Map(DUCKDB_TABLES.map(({ shape, identity }) => [shape.name, identity?.identity]));

/** The identities of rows that a rebuild will restore: an item with one of them is a repeat. */
export class LostIdentities {
  #index: IdentityIndex;
  #nextOrdinal: number;

  private constructor(index: IdentityIndex, nextOrdinal: number) {
    this.#index = index;
    this.#nextOrdinal = nextOrdinal;
  }

  static async open(database: DuckdbDatabase): Promise<LostIdentities> {
    const [next] = await database.read("SELECT coalesce(max(ordinal) + 1, 0)::DOUBLE AS ordinal FROM lost_identities");
    return new LostIdentities(await IdentityIndex.open(database, LOST_IDENTITIES), Number(next?.ordinal));
  }

  get index(): IdentityIndex {
    return this.#index;
  }

  /** Adds identities in the caller's transaction. Call the returned function after the commit. */
  async note(connection: DuckDBConnection, keys: readonly RowKey[]): Promise<() => void> {
    if (keys.length === 0) return () => undefined;
    const from = this.#nextOrdinal;
    for (const [at, { identity }] of keys.entries()) this.#index.add(from + at, identity);
    await connection.run(
      `INSERT INTO lost_identities (ordinal, project_id, identity)
       SELECT unnest(range($1::BIGINT, $2::BIGINT)), unnest(string_split($3, ','))::BIGINT, unnest(string_split($4, ','))::UUID`,
      [
        BigInt(from),
        BigInt(from + keys.length),
        keys.map(({ projectId }) => projectId).join(","),
        keys.map(({ identity }) => identity).join(","),
      ],
    );
    const next = from + keys.length;
    const saved = await this.#index.saveFullSegments(connection, next);
    return () => {
      this.#nextOrdinal = next;
      this.#index.markSaved(saved);
    };
  }

  /** Forgets all of them, in the transaction that ends the rebuild. Call the returned function after the commit. */
  async forget(connection: DuckDBConnection): Promise<() => void> {
    // Unlike deleting rows, dropping a table takes no memory and no time.
    for (const name of [LOST_IDENTITIES.table, LOST_IDENTITIES.filters]) {
      const [table] = await readRows(connection, "SELECT sql FROM duckdb_tables() WHERE table_name = $1", [name]);
      await connection.run(`DROP TABLE ${name}`);
      await connection.run(String(table?.sql));
    }
    return () => {
      this.#index = IdentityIndex.empty(LOST_IDENTITIES);
      this.#nextOrdinal = 0;
    };
  }
}

/** The identities of the rows, without those of items that are left out. */
export function readIdentities(rows: RowsByTable, leftOut: readonly number[]): RowKey[] {
  const leftOutItems = new Set(leftOut);
  return rows.flatMap((each) => {
    const column = IDENTITY_COLUMNS.get(each.table);
    if (column === undefined || each.columns[column] === undefined || each.count === 0) return [];
    const projectIds = readNumbers(each, "project_id");
    return readIds(each, column).flatMap((identity, row): RowKey[] => {
      const isTheirs = !leftOutItems.has(each.items[row] as number) && parseEventId(identity) !== null;
      return isTheirs ? [{ projectId: projectIds[row] as number, identity }] : [];
    });
  });
}
