import { createReadStream, existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import type { DuckDBConnection } from "@duckdb/node-api";
import { MIB } from "../../domain/bytes.ts";
import { syncFolder } from "../../durable-file.ts";
import { type DamagedDay, type DayOfSignal, MOVED_SIGNALS, type SliceOfDay } from "../events/moved-days.ts";
import {
  type DayFile,
  type DayFileHead,
  isOfDay,
  isReplacedBy,
  parseDayFileName,
  quoteSql,
  type RowBounds,
  readDayFileHead,
  readRowBounds,
  sizeOfDayFile,
  verifyDayFile,
} from "./day-file.ts";
import { type DuckdbDatabase, readRows } from "./duckdb-database.ts";
import { saysNoMemory } from "./duckdb-limits.ts";
import { DamagedEventDatabaseError } from "./event-database-damage.ts";
import { isForeignDayFile, isSameSlice } from "./foreign-day-file.ts";

/** The day files in their folder, and their rows in the table `moved_days`. */
export class DayFiles {
  readonly #database: DuckdbDatabase;
  readonly #dir: string;
  readonly #files: DayFile[] = [];
  /** With the end of their ordinals, in case a file is put back. */
  readonly #damaged: Array<DamagedDay & { upToOrdinal: number }> = [];
  readonly #returned: Array<DayOfSignal & { name: string }> = [];

  private constructor(database: DuckdbDatabase, dir: string) {
    this.#database = database;
    this.#dir = dir;
  }

  static async open(database: DuckdbDatabase, dir: string): Promise<DayFiles> {
    const files = new DayFiles(database, dir);
    await files.#load();
    return files;
  }

  list(): readonly DayFile[] {
    return this.#files;
  }

  listDamaged(): readonly DamagedDay[] {
    return this.#damaged.map(({ upToOrdinal: _, ...damaged }) => damaged);
  }

  listReturned(): readonly DayOfSignal[] {
    return this.#returned;
  }

  async forgetReturned(): Promise<void> {
    for (const { name } of this.#returned.splice(0)) await rm(join(this.#damagedDir, name), { force: true });
  }

  bytesOnDisk(): number {
    return this.#files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  find({ slice, ...day }: SliceOfDay): DayFile | undefined {
    return this.ofDay(day).find((file) => file.slice === slice);
  }

  /** The files of a day, in the order of their rows. */
  ofDay({ day, signal }: DayOfSignal): DayFile[] {
    return this.#files
      .filter((file) => file.day === day && file.signal === signal)
      .sort((a, b) => a.upToOrdinal - b.upToOrdinal);
  }

  /**
   * Number and first ordinal of the next slice of a day. Null: a damaged file waits for a rebuild to restore its rows from the row log.
   * Until then no slice may follow it.
   */
  nextSlice({ day, signal }: DayOfSignal): Pick<DayFile, "slice" | "fromOrdinal"> | null {
    const damaged = this.#damaged.filter((each) => each.day === day && each.signal === signal);
    if (damaged.some(({ isLogged }) => isLogged)) return null;
    const all = [...this.ofDay({ day, signal }), ...damaged];
    if (all.length === 0) return { slice: 0 };
    return {
      slice: Math.max(...all.map(({ slice }) => slice)) + 1,
      fromOrdinal: Math.max(...all.map(({ upToOrdinal }) => upToOrdinal)),
    };
  }

  /** Slices whose rows only a full rebuild can restore: the rebuild of a day does not touch a day that still has other files. */
  listUnrestored(): DamagedDay[] {
    return this.listDamaged().filter((each) => each.isLogged && this.ofDay(each).length > 0);
  }

  ofTable(table: string): DayFile[] {
    return this.#files.filter(({ signal }) => MOVED_SIGNALS[signal].table === table);
  }

  has(file: DayFile): boolean {
    return this.#files.includes(file);
  }

  /** The ordinal after the last row in the files of a table. It counts damaged files too, because they may be put back. */
  nextOrdinal(table: string): number {
    const all = [...this.#files, ...this.#damaged].filter(({ signal }) => MOVED_SIGNALS[signal].table === table);
    return Math.max(0, ...all.map(({ upToOrdinal }) => upToOrdinal));
  }

  /** The path to write a file to before it gets its name. */
  async makeDraft(name: string): Promise<string> {
    const dir = this.#dir;
    if (!existsSync(dir)) {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      await syncFolder(dirname(dir));
    }
    return join(dir, `${name}.new`);
  }

  /** Gives the draft its final name, durably. From now on, its rows are in the file. */
  async add(draft: string, name: string, file: Omit<DayFile, "path" | "name" | "bytes" | "crc">): Promise<DayFile> {
    const path = join(this.#dir, name);
    await rename(draft, path);
    await syncFolder(this.#dir);
    const bytes = await sizeOfDayFile(this.#dir, name);
    const added = { ...file, path, name, bytes, crc: await crcOfFile(path) };
    this.#files.push(added);
    return added;
  }

  /** Removes a file. The next view no longer shows it. */
  remove(file: DayFile): void {
    const at = this.#files.indexOf(file);
    if (at >= 0) this.#files.splice(at, 1);
  }

  /**
   * Whether the bytes of a file are the ones that were written. For a file of an earlier version, the computed CRC stays in memory until
   * `noteAgain`.
   */
  async isWhole(file: DayFile): Promise<boolean> {
    try {
      if ((await sizeOfDayFile(this.#dir, file.name)) !== file.bytes) return false;
      if (file.crc === null) {
        if (!(await this.#hasItsRows(file))) return false;
        file.crc = await crcOfFile(file.path);
      }
      return (await crcOfFile(file.path)) === file.crc;
    } catch (error) {
      // The file is gone, or the disk cannot read it.
      if (["ENOENT", "EIO"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
      throw error;
    }
  }

  /** Sets a file aside. The next view no longer shows it. */
  setAside(file: DayFile): DamagedDay {
    this.remove(file);
    const { day, signal, slice, name, rows, upToOrdinal } = file;
    const damaged = { day, signal, slice, name, rows, isLogged: !file.isStripped };
    this.#damaged.push({ ...damaged, upToOrdinal });
    return damaged;
  }

  /** Moves what is left of a file to `damaged/`. */
  async moveToDamaged(name: string): Promise<void> {
    await mkdir(this.#damagedDir, { recursive: true, mode: 0o700 });
    const path = join(this.#dir, name);
    // The file may be gone, and so may its folder.
    if (!existsSync(path)) return;
    await rename(path, join(this.#damagedDir, name));
    await syncFolder(this.#damagedDir);
    await syncFolder(this.#dir);
  }

  async forgetDamaged(days: readonly Pick<DamagedDay, "name">[]): Promise<void> {
    for (const { name } of days) {
      await this.#database.write((connection) => this.forget(connection, name));
      const at = this.#damaged.findIndex((each) => each.name === name);
      if (at >= 0) this.#damaged.splice(at, 1);
      await rm(join(this.#damagedDir, name), { force: true });
    }
  }

  /** Deletes the file. Call it when no view names it any more. */
  async unlink(name: string): Promise<void> {
    await this.#database.waitForReads();
    await rm(join(this.#dir, name), { force: true });
    await syncFolder(this.#dir);
  }

  async note(connection: DuckDBConnection, file: DayFile): Promise<void> {
    const { version, day, signal, rows, hash, fromOrdinal = 0, upToOrdinal, positions, hot = [], bounds } = file;
    const { bytes, crc } = file;
    await this.forget(connection, file.name);
    await connection.run("INSERT INTO moved_days (name, head, is_stripped) VALUES ($1, $2, $3)", [
      file.name,
      JSON.stringify({
        ...{ version, day, signal, rows, hash, fromOrdinal, upToOrdinal, positions, hot, bytes, crc },
        ...(bounds !== undefined && { bounds }),
      } satisfies NotedHead),
      file.isStripped,
    ]);
  }

  async noteAgain(file: DayFile): Promise<void> {
    await this.#database.write((connection) => this.note(connection, file));
  }

  async forget(connection: DuckDBConnection, name: string): Promise<void> {
    await connection.run("DELETE FROM moved_days WHERE name = $1", [name]);
  }

  async noteStripped(file: DayFile): Promise<void> {
    await this.#database.write((connection) =>
      connection.run("UPDATE moved_days SET is_stripped = true WHERE name = $1", [file.name]),
    );
    file.isStripped = true;
  }

  async #load(): Promise<void> {
    const [database, dir] = [this.#database, this.#dir];
    const names = existsSync(dir) ? await readdir(dir) : [];
    const rows = await database.inBackground((connection) =>
      readRows(connection, "SELECT name, head, is_stripped FROM moved_days", []),
    );
    const known = new Map(rows.map((row) => [String(row.name), row]));
    const found = names.flatMap((name) => {
      const parsed = parseDayFileName(name);
      return parsed === null ? [] : [{ ...parsed, name }];
    });
    const left = await this.#listDamagedNames();
    // Their other editions are expected, too: a rewrite keeps the old file until the new one is noted, and somebody may put back an older
    // copy of a damaged file.
    const expected = [...names.filter((name) => known.has(name)), ...left];
    const isExpected = (file: SliceOfDay & { name: string }) =>
      known.has(file.name) || expected.some((name) => isSameSlice(parseDayFileName(name), file));
    const unbounded = new Set<string>();
    for (const each of found) {
      const { name, slice, edition } = each;
      const path = join(dir, name);
      const row = known.get(name);
      const bytes = await sizeOfDayFile(dir, name);
      const noted = row && (JSON.parse(String(row.head)) as NotedHead);
      const own = noted?.bytes === bytes ? noted : await this.#readHead(path, name);
      if (own === null) continue;
      const head = { ...own, bounds: own.bounds ?? (await this.#readBounds(path, own)) };
      if (own.bounds === undefined) unbounded.add(name);
      if (!isExpected(each) && (await isForeignDayFile(database, head)))
        throw new DamagedEventDatabaseError(`it is older than ${join("days", name)}, or comes from elsewhere`);
      const [isStripped, isCleared] = [row?.is_stripped === true, await this.#isClear(head)];
      const crc = noted?.bytes === bytes ? (noted.crc ?? null) : null;
      this.#files.push({ ...head, path, name, slice, edition, bytes, crc, isStripped, isCleared, droppedBefore: 0 });
    }
    // The process died during a rewrite, after the new file got its name.
    for (const file of this.#files.filter((each) => this.#files.some((other) => isReplacedBy(each, other)))) {
      this.remove(file);
      await this.unlink(file.name);
    }
    // Lists the folder again: files that `#readHead` just moved there may have no row in a new database.
    for (const name of new Set([...(await this.#listDamagedNames()), ...known.keys()])) {
      const parsed = parseDayFileName(name);
      if (parsed === null) continue;
      if (this.find(parsed)) {
        if (left.includes(name)) this.#returned.push({ day: parsed.day, signal: parsed.signal, name });
        continue;
      }
      const row = known.get(name);
      const head = row && (JSON.parse(String(row.head)) as NotedHead);
      if (head && this.#files.some((other) => isReplacedBy({ ...head, ...parsed }, other))) continue;
      const { day, signal, slice } = parsed;
      const isLogged = row?.is_stripped === false;
      this.#damaged.push({
        ...{ day, signal, slice, name, isLogged },
        ...{ rows: head?.rows ?? null, upToOrdinal: head?.upToOrdinal ?? 0 },
      });
    }
    for (const name of names) if (name.endsWith(".parquet.new")) await rm(join(dir, name), { force: true });
    await database.write(async (connection) => {
      for (const file of this.#files)
        if (!known.has(file.name) || unbounded.has(file.name)) await this.note(connection, file);
      const kept = new Set([...this.#files, ...this.#damaged].map(({ name }) => name));
      for (const name of known.keys()) if (!kept.has(name)) await this.forget(connection, name);
    });
    this.#files.sort((a, b) => a.day - b.day || a.upToOrdinal - b.upToOrdinal);
  }

  async #listDamagedNames(): Promise<string[]> {
    return existsSync(this.#damagedDir) ? await readdir(this.#damagedDir) : [];
  }

  /** Null: the file is damaged, and was moved to `damaged/`. */
  async #readHead(path: string, name: string): Promise<DayFileHead | null> {
    try {
      return await this.#database.inBackground((connection) => readDayFileHead(connection, path));
    } catch (error) {
      if (saysNothingOfFile(error)) throw error;
      await this.moveToDamaged(name);
      return null;
    }
  }

  /** Reads the bounds of a file that an earlier version wrote. Undefined: the file cannot be read. */
  async #readBounds(path: string, { signal }: DayFileHead): Promise<RowBounds | undefined> {
    const source = `read_parquet(${quoteSql(path)})`;
    try {
      return await this.#database.inBackground((connection) =>
        readRowBounds(connection, MOVED_SIGNALS[signal].table, source),
      );
    } catch {
      return undefined;
    }
  }

  async #hasItsRows({ path }: DayFile): Promise<boolean> {
    try {
      await this.#database.withConnection((connection) => verifyDayFile(connection, path));
      return true;
    } catch (error) {
      if (saysNothingOfFile(error)) throw error;
      return false;
    }
  }

  get #damagedDir(): string {
    return join(dirname(this.#dir), "damaged");
  }

  async #isClear(head: DayFileHead): Promise<boolean> {
    const { table } = MOVED_SIGNALS[head.signal];
    const rows = await this.#database.inBackground((connection) =>
      readRows(connection, `SELECT 1 AS one FROM ${table} WHERE ${isOfDay(head)} LIMIT 1`, []),
    );
    return rows.length === 0;
  }
}

/** Whether there was no memory, or the file may not be opened: then its bytes may be those that were written. */
function saysNothingOfFile(error: unknown): boolean {
  return saysNoMemory(error) || (error instanceof Error && error.message.startsWith("IO Error: Cannot open file"));
}

/** The JSON in `moved_days.head`. */
type NotedHead = DayFileHead & Pick<DayFile, "bytes"> & { crc?: number | null };

async function crcOfFile(path: string): Promise<number> {
  let crc = 0;
  for await (const piece of createReadStream(path, { highWaterMark: MIB })) crc = crc32(piece as Buffer, crc);
  return crc;
}
