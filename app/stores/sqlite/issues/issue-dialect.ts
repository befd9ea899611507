import { ESCALATING_ISSUE_MS, NEW_ISSUE_MS } from "../../../domain/issues/substatus.ts";
import type { ConditionDialect } from "../../sql/condition-sql.ts";
import { createTableDialect } from "../table-dialect.ts";
import { ASSIGNEE_TEXT, isAssignedToAny, isSuggestedToAny, SUGGESTED } from "./assignees.ts";
import { PRIORITY } from "./issue-priority.ts";

/** SQL of the substatus of an unresolved issue, like `toSubstatus` of the domain. Takes the parameters of `toSubstatusParams`. */
export const SUBSTATUS = `CASE
  WHEN i.substatus = 'new' AND i.first_seen_at <= :newSince THEN 'ongoing'
  WHEN i.substatus = 'escalating' AND i.status_changed_at <= :escalatingSince THEN 'ongoing'
  ELSE i.substatus END`;

export function toSubstatusParams(now: number): { newSince: number; escalatingSince: number } {
  return { newSince: now - NEW_ISSUE_MS, escalatingSince: now - ESCALATING_ISSUE_MS };
}

/** Columns of `issues AS i` by the names of fields in searches. */
const FIELDS: Readonly<Record<string, string>> = {
  id: "i.id",
  projectId: "i.project_id",
  text: "i.search_text",
  shortId: "i.short_id",
  title: "i.title",
  type: "i.type",
  value: "i.value",
  culprit: "i.culprit",
  level: "i.level",
  platform: "i.platform",
  isUnhandled: "i.is_unhandled",
  status: "i.status",
  substatus: SUBSTATUS,
  eventCount: "i.event_count",
  userCount: "i.user_count",
  firstSeenAt: "i.first_seen_at",
  lastSeenAt: "i.last_seen_at",
  firstRelease: "(SELECT version FROM releases WHERE id = i.first_release_id)",
  assignee: ASSIGNEE_TEXT,
  suggested: SUGGESTED,
  priority: PRIORITY,
};
const NUMBERS = new Set(["id", "projectId"]);

/** The SQL of searches on `issues AS i`. Adds the values to the parameters. */
export function createIssueDialect(params: Record<string, string | number>, now: number): ConditionDialect {
  const table = createTableDialect("issues", FIELDS, params);
  const { bind, bindList } = table;
  return {
    ...table,
    fold: (sql) => (sql === FIELDS.text ? sql : table.fold(sql)),
    field(name) {
      if (name === "substatus") Object.assign(params, toSubstatusParams(now));
      return table.field(name);
    },
    fieldTest(name, test) {
      if (test.kind !== "in") return null;
      // The plus keeps SQLite from starting with the list: other conditions may leave fewer issues.
      if (NUMBERS.has(name)) return `+${FIELDS[name]} IN ${bindList(test.values.map(Number))}`;
      if (name === "assignee") return isAssignedToAny(test.values, bindList);
      if (name === "suggested") return isSuggestedToAny(test.values, bindList);
      if (name === "bookmarks")
        return `+i.id IN (SELECT issue_id FROM issue_people WHERE bookmarked_at IS NOT NULL AND user_id IN ${bindList(test.values.map(Number))})`;
      if (name === "snoozed")
        return `+i.id IN (SELECT issue_id FROM issue_people WHERE snoozed_until > ${bind(now)} AND user_id IN ${bindList(test.values.map(Number))})`;
      if (name === "release")
        return `+EXISTS (SELECT 1 FROM issue_releases AS r CROSS JOIN releases AS v ON v.id = r.release_id
                 WHERE r.issue_id = i.id AND v.version IN ${bindList(test.values)})`;
      return null;
    },
  };
}
