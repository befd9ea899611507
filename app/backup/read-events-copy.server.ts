import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";

/** Reads the facts of an event database that nobody has open. */
export interface EventsReport {
  folderId: string | null;
  appliedSequence: number;
  /** Files of payloads that rows refer to, with the number of those rows. Null unless everything was read. */
  payloadRows: ReadonlyMap<number, number> | null;
}

const OPTIONS = {
  access_mode: "READ_ONLY",
  memory_limit: "256MB",
  threads: "1",
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
} as const;

/**
 * Opens an event database for reading, which changes nothing of it, and reads each value of each row when `isThorough`.
 *
 * @throws when it cannot be opened or read: it is damaged, or somebody has it open.
 */
export async function readEventsCopy(
  path: string,
  { journalId, isThorough, tempDir }: { journalId: string; isThorough: boolean; tempDir: string },
): Promise<EventsReport> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance: DuckDBInstance = await DuckDBInstance.create(path, { ...OPTIONS, temp_directory: tempDir });
  try {
    const connection = await instance.connect();
    const [folder] = await read(connection, "SELECT folder_id FROM data_folder");
    const [position] = await read(
      connection,
      "SELECT applied_sequence::DOUBLE FROM applied_positions WHERE journal_id = $1",
      [journalId],
    );
    return {
      folderId: folder ? String(folder[0]) : null,
      appliedSequence: Number(position?.[0] ?? 0),
      payloadRows: isThorough ? await readEverything(connection) : null,
    };
  } finally {
    instance.closeSync();
  }
}

async function readEverything(connection: DuckDBConnection): Promise<Map<number, number>> {
  const columns = await read(
    connection,
    `SELECT table_name, column_name FROM duckdb_columns() WHERE database_name = current_database() AND NOT internal
     ORDER BY table_name, column_index`,
  );
  const byTable = new Map<string, string[]>();
  for (const [table, column] of columns) {
    const names = byTable.get(String(table)) ?? [];
    names.push(String(column));
    byTable.set(String(table), names);
  }
  const payloadRows = new Map<number, number>();
  for (const [table, names] of byTable) {
    // A checksum of its own is of no use: that every block could be read is.
    await read(connection, `SELECT bit_xor(hash(${names.map(quote).join(", ")})) FROM ${quote(table)}`);
    if (!names.includes("payload_file")) continue;
    const rows = await read(
      connection,
      `SELECT payload_file::DOUBLE, count(*)::DOUBLE FROM ${quote(table)} WHERE payload_file IS NOT NULL GROUP BY 1`,
    );
    for (const [fileId, count] of rows)
      payloadRows.set(Number(fileId), (payloadRows.get(Number(fileId)) ?? 0) + Number(count));
  }
  return payloadRows;
}

async function read(connection: DuckDBConnection, sql: string, values: string[] = []): Promise<unknown[][]> {
  return (await connection.runAndReadAll(sql, values)).getRowsJS();
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
