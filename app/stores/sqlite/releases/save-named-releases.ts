import type { NamedReleases } from "../../../domain/releases/name-releases.ts";
import type { SqliteConnection } from "../connection.ts";
import { saveReleaseDays } from "./release-days.ts";
import { insertRelease } from "./releases.ts";

/** Writes the changes of a batch to releases, within a write transaction. Returns the ids of new releases. */
export function saveNamedReleases(db: SqliteConnection, releases: NamedReleases): Map<number, number> {
  const madeIds = new Map<number, number>();
  for (const { id, version, orderedAt } of releases.made) madeIds.set(id, insertRelease(db, version, orderedAt).id);
  const idOf = ({ id }: { id: number }) => madeIds.get(id) ?? id;
  for (const { projectId, release } of releases.linked) {
    db.run("INSERT OR IGNORE INTO release_projects (project_id, release_id) VALUES (:projectId, :releaseId)", {
      projectId,
      releaseId: idOf(release),
    });
  }
  saveReleaseDays(db, releases.days);
  for (const { release, projectId, eventCount, firstEventAt, lastEventAt } of releases.counts) {
    db.run(
      `UPDATE release_projects SET event_count = event_count + :eventCount,
         first_event_at = min(coalesce(first_event_at, :firstEventAt), :firstEventAt),
         last_event_at = max(coalesce(last_event_at, :lastEventAt), :lastEventAt)
       WHERE project_id = :projectId AND release_id = :releaseId`,
      { releaseId: idOf(release), projectId, eventCount, firstEventAt, lastEventAt },
    );
  }
  return madeIds;
}
