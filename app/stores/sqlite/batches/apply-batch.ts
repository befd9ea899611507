import { type AppliedOccurrences, applyOccurrences } from "../../../domain/issues/apply-occurrences.ts";
import type { IssueOccurrence } from "../../../domain/issues/occurrence.ts";
import type { VolumeReason } from "../../../domain/volume/decide-volume.ts";
import { noteFirstEvent } from "../../sql/project-store.ts";
import { type IssueAssignment, keyOfFiltered, leaveOutOutcomes, type StateBatch } from "../../state/batch-store.ts";
import { saveMissingSourceMaps } from "../artifacts/missing-source-maps.ts";
import type { SqliteConnection } from "../connection.ts";
import { saveFeedback } from "../feedback/save-feedback.ts";
import { countUses } from "../grouping/rule-uses.ts";
import { EnvironmentsOfProjects } from "../issues/environments.ts";
import { saveSettled } from "../issues/resolutions.ts";
import { saveCheckIns } from "../monitors/save-check-ins.ts";
import { saveTransitions } from "../notifications/outbox.ts";
import { addOutcomes } from "../outcomes/add-outcomes.ts";
import { saveNamedReleases } from "../releases/save-named-releases.ts";
import { noteLateIssues } from "../reprocessing/late-issues.ts";
import { saveExamples, saveLastFiltered } from "../rules/filtered-examples.ts";
import { applyVolume } from "../volume/apply-volume.ts";
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

/** Applies a batch within a write transaction: reads the known state, lets the domain decide, and writes the changes. */
export function applyBatch(db: SqliteConnection, batch: StateBatch): IssueAssignment[] {
  const { journalId, upTo, occurrences } = batch;
  const beyond = occurrences.find(({ sequence }) => sequence >= upTo);
  if (beyond) throw new RangeError(`the batch ends before ${upTo}, and has an occurrence of record ${beyond.sequence}`);
  const applied = appliedSequence(db, journalId);
  const isNew = ({ sequence }: { sequence: number }) => sequence >= applied;

  const sightings = batch.releases?.filter(isNew) ?? [];
  const known = loadKnownState(db, { journalId, appliedSequence: applied }, occurrences, sightings);
  const result = applyOccurrences(known, occurrences, sightings);
  const madeReleaseIds = saveNamedReleases(db, result.releases);
  saveSettled(db, result.settled);
  const { environments } = result;
  const ofProjects = new EnvironmentsOfProjects(db);
  const issueIds = saveIssueChanges(db, result.changes, { environments, ofProjects, madeReleaseIds });
  ofProjects.saveOverflows();
  saveGroupingMoves(db, result.groupingMoves, issueIds);
  saveMissingSourceMaps(db, result.changes, issueIds);
  for (const [projectId, at] of result.firstEventByProject) db.perform(noteFirstEvent(projectId, at));

  if (batch.checkIns) saveCheckIns(db, batch.checkIns.filter(isNew));
  if (batch.feedback) saveFeedback(db, batch.feedback.filter(isNew));

  const assignments = result.assigned.map(({ found, transition }): IssueAssignment => {
    const issueId = "change" in found ? issueIds.get(found.change) : found.issueId;
    if (issueId === undefined) throw new Error("an issue of the batch was not saved");
    return { issueId, transition };
  });
  const leftOut = leaveOut(db, batch, { result, assignments, isNew });
  occurrences.forEach((occurrence, at) => {
    const reason = leftOut.get(occurrence);
    if (reason !== undefined) Object.assign(assignments[at] as IssueAssignment, { leftOut: reason });
  });
  const filtered = [...(batch.filtered ?? []), ...toFiltered(batch, leftOut)];
  addOutcomes(db, leaveOutOutcomes(batch.outcomes.filter(isNew), leftOut));
  saveExamples(db, filtered.filter(isNew));
  countUses(
    db,
    occurrences.filter((occurrence) => isNew(occurrence) && !leftOut.has(occurrence)),
  );
  saveTransitions(db, occurrences, assignments);
  noteLateIssues(db, occurrences, assignments);
  if (upTo > applied) {
    // The whole batch, with records below the position: the event store may have none of it.
    saveLastAssignments(db, batch, assignments);
    saveLastFiltered(db, batch, filtered.map(keyOfFiltered));
    db.run(
      `INSERT INTO journal_positions (journal_id, sequence) VALUES (:journalId, :upTo)
       ON CONFLICT DO UPDATE SET sequence = excluded.sequence`,
      { journalId, upTo },
    );
  }
  return assignments;
}

/** The occurrences that their issues have counted and that are not stored, each with the reason. */
function leaveOut(
  db: SqliteConnection,
  { occurrences, volume }: StateBatch,
  {
    result,
    assignments,
    isNew,
  }: {
    result: AppliedOccurrences;
    assignments: readonly IssueAssignment[];
    isNew: (occurrence: IssueOccurrence) => boolean;
  },
): ReadonlyMap<IssueOccurrence, VolumeReason> {
  if (volume === undefined) return new Map();
  const counted = occurrences.flatMap((occurrence, at) => {
    const { found } = result.assigned[at] as AppliedOccurrences["assigned"][number];
    // Events that came before their issue was deleted have no issue.
    if (!isNew(occurrence) || !volume.occurrences.has(occurrence) || !("change" in found)) return [];
    const { issueId, transition } = assignments[at] as IssueAssignment;
    return [{ occurrence, issueId, isTransition: transition !== null, batchEvents: found.change.eventCount }];
  });
  return applyVolume(db, volume, counted);
}

function toFiltered(
  { volume }: StateBatch,
  leftOut: ReadonlyMap<IssueOccurrence, VolumeReason>,
): StateBatch["filtered"] & object {
  return [...leftOut].map(([occurrence, reason]) => {
    const { sequence, projectId, receivedAt, eventId } = occurrence;
    return { sequence, projectId, receivedAt, eventId, reason, example: volume?.toExample(occurrence, reason) ?? null };
  });
}
