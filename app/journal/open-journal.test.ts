import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  createJournalFolder,
  fillJournal,
  type JournalFolder,
  reopenAndRead,
} from "../../tests/support/journal-folder.ts";
import { type JournalRecord, JournalUnavailableError } from "./journal.ts";
import { type JournalDisk, nodeJournalDisk, type SegmentFile } from "./journal-disk.ts";
import { openJournal } from "./open-journal.ts";
import { openJournalReader } from "./open-journal-reader.ts";
import { encodeSegmentHeader, RECORD_HEADER_BYTES, SEGMENT_HEADER_BYTES } from "./record-format.ts";

const LIMITS = { maxRecords: 1000, maxBytes: 1024 * 1024 };

function segmentsOf({ dir }: JournalFolder): string[] {
  return readdirSync(dir).filter((name) => name.endsWith(".journal"));
}

function badFilesOf({ dir }: JournalFolder): string[] {
  return readdirSync(dir).includes("bad") ? readdirSync(join(dir, "bad")) : [];
}

describe("appending and reading", () => {
  test("gives each record the next sequence, and reads back the joined parts", async () => {
    using folder = createJournalFolder();
    const journal = await openJournal(folder);
    const large = Buffer.alloc(300_000, "x");
    expect(await journal.append([Buffer.from("a"), Buffer.from("b")])).toBe(0);
    expect(await journal.append([Buffer.from("head"), large, Buffer.from("tail"), large])).toBe(1);
    expect(await journal.append([])).toBe(2);

    const reader = await openJournalReader({ ...folder, fromSequence: 0 });
    const records = await reader.read(journal.durable, LIMITS);
    expect(records.map(({ sequence }) => sequence)).toEqual([0, 1, 2]);
    expect(Buffer.from(records[0]?.bytes ?? []).toString()).toBe("ab");
    expect(
      Buffer.compare(
        records[1]?.bytes ?? Buffer.alloc(0),
        Buffer.concat([Buffer.from("head"), large, Buffer.from("tail"), large]),
      ),
    ).toBe(0);
    expect(records[2]?.bytes.length).toBe(0);
    expect(await reader.read(journal.durable, LIMITS)).toEqual([]);
    await reader.close();
    await journal.close();
  });

  test("makes appends that wait for the disk durable with one sync", async () => {
    using folder = createJournalFolder();
    const journal = await openJournal(folder);
    const positions: number[] = [];
    journal.onDurable(({ sequence }) => positions.push(sequence));
    const sequences = await Promise.all(Array.from({ length: 100 }, (_, at) => journal.append([Buffer.from(`${at}`)])));
    expect(sequences).toEqual(Array.from({ length: 100 }, (_, at) => at));
    expect(journal.stats().syncCount).toBe(1);
    expect(positions).toEqual([100]);
    await journal.close();
  });

  test("never reads past the durable position it is given", async () => {
    using folder = createJournalFolder();
    await fillJournal(folder, ["a", "b", "c"]);
    const reader = await openJournalReader({ ...folder, fromSequence: 0 });
    expect(await reader.read({ sequence: 2 }, LIMITS)).toHaveLength(2);
    expect(await reader.read({ sequence: 2 }, LIMITS)).toEqual([]);
    expect(await reader.read({ sequence: 3 }, LIMITS)).toHaveLength(1);
    await reader.close();
  });

  test("keeps to the limits of a read, but always gives one record", async () => {
    using folder = createJournalFolder();
    await fillJournal(
      folder,
      Array.from({ length: 10 }, (_, at) => String(at).repeat(1000)),
    );
    const reader = await openJournalReader({ ...folder, fromSequence: 0 });
    const durable = { sequence: 10 };
    expect(await reader.read(durable, { maxRecords: 3, maxBytes: 1024 * 1024 })).toHaveLength(3);
    expect(await reader.read(durable, { maxRecords: 100, maxBytes: 1500 })).toHaveLength(2);
    expect(await reader.read(durable, { maxRecords: 100, maxBytes: 1 })).toHaveLength(1);
    expect(reader.nextSequence).toBe(6);
    await reader.close();
  });

  test("reads a record that is larger than what is loaded at once", async () => {
    using folder = createJournalFolder();
    await fillJournal(folder, ["small", "y".repeat(500_000), "small"]);
    const reader = await openJournalReader({ ...folder, fromSequence: 0 });
    const lengths: number[] = [];
    while (reader.nextSequence < 3) {
      for (const record of await reader.read({ sequence: 3 }, { maxRecords: 100, maxBytes: 1000 }))
        lengths.push(record.bytes.length);
    }
    expect(lengths).toEqual([5, 500_000, 5]);
    await reader.close();
  });

  test("reads later records over those that are recycled, and over no others", async () => {
    using folder = createJournalFolder();
    const texts = Array.from({ length: 6 }, (_, at) => String(at).repeat(700_000));
    await fillJournal(folder, texts);
    const reader = await openJournalReader({ ...folder, fromSequence: 0 });
    const read = () => reader.read({ sequence: 6 }, { maxRecords: 2, maxBytes: 2_000_000 });
    const isWhole = ({ sequence, bytes }: JournalRecord) => Buffer.from(texts[sequence] ?? "").equals(bytes);
    const [first, second] = [await read(), await read()];
    expect([...first, ...second].every(isWhole)).toBe(true);
    reader.recycle(first);
    const third = await read();
    expect([...second, ...third].every(isWhole)).toBe(true);
    expect([first, second, third].map(({ length }) => length)).toEqual([2, 2, 2]);
    expect(third[0]?.bytes.buffer).toBe(first[0]?.bytes.buffer);
    await reader.close();
  });

  test("goes on across segments, from any record", async () => {
    using folder = createJournalFolder();
    const texts = Array.from({ length: 50 }, (_, at) => `record ${at}`);
    await fillJournal(folder, texts, { segmentBytes: 200 });
    expect(segmentsOf(folder).length).toBeGreaterThan(5);
    expect(await reopenAndRead(folder)).toEqual(texts.map((text, at) => [at, text]));
    for (const from of [0, 1, 7, 23, 49]) {
      const reader = await openJournalReader({ ...folder, fromSequence: from });
      const [first] = await reader.read({ sequence: 50 }, LIMITS);
      expect(first?.sequence).toBe(from);
      await reader.close();
    }
  });

  test("reads over the end of a segment, as far as the limits go", async () => {
    using folder = createJournalFolder();
    const texts = Array.from({ length: 50 }, (_, at) => `record ${at}`);
    await fillJournal(folder, texts, { segmentBytes: 200 });
    const reader = await openJournalReader({ ...folder, fromSequence: 0 });
    const read = async (limits: Partial<typeof LIMITS>) =>
      (await reader.read({ sequence: 50 }, { ...LIMITS, ...limits })).map(({ sequence }) => sequence);
    expect(await read({ maxRecords: 30 })).toEqual(Array.from({ length: 30 }, (_, at) => at));
    // "record 30" and so on have 9 bytes.
    expect(await read({ maxBytes: 90 })).toEqual(Array.from({ length: 10 }, (_, at) => 30 + at));
    expect(await read({})).toEqual(Array.from({ length: 10 }, (_, at) => 40 + at));
    await reader.close();
  });

  test("gives what comes before a segment that cannot be read, and then fails", async () => {
    using folder = createJournalFolder();
    const texts = Array.from({ length: 20 }, (_, at) => `record ${at}`);
    await fillJournal(folder, texts, { segmentBytes: 200 });
    const name = segmentsOf(folder).sort()[1] ?? "";
    const base = Number.parseInt(name, 10);
    const second = readFileSync(join(folder.dir, name));
    encodeSegmentHeader("0123456789abcdef", base).copy(second);
    writeFileSync(join(folder.dir, name), second);
    const reader = await openJournalReader({ ...folder, fromSequence: 0 });
    const records = await reader.read({ sequence: 20 }, LIMITS);
    expect(records.map(({ sequence }) => sequence)).toEqual(Array.from({ length: base }, (_, at) => at));
    for (const _ of [1, 2]) {
      await expect(reader.read({ sequence: 20 }, LIMITS)).rejects.toThrow("belongs to journal 0123456789abcdef");
    }
    await reader.close();
  });

  test("gives nothing after damage that it could not set aside, for then it would be lost", async () => {
    using folder = createJournalFolder();
    const texts = Array.from({ length: 20 }, (_, at) => `record ${at}`);
    await fillJournal(folder, texts, { segmentBytes: 200 });
    const name = segmentsOf(folder).sort()[1] ?? "";
    const second = readFileSync(join(folder.dir, name));
    // In the payload of its first record.
    const at = SEGMENT_HEADER_BYTES + RECORD_HEADER_BYTES;
    second[at] = (second[at] ?? 0) ^ 1;
    writeFileSync(join(folder.dir, name), second);
    writeFileSync(join(folder.dir, "bad"), "a file where the folder should be");
    const reader = await openJournalReader({ ...folder, fromSequence: 0 });
    expect(await reader.read({ sequence: 20 }, LIMITS)).toHaveLength(Number.parseInt(name, 10));
    for (const _ of [1, 2]) await expect(reader.read({ sequence: 20 }, LIMITS)).rejects.toThrow(/EEXIST|ENOTDIR/);
    await reader.close();
  });

  test("follows the writer while it writes", async () => {
    using folder = createJournalFolder();
    const journal = await openJournal({ ...folder, segmentBytes: 2000 });
    const reader = await openJournalReader({ ...folder, fromSequence: 0 });
    const seen: number[] = [];
    for (let round = 0; round < 40; round++) {
      await Promise.all(Array.from({ length: 5 }, () => journal.append([Buffer.alloc(100)])));
      for (const { sequence } of await reader.read(journal.durable, LIMITS)) seen.push(sequence);
    }
    while (reader.nextSequence < 200)
      for (const { sequence } of await reader.read(journal.durable, LIMITS)) seen.push(sequence);
    expect(seen).toEqual(Array.from({ length: 200 }, (_, at) => at));
    await reader.close();
    await journal.close();
  });

  test("keeps its id and its sequences when it is opened again", async () => {
    using folder = createJournalFolder();
    await fillJournal(folder, ["a", "b"]);
    const id = readFileSync(join(folder.dir, "id"), "utf8").trim();
    const journal = await openJournal(folder);
    expect(journal.id).toBe(id);
    expect(id).toMatch(/^[0-9a-f]{16}$/);
    expect(await journal.append([Buffer.from("c")])).toBe(2);
    await journal.close();
  });

  test("finds its id in a segment when the file that names it is gone", async () => {
    using folder = createJournalFolder();
    await fillJournal(folder, ["a"]);
    const id = readFileSync(join(folder.dir, "id"), "utf8");
    writeFileSync(join(folder.dir, "id"), "garbage");
    expect(await reopenAndRead(folder)).toEqual([[0, "a"]]);
    expect(readFileSync(join(folder.dir, "id"), "utf8")).toBe(id);
  });

  test("refuses segments of another journal", async () => {
    using folder = createJournalFolder();
    using other = createJournalFolder();
    await fillJournal(folder, ["a"]);
    await fillJournal(other, ["b"]);
    const [name = ""] = segmentsOf(other);
    copyFileSync(join(other.dir, name), join(folder.dir, name));
    await expect(openJournal(folder)).rejects.toThrow("belongs to journal");
  });
});

