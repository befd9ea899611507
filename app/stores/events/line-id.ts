import type { LogRow } from "./logs.ts";

// The id of a log line is made from the line, so that it outlives a rebuild of the store, which numbers rows again. 32 hexadecimal
// digits, as ids of events have: 14 of its time, 6 of its sequence and 12 of a hash. The first two say where it is looked for.

const TIME_BITS = 56;
const SEQUENCE_BITS = 24;

export interface LinePlace {
  /** Microseconds since 1970. */
  occurredUs: number;
  /** The last 24 bits of its sequence. */
  sequenceBits: number;
}

/** 32 lower-case hexadecimal digits. Lines of one record that differ in nothing have the same. */
export function toLineId(row: LogRow): string {
  const time = BigInt.asUintN(TIME_BITS, BigInt(row.occurredUs));
  const sequence = row.sequence % 2 ** SEQUENCE_BITS;
  return `${toHex(time, TIME_BITS / 4)}${toHex(sequence, SEQUENCE_BITS / 4)}${hash(row)}`;
}

/** Null: it is no id of a line. */
export function readLineId(id: string): LinePlace | null {
  if (!/^[0-9a-f]{32}$/.test(id)) return null;
  const occurredUs = Number(BigInt.asIntN(TIME_BITS, BigInt(`0x${id.slice(0, 14)}`)));
  return Number.isSafeInteger(occurredUs) ? { occurredUs, sequenceBits: Number.parseInt(id.slice(14, 20), 16) } : null;
}

/** What tells lines of one instant and record apart. A column that is added here would change the ids of stored lines. */
const TOLD_APART_BY: ReadonlyArray<(row: LogRow) => string | number | null> = [
  (row) => row.projectId,
  (row) => row.receivedAt,
  (row) => row.traceId,
  (row) => row.spanId,
  (row) => row.tieBreaker,
  (row) => row.level,
  (row) => row.severity,
  (row) => row.body,
  (row) => row.template,
  (row) => row.origin,
  (row) => row.logger,
  (row) => row.release,
  (row) => row.environment,
  (row) => row.service,
  (row) => row.serverAddress,
  (row) => row.userId,
  (row) => row.replayId,
  (row) => row.attributes,
  (row) => row.rest,
];

/** 48 bits of two multiplying hashes (as in MurmurHash3): quick, and good enough to tell lines of one record apart. */
function hash(row: LogRow): string {
  let [one, other] = [0x1b873593, 0x85ebca6b];
  for (const read of TOLD_APART_BY) {
    const value = read(row);
    const text = value === null ? "\x1c" : `${value}\x1f`;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      one = Math.imul(one ^ code, 0x9e3779b1);
      other = Math.imul(other ^ code, 0x5f356495);
    }
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
  other = Math.imul(other ^ (other >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
  return `${toHex(one >>> 0, 8)}${toHex((other >>> 0) & 0xffff, 4)}`;
}

function toHex(value: bigint | number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
