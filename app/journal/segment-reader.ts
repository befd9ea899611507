import { fstatSync, readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { KIB, MIB } from "../domain/bytes.ts";
import type { JournalRecord } from "./journal.ts";
import { ReadBuffers } from "./read-buffers.ts";
import { findRecordHeader, RECORD_HEADER_BYTES, readRecordHeader, SEGMENT_HEADER_BYTES } from "./record-format.ts";
import type { SegmentName } from "./segment-files.ts";

export interface SegmentLimits {
  /** Records below are passed over. */
  fromSequence: number;
  /** Reading ends before the first record that has this sequence or a later one. */
  belowSequence: number;
  maxRecords: number;
  /** Of payload; one record is given whatever its size. */
  maxBytes: number;
}

export interface SegmentChunk {
  records: JournalRecord[];
  damage: DamagedRange[];
  /** There is nothing more to read now: the segment's end, its torn tail, or `belowSequence`. */
  isAtEnd: boolean;
  /** Bytes up to the end that are no whole record and have none behind them. Not passed over: they stay the next to read. */
  tail: { offset: number; length: number } | null;
}

/** Bytes that held records which cannot be read any more. */
export interface DamagedRange {
  offset: number;
  length: number;
  /** Of the first of those records. */
  sequence: number;
  recordCount: number;
}

/** Bytes looked through at once for the next record behind damage. */
const SEARCH_BYTES = MIB;
/** Read beyond the wanted payload, so that the record that reaches the limit is mostly whole. */
export const SLACK_BYTES = 64 * 1024;

/**
 * So few bytes are read without waiting for another thread. What was just written is in memory and copied in 0.1 ms, and DuckDB's statements
 * have the threads that read files.
 */
const FEW_BYTES = 256 * KIB;

/** Reads one segment file from front to back, over damage, with as much memory as the records that it gives. */
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

  /** @param buffers where the memory of records comes from; absent: each read takes fresh memory. */
  static async open(segment: SegmentName, seed: number, buffers = new ReadBuffers(0)): Promise<SegmentReader> {
    return new SegmentReader(await open(segment.path, "r"), seed, segment.base, buffers);
  }

  /** Where the next record begins: behind the last whole one, and behind damage that is followed by a whole one. */
  get offset(): number {
    return this.#offset;
  }

  /** Sequence of the record that comes next. Within a segment none is left out. */
  get nextSequence(): number {
    return this.#nextSequence;
  }

  async size(): Promise<number> {
    return fstatSync(this.#file.fd).size;
  }

  /** The next bytes, as they are. */
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
      // Cut by the end of the buffer, not damaged: the next call begins here.
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

  /** The next whole header; null when there is none up to the end. */
  async #search(from: number, size: number): Promise<{ offset: number; sequence: number } | null> {
    for (let offset = from; offset < size; offset += SEARCH_BYTES) {
      // Windows overlap by a header, so that none is missed between two.
      const window = await this.#load(offset, Math.min(size - offset, SEARCH_BYTES + RECORD_HEADER_BYTES));
      const found = findRecordHeader(window, this.#seed);
      if (found !== null) return { offset: offset + found.at, sequence: found.sequence };
    }
    return null;
  }
}
