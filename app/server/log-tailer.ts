import { maxPositions, type Positions } from "../domain/journal-positions.ts";
import type { LogLine } from "../domain/logs/log-line.ts";
import type { TailNews, TailRequest } from "../domain/logs/log-tail.ts";
import { matchesCondition, type SearchedRow } from "../domain/search/matches-condition.ts";
import { toLogLine } from "../features/logs/log-line.server.ts";
import { decodeLogRows } from "../stores/events/decode-log-rows.ts";
import { toLineId } from "../stores/events/line-id.ts";
import type { LogRow } from "../stores/events/logs.ts";
import type { TableRows } from "../stores/events/rows.ts";
import { toSearchedLog } from "../stores/events/searched-log.ts";

/** The most lines that a reader gets at once. */
const MAX_LINES = 500;
/** Characters that may wait for a reader: then the oldest lines are left out. */
const MAX_WAITING = 1_000_000;
/** A reader hears this often how many lines came, though none matched. */
const COUNT_EVERY_MS = 1_000;
/** How often a reader gets news, even without lines, to show that the server is alive: proxies close silent connections. */
const NEWS_EVERY_MS = 10_000;

/** Rows of one batch of the digest that were stored. */
export interface TailedBatch {
  /** Exclusive: every record of each journal below its sequence is stored now. */
  upTo: Positions;
  /** Null: it had no logs. */
  rows: TableRows | null;
  /** Records of the batch's journal below this sequence were stored before. */
  applied: number;
  /** Places of items whose rows were left out. */
  leftOut: readonly number[];
}

interface Waiting {
  line: LogLine;
  characters: number;
  /** The positions at which a reader starts again that has not seen this. */
  from: Positions;
}

interface Reader {
  request: TailRequest;
  projects: ReadonlySet<number>;
  waiting: Waiting[];
  characters: number;
  counts: { arrived: number; matched: number; leftOut: number; notRead: number };
  upTo: Positions;
  isAsking: boolean;
  toldAt: number;
}

/** Finds the lines that readers want among those that were stored. Each reader asks for news when it can take some. */
export class LogTailer {
  readonly #readers = new Map<number, Reader>();
  readonly #tell: (id: number, news: TailNews) => void;
  readonly #now: () => number;

  constructor(tell: (id: number, news: TailNews) => void, now: () => number) {
    this.#tell = tell;
    this.#now = now;
  }

  open(id: number, request: TailRequest, from: Positions): void {
    this.#readers.set(id, {
      request,
      projects: new Set(request.projectIds),
      waiting: [],
      characters: 0,
      counts: toNoCounts(),
      upTo: from,
      isAsking: false,
      toldAt: this.#now(),
    });
  }

  close(id: number): void {
    this.#readers.delete(id);
  }

  /** Says that the reader can take more. Lines that it could not take before are sent at once. */
  ask(id: number): void {
    const reader = this.#readers.get(id);
    if (!reader) return;
    reader.isAsking = true;
    if (reader.waiting.length >= MAX_LINES) this.#send(id, reader);
  }

  take(batch: TailedBatch): void {
    const logs = readStored(batch).map((row) => ({ row, searched: toSearchedLog(row) }));
    for (const reader of this.#readers.values()) {
      for (const log of logs) takeRow(reader, log);
      reader.upTo = maxPositions(reader.upTo, batch.upTo);
    }
  }

  /** The same for a batch that was not read for lack of time. `counts`: lines by project. */
  skip({ upTo }: Pick<TailedBatch, "upTo">, counts: ReadonlyMap<number, number>): void {
    for (const reader of this.#readers.values()) {
      for (const [projectId, count] of counts) if (reader.projects.has(projectId)) reader.counts.notRead += count;
      reader.upTo = maxPositions(reader.upTo, upTo);
    }
  }

  /** Tells readers what there is, a few times a second. */
  flush(): void {
    const now = this.#now();
    for (const [id, reader] of this.#readers) {
      if (!reader.isAsking) continue;
      const { arrived, leftOut, notRead } = reader.counts;
      const hasCounts = arrived + leftOut + notRead > 0 && now - reader.toldAt >= COUNT_EVERY_MS;
      if (reader.waiting.length > 0 || hasCounts || now - reader.toldAt >= NEWS_EVERY_MS) this.#send(id, reader);
    }
  }

  #send(id: number, reader: Reader): void {
    const given = reader.waiting.splice(0, MAX_LINES);
    for (const { characters } of given) reader.characters -= characters;
    const news = {
      lines: given.map(({ line }) => line),
      ...reader.counts,
      upTo: reader.waiting[0]?.from ?? reader.upTo,
    };
    reader.counts = toNoCounts();
    reader.isAsking = false;
    reader.toldAt = this.#now();
    this.#tell(id, news);
  }
}

function readStored({ rows, applied, leftOut }: TailedBatch): LogRow[] {
  if (rows === null) return [];
  const items = new Set(leftOut);
  return decodeLogRows(rows).filter((row, at) => row.sequence >= applied && !items.has(rows.items[at] as number));
}

function takeRow(reader: Reader, { row, searched }: { row: LogRow; searched: SearchedRow }): void {
  const { environments, where, columns, slugs } = reader.request;
  if (!reader.projects.has(row.projectId)) return;
  if (environments.length > 0 && (row.environment === null || !environments.includes(row.environment))) return;
  reader.counts.arrived++;
  if (!matchesCondition(where, searched)) return;
  reader.counts.matched++;
  const line = toLogLine({ ...row, id: toLineId(row) }, columns, slugs);
  const characters = line.values.reduce((sum, value) => sum + (value?.length ?? 0), line.body.length + 100);
  reader.waiting.push({ line, characters, from: reader.upTo });
  reader.characters += characters;
  while (reader.characters > MAX_WAITING) {
    reader.characters -= reader.waiting.shift()?.characters ?? reader.characters;
    reader.counts.leftOut++;
  }
}

function toNoCounts(): Reader["counts"] {
  return { arrived: 0, matched: 0, leftOut: 0, notRead: 0 };
}
