import { type OutcomeCount, withoutOwnWords } from "../../../domain/outcome.ts";
import { MAX_REPORTED_PAIRS_PER_HOUR } from "../../state/batch-store.ts";
import type { SqliteConnection } from "../connection.ts";

/**
 * Which words of client reports a project's hour counts. Admitted in the order of the journal, and kept in the
 * transaction of the sums: so a record's words end the same however its batch is cut, and after a restart.
 */
export class ReportedPairs {
  readonly #db: SqliteConnection;
  readonly #pairsByHour = new Map<string, Set<string>>();

  constructor(db: SqliteConnection) {
    this.#db = db;
  }

  /** The words to count it under: its own, while the hour has room for them. */
  admit({ projectId, category, reason }: OutcomeCount, hour: number): Pick<OutcomeCount, "category" | "reason"> {
    const pairs = this.#pairsOf(projectId, hour);
    const pair = toPair(category, reason);
    if (pairs.has(pair)) return { category, reason };
    if (pairs.size >= MAX_REPORTED_PAIRS_PER_HOUR) return withoutOwnWords(category);
    pairs.add(pair);
    this.#db.run(
      `INSERT INTO reported_words (hour, project_id, category, reason)
       VALUES (:hour, :projectId, :category, :reason)
       ON CONFLICT DO NOTHING`,
      { hour, projectId, category, reason },
    );
    return { category, reason };
  }

  #pairsOf(projectId: number, hour: number): Set<string> {
    const key = `${projectId} ${hour}`;
    let pairs = this.#pairsByHour.get(key);
    if (pairs === undefined) {
      const rows = this.#db.all<{ category: string; reason: string }>(
        "SELECT category, reason FROM reported_words WHERE hour = :hour AND project_id = :projectId",
        { hour, projectId },
      );
      pairs = new Set(rows.map(({ category, reason }) => toPair(category, reason)));
      this.#pairsByHour.set(key, pairs);
    }
    return pairs;
  }
}

/** With the length, no category and reason can pass for another pair. */
function toPair(category: string, reason: string): string {
  return `${category.length} ${category}${reason}`;
}
