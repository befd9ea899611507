import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { Cutoffs } from "../../domain/stored-signal.ts";
import { DAY_MS } from "../../domain/time.ts";
import { syncFolder } from "../../durable-file.ts";
import type { SelectedPart } from "../events/event-deletion.ts";
import { LOG_ROWS } from "../events/log-table.ts";
import {
  type DayOfSignal,
  MOVED_SIGNAL_NAMES,
  MOVED_SIGNALS,
  type MovedDay,
  type MovedDays,
} from "../events/moved-days.ts";
import type { PartTable } from "../events/row-keys.ts";
import { SPAN_ROWS } from "../events/span-table.ts";
import {
  columnsOfDayFile,
  type DayFile,
  type DayFileHead,
  isOfDay,
  parseDayFileName,
  readDayFileHead,
  sizeOfDayFile,
  toDayFileName,
  toText,
  writeDayFile,
} from "./day-file.ts";
import { type DuckdbDatabase, readRows } from "./duckdb-database.ts";
import type { EventWriter } from "./event-writer.ts";
import { HiddenRows } from "./hidden-rows.ts";
import { deleteLongTexts, LONG_BYTES, LONG_TEXTS } from "./long-texts.ts";
import { columnsOfPart, toPart } from "./part-rows.ts";
import type { RollUp } from "./roll-up.ts";

/** Fewer rows are not worth a file: its footer alone takes some 20 KB. */
const MIN_ROWS = 2_000;
/** Of a day: DuckDB holds several texts of a megabyte at once where it reads them. */
const MAX_LONG_BYTES = 8_000_000;
/** Ordinals of one transaction that takes rows out of the table. */
const CLEARED_AT_ONCE = 50_000;
const SCANNED_AT_ONCE = 5_000;

const SHAPES = { spans: SPAN_ROWS, logs: LOG_ROWS } as const;
/** In files, the texts of a row that are too long to lie in it (see long-texts.ts), with marks between their parts. */
const LONG_COLUMN = "long_texts";

interface Parts {
  database: DuckdbDatabase;
  writer: EventWriter;
  rollUp: RollUp;
  dir: string;
  minRows: number | undefined;
}

/** The rows of days that are over, in Parquet files beside the database. */
export class DuckdbMovedDays implements MovedDays {
  readonly #parts: Parts;
  readonly hidden: HiddenRows;
  readonly #files: DayFile[] = [];
  readonly #damaged: DayOfSignal[] = [];
  readonly #columns = new Map<PartTable, string[]>();

  private constructor(parts: Parts, hidden: HiddenRows) {
    this.#parts = parts;
    this.hidden = hidden;
  }

