import type { SqliteConnection } from "../connection.ts";
import { toShortId, toShortIdPrefix } from "./short-id.ts";

/** Numbers new issues. The last number of each prefix is read and written once for each batch. */
export class ShortIds {
  readonly #db: SqliteConnection;
  readonly #prefixByProject = new Map<number, string>();
  readonly #lastNumberByPrefix = new Map<string, number>();

  constructor(db: SqliteConnection) {
    this.#db = db;
  }

  next(projectId: number): string {
    const prefix = this.#prefixOf(projectId);
    const number = (this.#lastNumberByPrefix.get(prefix) ?? this.#lastNumberOf(prefix)) + 1;
    this.#lastNumberByPrefix.set(prefix, number);
    return toShortId(prefix, number);
  }

  save(): void {
    for (const [prefix, lastNumber] of this.#lastNumberByPrefix) {
      this.#db.run(
        `INSERT INTO short_id_counters (prefix, last_number) VALUES (:prefix, :lastNumber)
         ON CONFLICT DO UPDATE SET last_number = excluded.last_number`,
        { prefix, lastNumber },
      );
    }
  }

  #prefixOf(projectId: number): string {
    let prefix = this.#prefixByProject.get(projectId);
    if (prefix === undefined) {
      const project = this.#db.get<{ slug: string }>("SELECT slug FROM projects WHERE id = :projectId", { projectId });
      // Events may still arrive after their project was deleted.
      prefix = toShortIdPrefix(project?.slug ?? `project-${projectId}`);
      this.#prefixByProject.set(projectId, prefix);
    }
    return prefix;
  }

  #lastNumberOf(prefix: string): number {
    const row = this.#db.get<{ last: number }>(
      "SELECT last_number AS last FROM short_id_counters WHERE prefix = :prefix",
      { prefix },
    );
    return row?.last ?? 0;
  }
}
