import { type CodedTexts, FACTS_COLUMNS, type FactsColumn } from "./batch-facts.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { toHashNumber } from "./hash-text.ts";
import type { SqlConditions } from "./sql-conditions.ts";

/** Text by 53 bits of its hash. */
export type KnownTexts = Map<number, string | null>;

/** New rows, in any order. */
export interface FactsRows {
  ordinals: ArrayLike<number>;
  occurredAt: ArrayLike<number>;
  /** 53 bits of the hash of each user; negative without one. */
  users: ArrayLike<number>;
  texts: Readonly<Record<FactsColumn, CodedTexts>>;
}

const NONE = new Float64Array(0);

/** 53 bits; that of NULL is one like any other. */
function toTextHash(column: FactsColumn): string {
  return `(hash(${column}) >> 11)::DOUBLE`;
}

/** At most `limit` rows of `events` that fit the conditions. Texts that are not known yet are read, and known from then on. */
export async function readFactsRows(
  database: DuckdbDatabase,
  conditions: SqlConditions,
  { known, limit }: { known: KnownTexts; limit: number },
): Promise<FactsRows> {
  // Texts come as numbers: to bring one from DuckDB to this thread takes ten times as long as a number.
  const [ordinals = NONE, occurredAt = NONE, users = NONE, ...hashes] = await database.readNumbers(
    `SELECT ordinal::DOUBLE, occurred_at::DOUBLE, coalesce(${toHashNumber("user_hash")}, -1),
            ${FACTS_COLUMNS.map(toTextHash).join(", ")}
     FROM events WHERE ${conditions} LIMIT ${limit}`,
    conditions.values,
  );
  const coded = mapColumns((column) => codeHashes(hashes[FACTS_COLUMNS.indexOf(column)] ?? NONE));
  for (const column of FACTS_COLUMNS) {
    if (coded[column].distinct.some((hash) => !known.has(hash))) await readTexts(database, conditions, column, known);
  }
  const texts = mapColumns((column) => ({
    codes: coded[column].codes,
    names: coded[column].distinct.map((hash) => known.get(hash) ?? null),
  }));
  return { ordinals, occurredAt, users, texts };
}

async function readTexts(
  database: DuckdbDatabase,
  conditions: SqlConditions,
  column: FactsColumn,
  known: KnownTexts,
): Promise<void> {
  const rows = await database.read(
    `SELECT DISTINCT ${toTextHash(column)} AS hash, ${column} AS text FROM events WHERE ${conditions}`,
    conditions.values,
  );
  for (const { hash, text } of rows) known.set(Number(hash), typeof text === "string" ? text : null);
}

/** Each hash by its place among the distinct ones. */
function codeHashes(hashes: Float64Array): { codes: Float64Array; distinct: number[] } {
  const distinct: number[] = [];
  const codeByHash = new Map<number, number>();
  let [last, lastCode] = [Number.NaN, 0];
  const codes = hashes.map((hash) => {
    if (hash === last) return lastCode;
    const code = codeByHash.get(hash) ?? distinct.push(hash) - 1;
    codeByHash.set(hash, code);
    [last, lastCode] = [hash, code];
    return code;
  });
  return { codes, distinct };
}

export function mapColumns<Value>(toValue: (column: FactsColumn) => Value): Record<FactsColumn, Value> {
  return Object.fromEntries(FACTS_COLUMNS.map((column) => [column, toValue(column)])) as Record<FactsColumn, Value>;
}