  static async open(parts: Parts): Promise<DuckdbMovedDays> {
    const days = new DuckdbMovedDays(parts, await HiddenRows.open(parts.database));
    await days.#load();
    for (const table of Object.keys(SHAPES)) parts.writer.keepBelow(table, days.#nextOrdinal(table));
    return days;
  }

  list(): readonly MovedDay[] {
    return this.#files;
  }

  listDamaged(): readonly DayOfSignal[] {
    return this.#damaged;
  }

  bytesOnDisk(): number {
    return this.#files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async listDue(before: number): Promise<DayOfSignal[]> {
    const due: DayOfSignal[] = [];
    for (const [table] of Object.entries(SHAPES)) {
      const category = table === "spans" ? "category" : "NULL";
      const rows = await this.#inTable((connection) =>
        readRows(
          connection,
          `SELECT (received_at // ${DAY_MS})::DOUBLE AS day, ${category} AS category, count(*)::DOUBLE AS row_count,
             coalesce(sum(${LONG_BYTES}), 0)::DOUBLE AS long_bytes
           FROM ${table} WHERE received_at < ${before * DAY_MS} GROUP BY ALL`,
          [],
        ),
      );
      for (const row of rows) {
        const signal = MOVED_SIGNAL_NAMES.find(
          (each) => MOVED_SIGNALS[each].table === table && MOVED_SIGNALS[each].category === row.category,
        );
        if (signal === undefined || this.#find({ day: Number(row.day), signal })) continue;
        if (Number(row.row_count) < (this.#parts.minRows ?? MIN_ROWS) || Number(row.long_bytes) > MAX_LONG_BYTES)
          continue;
        due.push({ day: Number(row.day), signal });
      }
    }
    return due.sort((a, b) => a.day - b.day);
  }

  async move(of: DayOfSignal, signal?: AbortSignal): Promise<MovedDay | null> {
    const { database, writer, rollUp, dir } = this.#parts;
    const { table } = MOVED_SIGNALS[of.signal];
    if (this.#find(of)) return null;
    const { deletions } = rollUp;
    const at = { ...of, upToOrdinal: writer.nextOrdinal(table), positions: writer.positions() };
    await this.#makeDir();
    const name = toDayFileName(of, 0);
    const draft = join(dir, `${name}.new`);
    const columns = await this.#columnsOf(table);
    const head = await database.inBackground(
      (connection) =>
        writeDayFile(connection, draft, toMovedRows(table, columns, isOfDay(at)), [...columns, LONG_COLUMN], at),
      signal,
    );
    if (head === null) return null;
    // Alone: what is deleted from here on is looked for in the file, too.
    const file = await database.write(async () => {
      if (deletions !== rollUp.deletions) return null;
      const added = await this.#name(draft, name, {
        ...head,
        edition: 0,
        isCleared: false,
        isStripped: false,
        droppedBefore: 0,
      });
      this.#files.push(added);
      await this.#show(table);
      return added;
    });
    if (file === null) {
      await rm(draft, { force: true });
      return null;
    }
    // Nobody reads the table alone any more.
    await database.waitForReads();
    await this.#clear(file, signal);
    return file;
  }

  async finishMoves(): Promise<void> {
    for (const file of this.#files) if (!file.isCleared) await this.#clear(file);
  }

  async noteStripped(of: DayOfSignal): Promise<void> {
    const file = this.#find(of);
    if (!file) return;
    await this.#parts.database.write((connection) =>
      connection.run("UPDATE moved_days SET is_stripped = true WHERE name = $1", [file.name]),
    );
    file.isStripped = true;
  }

  /** Rows that came before the instant of their signal: a file goes when its day is over by then, and until then they are left out. */
  async dropBefore(cutoffs: Cutoffs): Promise<number> {
    let rows = 0;
    for (const file of [...this.#files]) {
      const { day, signal } = file;
      const dropped = Math.min(Math.ceil(cutoffs[signal]), (day + 1) * DAY_MS);
      if (dropped <= Math.max(file.droppedBefore, day * DAY_MS)) continue;
      const { table } = MOVED_SIGNALS[signal];
      const [counted] = await this.#parts.database.read(
        `SELECT count(*)::DOUBLE AS rows FROM ${table} WHERE ${isOfDay(file)} AND received_at < ${dropped}`,
      );
      rows += Number(counted?.rows);
      file.droppedBefore = dropped;
      if (dropped === (day + 1) * DAY_MS) await this.#drop(file);
      else await this.#parts.database.write(() => this.#show(table));
    }
    return rows;
  }

  async erase(signal?: AbortSignal): Promise<number> {
    if (this.hidden.isEmpty) return 0;
    const { database, dir } = this.#parts;
    let written = 0;
    for (const file of [...this.#files]) {
      signal?.throwIfAborted();
      const { table } = MOVED_SIGNALS[file.signal];
      if (!(await this.hidden.isIn(table, file.path))) continue;
      const name = toDayFileName(file, file.edition + 1);
      const draft = join(dir, `${name}.new`);
      const left = `SELECT moved.* FROM read_parquet(${toText(file.path)}) AS moved ${this.hidden.conditionOf(table)}`;
      const head = await database.inBackground(
        async (connection) =>
          writeDayFile(connection, draft, left, await columnsOfDayFile(connection, file.path), file),
        signal,
      );
      await database.write(async (connection) => {
        const { edition, isCleared, isStripped, droppedBefore } = file;
        const added =
          head &&
          (await this.#name(draft, name, { ...head, edition: edition + 1, isCleared, isStripped, droppedBefore }));
        this.#files.splice(this.#files.indexOf(file), 1, ...(added ? [added] : []));
        if (added) await this.#note(connection, added);
        await connection.run("DELETE FROM moved_days WHERE name = $1", [file.name]);
        await this.hidden.forget(connection, table, file.path, added?.path ?? null);
        await this.#show(table);
      });
      await this.#unlink(file.name);
      written++;
    }
    return written;
  }

  async *scan(of: DayOfSignal): AsyncIterable<SelectedPart[]> {
    const file = this.#find(of);
    if (!file) return;
    const { table } = MOVED_SIGNALS[of.signal];
    const source = `(FROM read_parquet(${toText(file.path)})) AS ${table}`;
    for (let from = -1; ; ) {
      const rows = await this.#parts.database.read(
        `SELECT ${table}.ordinal::DOUBLE AS ordinal, ${columnsOfPart(table)} FROM ${source}
         WHERE ordinal > $1 ORDER BY ordinal LIMIT ${SCANNED_AT_ONCE}`,
        [from],
      );
      if (rows.length === 0) return;
      yield rows.map((row) => toPart(table, row));
      from = Number(rows.at(-1)?.ordinal);
    }
  }

  /** In the transaction that deletes rows of the table: those of files are hidden from the next query on, and erased later. */
  async hide(connection: DuckDBConnection, table: PartTable, condition: string, values: string[]): Promise<void> {
    const files = this.#ofTable(table);
    if (files.length === 0) return;
    this.hidden.expectSome();
    await this.#show(table);
    await this.hidden.add(connection, table, `read_parquet([${files.map(({ path }) => toText(path)).join(", ")}])`, {
      condition,
      values,
    });
  }

  /** The same of all rows of a project; gives how many there were. */
  async hideProject(connection: DuckDBConnection, projectId: number): Promise<number> {
    if (this.#files.length === 0 || this.hidden.hasProject(projectId)) return 0;
    let count = 0;
    for (const table of Object.keys(SHAPES)) {
      const source = this.#parts.database.sourceOf(table);
      if (source === table) continue;
      const [row] = await readRows(
        connection,
        `SELECT count(*)::DOUBLE AS count FROM ${source} WHERE project_id = $1`,
        [projectId],
      );
      count += Number(row?.count);
    }
    await this.hidden.addProject(connection, projectId);
    for (const table of Object.keys(SHAPES)) await this.#show(table as PartTable);
    return count;
  }

  async #load(): Promise<void> {
    const { database, dir } = this.#parts;
    const names = existsSync(dir) ? await readdir(dir) : [];
    const known = new Map(
      (
        await this.#inTable((connection) => readRows(connection, "SELECT name, head, is_stripped FROM moved_days", []))
      ).map((row) => [String(row.name), row]),
    );
    const found = names.flatMap((name) => {
      const parsed = parseDayFileName(name);
      return parsed === null ? [] : [{ ...parsed, name }];
    });
    // Of two, a rewriting was cut off behind the name of the new one.
    found.sort((a, b) => b.edition - a.edition);
    for (const each of found) {
      const { name, day, signal, edition } = each;
      const path = join(dir, name);
      if (this.#find({ day, signal })) {
        await this.#unlink(name);
        continue;
      }
      const row = known.get(name);
      const bytes = await sizeOfDayFile(dir, name);
      const noted = row && (JSON.parse(String(row.head)) as DayFileHead & { bytes: number });
      const head = noted?.bytes === bytes ? noted : await this.#readHead(path, name);
      if (head === null) continue;
      const isStripped = row?.is_stripped === true;
      this.#files.push({
        ...head,
        path,
        name,
        edition,
        bytes,
        isStripped,
        isCleared: await this.#isClear(head),
        droppedBefore: 0,
      });
    }
    for (const name of existsSync(this.#damagedDir) ? await readdir(this.#damagedDir) : []) {
      const parsed = parseDayFileName(name);
      if (parsed !== null) this.#damaged.push({ day: parsed.day, signal: parsed.signal });
    }
    for (const name of names) if (name.endsWith(".parquet.new")) await rm(join(dir, name), { force: true });
    await database.write(async (connection) => {
      for (const file of this.#files) if (!known.has(file.name)) await this.#note(connection, file);
      for (const name of known.keys())
        if (!this.#files.some((file) => file.name === name))
          await connection.run("DELETE FROM moved_days WHERE name = $1", [name]);
    });
    this.#files.sort((a, b) => a.day - b.day);
    for (const table of Object.keys(SHAPES)) await this.#show(table as PartTable);
  }

  /** Null: it is damaged, and lies in `damaged/` now. */
  async #readHead(path: string, name: string): Promise<DayFileHead | null> {
    try {
      return await this.#parts.database.inBackground((connection) => readDayFileHead(connection, path));
    } catch {
      await mkdir(this.#damagedDir, { recursive: true, mode: 0o700 });
      await rename(path, join(this.#damagedDir, name));
      return null;
    }
  }

  get #damagedDir(): string {
    return join(dirname(this.#parts.dir), "damaged");
  }

  async #isClear(head: DayFileHead): Promise<boolean> {
    const { table } = MOVED_SIGNALS[head.signal];
    const rows = await this.#inTable((connection) =>
      readRows(connection, `SELECT 1 AS one FROM ${table} WHERE ${isOfDay(head)} LIMIT 1`, []),
    );
    return rows.length === 0;
  }

  /** What the table itself has, whatever readers see. */
  #inTable<Result>(read: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
    return this.#parts.database.inBackground(read);
  }

  /** Gives the draft its name, durably. */
  async #name(draft: string, name: string, file: Omit<DayFile, "path" | "name" | "bytes">): Promise<DayFile> {
    const { dir } = this.#parts;
    const path = join(dir, name);
    await rename(draft, path);
    await syncFolder(dir);
    return { ...file, path, name, bytes: await sizeOfDayFile(dir, name) };
  }

  async #note(connection: DuckDBConnection, file: DayFile): Promise<void> {
    const { version, day, signal, rows, hash, upToOrdinal, positions } = file;
    const head = { version, day, signal, rows, hash, upToOrdinal, positions, bytes: file.bytes };
    await connection.run("INSERT INTO moved_days (name, head, is_stripped) VALUES ($1, $2, $3)", [
      file.name,
      JSON.stringify(head),
      file.isStripped,
    ]);
  }

  /** Takes its rows out of the table, in pieces: other writes come in between. */
  async #clear(file: DayFile, signal?: AbortSignal): Promise<void> {
    const { database } = this.#parts;
    const { table } = MOVED_SIGNALS[file.signal];
    const [range] = await this.#inTable((connection) =>
      readRows(
        connection,
        `SELECT min(ordinal)::DOUBLE AS first, max(ordinal)::DOUBLE AS last FROM ${table} WHERE ${isOfDay(file)}`,
        [],
      ),
    );
    if (typeof range?.first === "number" && typeof range.last === "number") {
      for (let from = range.first; from <= range.last; from += CLEARED_AT_ONCE) {
        signal?.throwIfAborted();
        const piece = `${isOfDay(file)} AND ordinal >= ${from} AND ordinal < ${from + CLEARED_AT_ONCE}`;
        await database.transaction(async (connection) => {
          await deleteLongTexts(connection, SHAPES[table], piece);
          await connection.run(`DELETE FROM ${table} WHERE ${piece}`);
          return { result: undefined, onCommit: () => undefined };
        });
      }
    }
    await database.write(async (connection) => {
      file.isCleared = true;
      const noted = await readRows(connection, "SELECT 1 AS one FROM moved_days WHERE name = $1", [file.name]);
      if (noted.length === 0) await this.#note(connection, file);
      await this.#show(table);
    });
    await database.checkpoint();
  }

