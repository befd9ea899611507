import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MIB } from "../../app/domain/bytes.ts";
import { JournalUnavailableError } from "../../app/journal/journal.ts";
import { openJournal } from "../../app/journal/open-journal.ts";
import { openJournalReader } from "../../app/journal/open-journal-reader.ts";
import { mountSmallDisk } from "../support/mount-small-disk.ts";

const log = { info: () => {}, warn: () => {}, error: () => {} };

test("a disk that really fills up loses nothing that was acknowledged, and is used again when there is space", async (context) => {
  using disk = mountSmallDisk(8 * MIB);
  if (disk === null) return context.skip("mounting a tmpfs needs rights that this process has not");
  const dir = join(disk.dir, "journal");
  // Half of the disk is taken by something else, so that the end comes in the middle of a write.
  const ballast = join(disk.dir, "ballast");
  writeFileSync(ballast, Buffer.alloc(4 * MIB));
  const journal = await openJournal({ dir, log, minFreeDiskBytes: 0, segmentBytes: MIB, watchIntervalMs: 20 });

  const acknowledged: string[] = [];
  let refusedCount = 0;
  async function append(name: string): Promise<void> {
    try {
      const sequence = await journal.append([Buffer.from(`${name} `), Buffer.alloc(30_000, 1)]);
      acknowledged[sequence] = name;
    } catch (error) {
      if (!(error instanceof JournalUnavailableError)) throw error;
      expect(error.refusal.reason).toBe("disk-full");
      refusedCount++;
    }
  }
  for (let round = 0; round < 50; round++)
    await Promise.all(Array.from({ length: 8 }, (_, at) => append(`${round}.${at}`)));
  expect(refusedCount).toBeGreaterThan(0);
  expect(acknowledged.length).toBeGreaterThan(50);

  rmSync(ballast);
  await expect.poll(() => journal.refusal(30_000)).toBeNull();
  await append("after");
  expect(acknowledged.at(-1)).toBe("after");
  await journal.close();

  const again = await openJournal({ dir, log, minFreeDiskBytes: 0 });
  expect(again.durable.sequence).toBe(acknowledged.length);
  const reader = await openJournalReader({ dir, fromSequence: 0, log });
  const found: string[] = [];
  while (reader.nextSequence < again.durable.sequence) {
    for (const { sequence, bytes } of await reader.read(again.durable, { maxRecords: 100, maxBytes: MIB })) {
      found[sequence] = Buffer.from(bytes.subarray(0, bytes.indexOf(32))).toString();
    }
  }
  expect(found).toEqual(acknowledged);
  expect(again.stats().badRecordCount).toBe(0);
  await reader.close();
  await again.close();
});
