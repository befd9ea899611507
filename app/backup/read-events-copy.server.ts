import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";

/** The facts about an event database that no process has open. */
export interface EventsReport {
  folderId: string | null;
  /** The applied sequence by the id of each journal. */
  positions: ReadonlyMap<string, number>;
  /** Rows with payloads, by the id of the payload file. Null unless everything was read. */
  payloadRows: ReadonlyMap<number, PayloadRows> | null;
  /** Names of the files of days that it counts on. */
  dayFiles: readonly string[];
  /** A rebuild of it has begun and not ended: some of its rows are missing. */
  isRebuilding: boolean;
}

/** Rows of events that refer to one file of payloads. */
export interface PayloadRows {
  count: number;
  /** Rows whose block begins behind the last whole block of the file. */
  beyondEnd: number;
}

const OPTIONS = {
  access_mode: "READ_ONLY",
  memory_limit: "256MB",
  threads: "1",
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
} as const;

/**
 * Opens an event database for reading, which changes nothing of it. With `payloadEnds` it reads each value of each row, too, and compares
 * the places of payloads with where the whole blocks of their files end (bytes, by the file's id).
 *
 * @throws when it cannot be opened or read: it is damaged, or somebody has it open.
 */
export async function readEventsCopy(
  path: string,
  { payloadEnds, tempDir }: { payloadEnds?: ReadonlyMap<number, number>; tempDir: string },
): Promise<EventsReport> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance: DuckDBInstance = await DuckDBInstance.create(path, { ...OPTIONS, temp_directory: tempDir });
  try {
    const connection = await instance.connect();
    const [folder] = await read(connection, "SELECT folder_id FROM data_folder");
    const positions = await read(connection, "SELECT journal_id, applied_sequence::DOUBLE FROM applied_positions");
    return {
      folderId: folder ? String(folder[0]) : null,
      positions: new Map(positions.map(([id, sequence]) => [String(id), Number(sequence)])),
      payloadRows: payloadEnds ? await readEverything(connection, payloadEnds) : null,
      isRebuilding:
        (await hasTable(connection, "rebuild")) && (await read(connection, "SELECT 1 FROM rebuild")).length > 0,
      dayFiles: (await hasTable(connection, "moved_days"))
        ? (await read(connection, "SELECT name FROM moved_days ORDER BY name")).map(([name]) => String(name))
        : [],
    };
  } finally {
    instance.closeSync();
  }
}

/** Whether the version that made an event database knows days that lie in files of their own. Changes nothing of it. */
export async function hasMovedDays(path: string): Promise<boolean> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(path, OPTIONS);
  try {
    return await hasTable(await instance.connect(), "moved_days");
  } finally {
    instance.closeSync();
  }
}

/** Versions before it have databases without it. */
async function hasTable(connection: DuckDBConnection, name: string): Promise<boolean> {
  return (await read(connection, "SELECT 1 FROM duckdb_tables() WHERE table_name = $1", [name])).length > 0;
}

async function readEverything(
  connection: DuckDBConnection,
  payloadEnds: ReadonlyMap<number, number>,
): Promise<Map<number, PayloadRows>> {
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
  const payloadRows = new Map<number, PayloadRows>();
  const ends = [...payloadEnds].filter(([, end]) => Number.isFinite(end));
  // Numbers alone, so that they can stand in the statement. The first makes a list of one where no file is there.
  const known = [[-1, 0], ...ends].map(([fileId, end]) => `(${fileId}, ${end})`).join(", ");
  for (const [table, names] of byTable) {
    // The hash itself is not needed. The query shows that every block can be read.
    await read(connection, `SELECT bit_xor(hash(${names.map(quote).join(", ")})) FROM ${quote(table)}`);
    if (!names.includes("payload_file")) continue;
    const rows = await read(
      connection,
      `SELECT payload_file::DOUBLE, count(*)::DOUBLE, (count(*) FILTER (payload_offset >= known.upto))::DOUBLE
       FROM ${quote(table)} LEFT JOIN (VALUES ${known}) AS known(file, upto) ON known.file = payload_file
       WHERE payload_file IS NOT NULL GROUP BY 1`,
    );
    for (const [fileId, count, beyondEnd] of rows) {
      const before = payloadRows.get(Number(fileId)) ?? { count: 0, beyondEnd: 0 };
      payloadRows.set(Number(fileId), {
        count: before.count + Number(count),
        beyondEnd: before.beyondEnd + Number(beyondEnd),
      });
    }
  }
  return payloadRows;
}

async function read(connection: DuckDBConnection, sql: string, values: string[] = []): Promise<unknown[][]> {
  return (await connection.runAndReadAll(sql, values)).getRowsJS();
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
