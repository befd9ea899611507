import { MIB } from "../domain/bytes.ts";
import { isFullDisk } from "../domain/full-disk.ts";
import { isMissing } from "../missing-file.ts";
import { BacklogAge } from "./backlog-age.ts";
import { countBadRecords } from "./bad-records.ts";
import { encodeBatch, type RecordParts } from "./encode-batch.ts";
import {
  type Journal,
  type JournalLog,
  type JournalPosition,
  type JournalRefusal,
  type JournalStats,
  JournalUnavailableError,
} from "./journal.ts";
import type { JournalDisk, SegmentFile } from "./journal-disk.ts";
import { encodeSegmentHeader, MAX_RECORD_BYTES, SEGMENT_HEADER_BYTES } from "./record-format.ts";
import { type SegmentName, segmentPath } from "./segment-files.ts";

export interface JournalLimits {
  /** A segment of this size gets no more records: the granularity in which applied records are deleted. */
  segmentBytes: number;
  /** Bytes of records that some store has not applied yet, beyond which appends are refused. */
  maxBacklogBytes: number;
  /** Appends are refused when they would leave less on the disk: what the stores need to work the backlog off. */
  minFreeDiskBytes: number;
  /** Bytes that may wait in memory for the disk. A single append is always taken, whatever its size. */
  maxQueuedBytes: number;
  /** How often the disk is checked, for free space and for recovery from a failure, in milliseconds. */
  watchIntervalMs: number;
}

export interface Segment extends SegmentName {
  /** Length of the file up to which it is durable. */
  bytes: number;
}

export interface FileJournalParts {
  id: string;
  firstSequence: number;
  seed: number;
  dir: string;
  log: JournalLog;
  disk: JournalDisk;
  limits: JournalLimits;
  /** Oldest first. */
  segments: Segment[];
  /** The last segment, when it takes more records. */
  file: SegmentFile | null;
  nextSequence: number;
  /** Records below are applied. */
  applied: number;
  /** When the segment of the first record that is not applied was last written: milliseconds since 1970. */
  backlogSince: number;
  /** Bytes that wait in other journals and count as this one's backlog. */
  backlogBeside: () => number;
  tornBytes: number;
  freeBytes: number;
  badRecordCount: number;
}

interface PendingAppend extends RecordParts {
  resolve: (sequence: number) => void;
  reject: (error: JournalUnavailableError) => void;
}

/** The most bytes of one write and sync: large enough to be worth it, and some ten milliseconds on a slow disk. */
const MAX_BATCH_BYTES = 4 * MIB;
const WATCHES_PER_BAD_COUNT = 10;
const RETRY_AFTER_SECONDS = { "backlog-full": 10, "disk-full": 60, "disk-error": 30 } as const;

export class FileJournal implements Journal {
  readonly id: string;
  readonly firstSequence: number;
  readonly #parts: FileJournalParts;
  readonly #segments: Segment[];
  #file: SegmentFile | null;
  #durable: JournalPosition;
  #released: number;
  #backlogBytes = 0;
  readonly #age: BacklogAge;
  #freeBytes: number;
  #badRecordCount: number;
  #syncCount = 0;
  #writtenBytes = 0;

  #queue: PendingAppend[] = [];
  #queuedBytes = 0;
  #writing: Promise<void> | null = null;
  #failure: { refusal: JournalRefusal } | null = null;
  #isClosed = false;
  #mustRotate = false;

  readonly #listeners = new Set<(position: JournalPosition) => void>();
  readonly #watchTimer: NodeJS.Timeout;
  #watchCount = 0;
  /** The fault that the last check of the disk found. Empty: none. */
  #watchFault = "";
  #watching: Promise<void> | null = null;
  #deleting: Promise<void> = Promise.resolve();

