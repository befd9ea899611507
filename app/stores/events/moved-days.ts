import type { StoredSignal } from "../../domain/stored-signal.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { SelectedPart } from "./event-deletion.ts";
import type { PartTable } from "./row-keys.ts";
import { readNumbers, readTexts, type TableRows } from "./rows.ts";

/** Signals that are rows and nothing else, with their table and the category of their rows; null: the table has no other. */
export const MOVED_SIGNALS = {
  spans: { table: "spans", category: "span" },
  transactions: { table: "spans", category: "transaction" },
  checks: { table: "spans", category: "uptime" },
  logs: { table: "logs", category: null },
} as const satisfies Record<string, { table: PartTable; category: string | null }>;
export type MovedSignal = keyof typeof MOVED_SIGNALS;
export const MOVED_SIGNAL_NAMES = Object.keys(MOVED_SIGNALS) as MovedSignal[];

/** The signal whose payload files and retention it shares. */
export function toStoredSignal(signal: MovedSignal): StoredSignal {
  return signal === "checks" ? "spans" : signal;
}

/** The rows of a signal that arrived on one day (days since 1970, UTC). */
export interface DayOfSignal {
  day: number;
  signal: MovedSignal;
}

/** Rows of a day that came one after the other and lie in one file. A day that is over has one, unless rows came late. */
export interface SliceOfDay extends DayOfSignal {
  /** Counted from 0 within its day and signal. */
  slice: number;
}

/** A slice whose rows lie in a file. */
export interface MovedDay extends SliceOfDay {
  rows: number;
  bytes: number;
  /**
   * By journal, the sequence below which records were applied: this file and the earlier ones have all rows that those records brought
   * to the day.
   */
  positions: Readonly<Record<string, number>>;
  /** True when no row of the file is in the row log any more. */
  isStripped: boolean;
}

/** A slice whose file is damaged or gone. What is left of it lies in `damaged/`, and its rows are not read. */
export interface DamagedDay extends SliceOfDay {
  /** Of the file. */
  name: string;
  /** Null: that is not known any more. */
  rows: number | null;
  /** The row log still has them: a rebuild of the day brings them back. */
  isLogged: boolean;
}

/**
 * Moves rows from the tables and the row log into files. From then on the files are the only copy: a store that was lost finds its rows
 * there. Every query reads both. The present day is moved in slices, which become one file once it is over.
 */
export interface MovedDays {
  list(): readonly MovedDay[];
  /**
   * The days with enough rows in their table for a file, oldest first. Days before `before` are over and need fewer rows than later
   * ones. Reads every row of a few columns.
   */
  listDue(before: number): Promise<DayOfSignal[]>;
  /**
   * Moves the rows that the table has of a day into a file. Null: there is nothing to move, or rows were deleted meanwhile, and it is to be tried again. May be cut off
   * anywhere: the rows are in the table or in the file, and are read once.
   */
  move(day: DayOfSignal, signal?: AbortSignal): Promise<MovedDay | null>;
  /** Takes rows out of the table that a file has, where a move was cut off. */
  finishMoves(): Promise<void>;
  noteStripped(day: SliceOfDay): Promise<void>;
  /** Days before `before` that lie in several files. */
  listSliced(before: number): DayOfSignal[];
  /** Writes the files of a day again as one. False: there is only one, or rows were deleted meanwhile, and it is to be tried again. May be cut off anywhere. */
  join(day: DayOfSignal, signal?: AbortSignal): Promise<boolean>;
  /** Writes files again without deleted rows, and returns the number of files. */
  erase(signal?: AbortSignal): Promise<number>;
  /** The keys by which a deletion finds rows of the file, some thousands at a time. */
  scan(day: SliceOfDay): AsyncIterable<SelectedPart[]>;
  /** Days that have lost their file, now or before, until they expire or the file is back. */
  listDamaged(): readonly DamagedDay[];
  /** Days whose damaged file was found put back when the store was opened. */
  listReturned(): readonly DayOfSignal[];
  /** Deletes what was left of the damaged ones. */
  forgetReturned(): Promise<void>;
  /** Removes the remains of these files: their rows are restored from elsewhere. */
  forgetDamaged(days: readonly DamagedDay[]): Promise<void>;
  /**
   * Reads the bytes of a file that nobody has checked for a day, and sets it aside where they are not what was written: values within it may read as
   * others without an error. Gives how many bytes it read; null: each file has been checked.
   */
  checkNext(now: number): Promise<number | null>;
  /** The same of one day; false: it is damaged, or has no file. */
  checkDay(day: SliceOfDay): Promise<boolean>;
}

/**
 * Finds the rows of the row log that are in a file of their day: a file has all rows that were applied when the newest file was made.
 * `positions` null: every row of the day counts as moved.
 */
export function findMovedRows(
  rows: TableRows,
  journalId: string,
  days: ReadonlyArray<DayOfSignal & { positions: MovedDay["positions"] | null }>,
): ReadonlySet<number> {
  const found = new Set<number>();
  const own = days.filter(({ signal }) => MOVED_SIGNALS[signal].table === rows.table);
  if (own.length === 0 || rows.count === 0) return found;
  const positions = new Map<string, number>();
  for (const { day, signal, positions: each } of own) {
    const key = `${day} ${MOVED_SIGNALS[signal].category ?? ""}`;
    const upTo = each === null ? Number.POSITIVE_INFINITY : (each[journalId] ?? 0);
    positions.set(key, Math.max(positions.get(key) ?? 0, upTo));
  }
  const categories = rows.columns.category === undefined ? null : readTexts(rows, "category");
  const [sequences, instants] = [readNumbers(rows, "sequence"), readNumbers(rows, "received_at")];
  for (let row = 0; row < rows.count; row++) {
    const day = Math.floor((instants[row] as number) / DAY_MS);
    const upTo = positions.get(`${day} ${categories?.[row] ?? ""}`);
    if (upTo !== undefined && (sequences[row] as number) < upTo) found.add(row);
  }
  return found;
}
