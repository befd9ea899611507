import type { EventFilter } from "../events/error-events.ts";
import type { TableRows } from "../events/rows.ts";
import { readBatchFacts } from "./batch-facts.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { HeldFacts, type IssueFacts } from "./held-facts.ts";
import { NumberIndex } from "./number-index.ts";
import type { KnownTexts } from "./read-facts-rows.ts";

export interface FactsLimits {
  /** Issues with more events are counted by SQL. */
  events: number;
  /** Of all issues together. */
  bytes: number;
  issues: number;
  /** Texts whose hash is known, for all issues together. */
  texts: number;
  /** Users with a number, for all issues together, at 24 bytes each. */
  users: number;
}

/** An event takes some 20 bytes. */
export const FACTS_LIMITS: FactsLimits = {
  events: 200_000,
  bytes: 24_000_000,
  issues: 1_000,
  texts: 50_000,
  users: 500_000,
};

const MAX_NOTED_ISSUES = 10_000;

/**
 * Caches a few columns of the events of issues that people look at. DuckDB needs as long to plan one counting query as to read these
 * columns once, and a page has half a dozen such queries. So the rows are read once, and later rows are added when they are written.
 */
export class IssueFactsCache {
  readonly #database: DuckdbDatabase;
  readonly #nextOrdinal: () => number;
  readonly #limits: FactsLimits;
  /** Least recently used first. */
  readonly #held = new Map<string, HeldFacts>();
  readonly #largeIssues = new Set<number>();
  #knownTexts: KnownTexts = new Map();
  #userNumbers = new NumberIndex();
  #attachment = 0;

  constructor(database: DuckdbDatabase, nextOrdinal: () => number, limits: FactsLimits) {
    this.#database = database;
    this.#nextOrdinal = nextOrdinal;
    this.#limits = limits;
  }

  /** The columns of all events committed so far. Null: the filter needs other columns, or the issue is too large. */
  async get(filter: EventFilter): Promise<IssueFacts | null> {
    const { issueId, projectIds, tags, anyOfTags, traceId, words, issueIds, where } = filter;
    if (issueId === undefined || projectIds.length === 0 || words?.length) return null;
    if (tags?.length || anyOfTags?.length || traceId !== undefined || issueIds || where) return null;
    if (this.#largeIssues.has(issueId)) return null;
    if (this.#attachment !== this.#database.attachments) {
      this.#held.clear();
      this.#attachment = this.#database.attachments;
    }
    const key = `${issueId} ${[...projectIds].sort((a, b) => a - b).join(",")}`;
    const held = this.#held.get(key) ?? new HeldFacts(issueId, projectIds, this.#userNumbers);
    this.#held.delete(key);
    this.#held.set(key, held);
    const upTo = this.#nextOrdinal();
    // A new map, because running reads still use the old one.
    if (this.#knownTexts.size > this.#limits.texts) this.#knownTexts = new Map();
    try {
      while (held.upTo < upTo) {
        await held.readMore(this.#database, { upTo, known: this.#knownTexts, limit: this.#limits.events });
      }
    } catch (error) {
      this.#held.delete(key);
      throw error;
    }
    this.#evict();
    return this.#largeIssues.has(issueId) ? null : held;
  }

  /**
   * Call it right after the commit of events with ordinals from `from` on, except those at `leftOut`. Returns the indexes of the rows whose
   * issue is cached.
   */
  add(rows: TableRows, from: number, leftOut: readonly number[]): number[] {
    const held = [...this.#held.values()].filter((facts) => facts.isFollowedBy(from));
    if (held.length === 0) return [];
    const events = readBatchFacts(rows);
    const isLeftOut = new Set(leftOut);
    const indexesByIssue = new Map<number, number[]>();
    for (let index = 0; index < events.count; index++) {
      if (isLeftOut.has(index)) continue;
      const issueId = events.issueIds[index] as number;
      const indexes = indexesByIssue.get(issueId);
      if (indexes) indexes.push(index);
      else indexesByIssue.set(issueId, [index]);
    }
    const taken: number[] = [];
    for (const facts of held) {
      const indexes = indexesByIssue.get(facts.issueId) ?? [];
      facts.add(events, from, indexes);
      for (const index of indexes) taken.push(index);
    }
    this.#evict();
    return taken;
  }

  /** Call it after rows were deleted, or moved to another issue. */
  clear(): void {
    this.#held.clear();
    this.#largeIssues.clear();
  }

  #evict(): void {
    if (this.#userNumbers.size > this.#limits.users) {
      // Numbers begin again at 1, so no old ones may stay.
      this.#held.clear();
      this.#userNumbers = new NumberIndex();
    }
    let bytes = 0;
    for (const [key, held] of this.#held) {
      if (held.length > this.#limits.events) {
        this.#held.delete(key);
        if (this.#largeIssues.size >= MAX_NOTED_ISSUES) this.#largeIssues.clear();
        this.#largeIssues.add(held.issueId);
      } else {
        bytes += held.byteLength;
      }
    }
    for (const [key, held] of this.#held) {
      if (bytes <= this.#limits.bytes && this.#held.size <= this.#limits.issues) return;
      this.#held.delete(key);
      bytes -= held.byteLength;
    }
  }
}
