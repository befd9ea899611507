import type { EventFilter } from "../event-store.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { SqlConditions } from "./sql-conditions.ts";

/** Issues with more events are counted by SQL. */
const MAX_EVENTS = 120_000;

/** Events that are held for all issues together, at up to 70 bytes each. */
const MAX_HELD_EVENTS = 150_000;

const MAX_HELD_ISSUES = 1_000;

const MAX_NOTED_ISSUES = 10_000;

/** What the pages of an issue count: a column each, one place per event, in the order of the ordinals. */
export interface IssueFacts {
  readonly length: number;
  readonly ordinals: Float64Array;
  /** Milliseconds since 1970. */
  readonly occurredAt: Float64Array;
  /** Distinct users are numbered from 1; 0 without a user. */
  readonly users: Uint32Array;
  readonly userCount: number;
  /** Index in `environmentNames`. */
  readonly environments: Uint32Array;
  readonly environmentNames: ReadonlyArray<string | null>;
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
    try {
      while (held.upTo < upTo) await held.readMore(this.#database, upTo);
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

class HeldFacts implements IssueFacts {
  /** Exclusive: rows below are held. */
  upTo = 0;
  length = 0;
  ordinals = new Float64Array(64);
  occurredAt = new Float64Array(64);
  users = new Uint32Array(64);
  environments = new Uint32Array(64);
  readonly environmentNames: Array<string | null> = [];
  readonly #environmentIndexes = new Map<string | null, number>();
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
  readMore(database: DuckdbDatabase, upTo: number): Promise<void> {
    this.#reading ??= this.#read(database, upTo).finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(database: DuckdbDatabase, upTo: number): Promise<void> {
    const conditions = new SqlConditions()
      .addEqual("issue_id", this.#issueId)
      .addOneOf("project_id", this.#projectIds)
      .addRange("ordinal", this.upTo, upTo);
    const columns = await database.readColumns(
      `SELECT ordinal::DOUBLE, occurred_at::DOUBLE, (user_hash >> 11)::DOUBLE, environment
       FROM events WHERE ${conditions} LIMIT ${MAX_EVENTS + 1 - this.length}`,
      conditions.values,
    );
    const [ordinals = [], occurredAt = [], users = [], environments = []] = columns;
    const order = Array.from(ordinals, (_, index) => index).sort((a, b) => Number(ordinals[a]) - Number(ordinals[b]));
    this.#grow(this.length + order.length);
    for (const index of order) {
      const place = this.length++;
      this.ordinals[place] = Number(ordinals[index]);
      this.occurredAt[place] = Number(occurredAt[index]);
      this.users[place] = this.#userNumber(users[index]);
      this.environments[place] = this.#environmentIndex(environments[index]);
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

  #environmentIndex(value: unknown): number {
    const name = typeof value === "string" ? value : null;
    let index = this.#environmentIndexes.get(name);
    if (index === undefined) {
      index = this.environmentNames.push(name) - 1;
      this.#environmentIndexes.set(name, index);
    }
    return index;
  }

  #grow(length: number): void {
    if (length <= this.ordinals.length) return;
    const capacity = Math.max(length, 2 * this.ordinals.length);
    this.ordinals = copyInto(new Float64Array(capacity), this.ordinals);
    this.occurredAt = copyInto(new Float64Array(capacity), this.occurredAt);
    this.users = copyInto(new Uint32Array(capacity), this.users);
    this.environments = copyInto(new Uint32Array(capacity), this.environments);
  }
}

function copyInto<Column extends Float64Array | Uint32Array>(target: Column, source: Column): Column {
  target.set(source);
  return target;
}
