import type { RegroupingRequest, RegroupingRequests } from "../../state/issue-merge-store.ts";
import type { SqliteConnection } from "../connection.ts";

/** Within a write transaction. A request for the rules of now gets them, whatever another request asked for. */
export function requestRegrouping(
  db: SqliteConnection,
  { issueId, projectId, at, byRules = false }: { issueId: number; projectId: number; at: number; byRules?: boolean },
): void {
  db.run(
    `INSERT INTO regrouping_requests (issue_id, project_id, asked_at, by_rules) VALUES (:issueId, :projectId, :at, :byRules)
     ON CONFLICT DO UPDATE SET asked_at = max(excluded.asked_at, asked_at + 1), by_rules = max(by_rules, excluded.by_rules),
       done_count = 0`,
    { issueId, projectId, at: Math.floor(at), byRules: byRules ? 1 : 0 },
  );
}

export function listRequests(
  db: SqliteConnection,
  limit: number,
): Awaited<ReturnType<RegroupingRequests["listRequests"]>> {
  return db
    .all<Omit<RegroupingRequest, "byRules"> & { byRules: number }>(
      `SELECT issue_id AS issueId, project_id AS projectId, asked_at AS askedAt, by_rules AS byRules FROM regrouping_requests
       ORDER BY asked_at, issue_id LIMIT :limit`,
      { limit: Math.max(Math.trunc(limit), 0) },
    )
    .map((row) => ({ ...row, byRules: row.byRules === 1 }));
}

/** Within a write transaction. */
export function noteProgress(
  db: SqliteConnection,
  { issueId, askedAt, doneCount }: Parameters<RegroupingRequests["noteProgress"]>[0],
): void {
  db.run("UPDATE regrouping_requests SET done_count = :doneCount WHERE issue_id = :issueId AND asked_at = :askedAt", {
    issueId,
    askedAt,
    doneCount,
  });
}

/** Within a write transaction. */
export function endRequest(
  db: SqliteConnection,
  { issueId, askedAt }: Parameters<RegroupingRequests["endRequest"]>[0],
): void {
  db.run("DELETE FROM regrouping_requests WHERE issue_id = :issueId AND asked_at = :askedAt", { issueId, askedAt });
}
