/** Ids per segment. With 2^22 positions and 12 probes a segment claims one foreign id in about 130,000. */
export const SEGMENT_IDS = 163_840;

const POSITION_BITS = 22;
const POSITIONS = 2 ** POSITION_BITS;
const PROBES = 12;
const LANES = 8;

/** Bytes of the stored filter of one segment. */
export const SEGMENT_FILTER_BYTES = POSITIONS / 8;

/** The 16 bytes of an event id as four numbers. */
export type EventIdWords = readonly [number, number, number, number];

/**
 * Tells in which segments of a table an id may be: the id of an event, or an identity of an item in the same form. Eight neighbouring
 * segments share an array, in which each has one bit of each byte as its Bloom filter, so that one read tests eight segments. A segment is
 * `SEGMENT_IDS` consecutive ordinals. The result may have too many segments, and never too few: the caller looks the id up in their rows.
 * Takes 3.2 bytes of memory per id.
 */
export class EventIdFilter {
  readonly #planes = new Map<number, Uint8Array>();
  /** The bits of segments that are not saved yet, one bit per position, in the form that `load` takes. */
  readonly #unsaved = new Map<number, Uint8Array>();

  /** Notes an id under its ordinal. An id whose row is never written after all does no harm. */
  add(ordinal: number, id: EventIdWords): void {
    const segment = segmentOf(ordinal);
    const plane = this.#plane(segment);
    const lane = 1 << (segment % LANES);
    let bits = this.#unsaved.get(segment);
    if (!bits) {
      bits = new Uint8Array(SEGMENT_FILTER_BYTES);
      this.#unsaved.set(segment, bits);
    }
    const [first, second] = hash(id);
    for (let probe = 0; probe < PROBES; probe++) {
      const position = positionOf(first, second, probe);
      plane[position] = (plane[position] ?? 0) | lane;
      bits[position >>> 3] = (bits[position >>> 3] ?? 0) | (1 << (position & 7));
    }
  }

  /** The segments that may contain the id, newest first. */
  find(id: EventIdWords): number[] {
    const [first, second] = hash(id);
    const segments: number[] = [];
    for (const [number, plane] of this.#planes) {
      let lanes = 0xff;
      for (let probe = 0; probe < PROBES && lanes !== 0; probe++) {
        lanes &= plane[positionOf(first, second, probe)] ?? 0;
      }
      for (let lane = 0; lanes !== 0; lane++, lanes >>>= 1) {
        if (lanes & 1) segments.push(number * LANES + lane);
      }
    }
    return segments.sort((a, b) => b - a);
  }

  /** Full segments whose bits have not been saved: those before the segment of `nextOrdinal`. */
  fullUnsaved(nextOrdinal: number): Array<{ segment: number; bits: Uint8Array }> {
    const full: Array<{ segment: number; bits: Uint8Array }> = [];
    for (const [segment, bits] of this.#unsaved) {
      if (segment < segmentOf(nextOrdinal)) full.push({ segment, bits });
    }
    return full;
  }

  markSaved(segment: number): void {
    this.#unsaved.delete(segment);
  }

  /** @throws when the bits are not those of a segment. */
  load(segment: number, bits: Uint8Array): void {
    if (bits.length !== SEGMENT_FILTER_BYTES) throw new Error(`filter of segment ${segment} has ${bits.length} bytes`);
    const plane = this.#plane(segment);
    const lane = segment % LANES;
    for (let at = 0; at < bits.length; at++) {
      const byte = bits[at] ?? 0;
      // Every bit is written, set or not: a branch on random bits takes four times as long.
      for (let bit = 0; bit < 8; bit++) {
        const position = at * 8 + bit;
        plane[position] = (plane[position] ?? 0) | (((byte >>> bit) & 1) << lane);
      }
    }
  }

  /** Forgets all segments before this one. Memory is freed eight segments at a time. */
  dropBefore(segment: number): void {
    for (const number of this.#planes.keys()) {
      if ((number + 1) * LANES <= segment) this.#planes.delete(number);
    }
    for (const unsaved of this.#unsaved.keys()) {
      if (unsaved < segment) this.#unsaved.delete(unsaved);
    }
  }

  get memoryBytes(): number {
    return this.#planes.size * POSITIONS + this.#unsaved.size * SEGMENT_FILTER_BYTES;
  }

  #plane(segment: number): Uint8Array {
    const number = Math.floor(segment / LANES);
    let plane = this.#planes.get(number);
    if (!plane) {
      plane = new Uint8Array(POSITIONS);
      this.#planes.set(number, plane);
    }
    return plane;
  }
}

export function segmentOf(ordinal: number): number {
  return Math.floor(ordinal / SEGMENT_IDS);
}

/** Null when it is not 32 lower-case hex characters. */
export function parseEventId(eventId: string): EventIdWords | null {
  if (!/^[0-9a-f]{32}$/.test(eventId)) return null;
  return [
    Number.parseInt(eventId.slice(0, 8), 16),
    Number.parseInt(eventId.slice(8, 16), 16),
    Number.parseInt(eventId.slice(16, 24), 16),
    Number.parseInt(eventId.slice(24, 32), 16),
  ];
}

function positionOf(first: number, second: number, probe: number): number {
  return (first + Math.imul(probe, second)) >>> (32 - POSITION_BITS);
}

/** Two 32-bit values that depend on every bit of the id: ids are not always random (some are counters). */
function hash([a, b, c, d]: EventIdWords): [number, number] {
  let first = 0x9e3779b9;
  first = mix(first ^ a);
  first = mix(first ^ b);
  first = mix(first ^ c);
  first = mix(first ^ d);
  const second = mix(first ^ Math.imul(d, 0x85ebca6b) ^ b) | 1;
  return [first, second];
}

/** The finalizer of MurmurHash3 (public domain). */
function mix(value: number): number {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
