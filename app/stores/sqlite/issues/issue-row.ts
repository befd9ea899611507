import type { Issue, IssueStatus, IssueSubstatus } from "../../../domain/issue.ts";
import type { Level } from "../../../domain/level.ts";
import { NEW_ISSUE_MS } from "../../state/issue-store.ts";
import { type ResolutionRow, toResolution } from "./resolutions.ts";

/** For `FROM issues AS i`. */
export const ISSUE_COLUMNS = `
  i.id, i.project_id, i.short_id, i.status, i.substatus, i.status_changed_at, i.first_seen_at, i.last_seen_at,
  i.event_count, i.user_count, i.level, i.is_unhandled, i.platform, i.logger, i.type, i.title, i.culprit, i.value,
  (SELECT version FROM releases WHERE id = i.first_release_id) AS first_release,
  (SELECT version FROM releases WHERE id = i.last_release_id) AS last_release,
  CASE WHEN i.status = 'resolved' THEN (
    SELECT json_object('kind', kind, 'version', version, 'commit_id', commit_id, 'repository', repository)
    FROM issue_resolutions WHERE issue_id = i.id
  ) END AS resolution`;

export interface IssueRow {
  id: number;
  project_id: number;
  short_id: string;
  status: IssueStatus;
  substatus: IssueSubstatus;
  status_changed_at: number;
  first_seen_at: number;
  last_seen_at: number;
  event_count: number;
  user_count: number;
  level: Level;
  is_unhandled: number;
  platform: string;
  logger: string | null;
  type: string | null;
  title: string;
  culprit: string;
  value: string;
  first_release: string | null;
  last_release: string | null;
  /** JSON of a ResolutionRow. */
  resolution: string | null;
}

export function toIssue(row: IssueRow, now: number): Issue {
  return {
    id: row.id,
    shortId: row.short_id,
    projectId: row.project_id,
    title: row.title,
    type: row.type,
    value: row.value,
    culprit: row.culprit,
    level: row.level,
    platform: row.platform,
    logger: row.logger,
    isUnhandled: row.is_unhandled === 1,
    status: row.status,
    substatus: toSubstatus(row, now),
    statusChangedAt: row.status_changed_at,
    resolution: row.resolution === null ? null : toResolution(parseResolution(row.resolution)),
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    firstRelease: row.first_release,
    lastRelease: row.last_release,
    eventCount: row.event_count,
    userCount: row.user_count,
  };
}

function parseResolution(json: string): ResolutionRow {
  return JSON.parse(json);
}

/** Nothing writes when an issue's seven days are over, so `new` ends while reading. */
export function toSubstatus(row: { substatus: IssueSubstatus; first_seen_at: number }, now: number): IssueSubstatus {
  return row.substatus === "new" && row.first_seen_at <= now - NEW_ISSUE_MS ? "ongoing" : row.substatus;
}

/** What text filters look into. Lower-cased here, because SQLite knows the case of ASCII only. */
export function toSearchText(issue: { title: string; culprit: string; shortId: string }): string {
  return `${issue.title}\n${issue.culprit}\n${issue.shortId}`.toLowerCase();
}
