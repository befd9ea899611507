import type { EventFilter } from "../event-store.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { SqlConditions } from "./sql-conditions.ts";

/** Issues with more events are counted by SQL. */
const MAX_EVENTS = 120_000;

/** Events that are held for all issues together, at up to 100 bytes each. */
const MAX_HELD_EVENTS = 150_000;

const MAX_HELD_ISSUES = 1_000;

const MAX_NOTED_ISSUES = 10_000;

/** Texts whose hash is known, of all issues together. */
const MAX_KNOWN_TEXTS = 50_000;

/** What the pages of an issue count: a column each, one place per event, in the order of the ordinals. */
export interface IssueFacts {
  readonly length: number;
  readonly ordinals: Float64Array;
  /** Milliseconds since 1970. */
  readonly occurredAt: Float64Array;
  /** Distinct users are numbered from 1; 0 without a user. */
  readonly users: Uint32Array;
  readonly userCount: number;
  readonly texts: Readonly<Record<FactsColumn, TextColumn>>;
}

/** Columns of texts that are held: what pages filter by or show the distribution of. */
export const FACTS_COLUMNS = [
  "environment",
  "release",
  "transaction_name",
  "browser_name",
  "os_name",
  "runtime_name",
  "server_name",
] as const;

export type FactsColumn = (typeof FACTS_COLUMNS)[number];

/** Each text is held once. */
export interface TextColumn {
  /** Index in `names`, one per event. */
  readonly codes: Uint32Array;
  readonly names: ReadonlyArray<string | null>;
}

/**
 * Few numbers of each event of the issues that are being looked at. Planning one of the queries that count takes DuckDB
 * as long as reading these rows once, and a page asks half a dozen: so the rows are read once, later ones are added when
 * there are any, and the rest is arithmetic.
 */
export class IssueFactsCache {
  readonly #database: DuckdbDatabase;
  readonly #nextOrdinal: () => number;
  /** Least recently used first. */
  readonly #held = new Map<string, HeldFacts>();
  readonly #largeIssues = new Set<number>();
  #knownTexts: KnownTexts = new Map();
  #attachment = 0;

  constructor(database: DuckdbDatabase, nextOrdinal: () => number) {
    this.#database = database;
    this.#nextOrdinal = nextOrdinal;
  }