describe("releasing", () => {
  test("deletes whole segments that are applied, and never the last", async () => {
    using folder = createJournalFolder();
    await fillJournal(
      folder,
      Array.from({ length: 20 }, (_, at) => `record ${at}`),
      { segmentBytes: 100 },
    );
    const journal = await openJournal(folder);
    const before = segmentsOf(folder).length;
    await journal.release(10);
    expect(journal.stats()).toMatchObject({ backlogRecords: 10 });
    expect(segmentsOf(folder).length).toBeLessThan(before);
    await journal.release(20);
    expect(segmentsOf(folder)).toHaveLength(1);
    expect(journal.stats()).toMatchObject({ backlogRecords: 0, backlogBytes: 0, segmentCount: 1 });
    expect(await journal.append([Buffer.from("next")])).toBe(20);
    await journal.close();
  });

  test("a reader that wants deleted records begins with the oldest that are left", async () => {
    using folder = createJournalFolder();
    const journal = await openJournal({ ...folder, segmentBytes: 100 });
    for (let at = 0; at < 20; at++) await journal.append([Buffer.from(`record ${at}`)]);
    await journal.release(10);
    const reader = await openJournalReader({ ...folder, fromSequence: 0 });
    const [first] = await reader.read(journal.durable, LIMITS);
    expect(first?.sequence).toBeGreaterThan(5);
    expect(first?.sequence).toBeLessThanOrEqual(10);
    await reader.close();
    await journal.close();
  });
});

