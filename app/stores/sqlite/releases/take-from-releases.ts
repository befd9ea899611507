import { cleanReleaseVersion } from "../../../domain/release-version.ts";
import type { SqliteConnection } from "../connection.ts";

/** A deleted event, with the release in its row. */
export interface ReleaseNaming {
  projectId: number;
  release: string;
}

/**
 * Subtracts deleted events from the counts of their releases. A release without events has no first and no last event. Within a write
 * transaction.
 */
export function takeFromReleases(db: SqliteConnection, namings: readonly ReleaseNaming[]): void {
  for (const [projectId, ofProject] of Map.groupBy(namings, (naming) => naming.projectId)) {
    for (const [version, taken] of Map.groupBy(ofProject, ({ release }) => cleanReleaseVersion(release))) {
      if (version === null) continue;
      db.run(
        `UPDATE release_projects SET event_count = max(event_count - :count, 0),
           first_event_at = CASE WHEN event_count > :count THEN first_event_at END,
           last_event_at = CASE WHEN event_count > :count THEN last_event_at END
         WHERE project_id = :projectId AND release_id = (SELECT id FROM releases WHERE version = :version)`,
        { projectId, version, count: taken.length },
      );
    }
  }
}
