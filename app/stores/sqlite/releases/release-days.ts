import { DAY_MS, toDay } from "../../../domain/time.ts";
import { type LeftOutReleases, MAX_RELEASES_BY_EVENTS_PER_DAY } from "../../state/release-store.ts";
import type { SqliteConnection } from "../connection.ts";

interface ReleaseDay {
  projectId: number;
  day: number;
  releaseCount: number;
  newReleaseCount: number;
  leftOutEventCount: number;
  lastLeftOut: string | null;
}

/** How many releases the events of a batch may still make, and what finds no room: read and written once for each project and day. */
export class BatchReleaseDays {
  readonly #db: SqliteConnection;
  readonly #days = new Map<string, ReleaseDay>();

  constructor(db: SqliteConnection) {
    this.#db = db;
  }

  /** Takes the place of a release that an event which arrived then is to make. False: there is none left. */
  takePlace(projectId: number, receivedAt: number): boolean {
    const day = this.#open(projectId, receivedAt);
    if (day.releaseCount >= MAX_RELEASES_BY_EVENTS_PER_DAY) return false;
    day.releaseCount++;
    day.newReleaseCount++;
    return true;
  }

  countLeftOut(projectId: number, receivedAt: number, version: string): void {
    const day = this.#open(projectId, receivedAt);
    day.leftOutEventCount++;
    day.lastLeftOut = version;
  }

  save(): void {
    for (const { projectId, day, newReleaseCount, leftOutEventCount, lastLeftOut } of this.#days.values()) {
      this.#db.run(
        `INSERT INTO release_days (project_id, day, release_count, left_out_event_count, last_left_out)
         VALUES (:projectId, :day, :newReleaseCount, :leftOutEventCount, :lastLeftOut)
         ON CONFLICT DO UPDATE SET release_count = release_count + excluded.release_count,
           left_out_event_count = left_out_event_count + excluded.left_out_event_count,
           last_left_out = coalesce(excluded.last_left_out, last_left_out)`,
        { projectId, day, newReleaseCount, leftOutEventCount, lastLeftOut },
      );
    }
  }

  #open(projectId: number, receivedAt: number): ReleaseDay {
    const day = toDay(receivedAt);
    const key = `${projectId} ${day}`;
    let known = this.#days.get(key);
    if (known === undefined) {
      const row = this.#db.get<{ release_count: number }>(
        "SELECT release_count FROM release_days WHERE project_id = :projectId AND day = :day",
        { projectId, day },
      );
      known = {
        projectId,
        day,
        releaseCount: row?.release_count ?? 0,
        newReleaseCount: 0,
        leftOutEventCount: 0,
        lastLeftOut: null,
      };
      this.#days.set(key, known);
    }
    return known;
  }
}

const MAX_LISTED = 100;

export function listLeftOutReleases(
  db: SqliteConnection,
  projectIds: number[] | null,
  since: number,
): LeftOutReleases[] {
  const inProjects = projectIds === null ? "" : "AND project_id IN (SELECT value FROM json_each(:projectIds))";
  return db
    .all<{ project_id: number; day: number; left_out_event_count: number; last_left_out: string }>(
      `SELECT project_id, day, left_out_event_count, last_left_out FROM release_days
       WHERE last_left_out IS NOT NULL AND day >= :day ${inProjects}
       ORDER BY day DESC, project_id LIMIT ${MAX_LISTED}`,
      { day: toDay(since), ...(projectIds === null ? {} : { projectIds: JSON.stringify(projectIds) }) },
    )
    .map((row) => ({
      projectId: row.project_id,
      dayAt: row.day * DAY_MS,
      eventCount: row.left_out_event_count,
      lastVersion: row.last_left_out,
    }));
}

/** Within a write transaction: days that ended before. Gives how many rows went. */
export function dropReleaseDaysBefore(db: SqliteConnection, instantMs: number): number {
  return db.run("DELETE FROM release_days WHERE day < :day", { day: toDay(instantMs) }).changedRows;
}
