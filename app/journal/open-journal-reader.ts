import { MIB } from "../domain/bytes.ts";
import { setAsideBadRange } from "./bad-records.ts";
import type { JournalLog, JournalPosition, JournalReader, JournalRecord } from "./journal.ts";
import { ReadBuffers } from "./read-buffers.ts";
import { recordSeed } from "./record-format.ts";
import { checkSegmentHeader, findJournalId, listSegments, type SegmentName } from "./segment-files.ts";
import { type DamagedRange, type SegmentChunk, SegmentReader, SLACK_BYTES } from "./segment-reader.ts";

export interface JournalReaderOptions {
  dir: string;
  /** The first wanted record. If the journal begins later, reading begins there. */
  fromSequence: number;
  log: JournalLog;
}

/** The bytes that a digest reads at once while it is behind. */
const BUFFER_BYTES = 8 * MIB + SLACK_BYTES;

/**
 * Opens a reader that only reads the files. It works in any thread or process that is told how far the journal is durable. Only one `read`
 * may run at a time.
 *
 * @throws if the folder contains no journal.
 */
export async function openJournalReader(options: JournalReaderOptions): Promise<JournalReader> {
  const journalId = await findJournalId(options.dir);
  if (journalId === null) throw new Error(`${options.dir} holds no journal`);
  return new FileJournalReader(options, journalId);
}

interface OpenSegment extends SegmentName {
  reader: SegmentReader;
}

class FileJournalReader implements JournalReader {
  readonly #dir: string;
  readonly #log: JournalLog;
  readonly #journalId: string;
  readonly #seed: number;
  readonly #buffers = new ReadBuffers(BUFFER_BYTES);
  #next: number;
  #segment: OpenSegment | null = null;
  /** Once it is set, this reader returns nothing more. */
  #failure: { error: unknown } | null = null;

  constructor(options: JournalReaderOptions, journalId: string) {
    this.#dir = options.dir;
    this.#log = options.log;
    this.#journalId = journalId;
    this.#seed = recordSeed(journalId);
    this.#next = options.fromSequence;
  }

  get nextSequence(): number {
    return this.#next;
  }

  async read(durable: JournalPosition, limits: { maxRecords: number; maxBytes: number }): Promise<JournalRecord[]> {
    if (this.#failure !== null) throw this.#failure.error;
    const records: JournalRecord[] = [];
    let bytes = 0;
    try {
      // Reading continues across the end of a segment: the rest of a segment may be small, and every batch has a cost.
      while (this.#next < durable.sequence && records.length < limits.maxRecords && bytes < limits.maxBytes) {
        const more = await this.#readSegment(durable, {
          maxRecords: limits.maxRecords - records.length,
          maxBytes: limits.maxBytes - bytes,
        });
        if (more === null) break;
        for (const record of more.records) {
          records.push(record);
          bytes += record.bytes.length;
        }
        if (!more.isAtEnd && records.length > 0) break;
      }
    } catch (error) {
      // Records before the failure are good. Records after it are unknown.
      this.#failure = { error };
      if (records.length === 0) throw error;
    }
    return records;
  }

  recycle(records: readonly JournalRecord[]): void {
    this.#buffers.give(records.map(({ bytes }) => bytes));
  }

  /** The next bytes of one segment. Null when there are no more. */
  async #readSegment(
    durable: JournalPosition,
    limits: { maxRecords: number; maxBytes: number },
  ): Promise<Pick<SegmentChunk, "records" | "isAtEnd"> | null> {
    const segment = this.#segment ?? (await this.#openSegmentFor(this.#next));
    if (segment === null) {
      this.#skipTo(durable.sequence, "the journal has no segment for records that were durable");
      return null;
    }
    const { records, damage, isAtEnd, tail } = await segment.reader.read({
      fromSequence: this.#next,
      belowSequence: durable.sequence,
      ...limits,
    });
    for (const range of damage) {
      if (range.sequence + range.recordCount > this.#next) await this.#setAside(segment, range);
    }
    this.#next = Math.max(this.#next, segment.reader.nextSequence);
    if (isAtEnd && this.#next < durable.sequence) await this.#leave(segment, tail, durable);
    return { records, isAtEnd };
  }

  async close(): Promise<void> {
    const segment = this.#segment;
    this.#segment = null;
    await segment?.reader.close();
  }

  /** The segment that holds the record, or the first one after it. */
  async #openSegmentFor(sequence: number): Promise<OpenSegment | null> {
    const segments = await listSegments(this.#dir);
    const name = segments.findLast(({ base }) => base <= sequence) ?? segments[0];
    if (name === undefined) return null;
    await checkSegmentHeader(name, this.#journalId);
    this.#segment = { ...name, reader: await SegmentReader.open(name, this.#seed, this.#buffers) };
    this.#next = Math.max(sequence, name.base);
    return this.#segment;
  }

  /** Moves on after a segment was read to its end while more records are durable: they are in the next segment, or lost. */
  async #leave(segment: OpenSegment, tail: SegmentChunk["tail"], durable: JournalPosition): Promise<void> {
    const following = (await listSegments(this.#dir)).find(({ base }) => base > segment.base);
    const next = Math.min(following?.base ?? durable.sequence, durable.sequence);
    if (tail !== null) {
      await this.#setAside(segment, { ...tail, sequence: this.#next, recordCount: Math.max(0, next - this.#next) });
    }
    if (following === undefined) {
      this.#skipTo(durable.sequence, "durable records are missing at the end of the journal");
      return;
    }
    await segment.reader.close();
    this.#segment = null;
    // A jump in the sequences is no loss by itself: a journal whose tail was cut continues with later sequences in a new segment.
    this.#next = Math.max(this.#next, next);
  }

  async #setAside(segment: OpenSegment, damage: DamagedRange): Promise<void> {
    const range = { segmentPath: segment.path, ...damage };
    const keptIn = await setAsideBadRange(this.#dir, range);
    this.#log.error({ ...range, keptIn }, "a damaged part of the journal is set aside");
  }

  #skipTo(sequence: number, message: string): void {
    this.#log.error({ fromSequence: this.#next, toSequence: sequence }, message);
    this.#next = sequence;
  }
}
