import type { DuckDBConnection } from "@duckdb/node-api";
import { MAX_ENVIRONMENTS_OF_PROJECT } from "../../domain/environments.ts";
import { HOUR_MS } from "../../domain/time.ts";
import type { SeenEnvironment } from "../events/event-log.ts";
import type { DuckdbDatabase } from "./duckdb-database.ts";
import { SqlConditions } from "./sql-conditions.ts";

/** How long an environment that is still seen is not noted again: the order of the list is that coarse. */
const NOTE_AGAIN_AFTER_MS = HOUR_MS;

const MAX_LISTED = 200;

/** Notes in which environments each project was seen. Rows are only added, and most batches add none. */
export class EnvironmentLog {
  readonly #notedAt = new Map<number, Map<string, number>>();

  static async open(database: DuckdbDatabase): Promise<EnvironmentLog> {
    const log = new EnvironmentLog();
    const rows = await database.read(`
      SELECT project_id::DOUBLE AS project_id, environment, max(last_seen_at)::DOUBLE AS seen_at
      FROM environments GROUP BY ALL`);
    log.markNoted(
      rows.map((row) => ({
        projectId: Number(row.project_id),
        environment: String(row.environment),
        seenAt: Number(row.seen_at),
      })),
    );
    return log;
  }

  /** The environments that are new, or were last noted long ago. */
  listDue(seen: readonly SeenEnvironment[]): SeenEnvironment[] {
    const newNames = new Map<number, Set<string>>();
    return seen.filter(({ projectId, environment, seenAt }) => {
      const ofProject = this.#notedAt.get(projectId);
      const notedAt = ofProject?.get(environment);
      if (notedAt !== undefined) return seenAt - notedAt >= NOTE_AGAIN_AFTER_MS;
      const names = newNames.get(projectId) ?? new Set();
      newNames.set(projectId, names.add(environment));
      return (ofProject?.size ?? 0) + names.size <= MAX_ENVIRONMENTS_OF_PROJECT;
    });
  }

  /** Writes the environments that are due, and returns them for `markNoted` after the commit. */
  async note(connection: DuckDBConnection, seen: readonly SeenEnvironment[]): Promise<SeenEnvironment[]> {
    const due = this.listDue(seen);
    if (due.length > 0) {
      const values = new SqlConditions();
      const rows = due.map(
        ({ projectId, environment, seenAt }) =>
          `(${values.bind(projectId)}, ${values.bind(environment)}, ${values.bind(seenAt)})`,
      );
      await connection.run(
        `INSERT INTO environments (project_id, environment, last_seen_at) VALUES ${rows.join(", ")}`,
        values.values,
      );
    }
    return due;
  }

  markNoted(noted: SeenEnvironment[]): void {
    for (const { projectId, environment, seenAt } of noted) {
      const ofProject = this.#notedAt.get(projectId) ?? new Map<string, number>();
      this.#notedAt.set(projectId, ofProject);
      ofProject.set(environment, seenAt);
    }
  }

  /** The committed environments, from memory. */
  list(projectIds: readonly number[]): string[] {
    const seenAt = new Map<string, number>();
    for (const projectId of new Set(projectIds)) {
      for (const [environment, at] of this.#notedAt.get(projectId) ?? []) {
        seenAt.set(environment, Math.max(at, seenAt.get(environment) ?? Number.NEGATIVE_INFINITY));
      }
    }
    return [...seenAt]
      .sort(([a, aAt], [b, bAt]) => bAt - aAt || (a < b ? -1 : 1))
      .slice(0, MAX_LISTED)
      .map(([environment]) => environment);
  }

  async dropBefore(connection: DuckDBConnection, instantMs: number): Promise<void> {
    await connection.run("DELETE FROM environments WHERE last_seen_at < $1", [Math.ceil(instantMs)]);
    for (const ofProject of this.#notedAt.values()) {
      for (const [environment, notedAt] of ofProject) if (notedAt < instantMs) ofProject.delete(environment);
    }
  }
}
