import { type EnvironmentOverflow, MAX_ENVIRONMENTS_OF_PROJECT } from "../../../domain/environments.ts";
import type { Scope } from "../../../domain/scope.ts";
import { DAY_MS, toDay } from "../../../domain/time.ts";
import type { SqliteConnection } from "../connection.ts";

/** The id for events whose environment found no room in its project. `environments` has no row for it. */
export const OVERFLOW_ENVIRONMENT_ID = 0;

/** Ids of the environments that exist; null: all environments. The empty name is for events without an environment. */
export function findEnvironmentIds(db: SqliteConnection, names: string[] | undefined): number[] | null {
  if (names === undefined || names.length === 0) return null;
  return db
    .all<{ id: number }>(
      "SELECT id FROM environments WHERE name IN (SELECT value FROM json_each(:names)) ORDER BY id",
      { names: JSON.stringify(names) },
    )
    .map((row) => row.id);
}

/** The ids under which events of these environments are counted. An environment that no longer exists has the overflow id. */
export function toCountedEnvironmentIds(db: SqliteConnection, names: readonly string[]): number[] {
  return names.map((name) => findEnvironmentId(db, name) ?? OVERFLOW_ENVIRONMENT_ID);
}

function findEnvironmentId(db: SqliteConnection, name: string): number | undefined {
  return db.get<{ id: number }>("SELECT id FROM environments WHERE name = :name", { name })?.id;
}

/** Adds environments to projects that have room, and remembers those that found none, within one write transaction. */
export class EnvironmentsOfProjects {
  readonly #db: SqliteConnection;
  /** Environment ids by project and name. */
  readonly #ids = new Map<number, Map<string, number>>();
  readonly #counts = new Map<number, number>();
  readonly #overflows = new Map<number, EnvironmentOverflow>();

  constructor(db: SqliteConnection) {
    this.#db = db;
  }

  /** The id by which events of the environment are counted. */
  require(projectId: number, name: string, seenAt: number): number {
    const ids = this.#ids.get(projectId) ?? new Map<string, number>();
    this.#ids.set(projectId, ids);
    const id = ids.get(name) ?? this.#open(projectId, name, toDay(seenAt));
    ids.set(name, id);
    return id;
  }

  countOverflow({ projectId, eventCount, lastName, lastAt }: EnvironmentOverflow): void {
    const before = this.#overflows.get(projectId);
    this.#overflows.set(projectId, {
      projectId,
      eventCount: (before?.eventCount ?? 0) + eventCount,
      lastName,
      lastAt: Math.max(before?.lastAt ?? 0, lastAt),
    });
  }

  saveOverflows(): void {
    for (const overflow of this.#overflows.values()) {
      this.#db.run(
        `INSERT INTO environment_overflows (project_id, event_count, last_name, last_at)
         VALUES (:projectId, :eventCount, :lastName, :lastAt)
         ON CONFLICT DO UPDATE SET event_count = event_count + excluded.event_count,
           last_name = excluded.last_name, last_at = max(last_at, excluded.last_at)`,
        { ...overflow },
      );
    }
  }

  #open(projectId: number, name: string, day: number): number {
    const db = this.#db;
    const known = findEnvironmentId(db, name);
    const kept =
      known === undefined
        ? undefined
        : db.get<{ day: number }>(
            `SELECT last_seen_day AS day FROM project_environments
             WHERE project_id = :projectId AND environment_id = :known`,
            { projectId, known },
          );
    // There is always room for events without an environment, because people filter by it.
    if (kept === undefined && name !== "" && !this.#takeRoom(projectId)) return OVERFLOW_ENVIRONMENT_ID;
    const id = known ?? db.run("INSERT INTO environments (name) VALUES (:name)", { name }).insertedId;
    if (kept === undefined || kept.day < day) {
      db.run(
        `INSERT INTO project_environments (project_id, environment_id, last_seen_day) VALUES (:projectId, :id, :day)
         ON CONFLICT DO UPDATE SET last_seen_day = excluded.last_seen_day`,
        { projectId, id, day },
      );
    }
    return id;
  }

  #takeRoom(projectId: number): boolean {
    const count =
      this.#counts.get(projectId) ??
      this.#db.get<{ count: number }>(
        "SELECT count(*) AS count FROM project_environments WHERE project_id = :projectId",
        { projectId },
      )?.count ??
      0;
    const hasRoom = count < MAX_ENVIRONMENTS_OF_PROJECT;
    this.#counts.set(projectId, hasRoom ? count + 1 : count);
    return hasRoom;
  }
}

export function listEnvironmentOverflows(db: SqliteConnection, scope: Scope): EnvironmentOverflow[] {
  return db.all<EnvironmentOverflow>(
    `SELECT project_id AS projectId, event_count AS eventCount, last_name AS lastName, last_at AS lastAt
     FROM environment_overflows WHERE project_id IN (SELECT value FROM json_each(:projectIds))
     ORDER BY project_id LIMIT 1000`,
    { projectIds: JSON.stringify(scope.projectIds) },
  );
}

/**
 * Drops environments that were not seen since the instant, to make room for others. Returns how many rows were deleted. Within a write
 * transaction.
 */
export function dropEnvironmentsBefore(db: SqliteConnection, instantMs: number): number {
  const environments = db.run("DELETE FROM project_environments WHERE last_seen_day < :day", { day: toDay(instantMs) });
  const overflows = db.run("DELETE FROM environment_overflows WHERE last_at < :instantMs", {
    instantMs: toDay(instantMs) * DAY_MS,
  });
  return environments.changedRows + overflows.changedRows;
}
