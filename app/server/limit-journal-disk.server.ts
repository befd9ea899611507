import { type JournalDisk, nodeJournalDisk } from "../journal/journal-disk.ts";
import { type DiskMeter, sumBytes } from "./disk-meter.server.ts";

/**
 * The journal's disk. Only as much of it is free as the data folder may still grow: so the journal refuses at the folder's limit as
 * it does on a full disk.
 */
export function limitJournalDisk(
  meter: DiskMeter,
  { maxBytes, reserveBytes }: { maxBytes: number | null; reserveBytes: number },
): JournalDisk {
  if (maxBytes === null) return nodeJournalDisk;
  return {
    ...nodeJournalDisk,
    async freeBytes(dir) {
      const [free, use] = await Promise.all([nodeJournalDisk.freeBytes(dir), meter.read()]);
      return Math.min(free, reserveBytes + maxBytes - sumBytes(use));
    },
  };
}
