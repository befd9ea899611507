import { type CodedTexts, FACTS_COLUMNS, type FactsColumn } from "./batch-facts.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { toText } from "./event-rows.ts";
import { toHashNumber } from "./hash-text.ts";
import type { SqlConditions } from "./sql-conditions.ts";

/** Text by 53 bits of its hash. */
export type KnownTexts = Map<number, string | null>;

/** Columns of new rows, in any order. */
export interface FactsRows {
  ordinals: ArrayLike<number>;
  occurredAt: ArrayLike<number>;
  /** 53 bits of the hash of each user; negative: no user. */
  users: ArrayLike<number>;
  texts: Readonly<Record<FactsColumn, CodedTexts>>;
}

const NONE = new Float64Array(0);

/** SQL of 53 bits of a text's hash. NULL has a hash, too. */
function toTextHash(column: FactsColumn): string {
  return `(hash(${column}) >> 11)::DOUBLE`;
}

/** Reads at most `limit` rows of `events` that match the conditions. New texts are read and added to `known`. */
export async function readFactsRows(
  database: DuckdbDatabase,
  conditions: SqlConditions,
  { known, limit }: { known: KnownTexts; limit: number },
): Promise<FactsRows> {
  // Texts are read as hashes: bringing a text from DuckDB to this thread takes ten times as long as a number.
  const [ordinals = NONE, occurredAt = NONE, users = NONE, ...hashes] = await database.readNumbers(
    `SELECT ordinal::DOUBLE, occurred_at::DOUBLE, coalesce(${toHashNumber("user_hash")}, -1),
            ${FACTS_COLUMNS.map(toTextHash).join(", ")}
     FROM events WHERE ${conditions} LIMIT ${limit}`,
    conditions.values,
  );
  const coded = mapColumns((column) => codeHashes(hashes[FACTS_COLUMNS.indexOf(column)] ?? NONE));
  for (const column of FACTS_COLUMNS) {
    const { distinct, firstIndexes } = coded[column];
    const newIndexes = firstIndexes.filter((_, code) => !known.has(distinct[code] as number));
    const rows = newIndexes.map((index) => ordinals[index] as number);
    if (rows.length > 0) await readTexts(database, conditions, { column, ordinals: rows, known });
  }
  const texts = mapColumns((column) => ({
    codes: coded[column].codes,
    names: coded[column].distinct.map((hash) => known.get(hash) ?? null),
  }));
  return { ordinals, occurredAt, users, texts };
}

/**
 * Adds the texts of these rows to `known`. This takes 3 ms of processor time for a few rows; reading all distinct texts of an issue takes 9
 * ms.
 */
async function readTexts(
  database: DuckdbDatabase,
  conditions: SqlConditions,
  { column, ordinals, known }: { column: FactsColumn; ordinals: readonly number[]; known: KnownTexts },
): Promise<void> {
  const where = conditions.clone();
  where.add(`ordinal IN (SELECT unnest(string_split(${where.bind(ordinals.join(","))}, ','))::BIGINT)`);
  const rows = await database.read(
    `SELECT ${toTextHash(column)} AS hash, ${column} AS text FROM events WHERE ${where}`,
    where.values,
  );
  for (const { hash, text } of rows) known.set(Number(hash), toText(text));
}

/** `codes`: the index of each hash in `distinct`. `firstIndexes`: the first row with each of these. */
function codeHashes(hashes: Float64Array): { codes: Float64Array; distinct: number[]; firstIndexes: number[] } {
  const distinct: number[] = [];
  const firstIndexes: number[] = [];
  const codeByHash = new Map<number, number>();
  let [last, lastCode] = [Number.NaN, 0];
  const codes = hashes.map((hash, index) => {
    if (hash === last) return lastCode;
    let code = codeByHash.get(hash);
    if (code === undefined) {
      code = distinct.push(hash) - 1;
      firstIndexes.push(index);
      codeByHash.set(hash, code);
    }
    [last, lastCode] = [hash, code];
    return code;
  });
  return { codes, distinct, firstIndexes };
}

export function mapColumns<Value>(toValue: (column: FactsColumn) => Value): Record<FactsColumn, Value> {
  return Object.fromEntries(FACTS_COLUMNS.map((column) => [column, toValue(column)])) as Record<FactsColumn, Value>;
}
