import { LRUCache } from "lru-cache";
import type { FieldTest } from "../../domain/search/condition.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import type { SqlRow } from "./duckdb-reader.ts";
import type { OrdinalRange } from "./event-tags.ts";
import { MASK_BYTES } from "./place-mask.ts";
import { SqlConditions } from "./sql-conditions.ts";
import { isOfUsers, toTagMaskSql, toUserMaskSql } from "./summed-tests.ts";

/** A piece of events whose tags are summed. Its version changes whenever its sums change. */
export interface SummedPiece extends OrdinalRange {
  version: number;
}

export interface TestMasks {
  /** The mask of each test, by the chunk of its piece. A piece without a mask has no place that passes. */
  bits: Map<FieldTest, Map<number, Uint8Array>>;
  /** Chunks of pieces that were summed again meanwhile. */
  changed: Set<number>;
}

/** The masks of a test, by the chunk of its piece. Null: no place passes. */
type KeptMasks = Map<number, { version: number; bits: Uint8Array | null }>;

/** Bytes of the cached masks with their keys. A test that passes in all of fifty pieces takes 130 KB. */
const KEPT_BYTES = 6_000_000;
const ENTRY_BYTES = 100;

/** Reads the masks of tests of tags and users, and caches them: a repeated search reads few pieces again. */
export class TestMaskReader {
  readonly #database: Pick<DuckdbDatabase, "read">;
  readonly #kept = new LRUCache<string, KeptMasks>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (masks, key) =>
      [...masks.values()].reduce(
        (sum, { bits }) => sum + ENTRY_BYTES + (bits?.length ?? 0),
        ENTRY_BYTES + key.length * 2,
      ),
  });

  constructor(database: Pick<DuckdbDatabase, "read">) {
    this.#database = database;
  }

  async read(
    tests: readonly FieldTest[],
    projectIds: readonly number[],
    pieces: readonly SummedPiece[],
  ): Promise<TestMasks> {
    const masks: TestMasks = { bits: new Map(), changed: new Set() };
    const asked = tests.map((test) => this.#recall(test, projectIds, pieces));
    const missing = asked.filter((each) => each.missing.length > 0);
    const users = missing.filter(({ test }) => isOfUsers(test));
    await Promise.all([
      this.#readUsers(users, projectIds, masks),
      ...missing.filter((each) => !users.includes(each)).map((each) => this.#readTag(each, projectIds, masks)),
    ]);
    for (const { test, key, masks: ofTest } of asked) {
      const found = new Map<number, Uint8Array>();
      for (const [chunk, { bits }] of ofTest) if (bits) found.set(chunk, bits);
      masks.bits.set(test, found);
      for (const chunk of masks.changed) ofTest.delete(chunk);
      this.#kept.set(key, ofTest);
    }
    return masks;
  }

  #recall(test: FieldTest, projectIds: readonly number[], pieces: readonly SummedPiece[]): AskedTest {
    const key = JSON.stringify([{ ...test, isNegated: false }, projectIds]);
    const kept = this.#kept.get(key);
    const masks: KeptMasks = new Map();
    const missing: SummedPiece[] = [];
    for (const piece of pieces) {
      const known = kept?.get(piece.to);
      if (known?.version === piece.version) masks.set(piece.to, known);
      else missing.push(piece);
    }
    return { test, key, masks, missing };
  }

  async #readTag(asked: AskedTest, projectIds: readonly number[], { changed }: TestMasks): Promise<void> {
    const conditions = new SqlConditions();
    const scope = toScope(asked.missing, projectIds, conditions);
    const rows = await this.#database.read(toTagMaskSql(asked.test, scope, conditions), conditions.values);
    note(asked, rows, "bits", changed);
  }

  async #readUsers(asked: readonly AskedTest[], projectIds: readonly number[], { changed }: TestMasks): Promise<void> {
    if (asked.length === 0) return;
    const conditions = new SqlConditions();
    const missing = asked.flatMap((each) => each.missing);
    const scope = toScope(missing, projectIds, conditions);
    const tests = asked.map(({ test }) => test);
    const rows = await this.#database.read(toUserMaskSql(tests, scope, conditions), conditions.values);
    for (const [index, each] of asked.entries()) note(each, rows, `bits${index}`, changed);
  }
}

interface AskedTest {
  test: FieldTest;
  key: string;
  masks: KeptMasks;
  /** Newest first. */
  missing: SummedPiece[];
}

function toScope(pieces: readonly SummedPiece[], projectIds: readonly number[], conditions: SqlConditions): string {
  const [from, to] = [Math.min(...pieces.map(({ from }) => from)), Math.max(...pieces.map(({ to }) => to))];
  return `chunk > ${from} AND chunk <= ${to} AND ${conditions.bindProjects(projectIds)}`;
}

function note({ masks, missing }: AskedTest, rows: readonly SqlRow[], column: string, changed: Set<number>): void {
  const byChunk = new Map(rows.map((row) => [Number(row.chunk), row]));
  for (const { to, version } of missing) {
    const row = byChunk.get(to);
    if (row && Number(row.version) !== version) changed.add(to);
    masks.set(to, { version, bits: row ? toBytes(row[column]) : null });
  }
}

function toBytes(value: unknown): Uint8Array | null {
  if (value === null || typeof value !== "object" || !("data" in value)) return null;
  // The first byte counts padding bits; 20,000 bits need none. A copy, because the rows of a result share one buffer.
  return (value.data as Uint8Array).slice(1, 1 + MASK_BYTES);
}
