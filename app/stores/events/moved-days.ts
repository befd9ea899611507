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

/** As what it lies in payload files, and expires. */
export function toStoredSignal(signal: MovedSignal): StoredSignal {
  return signal === "checks" ? "spans" : signal;
}

/** What came on a day (days since 1970, UTC) of a signal. */
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
  /** By journal, the sequence below which records had been applied: this file and those before it have all rows of the day that they brought. */
  positions: Readonly<Record<string, number>>;
  /** The row log has none of its rows any more. */
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
 * Rows leave the tables and the row log for files, which are what is read and the truth as well: a store that was lost finds its rows there. Every
 * query reads both. The day that goes on is moved by slices, which become one file once it is over.
 */
export interface MovedDays {
  list(): readonly MovedDay[];
  /**
   * What has enough rows in its table to be worth a file, the oldest day first: less for days before `before`, which are over, than for later ones.
   * Reads every row of a few columns.
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
  /** Writes files again without what is deleted; gives how many. */
  erase(signal?: AbortSignal): Promise<number>;
  /** What names the rows of a file for a deletion, some thousands at a time. */
  scan(day: SliceOfDay): AsyncIterable<SelectedPart[]>;
  /** Days that have lost their file, now or before, until they expire or the file is back. */
  listDamaged(): readonly DamagedDay[];
  /** Days whose damaged file was found put back when the store was opened. */
  listReturned(): readonly DayOfSignal[];
  /** Deletes what was left of the damaged ones. */
  forgetReturned(): Promise<void>;
  /** Deletes what is left of these files: their rows come from elsewhere. */
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
 * Of rows of the row log, which are in a file of their day: they have all that were applied when the newest was made. `positions` null: every row of
 * the day counts as one.
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