  async #drop(file: DayFile): Promise<void> {
    await this.#parts.database.write(async (connection) => {
      this.#files.splice(this.#files.indexOf(file), 1);
      await this.#show(MOVED_SIGNALS[file.signal].table);
      await connection.run("DELETE FROM moved_days WHERE name = $1", [file.name]);
    });
    await this.#unlink(file.name);
  }

  /** No view names it by now. */
  async #unlink(name: string): Promise<void> {
    await this.#parts.database.waitForReads();
    await rm(join(this.#parts.dir, name), { force: true });
    await syncFolder(this.#parts.dir);
  }

  async #makeDir(): Promise<void> {
    const { dir } = this.#parts;
    if (existsSync(dir)) return;
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await syncFolder(dirname(dir));
  }

  #find({ day, signal }: DayOfSignal): DayFile | undefined {
    return this.#files.find((file) => file.day === day && file.signal === signal);
  }

  /** Behind the rows of all files. */
  #nextOrdinal(table: string): number {
    return Math.max(0, ...this.#ofTable(table).map(({ upToOrdinal }) => upToOrdinal));
  }

  #ofTable(table: string): DayFile[] {
    return this.#files.filter(({ signal }) => MOVED_SIGNALS[signal].table === table);
  }

  async #columnsOf(table: PartTable): Promise<string[]> {
    let columns = this.#columns.get(table);
    if (columns === undefined) {
      const rows = await this.#inTable((connection) =>
        readRows(connection, `SELECT column_name FROM (DESCRIBE ${table})`, []),
      );
      columns = rows.map(({ column_name }) => String(column_name));
      this.#columns.set(table, columns);
    }
    return columns;
  }

  /** Lets readers see the rows of the table and of its files, each once. */
  async #show(table: PartTable): Promise<void> {
    const { database } = this.#parts;
    const files = this.#ofTable(table);
    const paths = files.map(({ path }) => toText(path)).join(", ");
    if (files.length === 0) await database.defineView(table, null);
    else {
      const moving = files.filter(({ isCleared }) => !isCleared).map(isOfDay);
      const dropped = files
        .filter(({ day, droppedBefore }) => droppedBefore > day * DAY_MS)
        .map((file) => `(${isOfDay(file)} AND received_at < ${file.droppedBefore})`);
      const left = dropped.length === 0 ? "" : ` WHERE NOT (${dropped.join(" OR ")})`;
      const inTable = moving.length === 0 ? "" : ` WHERE NOT (${moving.join(" OR ")})`;
      await database.defineView(
        table,
        `SELECT ${(await this.#columnsOf(table)).join(", ")} FROM culprit.main.${table}${inTable}
         UNION ALL BY NAME
         FROM (
           SELECT moved.* EXCLUDE (${LONG_COLUMN}) FROM read_parquet([${paths}], union_by_name = true) AS moved ${this.hidden.conditionOf(table)}
         )${left}`,
        this.#nextOrdinal(table),
      );
    }
    const all = this.#files.map(
      (file) =>
        `SELECT '${MOVED_SIGNALS[file.signal].table}' AS table_name, ordinal, project_id, 0 AS part, replace(${LONG_COLUMN}, chr(30), '') AS text
         FROM read_parquet(${toText(file.path)}) WHERE ${LONG_COLUMN} IS NOT NULL`,
    );
    const moved = this.#files.filter(({ isCleared }) => !isCleared);
    const isThere = moved.map(
      (file) =>
        `(table_name = '${MOVED_SIGNALS[file.signal].table}' AND ordinal IN (SELECT ordinal FROM culprit.main.${MOVED_SIGNALS[file.signal].table} WHERE ${isOfDay(file)}))`,
    );
    const rest = isThere.length === 0 ? "" : ` WHERE NOT (${isThere.join(" OR ")})`;
    await database.defineView(
      LONG_TEXTS.name,
      all.length === 0
        ? null
        : [
            `SELECT table_name, ordinal, project_id, part, text FROM culprit.main.${LONG_TEXTS.name}${rest}`,
            ...all,
          ].join(" UNION ALL "),
    );
  }
}

/** SQL that is true for rows of a table that no file has the day of. */
export function isOfOtherDays(table: string, days: readonly DayOfSignal[]): string {
  const moved = days
    .filter(({ signal }) => MOVED_SIGNALS[signal].table === table)
    .map((each) => isOfDay({ ...each, upToOrdinal: Number.MAX_SAFE_INTEGER }));
  return moved.length === 0 ? "true" : `NOT (${moved.join(" OR ")})`;
}

/** The rows of the table with their long texts in one column. */
function toMovedRows(table: PartTable, columns: readonly string[], where: string): string {
  const rows = `(SELECT ${columns.join(", ")} FROM ${table} WHERE ${where})`;
  return `
    SELECT moved.*, texts.${LONG_COLUMN} FROM ${rows} AS moved LEFT JOIN (
      SELECT ordinal, string_agg(text, chr(30) ORDER BY part) AS ${LONG_COLUMN} FROM ${LONG_TEXTS.name}
      WHERE table_name = '${table}' AND ordinal IN (SELECT ordinal FROM ${rows} WHERE ${LONG_BYTES} IS NOT NULL)
      GROUP BY ordinal
    ) AS texts ON texts.ordinal = moved.ordinal`;
}