  constructor(parts: FileJournalParts) {
    this.id = parts.id;
    this.firstSequence = parts.firstSequence;
    this.#parts = parts;
    this.#segments = parts.segments;
    this.#file = parts.file;
    this.#durable = { sequence: parts.nextSequence };
    this.#released = parts.applied;
    this.#age = new BacklogAge(parts.applied, parts.backlogSince);
    this.#freeBytes = parts.freeBytes;
    this.#badRecordCount = parts.badRecordCount;
    this.#backlogBytes = this.#countBacklogBytes();
    this.#watchTimer = setInterval(() => {
      this.#watching ??= this.#watch().finally(() => {
        this.#watching = null;
      });
    }, parts.limits.watchIntervalMs);
    this.#watchTimer.unref();
  }

  get durable(): JournalPosition {
    return this.#durable;
  }

  get backlogBytes(): number {
    return this.#backlogBytes;
  }

  append(parts: readonly Uint8Array[]): Promise<number> {
    let length = 0;
    for (const part of parts) length += part.length;
    if (length > MAX_RECORD_BYTES) {
      return Promise.reject(new RangeError(`a record of ${length} bytes is larger than ${MAX_RECORD_BYTES}`));
    }
    const refusal = this.refusal(length);
    if (refusal !== null) return Promise.reject(new JournalUnavailableError(refusal));
    return new Promise((resolve, reject) => {
      this.#queue.push({ parts, length, resolve, reject });
      this.#queuedBytes += length;
      // The write waits for the end of this turn of the event loop, so that other appends of the turn join it.
      this.#writing ??= new Promise<void>((done) => setImmediate(done)).then(() => this.#writeAll());
    });
  }

  refusal(bytes: number): JournalRefusal | null {
    const { maxBacklogBytes, minFreeDiskBytes, maxQueuedBytes } = this.#parts.limits;
    if (this.#isClosed) return refusalFor("disk-error", "the journal is closed");
    if (this.#failure !== null) return this.#failure.refusal;
    const queued = this.#queuedBytes + bytes;
    if (this.#freeBytes <= 0) return refusalFor("disk-full", FULL);
    if (this.#freeBytes - queued < minFreeDiskBytes) {
      return refusalFor("disk-full", `less than ${minFreeDiskBytes} bytes of the disk would stay free`);
    }
    const backlog = this.#backlogBytes + this.#queuedBytes + this.#parts.backlogBeside();
    if (backlog > 0 && backlog + bytes > maxBacklogBytes) {
      return refusalFor("backlog-full", `more than ${maxBacklogBytes} bytes would wait to be processed`);
    }
    if (this.#queuedBytes > 0 && queued > maxQueuedBytes) {
      const message = `more than ${maxQueuedBytes} bytes would wait to be written`;
      return { reason: "backlog-full", retryAfterSeconds: 1, message };
    }
    return null;
  }

  onDurable(listener: (position: JournalPosition) => void): () => void {
    const subscription = (position: JournalPosition) => listener(position);
    this.#listeners.add(subscription);
    return () => {
      this.#listeners.delete(subscription);
    };
  }

  async release(appliedSequence: number): Promise<void> {
    const applied = Math.min(appliedSequence, this.#durable.sequence);
    if (applied <= this.#released) return;
    this.#released = applied;
    this.#backlogBytes = this.#countBacklogBytes();
    this.#deleting = this.#deleting.then(() => this.#deleteReleased());
    await this.#deleting;
  }

  async rotate(): Promise<void> {
    if (this.#isClosed) return;
    this.#mustRotate = true;
    this.#writing ??= Promise.resolve().then(() => this.#writeAll());
    await this.#writing;
    this.#deleting = this.#deleting.then(() => this.#deleteReleased());
    await this.#deleting;
  }

  stats(): JournalStats {
    return {
      backlogRecords: this.#durable.sequence - this.#released,
      backlogBytes: this.#backlogBytes,
      oldestWaitsSince: this.#released < this.#durable.sequence ? this.#age.oldestAt(this.#released) : null,
      segmentCount: this.#segments.length,
      badRecordCount: this.#badRecordCount,
      tornBytes: this.#parts.tornBytes,
      syncCount: this.#syncCount,
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#watchTimer);
    await this.#writing;
    await this.#watching;
    await this.#deleting;
    const file = this.#file;
    this.#file = null;
    await file?.close();
  }

  async #writeAll(): Promise<void> {
    while (this.#queue.length > 0 || this.#mustRotate) {
      if (this.#queue.length === 0) {
        await this.#beginSegment();
        continue;
      }
      const batch = this.#takeBatch();
      const first = this.#durable.sequence;
      try {
        await this.#write(batch, first);
      } catch (error) {
        this.#fail(batch, error);
        continue;
      }
      for (const [index, append] of batch.entries()) append.resolve(first + index);
      this.#announce();
    }
    this.#writing = null;
  }

  /** Begins a segment without a record. If the disk does not work, the next record tries again. */
  async #beginSegment(): Promise<void> {
    const { disk, dir, log } = this.#parts;
    try {
      const { file, isNew } = await this.#requireSegment(this.#durable.sequence);
      if (!isNew) return;
      await file.sync();
      await disk.syncFolder(dir);
    } catch (error) {
      log.warn({ err: error }, "a new segment of the journal could not be begun");
    } finally {
      this.#mustRotate = false;
    }
  }

  #takeBatch(): PendingAppend[] {
    let bytes = 0;
    let count = 0;
    for (const { length } of this.#queue) {
      if (count > 0 && bytes + length > MAX_BATCH_BYTES) break;
      bytes += length;
      count++;
    }
    if (count < this.#queue.length) return this.#queue.splice(0, count);
    const batch = this.#queue;
    this.#queue = [];
    return batch;
  }

  async #write(batch: readonly PendingAppend[], firstSequence: number): Promise<void> {
    if (this.#failure !== null) throw new JournalUnavailableError(this.#failure.refusal);
    const { disk, dir, seed } = this.#parts;
    let length = 0;
    for (const append of batch) length += append.length;

    const { segment, file, isNew } = await this.#requireSegment(firstSequence);
    const { buffers, bytes } = encodeBatch(batch, firstSequence, seed);
    try {
      await file.write(buffers, segment.bytes);
      await file.sync();
      if (isNew) await disk.syncFolder(dir);
      if (!file.hasName()) throw new GoneFileError(`${segment.path} was deleted`);
    } catch (error) {
      // The file is cut before the senders hear of the failure. Otherwise a reader would accept whole records of this write after a crash.
      await file.truncate(segment.bytes).catch(() => {});
      throw error;
    }
    // The records now survive the death of the process, and a loss of power.
    segment.bytes += bytes;
    this.#syncCount++;
    this.#writtenBytes += bytes;
    this.#freeBytes -= bytes;
    this.#backlogBytes += bytes;
    this.#queuedBytes -= length;
    this.#durable = { sequence: firstSequence + batch.length };
    this.#age.add(firstSequence, Date.now());
  }

  async #requireSegment(base: number): Promise<{ segment: Segment; file: SegmentFile; isNew: boolean }> {
    const last = this.#segments.at(-1);
    // A segment without records is as good as a new one, and a new one would get the same name.
    const isFull = last && (last.bytes >= this.#parts.limits.segmentBytes || (this.#mustRotate && last.base < base));
    if (last && this.#file && !isFull) {
      return { segment: last, file: this.#file, isNew: last.bytes === SEGMENT_HEADER_BYTES };
    }
    const previous = this.#file;
    this.#file = null;
    await previous?.close();

    const path = segmentPath(this.#parts.dir, base);
    const file = await this.#parts.disk.createSegment(path);
    this.#file = file;
    const segment = { path, base, bytes: SEGMENT_HEADER_BYTES };
    // After a failure, the empty segment that was made for the same record may still be there.
    if (last?.base === base) this.#segments.pop();
    this.#segments.push(segment);
    this.#mustRotate = false;
    await file.write([encodeSegmentHeader(this.id, base)], 0);
    return { segment, file, isNew: true };
  }

  #fail(batch: readonly PendingAppend[], error: unknown): void {
    const { refusal } = this.#refuse(error, "appends to the journal failed; it refuses more until the disk works");
    // Appends that came meanwhile wait for the same disk.
    const waiting = [...batch, ...this.#queue];
    this.#queue = [];
    this.#queuedBytes = 0;
    for (const append of waiting) append.reject(new JournalUnavailableError(refusal, { cause: error }));
  }

  #refuse(error: unknown, message: string): { refusal: JournalRefusal } {
    if (this.#failure !== null) return this.#failure;
    const reason = isFullDisk(error) ? "disk-full" : "disk-error";
    this.#failure = { refusal: refusalFor(reason, sayFailure(error)) };
    this.#parts.log.error({ err: error, reason }, message);
    return this.#failure;
  }

  #announce(): void {
    for (const listener of this.#listeners) {
      try {
        listener(this.#durable);
      } catch (error) {
        this.#parts.log.error({ err: error }, "a listener of the journal failed");
      }
    }
  }

  async #watch(): Promise<void> {
    const { disk, dir, log, limits } = this.#parts;
    try {
      await this.#requireFile();
      const writtenBefore = this.#writtenBytes;
      const freeBytes = await disk.freeBytes(dir).catch(async (error: unknown) => {
        // The folder may have gone since.
        await this.#requireFile();
        throw error;
      });
      this.#freeBytes = freeBytes - (this.#writtenBytes - writtenBefore);
      if (this.#failure !== null && this.#freeBytes >= limits.minFreeDiskBytes) await this.#recover();
      if (this.#watchCount++ % WATCHES_PER_BAD_COUNT === 0) this.#badRecordCount = await countBadRecords(dir);
      this.#watchFault = "";
    } catch (error) {
      // Logged once per fault, because this runs every second.
      const fault = error instanceof Error ? error.message : String(error);
      if (fault !== this.#watchFault) log.warn({ err: error }, "the journal's disk does not work");
      this.#watchFault = fault;
    }
  }

  /** Checks that the file still has its name. Writes to a file without a name are lost with this process, and no reader finds them. */
  async #requireFile(): Promise<void> {
    const file = this.#file;
    const path = this.#segments.at(-1)?.path;
    if (!file || path === undefined) return;
    try {
      if (await file.isAt(path)) return;
    } catch (error) {
      if (file === this.#file) throw error;
    }
    // Another one may have followed meanwhile.
    if (file !== this.#file) return;
    const error = new GoneFileError(`${path} was moved or deleted`);
    this.#refuse(error, "the file of the journal is gone; it refuses appends until the file is back");
    this.#watchFault = error.message;
    throw error;
  }

  /** Cuts off what the failed write may have left, so that nothing is ever read that its sender was refused. */
  async #recover(): Promise<void> {
    const reason = this.#failure?.refusal.reason;
    const segment = this.#segments.at(-1);
    if (segment && this.#file) {
      await this.#file.truncate(segment.bytes);
      if (segment.bytes === SEGMENT_HEADER_BYTES)
        await this.#file.write([encodeSegmentHeader(this.id, segment.base)], 0);
      await this.#file.sync();
      if (reason === "disk-error") {
        // After a failed sync, the kernel may take unwritten pages for clean. A new file is safer.
        await this.#file.close();
        this.#file = null;
      }
    }
    // If no file can be made, as on a disk that became read-only, the next append would fail again.
    if (this.#file === null) await (await this.#requireSegment(this.#durable.sequence)).file.sync();
    this.#failure = null;
    this.#parts.log.info({ reason }, "the journal takes appends again");
  }

  async #deleteReleased(): Promise<void> {
    for (;;) {
      const [oldest, next] = this.#segments;
      if (!oldest || !next || next.base > this.#released) return;
      try {
        await this.#parts.disk.deleteSegment(oldest.path);
      } catch (error) {
        if (!isMissing(error)) {
          this.#parts.log.warn(
            { err: error, path: oldest.path },
            "an applied segment of the journal could not be deleted",
          );
          return;
        }
      }
      this.#segments.shift();
    }
  }

  /** Bytes of records that are not applied. The segment with the applied position counts by its share of records. */
  #countBacklogBytes(): number {
    let bytes = 0;
    for (const [index, segment] of this.#segments.entries()) {
      const end = this.#segments[index + 1]?.base ?? this.#durable.sequence;
      const pending = Math.min(end - segment.base, end - this.#released);
      if (pending > 0) bytes += Math.round(((segment.bytes - SEGMENT_HEADER_BYTES) * pending) / (end - segment.base));
    }
    return bytes;
  }
}

function refusalFor(reason: JournalRefusal["reason"], message: string): JournalRefusal {
  return { reason, retryAfterSeconds: RETRY_AFTER_SECONDS[reason], message };
}

const FULL = "the disk is full";

class GoneFileError extends Error {
  override readonly name = "GoneFileError";
}

/** The failure as a text for senders and probes, without paths. */
function sayFailure(error: unknown): string {
  if (isFullDisk(error)) return FULL;
  if (error instanceof GoneFileError) return "the file of the journal is gone";
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "EROFS") return "the journal could not be written: its disk is read-only";
  if (code === "EACCES" || code === "EPERM") return "the journal could not be written: its folder is read-only";
  return "the journal could not be written";
}
