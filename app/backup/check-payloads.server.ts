import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { ignoreMissing } from "../missing-file.ts";
import { crcOfBytes } from "../stores/files/crc-of-bytes.ts";
import { BLOCK_HEADER_BYTES, parseHeader } from "../stores/files/payload-block.ts";
import { parseFileName } from "../stores/files/payload-file-names.ts";
import { readPayloadOffsets } from "../stores/files/payload-offsets.ts";
import { DamagedPayloadError } from "../stores/payload-store.ts";
import type { Finding } from "./finding.ts";

const SIGNATURE = "Culprit payload file, version ";

export interface PayloadsReport {
  /**
   * The end of the last whole block by the id of each existing file, as an offset in the sense of references. Infinity for a file with a
   * finding of its own.
   */
  ends: ReadonlyMap<number, number>;
  findings: Finding[];
}

/** Reads every block of every payload file and compares its checksum. */
export async function checkPayloads(dir: string): Promise<PayloadsReport> {
  const ends = new Map<number, number>();
  const findings: Finding[] = [];
  for (const name of ((await ignoreMissing(readdir(dir))) ?? []).sort()) {
    const fileId = parseFileName(name);
    if (fileId === null) continue;
    const path = join(dir, name);
    const { problem, end } = await readBlocks(path);
    ends.set(fileId, problem === null ? end : Number.POSITIVE_INFINITY);
    if (problem === null) continue;
    findings.push({
      path,
      what: problem,
      means:
        "the details of some of its events cannot be read; issues and counts are not touched; rows are lost only when the event database is made again, which is done from this file",
      cure: "put this one file back from a backup; without one, go on: pages say which details are missing",
    });
  }
  return { ends, findings };
}

/** Returns where the whole blocks end. An unfinished last block is no problem by itself: a crash leaves one, and no row refers to it. */
async function readBlocks(path: string): Promise<{ problem: string | null; end: number }> {
  const file = await open(path, "r");
  let end = 0;
  try {
    const { size } = await file.stat();
    const head = Buffer.alloc(64);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    const line = head.subarray(0, bytesRead).indexOf("\n");
    // A crash may leave a file before its first line is written.
    if (line === -1 && bytesRead < SIGNATURE.length + 1) return { problem: null, end };
    if (line === -1 || !head.toString("latin1", 0, line).startsWith(SIGNATURE))
      return { problem: "it does not begin as payload files do", end };
    end = line + 1;
    while (size - end >= BLOCK_HEADER_BYTES) {
      const bytes = Buffer.alloc(BLOCK_HEADER_BYTES);
      await file.read(bytes, 0, BLOCK_HEADER_BYTES, end);
      // The header of a payload in pieces comes last: zeros are one that was never finished.
      if (bytes.every((byte) => byte === 0)) break;
      const { storedBytes, bodyCrc } = parseHeader(bytes);
      const next = end + BLOCK_HEADER_BYTES + storedBytes;
      if (next > size) break;
      if ((await crcOfBytes(file, end + BLOCK_HEADER_BYTES, next)) !== bodyCrc)
        return { problem: `the block at byte ${end} is damaged`, end };
      end = next;
    }
    // A file that was rewritten without deleted payloads is shorter than the first offsets of its blocks. The map of these offsets at its
    // end is needed to find anything.
    return { problem: null, end: (await readPayloadOffsets(file)).end ?? end };
  } catch (error) {
    if (error instanceof DamagedPayloadError) return { problem: error.message, end };
    throw error;
  } finally {
    await file.close();
  }
}
