import { DAY_MS, toDay } from "../../../domain/time.ts";
import type { SqlParams } from "../../sql/query.ts";
import type { IssueQuery } from "../../state/issue-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { type FilterContext, type IssueFilter, toWhere } from "../issues/issue-filter.ts";
import { toTrigramQuery } from "../issues/trigram-query.ts";

/** If an environment has fewer issues, they are listed first. */
const MAX_DRIVING_ENVIRONMENT_ISSUES = 5_000;
/** The most days whose issues are listed first. With more days, these are most of the issues that could match. */
const MAX_DRIVING_DAYS = 3;
/** If other conditions leave fewer issues, their texts are compared one by one, without the trigram index. */
const MAX_COMPARED_TEXTS = 2_000;

/** SQL of a part of the issues that contains all matching ones. */
interface IssueSource {
  from: string;
  conditions: string[];
  params: SqlParams;
}

/**
 * Ids of the issues that match, in no order, at most `limit`. Fewer than `limit` are all of them.
 *
 * SQLite cannot know which condition leaves few issues, so the first condition is chosen here: the trigrams of the text, an environment
 * with few issues, a few days in the past, or else the index with all other conditions.
 */
export function findCandidates(
  db: SqliteConnection,
  query: IssueQuery,
  filter: IssueFilter,
  context: FilterContext,
  limit: number,
): number[] {
  if (filter.terms.length === 0) return findIds(db, toSource(db, query, context), filter, limit);
  if (filter.conditions.length > 0) {
    const withoutText = { ...filter, textConditions: [] };
    const ids = findIds(db, toSource(db, query, context), withoutText, MAX_COMPARED_TEXTS);
    if (ids.length < MAX_COMPARED_TEXTS) return findIds(db, fromIds(ids), { ...filter, conditions: [] }, limit);
  }
  return findIds(db, toTextSource(filter.terms), filter, limit);
}

function findIds(db: SqliteConnection, source: IssueSource, filter: IssueFilter, limit: number): number[] {
  const rows = db.all<{ id: number }>(
    `SELECT i.id FROM ${source.from}
     ${toWhere(source.conditions, filter.conditions, filter.textConditions)}
     LIMIT :candidateLimit`,
    { ...filter.params, ...source.params, candidateLimit: limit },
  );
  return rows.map((row) => row.id);
}

function toSource(db: SqliteConnection, query: IssueQuery, context: FilterContext): IssueSource {
  if (query.issueIds) return fromIds(query.issueIds);
  if (query.firstRelease !== undefined) {
    return { from: "issues AS i INDEXED BY issues_by_first_release", conditions: [], params: {} };
  }
  if (query.release !== undefined) {
    return {
      from: `issue_releases AS named CROSS JOIN issues AS i ON i.id = named.issue_id
             AND named.release_id = (SELECT id FROM releases WHERE version = :release)`,
      conditions: [],
      params: { release: query.release },
    };
  }
  if (context.environmentIds !== null && isSeldom(db, context.environmentIds)) {
    return {
      from: "issues AS i",
      conditions: [
        `i.id IN (SELECT issue_id FROM issue_environments
                  WHERE environment_id IN (SELECT value FROM json_each(:environmentIds)))`,
      ],
      params: {},
    };
  }
  const { from, to } = query;
  if (from !== null && to !== null && !context.isOpenEnded && to - from <= MAX_DRIVING_DAYS * DAY_MS) {
    return {
      from: "issues AS i",
      conditions: ["i.id IN (SELECT issue_id FROM issue_days WHERE day >= :fromDay AND day <= :lastDay)"],
      params: { fromDay: toDay(from), lastDay: toDay(to) },
    };
  }
  return { from: "issues AS i INDEXED BY issues_by_last_seen", conditions: [], params: {} };
}

function toTextSource(terms: string[]): IssueSource {
  const match = toTrigramQuery(terms);
  // Without trigrams every text may have to be read: in the order of the file, without an index.
  if (match === null) return { from: "issues AS i NOT INDEXED", conditions: [], params: {} };
  return {
    from: "issue_search CROSS JOIN issues AS i ON i.id = issue_search.rowid",
    conditions: ["issue_search MATCH :match"],
    params: { match },
  };
}

function fromIds(ids: readonly number[]): IssueSource {
  return {
    from: "json_each(:ids) AS candidate CROSS JOIN issues AS i ON i.id = candidate.value",
    conditions: [],
    params: { ids: JSON.stringify(ids) },
  };
}

function isSeldom(db: SqliteConnection, environmentIds: number[]): boolean {
  const counted = db.get<{ count: number }>(
    `SELECT count(*) AS count FROM (
       SELECT 1 FROM issue_environments
       WHERE environment_id IN (SELECT value FROM json_each(:environmentIds))
       LIMIT ${MAX_DRIVING_ENVIRONMENT_ISSUES})`,
    { environmentIds: JSON.stringify(environmentIds) },
  );
  return counted === undefined || counted.count < MAX_DRIVING_ENVIRONMENT_ISSUES;
}
