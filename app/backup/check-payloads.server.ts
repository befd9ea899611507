import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { crcOfBytes } from "../stores/files/crc-of-bytes.ts";
import { BLOCK_HEADER_BYTES, parseHeader } from "../stores/files/payload-block.ts";
import { parseFileName } from "../stores/files/payload-file-names.ts";
import { ignoreMissing } from "../stores/files/sharded-files.ts";
import { DamagedPayloadError } from "../stores/payload-store.ts";
import type { Finding } from "./finding.ts";

const SIGNATURE = "Culprit payload file, version ";

/** Reads every block of every payload file and compares its checksum. Gives the ids of the files that are there, too. */
export async function checkPayloads(dir: string): Promise<{ fileIds: ReadonlySet<number>; findings: Finding[] }> {
  const fileIds = new Set<number>();
  const findings: Finding[] = [];
  for (const name of ((await ignoreMissing(readdir(dir))) ?? []).sort()) {
    const fileId = parseFileName(name);
    if (fileId === null) continue;
    fileIds.add(fileId);
    const path = join(dir, name);
    const problem = await findProblem(path);
    if (!problem) continue;
    findings.push({
      path,
      what: problem,
      means:
        "the details of some of its events cannot be read; issues and counts are not touched; rows are lost only when the event database is made again, which is done from this file",
      cure: "put this one file back from a backup; without one, go on: pages say which details are missing",
    });
  }
  return { fileIds, findings };
}

/** Null for a file that is whole, and for one whose last block was never finished: nobody refers to that. */
async function findProblem(path: string): Promise<string | null> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const head = Buffer.alloc(64);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    const line = head.subarray(0, bytesRead).indexOf("\n");
    // A crash may leave a file before its first line is written.
    if (line === -1) return bytesRead < SIGNATURE.length + 1 ? null : "it does not begin as payload files do";
    if (!head.toString("latin1", 0, line).startsWith(SIGNATURE)) return "it does not begin as payload files do";
    let at = line + 1;
    while (size - at >= BLOCK_HEADER_BYTES) {
      const bytes = Buffer.alloc(BLOCK_HEADER_BYTES);
      await file.read(bytes, 0, BLOCK_HEADER_BYTES, at);
      // The header of a payload in pieces comes last: zeros are one that was never finished.
      if (bytes.every((byte) => byte === 0)) return null;
      const { storedBytes, bodyCrc } = parseHeader(bytes);
      const end = at + BLOCK_HEADER_BYTES + storedBytes;
      if (end > size) return null;
      if ((await crcOfBytes(file, at + BLOCK_HEADER_BYTES, end)) !== bodyCrc)
        return `the block at byte ${at} is damaged`;
      at = end;
    }
    return null;
  } catch (error) {
    if (error instanceof DamagedPayloadError) return error.message;
    throw error;
  } finally {
    await file.close();
  }
}
