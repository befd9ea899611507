import type { SqlParams } from "../../sql/query.ts";
import type { IssueQuery } from "../../state/issue-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { type IssueFilter, toWhere } from "./issue-filter.ts";
import { PRIORITY_KEY } from "./issue-priority.ts";

/** An issue's place in a list, which is sorted by key, then by id, both descending. */
export interface RankedIssue {
  key: number;
  id: number;
}

/** Matching issues in the order of the list. */
export interface RankedIssues {
  /** The first issues after the place, in list order; null: the first of all. */
  after(place: RankedIssue | null, count: number): RankedIssue[];
  /** The last issues before the place, in list order. */
  before(place: RankedIssue, count: number): RankedIssue[];
  hasBefore(place: RankedIssue): boolean;
}

/** Negative when `a` comes before `b`. */
function compareRank(a: RankedIssue, b: RankedIssue): number {
  return b.key - a.key || b.id - a.id;
}

/** Sorts issues with known ids in memory. */
export function rankFew(db: SqliteConnection, ids: number[], key: { sql: string; params: SqlParams }): RankedIssues {
  const ranked = db
    .all<RankedIssue>(
      `SELECT i.id, ${key.sql} AS key FROM json_each(:ids) AS candidate CROSS JOIN issues AS i ON i.id = candidate.value`,
      { ...key.params, ids: JSON.stringify(ids) },
    )
    .sort(compareRank);
  const before = (place: RankedIssue) => ranked.filter((issue) => compareRank(issue, place) < 0);
  return {
    after: (place, count) =>
      (place === null ? ranked : ranked.filter((issue) => compareRank(issue, place) > 0)).slice(0, count),
    before: (place, count) => before(place).slice(-count),
    hasBefore: (place) => before(place).length > 0,
  };
}

const INDEX_OF_SORT = {
  last_seen: { column: "i.last_seen_at", index: "issues_by_last_seen" },
  first_seen: { column: "i.first_seen_at", index: "issues_by_first_seen" },
  events: { column: "i.event_count", index: "issues_by_events" },
  users: { column: "i.user_count", index: "issues_by_users" },
  priority: { column: PRIORITY_KEY, index: "issues_by_priority" },
} satisfies Record<IssueQuery["sort"], { column: string; index: string }>;

/** Reads the index of the order. Many issues match, so a page is soon full. */
export function rankByIndex(db: SqliteConnection, sort: IssueQuery["sort"], filter: IssueFilter): RankedIssues {
  const { column, index } = INDEX_OF_SORT[sort];
  const take = (place: RankedIssue | null, count: number, order: "ASC" | "DESC"): RankedIssue[] => {
    const beyond = place === null ? [] : [`(${column}, i.id) ${order === "ASC" ? ">" : "<"} (:placeKey, :placeId)`];
    return db.all<RankedIssue>(
      `SELECT i.id, ${column} AS key
       FROM issues AS i INDEXED BY ${index}
       ${toWhere(beyond, filter.conditions, filter.textConditions)}
       ORDER BY ${column} ${order}, i.id ${order}
       LIMIT :count`,
      { ...filter.params, count, placeKey: place?.key ?? 0, placeId: place?.id ?? 0 },
    );
  };
  return {
    after: (place, count) => take(place, count, "DESC"),
    before: (place, count) => take(place, count, "ASC").reverse(),
    hasBefore: (place) => take(place, 1, "ASC").length > 0,
  };
}

/**
 * Sorts by the number of events in a range, which no index has. That number is at most the number of all events of the issue. So issues are
 * read by their number of all events, largest first, until the page is full and no later issue can get onto it.
 */
export function rankByCount(
  db: SqliteConnection,
  filter: IssueFilter,
  eventCount: { sql: string; params: SqlParams },
): RankedIssues {
  const walk = function* (): Generator<RankedIssue & { bound: number }> {
    yield* db.iterate<RankedIssue & { bound: number }>(
      `SELECT i.id, ${eventCount.sql} AS key, i.event_count AS bound
       FROM issues AS i INDEXED BY issues_by_events
       ${toWhere(filter.conditions, filter.textConditions)}
       ORDER BY i.event_count DESC, i.id DESC`,
      { ...filter.params, ...eventCount.params },
    );
  };
  return {
    after: (place, count) => {
      const page: RankedIssue[] = [];
      for (const { id, key, bound } of walk()) {
        const last = page[count - 1];
        if (last !== undefined && bound < last.key) break;
        if (place !== null && compareRank({ id, key }, place) <= 0) continue;
        insertRanked(page, { id, key });
        if (page.length > count) page.pop();
      }
      return page;
    },
    before: (place, count) => {
      const page: RankedIssue[] = [];
      for (const { id, key, bound } of walk()) {
        if (bound < place.key) break;
        if (compareRank({ id, key }, place) >= 0) continue;
        insertRanked(page, { id, key });
        if (page.length > count) page.shift();
      }
      return page;
    },
    hasBefore: (place) => {
      for (const { id, key, bound } of walk()) {
        if (bound < place.key) return false;
        if (compareRank({ id, key }, place) < 0) return true;
      }
      return false;
    },
  };
}

/** Inserts into a sorted page of at most 101 issues. */
function insertRanked(page: RankedIssue[], issue: RankedIssue): void {
  let at = page.length;
  while (at > 0 && compareRank(page[at - 1] ?? issue, issue) > 0) at--;
  page.splice(at, 0, issue);
}
