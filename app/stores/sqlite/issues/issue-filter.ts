import type { Scope } from "../../../domain/scope.ts";
import { toEndHour, toHour } from "../../../domain/time.ts";
import { toConditionSql } from "../../sql/condition-sql.ts";
import type { SqlParams } from "../../sql/query.ts";
import type { IssueQuery } from "../../state/issue-store.ts";
import { createIssueDialect, SUBSTATUS, toSubstatusParams } from "./issue-dialect.ts";

/** A pasted message may have any number of words, and a statement has a limit of conditions: the remaining words become one list. */
const MAX_TEXT_CONDITIONS = 10;

/** Conditions for `FROM issues AS i`. */
export interface IssueFilter {
  conditions: string[];
  /** Conditions on the text, which are the most expensive. */
  textConditions: string[];
  params: SqlParams;
  /** Lower-case words to search for. */
  terms: string[];
}

/** State of the database that the conditions depend on. */
export interface FilterContext {
  environmentIds: number[] | null;
  /** Whether no event can be as late as `query.to`. */
  isOpenEnded: boolean;
  now: number;
}

export function toIssueFilter(scope: Scope, query: IssueQuery, context: FilterContext): IssueFilter {
  const conditions: string[] = [];
  const params: Record<string, string | number> = {};
  const oneOf = (column: string, name: string, values: ReadonlyArray<string | number>) => {
    const names = [...new Set(values)].map((value, index) => {
      params[`${name}${index}`] = value;
      return `:${name}${index}`;
    });
    conditions.push(`${column} IN (${names.join(", ")})`);
  };

  // One array, because there may be any number of projects. The few values of other filters make few different statements.
  if (scope.projectIds.length === 1) oneOf("i.project_id", "project", scope.projectIds);
  else {
    conditions.push("i.project_id IN (SELECT value FROM json_each(:projectIds))");
    params.projectIds = JSON.stringify(scope.projectIds);
  }
  if (query.issueIds) {
    conditions.push("i.id IN (SELECT value FROM json_each(:issueIds))");
    params.issueIds = JSON.stringify(query.issueIds);
  }
  if (query.statuses?.length) oneOf("i.status", "status", query.statuses);
  if (query.substatuses?.length) {
    Object.assign(params, toSubstatusParams(context.now));
    conditions.push("i.status = 'unresolved'");
    oneOf(SUBSTATUS, "substatus", query.substatuses);
  }
  if (query.isUnhandled !== undefined) {
    conditions.push("i.is_unhandled = :isUnhandled");
    params.isUnhandled = query.isUnhandled ? 1 : 0;
  }
  if (query.firstRelease !== undefined) {
    conditions.push("i.first_release_id = (SELECT id FROM releases WHERE version = :firstRelease)");
    params.firstRelease = query.firstRelease;
  }
  if (query.release !== undefined) {
    conditions.push(
      `+EXISTS (SELECT 1 FROM issue_releases
               WHERE release_id = (SELECT id FROM releases WHERE version = :release) AND issue_id = i.id)`,
    );
    params.release = query.release;
  }
  addTimeRange(query, context, conditions, params);
  // Last, because it may read columns that are in no index.
  if (query.where) conditions.push(toConditionSql(query.where, createIssueDialect(params, context.now)));

  const terms = (query.text ?? []).map((term) => term.toLowerCase()).filter((term) => term !== "");
  // LIKE is slower, and its wildcards in people's texts would have to be escaped.
  const textConditions = terms.slice(0, MAX_TEXT_CONDITIONS).map((term, index) => {
    params[`term${index}`] = term;
    return `instr(i.search_text, :term${index}) > 0`;
  });
  if (terms.length > MAX_TEXT_CONDITIONS) {
    params.furtherTerms = JSON.stringify(terms.slice(MAX_TEXT_CONDITIONS));
    textConditions.push("NOT EXISTS (SELECT 1 FROM json_each(:furtherTerms) WHERE instr(i.search_text, value) = 0)");
  }
  return { conditions, textConditions, params, terms };
}

/** Empty when there are no conditions. */
export function toWhere(...conditions: string[][]): string {
  const all = conditions.flat();
  return all.length > 0 ? `WHERE ${all.join(" AND ")}` : "";
}

function addTimeRange(
  { from, to }: IssueQuery,
  { environmentIds, isOpenEnded }: FilterContext,
  conditions: string[],
  params: Record<string, string | number>,
): void {
  if (from !== null) {
    conditions.push("i.last_seen_at >= :from");
    params.from = from;
  }
  // The plus keeps SQLite (3.53) from making a join of EXISTS, which would read the list of environments for every issue.
  if (environmentIds !== null) params.environmentIds = JSON.stringify(environmentIds);
  const inEnvironment =
    environmentIds === null ? "" : "AND environment_id IN (SELECT value FROM json_each(:environmentIds))";

  if (to !== null && !isOpenEnded) {
    // Only the hours of an issue know whether something happened *in* the range.
    conditions.push("i.first_seen_at < :to");
    params.to = to;
    params.fromHour = from === null ? Number.MIN_SAFE_INTEGER : toHour(from);
    params.endHour = toEndHour(to);
    conditions.push(
      `+EXISTS (SELECT 1 FROM issue_hours
               WHERE issue_id = i.id AND hour >= :fromHour AND hour < :endHour ${inEnvironment})`,
    );
  } else if (environmentIds !== null) {
    const since = from === null ? "" : "AND last_seen_at >= :from";
    conditions.push(`+EXISTS (SELECT 1 FROM issue_environments WHERE issue_id = i.id ${inEnvironment} ${since})`);
  }
}