describe("damage", () => {
  const TEXTS = ["the first record", "the second, in the middle", "the third", "last"];

  test("a tail cut at any byte leaves exactly the whole records before it", async () => {
    using folder = createJournalFolder();
    await fillJournal(folder, TEXTS);
    const [name = ""] = segmentsOf(folder);
    const path = join(folder.dir, name);
    const whole = readFileSync(path);
    const ends = [SEGMENT_HEADER_BYTES];
    for (const text of TEXTS) ends.push((ends.at(-1) ?? 0) + RECORD_HEADER_BYTES + text.length);
    expect(ends.at(-1)).toBe(whole.length);

    for (let length = 0; length < whole.length; length++) {
      writeFileSync(path, whole.subarray(0, length));
      const count = Math.max(0, ends.filter((end) => end <= length).length - 1);
      expect(await reopenAndRead(folder), `cut to ${length} bytes`).toEqual(
        TEXTS.slice(0, count).map((text, at) => [at, text]),
      );
      const journal = await openJournal(folder);
      expect(await journal.append([Buffer.from("after")])).toBe(count);
      await journal.close();
      expect((await reopenAndRead(folder)).at(-1)).toEqual([count, "after"]);
    }
    expect(badFilesOf(folder)).toEqual([]);
  });

  test("a bit flipped at any byte of a middle record sets aside just that record", async () => {
    using folder = createJournalFolder();
    await fillJournal(folder, TEXTS);
    const [name = ""] = segmentsOf(folder);
    const path = join(folder.dir, name);
    const whole = readFileSync(path);
    const start = SEGMENT_HEADER_BYTES + RECORD_HEADER_BYTES + (TEXTS[0]?.length ?? 0);
    const end = start + RECORD_HEADER_BYTES + (TEXTS[1]?.length ?? 0);
    for (let at = start; at < end; at++) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
      writeFileSync(path, damaged);
      expect(await reopenAndRead(folder), `a bit of byte ${at}`).toEqual([
        [0, TEXTS[0]],
        [2, TEXTS[2]],
        [3, TEXTS[3]],
      ]);
      expect(badFilesOf(folder)).toEqual(["0000000000000001-1.bytes"]);
      expect(
        readFileSync(join(folder.dir, "bad", "0000000000000001-1.bytes")).equals(damaged.subarray(start, end)),
      ).toBe(true);
    }
    const journal = await openJournal(folder);
    expect(journal.stats().badRecordCount).toBe(1);
    await journal.close();
  });

  test("a bit flipped anywhere in a segment's header costs no record", async () => {
    using folder = createJournalFolder();
    await fillJournal(folder, TEXTS);
    const [name = ""] = segmentsOf(folder);
    const path = join(folder.dir, name);
    const whole = readFileSync(path);
    for (let at = 0; at < SEGMENT_HEADER_BYTES; at++) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      writeFileSync(path, damaged);
      expect(await reopenAndRead(folder)).toHaveLength(TEXTS.length);
    }
  });

  test("a damaged last record is set aside, not forgotten, and its sequence is not given again", async () => {
    for (const place of ["header", "payload"]) {
      using folder = createJournalFolder();
      await fillJournal(folder, TEXTS);
      const [name = ""] = segmentsOf(folder);
      const path = join(folder.dir, name);
      const damaged = readFileSync(path);
      const at = damaged.length - (place === "payload" ? 1 : 4 + RECORD_HEADER_BYTES);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      writeFileSync(path, damaged);
      expect(await reopenAndRead(folder)).toHaveLength(3);
      expect(badFilesOf(folder)).toEqual(["0000000000000003-1.bytes"]);
      const journal = await openJournal(folder);
      expect(await journal.append([Buffer.from("new")])).toBe(4);
      await journal.close();
      expect((await reopenAndRead(folder)).at(-1)).toEqual([4, "new"]);
    }
  });

  test("several damaged headers in a row are counted as the records they were", async () => {
    using folder = createJournalFolder();
    await fillJournal(folder, ["aaaa", "bbbb", "cccc", "dddd", "eeee"]);
    const [name = ""] = segmentsOf(folder);
    const path = join(folder.dir, name);
    const bytes = readFileSync(path);
    const recordBytes = RECORD_HEADER_BYTES + 4;
    bytes.fill(0, SEGMENT_HEADER_BYTES + recordBytes, SEGMENT_HEADER_BYTES + 4 * recordBytes);
    writeFileSync(path, bytes);
    expect(await reopenAndRead(folder)).toEqual([
      [0, "aaaa"],
      [4, "eeee"],
    ]);
    expect(badFilesOf(folder)).toEqual(["0000000000000001-3.bytes"]);
  });

  test("a payload that holds copies of records is not read as records when its own header is damaged", async () => {
    using folder = createJournalFolder();
    using stranger = createJournalFolder();
    await fillJournal(stranger, ["forged", "forged", "forged", "forged"]);
    const forged = readFileSync(join(stranger.dir, segmentsOf(stranger)[0] ?? ""));
    const journal = await openJournal(folder);
    for (const part of [Buffer.from("a"), forged, Buffer.from("b")]) await journal.append([part]);
    await journal.close();
    const path = join(folder.dir, segmentsOf(folder)[0] ?? "");
    const bytes = readFileSync(path);
    bytes[SEGMENT_HEADER_BYTES + RECORD_HEADER_BYTES + 1 + 5] = 0xff;
    writeFileSync(path, bytes);
    expect(await reopenAndRead(folder)).toEqual([
      [0, "a"],
      [2, "b"],
    ]);
  });

  test("a segment that lost its end loses those records only", async () => {
    using folder = createJournalFolder();
    await fillJournal(
      folder,
      Array.from({ length: 9 }, (_, at) => `record ${at}`),
      { segmentBytes: 100 },
    );
    const [first = ""] = segmentsOf(folder);
    truncateSync(join(folder.dir, first), readFileSync(join(folder.dir, first)).length - 3);
    const sequences = (await reopenAndRead(folder)).map(([sequence]) => sequence);
    expect(sequences).toHaveLength(8);
    expect(badFilesOf(folder)).toHaveLength(1);
  });

  test("goes on behind what the stores have applied when the disk has lost the journal's end", async () => {
    using folder = createJournalFolder();
    await fillJournal(folder, TEXTS);
    const journal = await openJournal({ ...folder, appliedSequence: async () => 9 });
    expect(await journal.append([Buffer.from("new")])).toBe(9);
    await journal.close();
    expect((await reopenAndRead(folder)).at(-1)).toEqual([9, "new"]);
  });
});

