import {
  type CountedOutcome,
  countOutcomes,
  findConcernedProjects,
  findReportedHours,
  type KnownOutcomes,
  type RefusedQuantity,
} from "../../../domain/outcomes/count-outcomes.ts";
import type { SqliteConnection } from "../connection.ts";

/** Within a write transaction. */
export function addOutcomes(db: SqliteConnection, outcomes: readonly CountedOutcome[]): void {
  const counted = countOutcomes(loadKnownOutcomes(db, outcomes), outcomes);
  for (const { projectId, outcome, category, reason, quantity, hour } of counted.rows) {
    db.run(
      `INSERT INTO outcomes (hour, project_id, outcome, category, reason, quantity)
       VALUES (:hour, :projectId, :outcome, :category, :reason, :quantity)
       ON CONFLICT DO UPDATE SET quantity = min(quantity + excluded.quantity, ${Number.MAX_SAFE_INTEGER})`,
      { hour, projectId, outcome, category, reason, quantity },
    );
  }
  for (const refused of counted.refused) saveRefused(db, refused);
  for (const pair of counted.newReportedPairs) {
    db.run(
      `INSERT INTO reported_words (hour, project_id, category, reason)
       VALUES (:hour, :projectId, :category, :reason)
       ON CONFLICT DO NOTHING`,
      { ...pair },
    );
  }
}

function loadKnownOutcomes(db: SqliteConnection, outcomes: readonly CountedOutcome[]): KnownOutcomes {
  return {
    // At most a few hundred rows for each project: the hours of a day, for a dozen categories.
    refused: findConcernedProjects(outcomes).flatMap((projectId) =>
      db
        .all<{ category: string; hour: number; quantity: number }>(
          `SELECT category, hour, quantity FROM reportable_refusals
           WHERE project_id = :projectId ORDER BY category, hour`,
          { projectId },
        )
        .map((row) => ({ projectId, ...row })),
    ),
    reportedPairs: findReportedHours(outcomes).flatMap((projectHour) =>
      db
        .all<{ category: string; reason: string }>(
          "SELECT category, reason FROM reported_words WHERE hour = :hour AND project_id = :projectId",
          projectHour,
        )
        .map((row) => ({ ...projectHour, ...row })),
    ),
  };
}

function saveRefused(db: SqliteConnection, { projectId, category, hour, quantity }: RefusedQuantity): void {
  const key = { projectId, category, hour };
  if (quantity === 0) {
    db.run(
      "DELETE FROM reportable_refusals WHERE project_id = :projectId AND category = :category AND hour = :hour",
      key,
    );
    return;
  }
  db.run(
    `INSERT INTO reportable_refusals (project_id, category, hour, quantity)
     VALUES (:projectId, :category, :hour, :quantity)
     ON CONFLICT DO UPDATE SET quantity = excluded.quantity`,
    { ...key, quantity },
  );
}
