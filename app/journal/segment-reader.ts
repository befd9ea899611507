import { fstatSync, readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { KIB, MIB } from "../domain/bytes.ts";
import type { JournalRecord } from "./journal.ts";
import { ReadBuffers } from "./read-buffers.ts";
import { findRecordHeader, RECORD_HEADER_BYTES, readRecordHeader, SEGMENT_HEADER_BYTES } from "./record-format.ts";
import type { SegmentName } from "./segment-files.ts";

export interface SegmentLimits {
  /** Records with lower sequences are skipped. */
  fromSequence: number;
  /** Reading ends before the first record that has this sequence or a later one. */
  belowSequence: number;
  maxRecords: number;
  /** The most bytes of payload. A single record is returned whatever its size. */
  maxBytes: number;
}

export interface SegmentChunk {
  records: JournalRecord[];
  damage: DamagedRange[];
  /** There is nothing more to read now: the reader is at the segment's end, at its torn tail, or at `belowSequence`. */
  isAtEnd: boolean;
  /** Bytes at the end without a whole record in or behind them. They are not skipped: the next read begins there. Null: there are none. */
  tail: { offset: number; length: number } | null;
}

/** Bytes of records that can no longer be read. */
export interface DamagedRange {
  offset: number;
  length: number;
  /** Sequence of the first of those records. */
  sequence: number;
  recordCount: number;
}

/** How many bytes are searched at once for the next record behind damage. */
const SEARCH_BYTES = MIB;
/** Bytes read beyond the wanted payload, so that the record that reaches the limit is usually whole. */
export const SLACK_BYTES = 64 * 1024;

/**
 * Up to this many bytes are read synchronously. Bytes that were just written are in memory and copied in 0.1 ms, while the threads that
 * read files may be busy with DuckDB's statements.
 */
const FEW_BYTES = 256 * KIB;

/** Reads one segment file from front to back, skipping damage. It uses as much memory as the records that it returns. */
export class SegmentReader {
  readonly #file: FileHandle;
  readonly #seed: number;
  readonly #buffers: ReadBuffers;
  #offset = SEGMENT_HEADER_BYTES;
  #nextSequence: number;

  private constructor(file: FileHandle, seed: number, base: number, buffers: ReadBuffers) {
    this.#file = file;
    this.#seed = seed;
    this.#buffers = buffers;
    this.#nextSequence = base;
  }

  /** @param buffers source of memory for records. Absent: each read takes new memory */
  static async open(segment: SegmentName, seed: number, buffers = new ReadBuffers(0)): Promise<SegmentReader> {
    return new SegmentReader(await open(segment.path, "r"), seed, segment.base, buffers);
  }

  /** Offset of the next record: behind the last whole one, or behind damage that is followed by a whole one. */
  get offset(): number {
    return this.#offset;
  }

  /** Sequence of the next record. Within a segment the sequences have no gaps. */
  get nextSequence(): number {
    return this.#nextSequence;
  }

  async size(): Promise<number> {
    return fstatSync(this.#file.fd).size;
  }

  /** The next bytes, without moving forward. */
  peek(length: number): Promise<Buffer> {
    return this.#load(this.#offset, length);
  }

  async read(limits: SegmentLimits): Promise<SegmentChunk> {
    const size = await this.size();
    const chunk: SegmentChunk = { records: [], damage: [], isAtEnd: false, tail: null };
    const wanted = Math.min(size - this.#offset, limits.maxBytes + SLACK_BYTES);
    let buffer = await this.#load(this.#offset, Math.max(0, wanted));
    let bytes = 0;
    let at = 0;
    while (chunk.records.length < limits.maxRecords && bytes < limits.maxBytes) {
      const offset = this.#offset + at;
      if (offset >= size || this.#nextSequence >= limits.belowSequence) {
        chunk.isAtEnd = true;
        break;
      }
      // The end of the buffer cuts the record; it is not damaged. The next call begins here.
      if (at > 0 && at + RECORD_HEADER_BYTES > buffer.length && offset + RECORD_HEADER_BYTES <= size) break;
      const header = readRecordHeader(buffer, at, this.#seed);
      if (header === null) {
        const found = await this.#search(offset + 1, size);
        if (found === null) {
          chunk.tail = { offset, length: size - offset };
          chunk.isAtEnd = true;
        } else {
          const recordCount = Math.max(0, found.sequence - this.#nextSequence);
          chunk.damage.push({ offset, length: found.offset - offset, sequence: this.#nextSequence, recordCount });
          this.#nextSequence += recordCount;
          at += found.offset - offset;
        }
        break;
      }
      if (header.sequence >= limits.belowSequence) {
        chunk.isAtEnd = true;
        break;
      }
      const end = at + RECORD_HEADER_BYTES + header.length;
      if (this.#offset + end > size) {
        chunk.tail = { offset, length: size - offset };
        chunk.isAtEnd = true;
        break;
      }
      if (header.sequence >= limits.fromSequence) {
        if (end > buffer.length) {
          if (at > 0) break;
          buffer = await this.#load(this.#offset, end);
        }
        const payload = buffer.subarray(at + RECORD_HEADER_BYTES, end);
        if (crc32(payload) === header.payloadCrc) chunk.records.push({ sequence: header.sequence, bytes: payload });
        else chunk.damage.push({ offset, length: end - at, sequence: header.sequence, recordCount: 1 });
        bytes += header.length;
      }
      this.#nextSequence = header.sequence + 1;
      at = end;
    }
    this.#offset += at;
    return chunk;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #load(offset: number, length: number): Promise<Buffer> {
    const buffer = this.#buffers.take(length);
    let filled = 0;
    while (filled < length) {
      const [left, from] = [length - filled, offset + filled];
      const bytesRead =
        length <= FEW_BYTES
          ? readSync(this.#file.fd, buffer, filled, left, from)
          : (await this.#file.read(buffer, filled, left, from)).bytesRead;
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return filled === length ? buffer : buffer.subarray(0, filled);
  }

  /** The next whole header. Null when there is none up to the end. */
  async #search(from: number, size: number): Promise<{ offset: number; sequence: number } | null> {
    for (let offset = from; offset < size; offset += SEARCH_BYTES) {
      // Search windows overlap by the size of a header, so that no header is missed between two.
      const window = await this.#load(offset, Math.min(size - offset, SEARCH_BYTES + RECORD_HEADER_BYTES));
      const found = findRecordHeader(window, this.#seed);
      if (found !== null) return { offset: offset + found.at, sequence: found.sequence };
    }
    return null;
  }
}