test("tells since when the oldest record that is not applied has waited, across a restart", async () => {
  using folder = createJournalFolder();
  const before = Date.now();
  const journal = await openJournal(folder);
  expect(journal.stats().oldestWaitsSince).toBeNull();
  await journal.append([Buffer.from("one")]);
  await journal.append([Buffer.from("two")]);
  const { oldestWaitsSince } = journal.stats();
  expect(oldestWaitsSince).toBeGreaterThanOrEqual(before);
  expect(oldestWaitsSince).toBeLessThanOrEqual(Date.now());
  await journal.release(2);
  expect(journal.stats().oldestWaitsSince).toBeNull();
  await journal.append([Buffer.from("three")]);
  await journal.close();

  utimesSync(join(folder.dir, segmentsOf(folder)[0] ?? ""), 1_000, 1_000);
  const again = await openJournal({ ...folder, appliedSequence: async () => 2 });
  expect(again.stats().oldestWaitsSince).toBe(1_000_000);
  await again.close();
});

/** The real disk, with faults that a test switches on. */
class FaultyDisk implements JournalDisk {
  fault: { call: "write" | "sync" | "create"; code: string; writesHalf?: boolean } | null = null;
  free = Number.POSITIVE_INFINITY;
  createCount = 0;

  async createSegment(path: string): Promise<SegmentFile> {
    this.createCount += 1;
    this.#throwFor("create");
    return this.#wrap(await nodeJournalDisk.createSegment(path));
  }
  async openSegment(path: string): Promise<SegmentFile> {
    return this.#wrap(await nodeJournalDisk.openSegment(path));
  }
  deleteSegment = nodeJournalDisk.deleteSegment;
  syncFolder = nodeJournalDisk.syncFolder;
  freeBytes = async () => this.free;

