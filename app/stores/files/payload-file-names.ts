import { DAY_MS } from "../../domain/time.ts";

/** More in one day are not made: at 256 MB each they would be 2.5 TB, and each start makes at most one that is not full. */
const MAX_FILES_PER_DAY = 10_000;

/** Days since 1970 in UTC. */
export function dayOf(instantMs: number): number {
  return Math.floor(instantMs / DAY_MS);
}

/** Milliseconds since 1970 at which the day is over. */
export function endOfDay(day: number): number {
  return (day + 1) * DAY_MS;
}

/** The day, then the running number of the file in it: ids grow with time. */
export function toFileId(day: number, number: number): number {
  return day * MAX_FILES_PER_DAY + number;
}

export function dayOfFile(fileId: number): number {
  return Math.floor(fileId / MAX_FILES_PER_DAY);
}

/** Like `2026-05-20-0003.payloads`. */
export function toFileName(fileId: number): string {
  const day = new Date(dayOfFile(fileId) * DAY_MS).toISOString().slice(0, 10);
  return `${day}-${String(fileId % MAX_FILES_PER_DAY).padStart(4, "0")}.payloads`;
}

/** Null for any other file. */
export function parseFileName(name: string): number | null {
  const parts = /^(\d{4}-\d{2}-\d{2})-(\d{4})\.payloads$/.exec(name);
  const day = Date.parse(`${parts?.[1]}T00:00:00Z`) / DAY_MS;
  return parts && Number.isInteger(day) ? toFileId(day, Number(parts[2])) : null;
}
