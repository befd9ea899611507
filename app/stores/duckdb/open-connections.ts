import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { Reader } from "./duckdb-reader.ts";
import { ReaderViews } from "./reader-views.ts";

export interface Connections {
  instance: DuckDBInstance;
  /** Attaches, detaches and checkpoints. The others `USE` the file: they can run nothing once DuckDB has shut it. */
  control: DuckDBConnection;
  writers: readonly DuckDBConnection[];
  readers: readonly Reader[];
  views: ReaderViews;
  /** For long work that nobody waits for. */
  background: DuckDBConnection;
}

interface ConnectionsOptions {
  memoryLimitMb: number;
  threads: number;
  tempDir: string;
  writerCount: number;
  readerCount: number;
  /** Name of the database that will be attached. */
  catalog: string;
}

/** Opens connections to a database in memory, to which a file is attached: see `DuckdbDatabase`. */
export async function openConnections(options: ConnectionsOptions): Promise<Connections> {
  // Imported here and not above: loading the library takes 50 ms, in which a server could already be listening.
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: `${options.memoryLimitMb}MB`,
    threads: String(options.threads),
    temp_directory: options.tempDir,
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    // Checkpoints are started by the store: an automatic one would run inside a commit and hold it up for half a second.
    wal_autocheckpoint: "1TB",
  });
  try {
    const control = await instance.connect();
    const writers: DuckDBConnection[] = [];
    while (writers.length < options.writerCount) writers.push(await instance.connect());
    const readers: Reader[] = [];
    while (readers.length < options.readerCount) readers.push(new Reader(await instance.connect()));
    const views = await ReaderViews.open(await instance.connect(), options.catalog);
    const background = await instance.connect();
    // This optimizer uses statistics of a table from when a statement is prepared: a prepared statement found none of the rows that came
    // later, or all of them. Even without prepared statements, rows may come between preparing and running (DuckDB 1.5.6).
    await control.run("SET GLOBAL disabled_optimizers = 'statistics_propagation'");
    // Caches the metadata of day files, so that queries do not read it again: 60 files take 12 ms instead of 24.
    await control.run("SET GLOBAL parquet_metadata_cache = true");
    return { instance, control, writers, readers, views, background };
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

/** Call it when none of them is in use. */
export function closeConnections({ instance, control, writers, readers, views, background }: Connections): void {
  for (const reader of readers) reader.forgetStatements();
  for (const connection of [control, ...writers, background, ...readers.map((reader) => reader.connection)])
    connection.closeSync();
  views.close();
  instance.closeSync();
}
