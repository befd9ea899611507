import { IssueChange } from "../../../domain/issues/issue-change.ts";
import {
  addOccurrences,
  type RegroupedEvents,
  toIsOldNews,
  toOccurrences,
} from "../../../domain/issues/regroup-events.ts";
import { saveIssueChanges } from "../batches/save-issue-changes.ts";
import type { SqliteConnection } from "../connection.ts";
import { loadIssue } from "../issues/load-issues.ts";
import { loadKnownRegressions } from "./load-known-regrouping.ts";

const COUNTED = ["issue_hours", "issue_days", "issue_environments", "issue_users", "issue_releases"];

/** Counts an issue again from its events, within a write transaction. */
export function recountIssue(
  db: SqliteConnection,
  { issueId, groups }: { issueId: number; groups: RegroupedEvents[] },
): boolean {
  const counted = db.get<{ projectId: number; eventCount: number }>(
    "SELECT project_id AS projectId, event_count AS eventCount FROM issues WHERE id = :issueId",
    { issueId },
  );
  if (counted === undefined) return false;
  const occurrences = groups
    .flatMap((group) => toOccurrences(group, { projectId: counted.projectId, receivedAt: 0 }))
    .sort((a, b) => a.occurredAt - b.occurredAt);
  const [first] = occurrences;
  if (first === undefined && counted.eventCount === 0) {
    // All events have moved away, but the issue stays, and keeps its times.
    for (const table of COUNTED) db.run(`DELETE FROM ${table} WHERE issue_id = :issueId`, { issueId });
    db.run("UPDATE issues SET user_count = 0 WHERE id = :issueId", { issueId });
    return true;
  }
  if (first === undefined || counted.eventCount !== new Set(occurrences.map(({ eventId }) => eventId)).size)
    return false;
  for (const table of COUNTED) db.run(`DELETE FROM ${table} WHERE issue_id = :issueId`, { issueId });
  // The state of an issue before its first event.
  db.run(
    `UPDATE issues SET event_count = 0, user_count = 0, first_release_id = NULL, last_release_id = NULL,
       first_seen_at = :never, last_seen_at = -:never WHERE id = :issueId`,
    { issueId, never: Number.MAX_SAFE_INTEGER },
  );
  const known = loadKnownRegressions(db, [issueId], { groups });
  const change = new IssueChange(loadIssue(db, issueId), first, { isOldNews: toIsOldNews(known) });
  // These changes happened before, so nobody is told again.
  change.mayComeBack = false;
  const environments: string[] = [];
  addOccurrences(change, occurrences, { ...known, environments });
  saveIssueChanges(db, [change], { environments });
  db.run("UPDATE issue_activity SET at = :at, data = :data WHERE issue_id = :issueId AND kind = 'first_seen'", {
    issueId,
    at: change.firstSeenAt,
    data: JSON.stringify({ eventId: first.eventId }),
  });
  return true;
}