  #wrap(file: SegmentFile): SegmentFile {
    return {
      write: async (buffers, position) => {
        if (this.fault?.call === "write" && this.fault.writesHalf) {
          const all = Buffer.concat(buffers);
          await file.write([all.subarray(0, all.length / 2)], position);
        }
        this.#throwFor("write");
        return file.write(buffers, position);
      },
      sync: async () => {
        this.#throwFor("sync");
        return file.sync();
      },
      truncate: (bytes) => file.truncate(bytes),
      isAt: (path) => file.isAt(path),
      hasName: () => file.hasName(),
      close: () => file.close(),
    };
  }

  #throwFor(call: string): void {
    if (this.fault?.call === call) throw Object.assign(new Error(this.fault.code), { code: this.fault.code });
  }
}

async function refusalOf(append: Promise<number>): Promise<string> {
  try {
    return `appended as ${await append}`;
  } catch (error) {
    if (error instanceof JournalUnavailableError) return error.refusal.reason;
    throw error;
  }
}

describe("a disk that fails", () => {
  for (const fault of [
    { call: "write", code: "ENOSPC", reason: "disk-full", writesHalf: true },
    { call: "write", code: "EIO", reason: "disk-error", writesHalf: true },
    { call: "sync", code: "EIO", reason: "disk-error" },
    { call: "create", code: "ENOSPC", reason: "disk-full" },
    { call: "create", code: "EACCES", reason: "disk-error" },
    { call: "write", code: "EROFS", reason: "disk-error" },
  ] as const) {
    test(`${fault.code} on ${fault.call} fails the appends that wait, and the journal recovers by itself`, async () => {
      using folder = createJournalFolder();
      const disk = new FaultyDisk();
      const journal = await openJournal({
        ...folder,
        disk,
        watchIntervalMs: 5,
        segmentBytes: fault.call === "create" ? 1 : 1000,
      });
      await journal.append([Buffer.from("before")]);
      disk.fault = fault;
      const waiting = Array.from({ length: 3 }, (_, at) => refusalOf(journal.append([Buffer.from(`lost ${at}`)])));
      expect(await Promise.all(waiting)).toEqual([fault.reason, fault.reason, fault.reason]);
      expect(journal.refusal(1)?.reason).toBe(fault.reason);
      expect(journal.durable.sequence).toBe(1);

      disk.fault = null;
      await expect.poll(() => journal.refusal(1)).toBeNull();
      expect(await journal.append([Buffer.from("after")])).toBe(1);
      await journal.close();
      expect(await reopenAndRead(folder)).toEqual([
        [0, "before"],
        [1, "after"],
      ]);
      expect(badFilesOf(folder)).toEqual([]);
    });
  }

  test("what a failed write left is gone although the process dies before the disk recovers", async () => {
    using folder = createJournalFolder();
    const disk = new FaultyDisk();
    const journal = await openJournal({ ...folder, disk, watchIntervalMs: 1e6 });
    await journal.append([Buffer.from("before")]);
    disk.fault = { call: "write", code: "ENOSPC", writesHalf: true };
    // One that is cut in the middle, and before it one that is whole.
    const lost = ["whole", "lost, ".repeat(100)].map((text) => refusalOf(journal.append([Buffer.from(text)])));
    expect(await Promise.all(lost)).toEqual(["disk-full", "disk-full"]);
    await journal.close();
    expect(await reopenAndRead(folder)).toEqual([[0, "before"]]);
  });

  test("stays closed while no file can be made, and says so once", async () => {
    using folder = createJournalFolder();
    const disk = new FaultyDisk();
    const said: string[] = [];
    const note = (_: object, message: string) => said.push(message);
    const log = { info: note, warn: note, error: note };
    const journal = await openJournal({ ...folder, log, disk, watchIntervalMs: 1, segmentBytes: 1 });
    await journal.append([Buffer.from("before")]);
    disk.fault = { call: "create", code: "EROFS" };
    expect(await refusalOf(journal.append([Buffer.from("lost")]))).toBe("disk-error");
    await expect.poll(() => said).toContain("the journal's disk does not work");
    const attempts = disk.createCount;
    await expect.poll(() => disk.createCount).toBeGreaterThan(attempts + 3);
    expect(journal.refusal(1)?.message).toBe("the journal could not be written: its disk is read-only");
    expect(said).toEqual([
      "appends to the journal failed; it refuses more until the disk works",
      "the journal's disk does not work",
    ]);
    disk.fault = null;
    await expect.poll(() => journal.refusal(1)).toBeNull();
    expect(await journal.append([Buffer.from("after")])).toBe(1);
    await journal.close();
    expect((await reopenAndRead(folder)).map(([, text]) => text)).toEqual(["before", "after"]);
  });

  test("refuses while its folder is away, says so once, and goes on by itself once the folder is back", async () => {
    using folder = createJournalFolder();
    const said: string[] = [];
    const note = (_: object, message: string) => said.push(message);
    const log = { info: note, warn: note, error: note };
    const journal = await openJournal({ ...folder, log, watchIntervalMs: 1 });
    await journal.append([Buffer.from("before")]);
    renameSync(folder.dir, `${folder.dir}-away`);
    await expect.poll(() => journal.refusal(1)).toMatchObject({ reason: "disk-error" });
    expect(await refusalOf(journal.append([Buffer.from("refused")]))).toBe("disk-error");
    // Somebody makes an empty one: records of the other would be missing between the new ones.
    mkdirSync(folder.dir);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(journal.refusal(1)?.message).toBe("the file of the journal is gone");
    rmSync(folder.dir, { recursive: true });
    renameSync(`${folder.dir}-away`, folder.dir);
    await expect.poll(() => journal.refusal(1)).toBeNull();
    expect(await journal.append([Buffer.from("after")])).toBe(1);
    await journal.close();
    expect((await reopenAndRead(folder)).map(([, text]) => text)).toEqual(["before", "after"]);
    expect(said).toEqual([
      "the file of the journal is gone; it refuses appends until the file is back",
      "the journal takes appends again",
    ]);
  });

  test("refuses the first append after its folder was deleted, before anything looks for the file", async () => {
    using folder = createJournalFolder();
    const journal = await openJournal({ ...folder, watchIntervalMs: 60_000 });
    await journal.append([Buffer.from("before")]);
    rmSync(folder.dir, { recursive: true });
    expect(await refusalOf(journal.append([Buffer.from("lost")]))).toBe("disk-error");
    expect(journal.refusal(1)?.message).toBe("the file of the journal is gone");
    await journal.close();
  });

  test("refuses before the disk is full, and takes appends again when there is space", async () => {
    using folder = createJournalFolder();
    const disk = new FaultyDisk();
    disk.free = 10_000;
    const journal = await openJournal({ ...folder, disk, watchIntervalMs: 5, minFreeDiskBytes: 9_000 });
    expect(journal.refusal(900)).toBeNull();
    expect(journal.refusal(1001)).toMatchObject({ reason: "disk-full", retryAfterSeconds: 60 });
    expect(await refusalOf(journal.append([Buffer.alloc(1001)]))).toBe("disk-full");
    disk.free = 20_000;
    await expect.poll(() => journal.refusal(1001)).toBeNull();
    await journal.close();
  });

  test("says that it refuses when no byte is free, also where none has to stay so", async () => {
    using folder = createJournalFolder();
    const disk = new FaultyDisk();
    const journal = await openJournal({ ...folder, disk, watchIntervalMs: 5, minFreeDiskBytes: 0 });
    expect(journal.refusal(0)).toBeNull();
    disk.free = 0;
    await expect.poll(() => journal.refusal(0)).toMatchObject({ reason: "disk-full", message: "the disk is full" });
    disk.free = 20_000;
    await expect.poll(() => journal.refusal(0)).toBeNull();
    await journal.close();
  });
});

