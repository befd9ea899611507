import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";

export interface StoredItem {
  type: string;
  category: string;
  eventId: string | null;
  traceId: string | null;
  release: string | null;
  name: string | null;
  quantity: number;
  /** Of a transaction: the rows of spans in its trace, its own included. */
  spans: number | null;
}

/** Every item and session, and the logs of each trace, as it lies on disk: there is no page that lists them all. The server must have stopped. */
export async function readStoredItems(dataDir: string, projectId: number): Promise<StoredItem[]> {
  const instance = await DuckDBInstance.create(join(dataDir, "events.duckdb"), { access_mode: "READ_ONLY" });
  try {
    const connection = await instance.connect();
    /** Those in the table and in files of days, each once: a row is in both for a moment. */
    const rowsOf = async (table: "spans" | "logs") => {
      const signals = table === "spans" ? "spans|transactions" : table;
      const files = await connection.runAndReadAll("SELECT name FROM moved_days WHERE regexp_matches(name, $1)", [
        `-(${signals})-`,
      ]);
      const sources = files.getRows().map(([name]) => `read_parquet('${join(dataDir, "days", String(name))}')`);
      return [table, ...sources].map((from) => `SELECT ordinal, project_id, trace_id FROM ${from}`).join(" UNION ");
    };
    const result = await connection.runAndReadAll(
      `SELECT type, category, event_id, trace_id, release, name, quantity::INTEGER,
         CASE WHEN type = 'transaction' THEN coalesce(span_count, 0)::INTEGER END
       FROM items LEFT JOIN (SELECT replace(trace_id::VARCHAR, '-', '') AS trace_id, count(*) AS span_count
         FROM (${await rowsOf("spans")}) AS spans WHERE project_id = $1 GROUP BY ALL) AS traces USING (trace_id)
       WHERE project_id = $1
       UNION ALL
       SELECT 'session', 'session', NULL, NULL, release, NULL, quantity::INTEGER, NULL FROM sessions WHERE project_id = $1
       UNION ALL
       SELECT 'log', 'log_item', NULL, replace(trace_id::VARCHAR, '-', ''), NULL, NULL, count(*)::INTEGER, NULL
       FROM (${await rowsOf("logs")}) AS logs WHERE project_id = $1 GROUP BY trace_id`,
      [projectId],
    );
    return result.getRows().map(([type, category, eventId, traceId, release, name, quantity, spans]) => ({
      type: String(type),
      category: String(category),
      eventId: toText(eventId),
      traceId: toText(traceId),
      release: toText(release),
      name: toText(name),
      quantity: Number(quantity),
      spans: spans === null ? null : Number(spans),
    }));
  } finally {
    instance.closeSync();
  }
}

function toText(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}
