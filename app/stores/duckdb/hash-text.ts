import { hash } from "node:crypto";

/** The upper 53 of the 64 bits of DuckDB's `md5_number_lower`, as a whole number. */
export function hashText(text: string): number {
  const digest = hash("md5", text, "buffer");
  return digest.readUInt32LE(12) * 2 ** 21 + (digest.readUInt32LE(8) >>> 11);
}

/** SQL of the same hash from a column with `md5_number_lower`. */
export function toHashNumber(column: string): string {
  return `(${column} >> 11)::DOUBLE`;
}