describe("back-pressure", () => {
  test("refuses when too much waits for its digest, until it is released", async () => {
    using folder = createJournalFolder();
    const journal = await openJournal({ ...folder, maxBacklogBytes: 1000 });
    for (let at = 0; at < 4; at++) await journal.append([Buffer.alloc(200)]);
    expect(journal.stats().backlogBytes).toBe(4 * (200 + RECORD_HEADER_BYTES));
    expect(journal.refusal(200)).toMatchObject({ reason: "backlog-full" });
    expect(await refusalOf(journal.append([Buffer.alloc(200)]))).toBe("backlog-full");
    await journal.release(2);
    expect(journal.refusal(200)).toBeNull();
    await journal.close();
  });

  test("takes one record that is larger than the limits when nothing waits", async () => {
    using folder = createJournalFolder();
    const journal = await openJournal({ ...folder, maxBacklogBytes: 100, maxQueuedBytes: 100 });
    expect(await journal.append([Buffer.alloc(5000)])).toBe(0);
    await journal.close();
  });

  test("bounds the bytes that wait in memory for the disk", async () => {
    using folder = createJournalFolder();
    const journal = await openJournal({ ...folder, maxQueuedBytes: 1000 });
    const first = journal.append([Buffer.alloc(900)]);
    expect(journal.refusal(200)).toMatchObject({ reason: "backlog-full", retryAfterSeconds: 1 });
    await first;
    expect(journal.refusal(200)).toBeNull();
    await journal.close();
  });

  test("writes what waits before it closes, and refuses afterwards", async () => {
    using folder = createJournalFolder();
    const journal = await openJournal(folder);
    const pending = journal.append([Buffer.from("in time")]);
    await journal.close();
    expect(await pending).toBe(0);
    expect(await refusalOf(journal.append([Buffer.from("too late")]))).toBe("disk-error");
    expect(await reopenAndRead(folder)).toEqual([[0, "in time"]]);
  });
});
