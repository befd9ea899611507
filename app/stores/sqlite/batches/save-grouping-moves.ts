import { GROUPING_VERSION } from "../../../domain/grouping-version.ts";
import type { GroupingMove } from "../../../domain/issues/apply-occurrences.ts";
import type { IssueChange } from "../../../domain/issues/issue-change.ts";
import type { SqliteConnection } from "../connection.ts";
import { addActivity } from "../issues/issue-status.ts";
import { loadIssue } from "../issues/load-issues.ts";

/** An issue may have joined very different errors, and then all of them leave it. Its activity lists only where the first ones went. */
const MAX_SAID = 20;

/** Notes in the activity of both issues, once, that similar events go to another issue now. Within a write transaction. */
export function saveGroupingMoves(
  db: SqliteConnection,
  moves: readonly GroupingMove[],
  issueIds: ReadonlyMap<IssueChange, number>,
): void {
  for (const { fromIssueId, to, at } of moves) {
    const toIssueId = issueIds.get(to);
    const count = db.get<{ count: number; isKnown: number }>(
      `SELECT count(*) AS count, coalesce(max(to_issue_id = :toIssueId), 0) AS isKnown
       FROM grouping_moves WHERE from_issue_id = :fromIssueId`,
      { fromIssueId, toIssueId: toIssueId ?? 0 },
    );
    if (toIssueId === undefined || count === undefined || count.isKnown === 1 || count.count >= MAX_SAID) continue;
    const from = loadIssue(db, fromIssueId);
    const target = loadIssue(db, toIssueId);
    if (from === null || target === null) continue;
    db.run("INSERT INTO grouping_moves (from_issue_id, to_issue_id) VALUES (:fromIssueId, :toIssueId)", {
      fromIssueId,
      toIssueId,
    });
    const say = (issueId: number, kind: "moved_away" | "joined", other: { id: number; shortId: string }) =>
      addActivity(db, {
        issueId,
        at,
        kind,
        userId: null,
        data: { issueId: other.id, shortId: other.shortId, groupingVersion: GROUPING_VERSION },
      });
    say(fromIssueId, "moved_away", target);
    say(toIssueId, "joined", from);
  }
}
