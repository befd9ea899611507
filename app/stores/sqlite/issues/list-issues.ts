import type { Scope } from "../../../domain/scope.ts";
import { encodeIssueCursor, type IssueCursor, parseIssueCursor } from "../../state/issue-cursor.ts";
import type { IssueListRow, IssuePage, IssueQuery } from "../../state/issue-store.ts";
import { findCandidates } from "../batches/issue-candidates.ts";
import type { SqliteConnection } from "../connection.ts";
import { findEnvironmentIds } from "./environments.ts";
import { type EventCountRange, toEventCountSql } from "./event-count-sql.ts";
import { toIssueFilter } from "./issue-filter.ts";
import { PRIORITY_KEY } from "./issue-priority.ts";
import { ISSUE_COLUMNS, type IssueRow, toIssue } from "./issue-row.ts";
import { type RankedIssue, type RankedIssues, rankByCount, rankByIndex, rankFew } from "./ranked-issues.ts";

/** Matches are counted up to this number, by the contract. */
const MAX_MATCHING_COUNT = 1_000;
const MAX_PAGE_SIZE = 100;

/**
 * First collects up to a thousand matching ids. If these are all, they are sorted in memory. If there are more, matches are frequent, so
 * the index of the order is read until the page is full. Both are fast with 100,000 issues.
 */
export function listIssues(db: SqliteConnection, scope: Scope, query: IssueQuery, now: number): IssuePage {
  const environmentIds = findEnvironmentIds(db, query.environments);
  if (scope.projectIds.length === 0 || environmentIds?.length === 0 || query.issueIds?.length === 0) {
    return { issues: [], nextCursor: null, previousCursor: null, matchingCount: 0 };
  }
  const isOpenEnded = query.to === null || query.to > latestEventAt(db);
  const context = { environmentIds, isOpenEnded, now };
  const filter = toIssueFilter(scope, query, context);
  const range = { from: query.from, to: isOpenEnded ? null : query.to, environmentIds };
  const eventCount = toEventCountSql(range);

  const candidates = findCandidates(db, query, filter, context, MAX_MATCHING_COUNT);
  let ranked: RankedIssues;
  if (candidates.length < MAX_MATCHING_COUNT) {
    ranked = rankFew(
      db,
      candidates,
      query.sort === "events" ? eventCount : { sql: KEY_OF_SORT[query.sort], params: {} },
    );
  } else if (query.sort === "events" && eventCount.sql !== KEY_OF_SORT.events) {
    ranked = rankByCount(db, filter, eventCount);
  } else {
    ranked = rankByIndex(db, query.sort, filter);
  }

  const limit = Math.min(Math.max(Math.trunc(query.limit), 1), MAX_PAGE_SIZE);
  const page = takePage(ranked, parseIssueCursor(query.cursor, query.sort), limit);
  const first = page.issues[0];
  const last = page.issues.at(-1);
  return {
    issues: readRows(db, page.issues, range, now),
    previousCursor: first && page.hasBefore ? encodeIssueCursor(query.sort, { direction: "before", ...first }) : null,
    nextCursor: last && page.hasAfter ? encodeIssueCursor(query.sort, { direction: "after", ...last }) : null,
    matchingCount: candidates.length,
  };
}

const KEY_OF_SORT = {
  last_seen: "i.last_seen_at",
  first_seen: "i.first_seen_at",
  events: "i.event_count",
  users: "i.user_count",
  priority: PRIORITY_KEY,
} satisfies Record<IssueQuery["sort"], string>;

function takePage(
  ranked: RankedIssues,
  cursor: IssueCursor | null,
  limit: number,
): { issues: RankedIssue[]; hasBefore: boolean; hasAfter: boolean } {
  if (cursor?.direction === "before") {
    const issues = ranked.before(cursor, limit + 1);
    const hasBefore = issues.length > limit;
    if (hasBefore) issues.shift();
    const last = issues.at(-1);
    if (last) return { issues, hasBefore, hasAfter: ranked.after(last, 1).length > 0 };
  }
  const after = cursor?.direction === "after" ? cursor : null;
  const issues = ranked.after(after, limit + 1);
  const hasAfter = issues.length > limit;
  if (hasAfter) issues.pop();
  const first = issues[0];
  // The issues on that side of the cursor are gone: return the first page instead of an empty one.
  if (first === undefined && after !== null) return takePage(ranked, null, limit);
  return { issues, hasBefore: after !== null && first !== undefined && ranked.hasBefore(first), hasAfter };
}

function readRows(db: SqliteConnection, ranked: RankedIssue[], range: EventCountRange, now: number): IssueListRow[] {
  const eventCount = toEventCountSql(range);
  const rows = db.all<IssueRow & { matchingEventCount: number }>(
    `SELECT ${ISSUE_COLUMNS}, ${eventCount.sql} AS matchingEventCount
     FROM json_each(:ids) AS ranked CROSS JOIN issues AS i ON i.id = ranked.value
     ORDER BY ranked.key`,
    { ...eventCount.params, ids: JSON.stringify(ranked.map((issue) => issue.id)) },
  );
  return rows.map((row) => ({ ...toIssue(row, now), matchingEventCount: row.matchingEventCount }));
}

function latestEventAt(db: SqliteConnection): number {
  const row = db.get<{ at: number | null }>("SELECT max(last_seen_at) AS at FROM issues");
  return row?.at ?? Number.NEGATIVE_INFINITY;
}
