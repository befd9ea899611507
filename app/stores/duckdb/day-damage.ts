import { createInTurn } from "../../domain/in-turn.ts";
import { ReadLimitError } from "../../domain/read-limit.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../domain/time.ts";
import { type DamagedDay, MOVED_SIGNALS, type SliceOfDay } from "../events/moved-days.ts";
import type { PartTable } from "../events/row-keys.ts";
import type { DayFile } from "./day-file.ts";
import type { DayFiles } from "./day-files.ts";
import type { DayViews } from "./day-views.ts";

/**
 * The longest time that a failed statement waits for the check, because a person may wait for its answer. The check continues in the
 * background.
 */
const MAX_WAIT_MS = 20 * SECOND_MS;
/** After a check of all files that found no damage, the next one waits this long: later failures must have another reason. */
const LOOK_EVERY_MS = MINUTE_MS;
const CHECK_EVERY_MS = DAY_MS;

/**
 * Errors of DuckDB that never come from a damaged file. Any other error may: even "unknown column", because a Parquet file has the names of
 * its columns at its end.
 */
const UNRELATED_TO_FILES = /^(?:Constraint|Transaction|TransactionContext|INTERRUPT) Error/;

interface DayDamageOptions {
  files: DayFiles;
  views: DayViews;
  /** Called after a file was set aside. */
  onSetAside: (day: DamagedDay, reason: string) => void;
}

/**
 * Finds damaged day files while the server runs: after a failed statement, and in the background. DuckDB names the file in some errors
 * only, and its Parquet files have no checksum: some flipped bits just read as other values.
 */
export class DayDamage {
  readonly #files: DayFiles;
  readonly #views: DayViews;
  readonly #onSetAside: DayDamageOptions["onSetAside"];
  readonly #checkedAt = new WeakMap<DayFile, number>();
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** Two statements often fail because of the same file. */
  readonly #inTurn = createInTurn();

  constructor({ files, views, onSetAside }: DayDamageOptions) {
    this.#files = files;
    this.#views = views;
    this.#onSetAside = onSetAside;
  }

  /**
   * Resolves with true if a failed statement should run again, because a file that it may have read was set aside.
   *
   * @param hasChanged whether the views have changed since the statement began
   * @throws {ReadLimitError} if the check takes longer than `MAX_WAIT_MS`
   */
  async repair(error: unknown, hasChanged: () => boolean): Promise<boolean> {
    if (!mayComeFromFile(error)) return false;
    const { promise: late, resolve } = Promise.withResolvers<"late">();
    const timer = setTimeout(() => resolve("late"), MAX_WAIT_MS);
    const found = await Promise.race([
      this.#inTurn(async () => hasChanged() || (await this.#setAsideSuspects(error))),
      late,
    ]);
    clearTimeout(timer);
    if (found === "late") throw new ReadLimitError("time", { cause: error });
    return found;
  }

  /** See `MovedDays.checkNext`. */
  async checkNext(now: number): Promise<number | null> {
    const checkedAt = (file: DayFile) => this.#checkedAt.get(file) ?? Number.NEGATIVE_INFINITY;
    const [file] = this.#files.list().toSorted((a, b) => checkedAt(a) - checkedAt(b));
    if (file === undefined || now - checkedAt(file) < CHECK_EVERY_MS) return null;
    this.#checkedAt.set(file, now);
    await this.checkDay(file);
    return file.bytes;
  }

  /** See `MovedDays.checkDay`. */
  async checkDay(day: SliceOfDay): Promise<boolean> {
    const file = this.#files.find(day);
    if (!file) return false;
    const isNoted = file.crc !== null;
    const reason = "its bytes are not those that were written";
    if (await this.#inTurn(() => this.#setAsideDamaged([file], reason))) return false;
    // Not within `#inTurn`: this write may wait for the check of a file.
    if (!isNoted) await this.#files.noteAgain(file);
    return true;
  }

  /** Like `DayViews.show`. DuckDB opens the files of a view when the view is made, so a damaged file shows here and is set aside. */
  async show(table: PartTable): Promise<void> {
    for (;;) {
      try {
        return await this.#views.show(table);
      } catch (error) {
        if (!(await this.#setAsideSuspects(error))) throw error;
      }
    }
  }

  /** Files that the statement may have read. */
  #suspectsOf(error: unknown): readonly DayFile[] {
    const { message } = toCause(error);
    const named = this.#files.list().filter(({ path }) => message.includes(path));
    if (named.length > 0) return named;
    return Date.now() - this.#lookedAt < LOOK_EVERY_MS ? [] : this.#files.list();
  }

  async #setAsideSuspects(error: unknown): Promise<boolean> {
    if (!mayComeFromFile(error)) return false;
    const suspects = this.#suspectsOf(error);
    const reason = toCause(error).message.split("\n", 1)[0] ?? "";
    const isFound = await this.#setAsideDamaged(suspects, reason);
    if (!isFound && suspects.length > 0) this.#lookedAt = Date.now();
    return isFound;
  }

  async #setAsideDamaged(suspects: readonly DayFile[], reason: string): Promise<boolean> {
    const damaged: DamagedDay[] = [];
    for (const file of [...suspects])
      if (this.#files.has(file) && !(await this.#files.isWhole(file))) damaged.push(this.#files.setAside(file));
    for (const table of new Set(damaged.map(({ signal }) => MOVED_SIGNALS[signal].table))) await this.show(table);
    for (const day of damaged) {
      await this.#files.moveToDamaged(day.name);
      this.#onSetAside(day, reason);
    }
    return damaged.length > 0;
  }
}

function mayComeFromFile(error: unknown): boolean {
  if (error instanceof ReadLimitError && error.limit === "time") return false;
  return !UNRELATED_TO_FILES.test(toCause(error).message);
}

function toCause(error: unknown): Error {
  if (error instanceof ReadLimitError && error.cause instanceof Error) return error.cause;
  return error instanceof Error ? error : new Error(String(error));
}
