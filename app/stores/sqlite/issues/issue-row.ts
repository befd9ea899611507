import type { ArchivedUntil, Issue } from "../../../domain/issue.ts";
import { computePriority } from "../../../domain/issues/priority.ts";
import { toSubstatus } from "../../../domain/issues/substatus.ts";
import { asFields, type RowOf } from "../../sql/columns.ts";
import { type ArchiveRow, toArchiveRule } from "./archives.ts";
import { ASSIGNEE_JSON } from "./assignees.ts";
import { toPriority } from "./issue-priority.ts";
import { type ResolutionRow, toResolution } from "./resolutions.ts";

/** Columns for `FROM issues AS i`. */
export const ISSUE_COLUMNS = `
  ${asFields(`i.id, i.project_id, i.short_id, i.status, i.substatus, i.status_changed_at, i.first_seen_at, i.last_seen_at,
    i.event_count, i.user_count, i.level, i.is_unhandled, i.platform, i.logger, i.type, i.title, i.culprit, i.value`)},
  (SELECT version FROM releases WHERE id = i.first_release_id) AS firstRelease,
  (SELECT version FROM releases WHERE id = i.last_release_id) AS lastRelease,
  CASE WHEN i.status = 'resolved' THEN (
    SELECT json_object('kind', kind, 'version', version, 'commitId', commit_id, 'repository', repository)
    FROM issue_resolutions WHERE issue_id = i.id
  ) END AS resolution,
  CASE WHEN i.status = 'archived' THEN (
    SELECT json_object('kind', kind, 'until', until, 'count', count, 'windowMinutes', window_minutes, 'seen', seen,
      'bounds', bounds)
    FROM issue_archives WHERE issue_id = i.id
  ) END AS archive,
  i.set_priority AS setPriority, ${ASSIGNEE_JSON} AS assignee`;

/** `resolution`: JSON of a ResolutionRow; `archive`: of an ArchiveRow; `assignee`: of an Assignee. */
export type IssueRow = RowOf<
  Omit<Issue, "priority" | "isPrioritySet">,
  { isUnhandled: number; resolution: string | null; archive: string | null; assignee: string | null }
> & { setPriority: number | null };

export function toIssue({ setPriority, ...row }: IssueRow, now: number): Issue {
  return {
    ...row,
    assignee: row.assignee === null ? null : JSON.parse(row.assignee),
    priority: toPriority(setPriority) ?? computePriority(row),
    isPrioritySet: setPriority !== null,
    isUnhandled: row.isUnhandled === 1,
    substatus: toSubstatus(row, now),
    resolution: row.resolution === null ? null : toResolution(parseResolution(row.resolution)),
    archive: row.archive === null ? null : toArchivedUntil(row.archive),
  };
}

function toArchivedUntil(json: string): ArchivedUntil {
  const { seen, bounds, ...row }: ArchiveRow & { bounds: string | null } = JSON.parse(json);
  return { rule: toArchiveRule(row), seen, ...(bounds === null ? {} : { bounds: JSON.parse(bounds) }) };
}

function parseResolution(json: string): ResolutionRow {
  return JSON.parse(json);
}

/** The text that searches look in. Lower-cased here, because SQLite knows only the case of ASCII. */
export function toSearchText(issue: { title: string; culprit: string; shortId: string }): string {
  return `${issue.title}\n${issue.culprit}\n${issue.shortId}`.toLowerCase();
}
