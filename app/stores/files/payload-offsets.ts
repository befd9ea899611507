import type { FileHandle } from "node:fs/promises";
import { DamagedPayloadError } from "../payload-store.ts";
import { BLOCK_HEADER_BYTES, CODEC, encodeDictionary, parseHeader, unpack } from "./payload-block.ts";

/**
 * The places of the blocks of a file that was rewritten. References name the first offset of a block, so they never change. The map is a
 * block without payloads at the end of the file, and the file's first line contains its offset.
 */
export class PayloadOffsets {
  readonly #placeOf = new Map<number, number>();
  readonly #nameOf = new Map<number, number>();

  /** The offsets of a file that was never rewritten: every block is at its first place. */
  static readonly unchanged = new PayloadOffsets([]);

  constructor(pairs: Iterable<readonly [name: number, place: number]>) {
    for (const [name, place] of pairs) {
      this.#placeOf.set(name, place);
      this.#nameOf.set(place, name);
    }
  }

  /** Offset in the file of a block that references name so. @throws {DamagedPayloadError} when it was left out */
  placeOf(name: number): number {
    if (this.#placeOf.size === 0) return name;
    const place = this.#placeOf.get(name);
    if (place === undefined) throw new DamagedPayloadError("no block of its file has this name");
    return place;
  }

  /** The byte after the largest name; null in a file that was never written again. */
  get end(): number | null {
    if (this.#placeOf.size === 0) return null;
    let last = 0;
    for (const name of this.#placeOf.keys()) last = Math.max(last, name);
    return last + 1;
  }

  /** The offset by which references name the block at this place of the file. */
  nameOf(place: number): number {
    return this.#nameOf.get(place) ?? place;
  }

  async encode(): Promise<Uint8Array[]> {
    const pairs = Float64Array.from([...this.#placeOf].flat());
    return await encodeDictionary(new Uint8Array(pairs.buffer));
  }
}

const FIRST_LINE_BYTES = 61;

/** The first line of the file, with the offset of the map. */
export function toFirstLine(mapOffset: number): Buffer {
  return Buffer.from(`Culprit payload file, version 3, offsets at ${String(mapOffset).padStart(16, "0")}\n`, "latin1");
}

export async function readPayloadOffsets(file: FileHandle): Promise<PayloadOffsets> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(FIRST_LINE_BYTES), 0, FIRST_LINE_BYTES, 0);
  const mapOffset = /^Culprit payload file, version 3, offsets at (\d{16})\n/.exec(
    buffer.toString("latin1", 0, bytesRead),
  )?.[1];
  if (mapOffset === undefined) return PayloadOffsets.unchanged;
  const at = Number(mapOffset);
  const head = await readFrom(file, at, BLOCK_HEADER_BYTES);
  const header = parseHeader(head);
  const stored = await readFrom(file, at + BLOCK_HEADER_BYTES, header.storedBytes);
  const body = header.codec === CODEC.raw ? stored : await unpack(stored, header.bodyBytes);
  const numbers = new Float64Array(Uint8Array.from(body).buffer);
  return new PayloadOffsets(
    Array.from({ length: numbers.length / 2 }, (_, pair) => [numbers[pair * 2] ?? 0, numbers[pair * 2 + 1] ?? 0]),
  );
}

async function readFrom(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
  if (bytesRead < length) throw new DamagedPayloadError("its file ends before it does");
  return buffer;
}
