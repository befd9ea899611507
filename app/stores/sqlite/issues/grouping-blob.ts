import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { MIB } from "../../../domain/bytes.ts";
import type { GroupingExplanation } from "../../../domain/grouping.ts";

/** Far above the size of any explanation of a normalised event. A damaged blob must not fill the memory. */
const MAX_EXPLANATION_BYTES = 16 * MIB;

export function packGrouping(grouping: GroupingExplanation): Uint8Array {
  return zstdCompressSync(JSON.stringify(grouping));
}

/** @throws when the bytes are not from `packGrouping` */
export function unpackGrouping(bytes: Uint8Array): GroupingExplanation {
  return JSON.parse(zstdDecompressSync(bytes, { maxOutputLength: MAX_EXPLANATION_BYTES }).toString("utf8"));
}
