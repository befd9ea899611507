/**
 * All files that an event database may consist of, the database first. What is committed during a checkpoint lies in a log of its own, which
 * a process that dies meanwhile leaves behind; the next one joins the logs in a third file (DuckDB 1.5, 2026-11).
 */
export function eventDatabaseFiles(path: string): string[] {
  return [path, ...["", ".checkpoint", ".recovery"].map((suffix) => `${path}.wal${suffix}`)];
}
