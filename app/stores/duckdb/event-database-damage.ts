/** The messages of DuckDB 1.5 for a file whose bytes are not those that it wrote (2026-11). */
const DAMAGE =
  /not a valid DuckDB database file|Corrupt database file|does not match stored checksum|Could not read enough bytes|^Serialization Error/;

/** Errors that mean a damaged log, or a damaged catalog. They are unambiguous only while a file is opened. */
const DAMAGE_AT_OPENING = /Failure while replaying WAL|^INTERNAL Error|^FATAL Error/;

/** Errors with another cause: the disk, the system, another process or another file. The database file may be whole. */
const NOT_DAMAGE =
  /No space left|Permission denied|Read-only file system|Could not set lock|Conflicting lock|Too many open files|Out of Memory|Cannot allocate|Input\/output error|newer version|\.parquet/i;

/** Thrown when the file of the event store does not contain what was written to it. */
export class DamagedEventDatabaseError extends Error {
  override readonly name = "DamagedEventDatabaseError";
}

/** Whether an error of DuckDB shows that its file is damaged. */
export function saysDamage(error: unknown, { isOpening = false } = {}): boolean {
  if (error instanceof DamagedEventDatabaseError) return true;
  if (!(error instanceof Error) || NOT_DAMAGE.test(error.message)) return false;
  return DAMAGE.test(error.message) || (isOpening && DAMAGE_AT_OPENING.test(error.message));
}