  /** Of all events committed so far. Null when the filter asks for more than these columns, or the issue is too large. */
  async get(filter: EventFilter): Promise<IssueFacts | null> {
    const { issueId, projectIds, tags, text } = filter;
    if (issueId === undefined || projectIds.length === 0 || tags?.length || text) return null;
    if (this.#largeIssues.has(issueId)) return null;
    if (this.#attachment !== this.#database.attachments) {
      this.#held.clear();
      this.#attachment = this.#database.attachments;
    }
    const key = `${issueId} ${[...projectIds].sort((a, b) => a - b).join(",")}`;
    const held = this.#held.get(key) ?? new HeldFacts(issueId, projectIds);
    this.#held.delete(key);
    this.#held.set(key, held);
    const upTo = this.#nextOrdinal();
    // A new one, not the same emptied: reads that are under way go on with what they have looked up in it.
    if (this.#knownTexts.size > MAX_KNOWN_TEXTS) this.#knownTexts = new Map();
    try {
      while (held.upTo < upTo) await held.readMore(this.#database, upTo, this.#knownTexts);
    } catch (error) {
      this.#held.delete(key);
      throw error;
    }
    if (held.length > MAX_EVENTS) {
      this.#held.delete(key);
      if (this.#largeIssues.size >= MAX_NOTED_ISSUES) this.#largeIssues.clear();
      this.#largeIssues.add(issueId);
      return null;
    }
    this.#evict();
    return held;
  }

  /** After rows have been deleted, or have changed their issue. */
  clear(): void {
    this.#held.clear();
    this.#largeIssues.clear();
  }

  #evict(): void {
    let events = 0;
    for (const held of this.#held.values()) events += held.length;
    for (const [key, held] of this.#held) {
      if (events <= MAX_HELD_EVENTS && this.#held.size <= MAX_HELD_ISSUES) return;
      this.#held.delete(key);
      events -= held.length;
    }
  }
}

/** Text by 53 bits of its hash. */
type KnownTexts = Map<number, string | null>;

class HeldFacts implements IssueFacts {
  /** Exclusive: rows below are held. */
  upTo = 0;
  length = 0;
  ordinals = new Float64Array(64);
  occurredAt = new Float64Array(64);
  users = new Uint32Array(64);
  readonly texts = Object.fromEntries(FACTS_COLUMNS.map((column) => [column, new HeldTexts()])) as Record<
    FactsColumn,
    HeldTexts
  >;
  /** Number by 53 bits of the hash. */
  readonly #userNumbers = new Map<number, number>();
  readonly #issueId: number;
  readonly #projectIds: readonly number[];
  #reading: Promise<void> | null = null;

  constructor(issueId: number, projectIds: readonly number[]) {
    this.#issueId = issueId;
    this.#projectIds = projectIds;
  }

  /** Whoever comes while rows are being read waits for these. */
  readMore(database: DuckdbDatabase, upTo: number, known: KnownTexts): Promise<void> {
    this.#reading ??= this.#read(database, upTo, known).finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(database: DuckdbDatabase, upTo: number, known: KnownTexts): Promise<void> {
    const conditions = new SqlConditions()
      .addEqual("issue_id", this.#issueId)
      .addOneOf("project_id", this.#projectIds)
      .addRange("ordinal", this.upTo, upTo);
    // Texts come as numbers: to bring one from DuckDB to this thread takes ten times as long as a number.
    const columns = await database.readColumns(
      `SELECT ordinal::DOUBLE, occurred_at::DOUBLE, (user_hash >> 11)::DOUBLE, ${FACTS_COLUMNS.map(toHash).join(", ")}
       FROM events WHERE ${conditions} LIMIT ${MAX_EVENTS + 1 - this.length}`,
      conditions.values,
    );
    const [ordinals = [], occurredAt = [], users = [], ...hashes] = columns;
    for (const [number, column] of FACTS_COLUMNS.entries()) {
      const isUnknown = hashes[number]?.some((hash) => !known.has(Number(hash)));
      if (isUnknown) await readTexts(database, conditions, column, known);
    }
    const order = Array.from(ordinals, (_, index) => index).sort((a, b) => Number(ordinals[a]) - Number(ordinals[b]));
    this.#grow(this.length + order.length);
    const from = this.length;
    for (const index of order) {
      const place = this.length++;
      this.ordinals[place] = Number(ordinals[index]);
      this.occurredAt[place] = Number(occurredAt[index]);
      this.users[place] = this.#userNumber(users[index]);
    }
    for (const [number, column] of FACTS_COLUMNS.entries()) {
      this.texts[column].add(from, order, hashes[number] ?? [], known);
    }
    this.upTo = upTo;
  }

  get userCount(): number {
    return this.#userNumbers.size;
  }

  #userNumber(hash: unknown): number {
    if (typeof hash !== "number") return 0;
    let number = this.#userNumbers.get(hash);
    if (number === undefined) {
      number = this.#userNumbers.size + 1;
      this.#userNumbers.set(hash, number);
    }
    return number;
  }

  #grow(length: number): void {
    if (length <= this.ordinals.length) return;
    const capacity = Math.max(length, 2 * this.ordinals.length);
    this.ordinals = copyInto(new Float64Array(capacity), this.ordinals);
    this.occurredAt = copyInto(new Float64Array(capacity), this.occurredAt);
    this.users = copyInto(new Uint32Array(capacity), this.users);
  }
}

class HeldTexts implements TextColumn {
  codes = new Uint32Array(64);
  readonly names: Array<string | null> = [];
  readonly #codeByHash = new Map<number, number>();

  /** Hashes in the given order, from this place on. */
  add(from: number, order: readonly number[], hashes: readonly unknown[], known: KnownTexts): void {
    const length = from + order.length;
    if (length > this.codes.length) {
      this.codes = copyInto(new Uint32Array(Math.max(length, 2 * this.codes.length)), this.codes);
    }
    let place = from;
    for (const index of order) this.codes[place++] = this.#codeOf(Number(hashes[index]), known);
  }

  #codeOf(hash: number, known: KnownTexts): number {
    let code = this.#codeByHash.get(hash);
    if (code === undefined) {
      code = this.names.push(known.get(hash) ?? null) - 1;
      this.#codeByHash.set(hash, code);
    }
    return code;
  }
}

/** 53 bits, which a number holds; that of NULL is one like any other. */
function toHash(column: FactsColumn): string {
  return `(hash(${column}) >> 11)::DOUBLE`;
}

async function readTexts(
  database: DuckdbDatabase,
  conditions: SqlConditions,
  column: FactsColumn,
  known: KnownTexts,
): Promise<void> {
  const [hashes = [], texts = []] = await database.readColumns(
    `SELECT DISTINCT ${toHash(column)}, ${column} FROM events WHERE ${conditions}`,
    conditions.values,
  );
  for (const [index, hash] of hashes.entries()) {
    const text = texts[index];
    known.set(Number(hash), typeof text === "string" ? text : null);
  }
}

function copyInto<Column extends Float64Array | Uint32Array>(target: Column, source: Column): Column {
  target.set(source);
  return target;
}
