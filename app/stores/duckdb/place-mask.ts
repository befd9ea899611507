import type { Condition, FieldTest } from "../../domain/search/condition.ts";
import { PIECE_EVENTS } from "./event-tags.ts";

// Masks: one bit for each place of a piece of events. The first place is the highest bit, as in DuckDB's bitstring_agg.

export const MASK_BYTES = PIECE_EVENTS / 8;

/**
 * The mask of the places that pass a condition.
 * @param read returns the mask of a test, as if the test were not negated
 */
export function toMask(condition: Condition, read: (test: FieldTest) => Uint8Array): Uint8Array {
  const mask = new Uint8Array(MASK_BYTES);
  if (condition.kind === "test") {
    const bits = read(condition);
    const turned = condition.isNegated ? 0xff : 0;
    for (let byte = 0; byte < MASK_BYTES; byte++) mask[byte] = (bits[byte] as number) ^ turned;
    return mask;
  }
  const isAll = condition.kind === "all";
  if (isAll) mask.fill(0xff);
  for (const part of condition.parts) {
    const bits = toMask(part, read);
    for (let byte = 0; byte < MASK_BYTES; byte++) {
      const bit = bits[byte] as number;
      mask[byte] = isAll ? (mask[byte] as number) & bit : (mask[byte] as number) | bit;
    }
  }
  return mask;
}

/** Whether one of the bits from `from` (inclusive) to `to` (exclusive) is set. */
export function hasBit(mask: Uint8Array, from: number, to: number): boolean {
  const [firstByte, lastByte] = [from >> 3, (to - 1) >> 3];
  const [head, tail] = [0xff >> (from & 7), 0xff << (7 - ((to - 1) & 7))];
  if (firstByte === lastByte) return ((mask[firstByte] as number) & head & tail) !== 0;
  if (((mask[firstByte] as number) & head) !== 0 || ((mask[lastByte] as number) & tail) !== 0) return true;
  for (let byte = firstByte + 1; byte < lastByte; byte++) if (mask[byte] !== 0) return true;
  return false;
}

/** Sets the bits from `from` (inclusive) to `to` (exclusive). */
export function setBits(mask: Uint8Array, from: number, to: number): void {
  for (let place = from; place < to; place++) mask[place >> 3] = (mask[place >> 3] as number) | (0x80 >> (place & 7));
}
