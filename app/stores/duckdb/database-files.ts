/**
 * All files that an event database may have, the database first. Commits during a checkpoint go into a log of their own. If the process
 * dies meanwhile, that log is left, and the next process joins the logs in a third file (DuckDB 1.5, 2026-11).
 */
export function eventDatabaseFiles(path: string): string[] {
  return [path, ...["", ".checkpoint", ".recovery"].map((suffix) => `${path}.wal${suffix}`)];
}
