import { TYPED_ATTRIBUTES } from "../../domain/spans/typed-attributes.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { PartTable } from "../events/row-keys.ts";
import type { SpanKey } from "../events/span-search.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";

/** An attribute that was searched on two of the last fourteen days is hot. */
const DAYS = 14;
const HOT_AFTER_DAYS = 2;
/** Columns per table. Each takes up to a byte for each row that has the attribute, and 0.3 µs when a file is written. */
const MAX_OF_PROJECT = 10;
const MAX_HOT = 40;
/** Keys that are noted per project and day: anyone who may search chooses them. */
const MAX_NOTED = 100;
const MAX_KEY_BYTES = 100;
/** Keys with control characters cannot be part of a statement. */
const KEY = /^[^\p{C}]+$/u;

const TYPED: ReadonlySet<string> = new Set(TYPED_ATTRIBUTES.map(({ key }) => key));

/** Notes which attributes of spans and logs people search often. Files that are written later have a column for each of them. */
export class HotAttributes {
  readonly #database: DuckdbDatabase;
  readonly #now: () => number;
  /** The noted keys of the day, by table and project. */
  readonly #noted = new Map<string, Set<string>>();
  #day = 0;

  constructor(database: DuckdbDatabase, now: () => number = Date.now) {
    this.#database = database;
    this.#now = now;
  }

  /** Notes the keys of a search. The search does not wait for it. */
  note(table: PartTable, projectIds: readonly number[], keys: readonly SpanKey[]): void {
    const day = Math.floor(this.#now() / DAY_MS);
    if (day !== this.#day) this.#noted.clear();
    this.#day = day;
    const searched = keys.filter(
      ({ name, isTag }) =>
        isTag &&
        name !== "*" &&
        !(table === "spans" && TYPED.has(name)) &&
        KEY.test(name) &&
        Buffer.byteLength(name) <= MAX_KEY_BYTES,
    );
    if (searched.length === 0) return;
    const added: Array<[projectId: number, key: string]> = [];
    for (const projectId of projectIds) {
      const place = `${table}/${projectId}`;
      const noted = this.#noted.get(place) ?? new Set<string>();
      this.#noted.set(place, noted);
      for (const { name } of searched) {
        if (noted.has(name) || noted.size >= MAX_NOTED) continue;
        noted.add(name);
        added.push([projectId, name]);
      }
    }
    // A search does not fail for want of this note: the attribute is hot some days later.
    if (added.length > 0) this.#write(table, added, day).catch(() => undefined);
  }

  /** The attributes that are hot now. */
  async list(table: PartTable): Promise<string[]> {
    const rows = await this.#database.read(
      `SELECT key FROM (
         SELECT project_id, key, count(DISTINCT day) AS days FROM searched_attributes WHERE table_name = $1 AND day > $2
         GROUP BY project_id, key HAVING days >= ${HOT_AFTER_DAYS}
         QUALIFY row_number() OVER (PARTITION BY project_id ORDER BY days DESC, key) <= ${MAX_OF_PROJECT}
       ) GROUP BY key ORDER BY sum(days) DESC, key LIMIT ${MAX_HOT}`,
      [table, Math.floor(this.#now() / DAY_MS) - DAYS],
    );
    return rows.map(({ key }) => String(key)).sort();
  }

  async #write(table: PartTable, added: ReadonlyArray<[projectId: number, key: string]>, day: number): Promise<void> {
    await this.#database.transaction(async (connection) => {
      await connection.run(`DELETE FROM searched_attributes WHERE day <= ${day - DAYS}`);
      for (const [projectId, key] of added)
        await connection.run(
          "INSERT INTO searched_attributes (table_name, project_id, key, day) VALUES ($1, $2, $3, $4)",
          [table, projectId, key, day],
        );
      return { result: undefined, onCommit: () => undefined };
    });
  }
}
