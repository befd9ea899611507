import type { RegroupingRequest, RegroupingRequests } from "../../state/issue-merge-store.ts";
import type { SqliteConnection } from "../connection.ts";

/** A flow of events from one issue to another. */
interface RegroupingFlow {
  fromIssueId: number;
  toIssueId: number;
}

/** Starts the request again with another time, so that a job that works on the old request does not end the new one. */
const RESTART = `ON CONFLICT DO UPDATE SET
  asked_at = max(excluded.asked_at, asked_at + 1), by_rules = max(by_rules, excluded.by_rules), done_count = 0`;

/**
 * Requests that events are regrouped, within a write transaction. If two requests for an issue differ, the events are grouped by the
 * present rules.
 * @param flows the flows that are known beforehand
 */
export function requestRegrouping(
  db: SqliteConnection,
  {
    issueId,
    projectId,
    at,
    byRules = false,
    flows = [],
  }: { issueId: number; projectId: number; at: number; byRules?: boolean; flows?: readonly RegroupingFlow[] },
): void {
  db.run(
    `INSERT INTO regrouping_requests (issue_id, project_id, asked_at, by_rules) VALUES (:issueId, :projectId, :at, :byRules)
     ${RESTART}`,
    { issueId, projectId, at: Math.floor(at), byRules: byRules ? 1 : 0 },
  );
  for (const flow of flows) noteFlow(db, { requestIssueId: issueId, ...flow });
}

/** Notes a flow of a request, within a write transaction. It is deleted with the request. Without a request, nothing is noted. */
export function noteFlow(
  db: SqliteConnection,
  { requestIssueId, fromIssueId, toIssueId }: RegroupingFlow & { requestIssueId: number },
): void {
  db.run(
    `INSERT OR IGNORE INTO regrouping_flows (request_issue_id, from_issue_id, to_issue_id)
     SELECT issue_id, :fromIssueId, :toIssueId FROM regrouping_requests WHERE issue_id = :requestIssueId`,
    { requestIssueId, fromIssueId, toIssueId },
  );
}

/**
 * Moves a request when an issue is merged into another, within a write transaction. If both have a request, that of the target starts
 * again: the job may have read the target's events before those of the other issue were among them.
 */
export function takeRequest(db: SqliteConnection, ids: { issueId: number; targetId: number }): void {
  db.run(
    `INSERT INTO regrouping_requests (issue_id, project_id, asked_at, by_rules)
     SELECT :targetId, project_id, asked_at, by_rules FROM regrouping_requests WHERE issue_id = :issueId ${RESTART}`,
    ids,
  );
  db.run(
    `INSERT OR IGNORE INTO regrouping_flows (request_issue_id, from_issue_id, to_issue_id)
     SELECT :targetId, from_issue_id, to_issue_id FROM regrouping_flows WHERE request_issue_id = :issueId`,
    ids,
  );
  db.run("DELETE FROM regrouping_requests WHERE issue_id = :issueId", { issueId: ids.issueId });
  // The remaining rows are duplicates, and are deleted with their request.
  db.run("UPDATE OR IGNORE regrouping_flows SET from_issue_id = :targetId WHERE from_issue_id = :issueId", ids);
  db.run("UPDATE OR IGNORE regrouping_flows SET to_issue_id = :targetId WHERE to_issue_id = :issueId", ids);
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
