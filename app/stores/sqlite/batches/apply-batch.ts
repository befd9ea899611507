import type { IssueAssignment, StateBatch } from "../../state/batch-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { saveCheckIns } from "../monitors/batch-check-ins.ts";
import { addOutcomes } from "../outcomes/outcomes.ts";
import { noteFirstEvent } from "../projects/projects-and-keys.ts";
import { noteLateIssues } from "../reprocessing/late-issues.ts";
import { BatchDrafts } from "./batch-drafts.ts";
import { EarlierAssignments, saveLastAssignments } from "./last-assignments.ts";
import { saveIssueDrafts } from "./save-issue-drafts.ts";

export function appliedSequence(db: SqliteConnection, journalId: string): number {
  const row = db.get<{ sequence: number }>("SELECT sequence FROM journal_positions WHERE journal_id = :journalId", {
    journalId,
  });
  return row?.sequence ?? 0;
}

/** Within a write transaction. */
export function applyBatch(db: SqliteConnection, batch: StateBatch): IssueAssignment[] {
  const applied = appliedSequence(db, batch.journalId);
  const drafts = new BatchDrafts(db);
  const earlier = new EarlierAssignments(db, batch.journalId);
  const found = batch.occurrences.map((occurrence) => {
    if (occurrence.sequence >= batch.upTo) {
      throw new RangeError(
        `the batch ends before ${batch.upTo}, and has an occurrence of record ${occurrence.sequence}`,
      );
    }
    if (occurrence.sequence < applied) {
      const issueId = earlier.find(occurrence) ?? drafts.findIssueId(occurrence);
      if (issueId !== null) return { issueId, transition: null };
      // Its issue was deleted meanwhile; the event is still to be stored somewhere.
      return { draft: drafts.add(occurrence).draft, transition: null };
    }
    return drafts.add(occurrence);
  });

  const issueIds = saveIssueDrafts(db, drafts.all);
  drafts.releases.save();
  drafts.wanted.save(db, issueIds);
  for (const [projectId, at] of drafts.firstEventByProject) noteFirstEvent(db, projectId, at);
  addOutcomes(
    db,
    batch.outcomes.filter((outcome) => outcome.sequence >= applied),
  );
  if (batch.checkIns) {
    saveCheckIns(
      db,
      batch.checkIns.filter((checkIn) => checkIn.sequence >= applied),
    );
  }
  const assignments = found.map((assignment): IssueAssignment => {
    if (!("draft" in assignment)) return assignment;
    const issueId = issueIds.get(assignment.draft);
    if (issueId === undefined) throw new Error("an issue of the batch was not saved");
    return { issueId, transition: assignment.transition };
  });
  noteLateIssues(db, batch.occurrences, assignments);
  if (batch.upTo > applied) {
    // All of the batch, because the event store may have none of it, those from below the position included.
    const assigned = batch.occurrences.map((occurrence, index) => ({
      occurrence,
      issueId: (assignments[index] as IssueAssignment).issueId,
    }));
    saveLastAssignments(db, batch.journalId, assigned);
    db.run(
      `INSERT INTO journal_positions (journal_id, sequence) VALUES (:journalId, :upTo)
       ON CONFLICT DO UPDATE SET sequence = excluded.sequence`,
      { journalId: batch.journalId, upTo: batch.upTo },
    );
  }
  return assignments;
}
