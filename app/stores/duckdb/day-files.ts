import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { syncFolder } from "../../durable-file.ts";
import { type DayOfSignal, MOVED_SIGNALS } from "../events/moved-days.ts";
import {
  type DayFile,
  type DayFileHead,
  isOfDay,
  parseDayFileName,
  readDayFileHead,
  sizeOfDayFile,
} from "./day-file.ts";
import { type DuckdbDatabase, readRows } from "./duckdb-database.ts";

/** The files of days in their folder, and what the database notes of each. */
export class DayFiles {
  readonly #database: DuckdbDatabase;
  readonly #dir: string;
  readonly #files: DayFile[] = [];
  readonly #damaged: DayOfSignal[] = [];

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

  listDamaged(): readonly DayOfSignal[] {
    return this.#damaged;
  }

  bytesOnDisk(): number {
    return this.#files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  find({ day, signal }: DayOfSignal): DayFile | undefined {
    return this.#files.find((file) => file.day === day && file.signal === signal);
  }

  ofTable(table: string): DayFile[] {
    return this.#files.filter(({ signal }) => MOVED_SIGNALS[signal].table === table);
  }

  /** Behind the rows of all files of a table. */
  nextOrdinal(table: string): number {
    return Math.max(0, ...this.ofTable(table).map(({ upToOrdinal }) => upToOrdinal));
  }

  /** Where a file is written until it gets its name. */
  async makeDraft(name: string): Promise<string> {
    const dir = this.#dir;
    if (!existsSync(dir)) {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      await syncFolder(dirname(dir));
    }
    return join(dir, `${name}.new`);
  }

  /** Gives the draft its name, durably. From then on its rows are those of the file. */
  async add(draft: string, name: string, file: Omit<DayFile, "path" | "name" | "bytes">): Promise<DayFile> {
    const path = join(this.#dir, name);
    await rename(draft, path);
    await syncFolder(this.#dir);
    const added = { ...file, path, name, bytes: await sizeOfDayFile(this.#dir, name) };
    this.#files.push(added);
    return added;
  }

  /** Nobody is shown it from the next view on. */
  remove(file: DayFile): void {
    this.#files.splice(this.#files.indexOf(file), 1);
  }

  /** After no view names it any more. */
  async unlink(name: string): Promise<void> {
    await this.#database.waitForReads();
    await rm(join(this.#dir, name), { force: true });
    await syncFolder(this.#dir);
  }

  async note(connection: DuckDBConnection, file: DayFile): Promise<void> {
    const noted = await readRows(connection, "SELECT 1 AS one FROM moved_days WHERE name = $1", [file.name]);
    if (noted.length > 0) return;
    const { version, day, signal, rows, hash, upToOrdinal, positions, bytes } = file;
    await connection.run("INSERT INTO moved_days (name, head, is_stripped) VALUES ($1, $2, $3)", [
      file.name,
      JSON.stringify({ version, day, signal, rows, hash, upToOrdinal, positions, bytes }),
      file.isStripped,
    ]);
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
    // Of two, a rewriting was cut off behind the name of the new one.
    found.sort((a, b) => b.edition - a.edition);
    for (const each of found) {
      const { name, day, signal, edition } = each;
      const path = join(dir, name);
      if (this.find({ day, signal })) {
        await this.unlink(name);
        continue;
      }
      const row = known.get(name);
      const bytes = await sizeOfDayFile(dir, name);
      const noted = row && (JSON.parse(String(row.head)) as DayFileHead & { bytes: number });
      const head = noted?.bytes === bytes ? noted : await this.#readHead(path, name);
      if (head === null) continue;
      const [isStripped, isCleared] = [row?.is_stripped === true, await this.#isClear(head)];
      this.#files.push({ ...head, path, name, edition, bytes, isStripped, isCleared, droppedBefore: 0 });
    }
    for (const name of existsSync(this.#damagedDir) ? await readdir(this.#damagedDir) : []) {
      const parsed = parseDayFileName(name);
      if (parsed !== null) this.#damaged.push({ day: parsed.day, signal: parsed.signal });
    }
    for (const name of names) if (name.endsWith(".parquet.new")) await rm(join(dir, name), { force: true });
    await database.write(async (connection) => {
      for (const file of this.#files) if (!known.has(file.name)) await this.note(connection, file);
      for (const name of known.keys())
        if (!this.#files.some((file) => file.name === name)) await this.forget(connection, name);
    });
    this.#files.sort((a, b) => a.day - b.day);
  }

  /** Null: it is damaged, and lies in `damaged/` now. */
  async #readHead(path: string, name: string): Promise<DayFileHead | null> {
    try {
      return await this.#database.inBackground((connection) => readDayFileHead(connection, path));
    } catch {
      await mkdir(this.#damagedDir, { recursive: true, mode: 0o700 });
      await rename(path, join(this.#damagedDir, name));
      return null;
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
