import { STORED_SIGNALS, type StoredSignal } from "../../domain/stored-signal.ts";
import { DAY_MS } from "../../domain/time.ts";

/** The most files of one day: at 256 MB each they would be 2.5 TB, and each start leaves at most one that is not full. */
const MAX_FILES_PER_DAY = 10_000;

/** Days since 1970 in UTC. */
export function dayOf(instantMs: number): number {
  return Math.floor(instantMs / DAY_MS);
}

/** Milliseconds since 1970 at which the day is over. */
export function endOfDay(day: number): number {
  return (day + 1) * DAY_MS;
}

/** Ids are stored in rows: none may change, and new signals get new numbers below 100. */
const SIGNAL_NUMBERS: Readonly<Record<StoredSignal, number>> = {
  errors: 0,
  feedback: 1,
  "check-ins": 2,
  sessions: 3,
  metrics: 4,
  logs: 5,
  transactions: 6,
  spans: 7,
  attachments: 8,
  profiles: 9,
  replays: 10,
  other: 11,
};
const SIGNALS_PER_DAY = 100;
/** Files of earlier versions have smaller ids: the day and the number, for all signals together. */
const FIRST_ID_WITH_SIGNAL = 1_000_000_000_000;

/**
 * The day, then the signal, then the running number of the file: ids grow with the day.
 *
 * @param signal null: a file of an earlier version, which holds all signals
 */
export function toFileId(day: number, signal: StoredSignal | null, number: number): number {
  if (signal === null) return day * MAX_FILES_PER_DAY + number;
  return FIRST_ID_WITH_SIGNAL + (day * SIGNALS_PER_DAY + SIGNAL_NUMBERS[signal]) * MAX_FILES_PER_DAY + number;
}

export function dayOfFile(fileId: number): number {
  if (fileId < FIRST_ID_WITH_SIGNAL) return Math.floor(fileId / MAX_FILES_PER_DAY);
  return Math.floor((fileId - FIRST_ID_WITH_SIGNAL) / MAX_FILES_PER_DAY / SIGNALS_PER_DAY);
}

/** Null: a file of an earlier version, which holds all signals. */
export function signalOfFile(fileId: number): StoredSignal | null {
  if (fileId < FIRST_ID_WITH_SIGNAL) return null;
  const number = Math.floor((fileId - FIRST_ID_WITH_SIGNAL) / MAX_FILES_PER_DAY) % SIGNALS_PER_DAY;
  return STORED_SIGNALS.find((signal) => SIGNAL_NUMBERS[signal] === number) ?? "other";
}

/** Like `2026-05-20-errors-0003.payloads`. Earlier versions have no signal in it. */
export function toFileName(fileId: number): string {
  const day = new Date(dayOfFile(fileId) * DAY_MS).toISOString().slice(0, 10);
  const signal = signalOfFile(fileId);
  const number = String(fileId % MAX_FILES_PER_DAY).padStart(4, "0");
  return `${day}-${signal === null ? "" : `${signal}-`}${number}.payloads`;
}

/** Null for any other file. */
export function parseFileName(name: string): number | null {
  const [, date, signalName, number] = /^(\d{4}-\d{2}-\d{2})-(?:([a-z-]+)-)?(\d{4})\.payloads$/.exec(name) ?? [];
  const signal = STORED_SIGNALS.find((each) => each === signalName) ?? null;
  if (date === undefined || (signalName !== undefined && signal === null)) return null;
  const day = Date.parse(`${date}T00:00:00Z`) / DAY_MS;
  return Number.isInteger(day) ? toFileId(day, signal, Number(number)) : null;
}
