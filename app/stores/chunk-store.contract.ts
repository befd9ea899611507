import { createHash, randomBytes } from "node:crypto";
import { access, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  ASSEMBLED_CHUNK_LIFE_MS,
  CHUNK_LIFE_MS,
  ChunkMismatchError,
  ChunkMissingError,
  type ChunkStore,
} from "./chunk-store.ts";

/** An empty place for chunks of some engine; disposing deletes it. */
export interface ChunkFolder extends AsyncDisposable {
  /** The same data each time; only one may be open at once. */
  open(options?: { now?: () => number }): Promise<ChunkStore>;
}

const START = Date.UTC(2026, 4, 20, 12);

/** The contract of every engine of `ChunkStore`. Each case asks for an empty place of its own. */
export function describeChunkStore(engine: string, createFolder: () => Promise<ChunkFolder>): void {
  describe(`ChunkStore on ${engine}`, () => {
    test("joins chunks in the order asked, a repeated one each time, and removes the file afterwards", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      const [a, b] = [randomBytes(2_500_000), randomBytes(10)];
      await store.put(sha1(a), a);
      await store.put(sha1(b), b);
      const whole = Buffer.concat([b, a, b]);
      const seen = await store.assemble(
        { checksum: sha1(whole), chunks: [sha1(b), sha1(a), sha1(b)], maxBytes: whole.length },
        async (path, bytes) => ({ path, bytes, isSame: Buffer.compare(await readFile(path), whole) === 0 }),
      );
      expect(seen).toMatchObject({ bytes: whole.length, isSame: true });
      await expect(access(seen.path)).rejects.toThrow();
    });

    test("a file that was moved away stays", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      const chunk = randomBytes(100);
      await store.put(sha1(chunk), chunk);
      const target = join(tmpdir(), `culprit-moved-${randomBytes(6).toString("hex")}`);
      await store.assemble({ checksum: sha1(chunk), chunks: [sha1(chunk)], maxBytes: 100 }, (path) =>
        rename(path, target),
      );
      expect(Buffer.compare(await readFile(target), chunk)).toBe(0);
      await rm(target);
    });

    test("says which chunks are missing, in the order asked, each once", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      const here = randomBytes(10);
      await store.put(sha1(here), here);
      const [x, y] = [sha1(randomBytes(5)), sha1(randomBytes(5))];
      expect(await store.listMissing([y, sha1(here), x, y])).toEqual([y, x]);
      expect(await store.listMissing([])).toEqual([]);
    });

    test("refuses content with another SHA-1, and keeps nothing of it", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      const key = sha1(Buffer.from("what was meant"));
      await expect(store.put(key, Buffer.from("what came"))).rejects.toThrow(ChunkMismatchError);
      expect(await store.listMissing([key])).toEqual([key]);
    });

    test("many puts of the same chunk at the same time give one chunk", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      const chunk = randomBytes(200_000);
      await Promise.all(Array.from({ length: 20 }, () => store.put(sha1(chunk), chunk)));
      expect(await store.listMissing([sha1(chunk)])).toEqual([]);
      expect(await store.dropBefore(Number.MAX_SAFE_INTEGER)).toBe(1);
    });

    test("does not join to a file with another checksum, over the limit, or with a chunk missing", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      const chunk = randomBytes(1000);
      await store.put(sha1(chunk), chunk);
      const use = async () => expect.unreachable();
      const chunks = [sha1(chunk)];
      await expect(store.assemble({ checksum: sha1(randomBytes(3)), chunks, maxBytes: 1000 }, use)).rejects.toThrow(
        ChunkMismatchError,
      );
      await expect(store.assemble({ checksum: sha1(chunk), chunks, maxBytes: 999 }, use)).rejects.toThrow(RangeError);
      const missing = [...chunks, sha1(randomBytes(3))];
      await expect(store.assemble({ checksum: sha1(chunk), chunks: missing, maxBytes: 9999 }, use)).rejects.toThrow(
        ChunkMissingError,
      );
      expect(await store.listMissing(chunks)).toEqual([]);
    });

    test("passes on what the callback throws, and keeps the chunks for another try", async () => {
      await using folder = await createFolder();
      let now = START;
      const store = await folder.open({ now: () => now });
      const chunk = randomBytes(10);
      await store.put(sha1(chunk), chunk);
      const upload = { checksum: sha1(chunk), chunks: [sha1(chunk)], maxBytes: 10 };
      await expect(store.assemble(upload, () => Promise.reject(new Error("no room")))).rejects.toThrow("no room");
      now += ASSEMBLED_CHUNK_LIFE_MS + 1;
      await store.dropBefore(now - CHUNK_LIFE_MS);
      expect(await store.assemble(upload, async (_, bytes) => bytes).catch(String)).toBe(10);
    });

    test("chunks go a day after they were put or asked for, and an hour after they were assembled", async () => {
      await using folder = await createFolder();
      let now = START;
      const store = await folder.open({ now: () => now });
      const [asked, forgotten, assembled] = [randomBytes(10), randomBytes(11), randomBytes(12)];
      for (const chunk of [asked, forgotten, assembled]) await store.put(sha1(chunk), chunk);
      now += ASSEMBLED_CHUNK_LIFE_MS;
      await store.listMissing([sha1(asked)]);
      const upload = { checksum: sha1(assembled), chunks: [sha1(assembled)], maxBytes: 100 };
      await store.assemble(upload, async () => {});
      const drop = () => store.dropBefore(now - CHUNK_LIFE_MS);
      now += ASSEMBLED_CHUNK_LIFE_MS;
      expect(await drop()).toBe(0);
      now += 1;
      expect(await drop()).toBe(1);
      now = START + CHUNK_LIFE_MS + 1;
      expect(await drop()).toBe(1);
      expect(await store.listMissing([asked, forgotten, assembled].map(sha1))).toEqual([
        sha1(forgotten),
        sha1(assembled),
      ]);
    });

    test("chunks are there after closing and opening again", async () => {
      await using folder = await createFolder();
      const chunk = randomBytes(10);
      await (await folder.open()).put(sha1(chunk), chunk);
      expect(await (await folder.open()).listMissing([sha1(chunk)])).toEqual([]);
    });

    test("refuses names that are no SHA-1 in lower-case hex", async () => {
      await using folder = await createFolder();
      const store = await folder.open();
      await expect(store.put("../x", Buffer.from(""))).rejects.toThrow(RangeError);
      await expect(store.listMissing(["../../../etc/passwd"])).rejects.toThrow(RangeError);
    });
  });
}

function sha1(content: Uint8Array): string {
  return createHash("sha1").update(content).digest("hex");
}
