import { applyOccurrences } from "../../../domain/issues/apply-occurrences.ts";
import { noteFirstEvent } from "../../sql/project-store.ts";
import { type IssueAssignment, keyOfFiltered, type StateBatch } from "../../state/batch-store.ts";
import { saveMissingSourceMaps } from "../artifacts/missing-source-maps.ts";
import type { SqliteConnection } from "../connection.ts";
import { saveFeedback } from "../feedback/save-feedback.ts";
import { saveSettled } from "../issues/resolutions.ts";
import { saveCheckIns } from "../monitors/save-check-ins.ts";
import { saveTransitions } from "../notifications/outbox.ts";
import { addOutcomes } from "../outcomes/add-outcomes.ts";
import { saveNamedReleases } from "../releases/save-named-releases.ts";
import { noteLateIssues } from "../reprocessing/late-issues.ts";
import { saveExamples, saveLastFiltered } from "../rules/filtered-examples.ts";
import { saveLastAssignments } from "./last-assignments.ts";
import { loadKnownState } from "./load-known-state.ts";
import { saveGroupingMoves } from "./save-grouping-moves.ts";
import { saveIssueChanges } from "./save-issue-changes.ts";

export function appliedSequence(db: SqliteConnection, journalId: string): number {
  const row = db.get<{ sequence: number }>("SELECT sequence FROM journal_positions WHERE journal_id = :journalId", {
    journalId,
  });
  return row?.sequence ?? 0;
}

/** Within a write transaction: reads what is known, lets the domain decide, and writes the changes. */
export function applyBatch(db: SqliteConnection, batch: StateBatch): IssueAssignment[] {
  const { journalId, upTo, occurrences } = batch;
  const beyond = occurrences.find(({ sequence }) => sequence >= upTo);
  if (beyond) throw new RangeError(`the batch ends before ${upTo}, and has an occurrence of record ${beyond.sequence}`);
  const applied = appliedSequence(db, journalId);
  const isNew = ({ sequence }: { sequence: number }) => sequence >= applied;

  const result = applyOccurrences(
    loadKnownState(db, { journalId, appliedSequence: applied }, occurrences),
    occurrences,
  );
  const madeReleaseIds = saveNamedReleases(db, result.releases);
  saveSettled(db, result.settled);
  const issueIds = saveIssueChanges(db, result.changes, { environments: result.environments, madeReleaseIds });
  saveGroupingMoves(db, result.groupingMoves, issueIds);
  saveMissingSourceMaps(db, result.changes, issueIds);
  for (const [projectId, at] of result.firstEventByProject) db.perform(noteFirstEvent(projectId, at));
  addOutcomes(db, batch.outcomes.filter(isNew));
  const filtered = batch.filtered ?? [];
  saveExamples(db, filtered.filter(isNew));
  if (batch.checkIns) saveCheckIns(db, batch.checkIns.filter(isNew));
  if (batch.feedback) saveFeedback(db, batch.feedback.filter(isNew));

  const assignments = result.assigned.map(({ found, transition }): IssueAssignment => {
    const issueId = "change" in found ? issueIds.get(found.change) : found.issueId;
    if (issueId === undefined) throw new Error("an issue of the batch was not saved");
    return { issueId, transition };
  });
  saveTransitions(db, occurrences, assignments);
  noteLateIssues(db, occurrences, assignments);
  if (upTo > applied) {
    // The whole batch, including records below the position: the event store may have nothing of it.
    saveLastAssignments(db, journalId, occurrences, assignments);
    saveLastFiltered(db, journalId, filtered.map(keyOfFiltered));
    db.run(
      `INSERT INTO journal_positions (journal_id, sequence) VALUES (:journalId, :upTo)
       ON CONFLICT DO UPDATE SET sequence = excluded.sequence`,
      { journalId, upTo },
    );
  }
  return assignments;
}
