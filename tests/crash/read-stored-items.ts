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
}

/** Every item and session, as it lies on disk: there is no page that lists them all. The server must have stopped. */
export async function readStoredItems(dataDir: string, projectId: number): Promise<StoredItem[]> {
  const instance = await DuckDBInstance.create(join(dataDir, "events.duckdb"), { access_mode: "READ_ONLY" });
  try {
    const connection = await instance.connect();
    const result = await connection.runAndReadAll(
      `SELECT type, category, event_id, trace_id, release, name, quantity::INTEGER FROM items WHERE project_id = $1
       UNION ALL
       SELECT 'session', 'session', NULL, NULL, release, NULL, quantity::INTEGER FROM sessions WHERE project_id = $1`,
      [projectId],
    );
    return result.getRows().map(([type, category, eventId, traceId, release, name, quantity]) => ({
      type: String(type),
      category: String(category),
      eventId: toText(eventId),
      traceId: toText(traceId),
      release: toText(release),
      name: toText(name),
      quantity: Number(quantity),
    }));
  } finally {
    instance.closeSync();
  }
}

function toText(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}
