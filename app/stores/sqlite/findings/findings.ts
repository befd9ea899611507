import { type Finding, MAX_SUBJECT_LENGTH, type Recovery } from "../../../domain/findings/finding.ts";
import type { FindingStore, QueuedFinding } from "../../state/finding-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { findIssueIds } from "../issues/grouping-keys.ts";
import { addActivity } from "../issues/issue-status.ts";
import { saveResolution } from "../issues/resolutions.ts";
import { addToOutbox } from "../notifications/outbox.ts";

export function createFindingStore(db: SqliteConnection): FindingStore {
  return {
    addFindings: async (findings) => {
      if (findings.length > 0) await db.write(() => addFindings(db, findings));
    },
    listFindings: async (limit) =>
      db
        .all<{ position: number; finding: string }>(
          `SELECT position, finding FROM findings AS f
           WHERE sequence IS NULL AND NOT EXISTS (
             SELECT 1 FROM findings AS earlier
             WHERE earlier.project_id = f.project_id AND earlier.subject = f.subject AND earlier.position < f.position)
           ORDER BY position LIMIT :limit`,
          { limit },
        )
        .map(({ position, finding }): QueuedFinding => ({ position, finding: JSON.parse(finding) })),
    noteReported: async (position, sequence) => {
      await db.write(() =>
        db.run("UPDATE findings SET sequence = :sequence WHERE position = :position", { position, sequence }),
      );
    },
    forgetApplied: async (appliedSequence) => {
      const condition = "sequence IS NOT NULL AND sequence < :appliedSequence";
      // A read first, because it does not wait for writers: usually there is nothing to forget.
      if (db.get(`SELECT 1 FROM findings WHERE ${condition} LIMIT 1`, { appliedSequence }) === undefined) return 0;
      return db.write(() => db.run(`DELETE FROM findings WHERE ${condition}`, { appliedSequence }).changedRows);
    },
    endTrouble: (position, recovery, hashes) => db.write(() => endTrouble(db, position, recovery, hashes)),
    dropFinding: async (position) => {
      await db.write(() => dropFinding(db, position));
    },
  };
}

/** Adds findings, within the write transaction of the change that they are about. See FindingStore. */
export function addFindings(db: SqliteConnection, findings: readonly Finding[]): void {
  for (const finding of findings) {
    const { projectId, subject } = finding;
    if (subject.length > MAX_SUBJECT_LENGTH) throw new RangeError(`the subject of a finding is too long: ${subject}`);
    db.run("INSERT INTO findings (project_id, subject, finding) VALUES (:projectId, :subject, :finding)", {
      projectId,
      subject,
      finding: JSON.stringify(finding),
    });
  }
}

function dropFinding(db: SqliteConnection, position: number): boolean {
  return db.run("DELETE FROM findings WHERE position = :position", { position }).changedRows > 0;
}

function endTrouble(
  db: SqliteConnection,
  position: number,
  { projectId, at: foundAt, reason }: Recovery,
  hashes: readonly string[],
): { issueId: number } | null {
  if (!dropFinding(db, position)) return null;
  const known = findIssueIds(db, "issue_hashes", projectId, hashes);
  const issueId = hashes.map((hash) => known.get(hash)).find((id) => id !== undefined);
  if (issueId === undefined) return null;
  const at = Math.floor(foundAt);
  const { changedRows } = db.run(
    "UPDATE issues SET status = 'resolved', status_changed_at = :at WHERE id = :issueId AND status = 'unresolved'",
    { issueId, at },
  );
  if (changedRows === 0) return null;
  saveResolution(db, { issueId, projectId }, null);
  addActivity(db, { issueId, at, kind: "resolved", userId: null, data: { reason } });
  addToOutbox(db, [{ transition: "resolved", projectId, issueId, eventId: "", at, release: null, told: null }]);
  return { issueId };
}
