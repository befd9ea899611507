import { randomBytes } from "node:crypto";
import { access, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { BlobStore } from "./blob-store.ts";

/** An empty place for blobs of some engine; disposing deletes it. */
export interface BlobFolder extends AsyncDisposable {
  /** The same data each time; several may be open at once. */
  open(): Promise<BlobStore>;
}

const KEY = "00d1e2f3a4b5c6d7e8f90011223344556677889a";
const OTHER_KEY = "01d1e2f3a4b5c6d7e8f90011223344556677889a";

/** The contract of every engine of `BlobStore`. Each case asks for an empty place of its own. */
export function describeBlobStore(engine: string, createFolder: () => Promise<BlobFolder>): void {
  describe(`BlobStore on ${engine}`, () => {
    test("keeps a file whole, takes it from where it was, and any other that has the place open reads it", async () => {
      await using folder = await createFolder();
      await using source = await makeFiles();
      const content = randomBytes(3_000_000);
      const path = await source.write(content);
      await (await folder.open()).putFile(KEY, path);
      await expect(access(path)).rejects.toThrow();
      const reader = await (await folder.open()).open(KEY);
      expect(reader?.bytes).toBe(content.length);
      expect(Buffer.compare((await reader?.read(0, content.length)) ?? new Uint8Array(), content)).toBe(0);
      await reader?.close();
    });

    test("reads parts, and fewer bytes than asked for only at the end", async () => {
      await using folder = await createFolder();
      await using source = await makeFiles();
      const store = await folder.open();
      await store.putFile(KEY, await source.write(Buffer.from("0123456789")));
      const reader = await store.open(KEY);
      const read = async (offset: number, length: number) =>
        Buffer.from((await reader?.read(offset, length)) ?? "").toString();
      expect(await read(2, 3)).toBe("234");
      expect(await read(8, 100)).toBe("89");
      expect(await read(10, 5)).toBe("");
      expect(await read(11, 5)).toBe("");
      expect(await read(0, 0)).toBe("");
      await reader?.close();
    });

    test("keeps an empty file", async () => {
      await using folder = await createFolder();
      await using source = await makeFiles();
      const store = await folder.open();
      await store.putFile(KEY, await source.write(Buffer.alloc(0)));
      const reader = await store.open(KEY);
      expect(reader?.bytes).toBe(0);
      await reader?.close();
    });

    test("putting again what is there changes nothing, also at the same time", async () => {
      await using folder = await createFolder();
      await using source = await makeFiles();
      const store = await folder.open();
      const content = randomBytes(100_000);
      const paths = await Promise.all(Array.from({ length: 8 }, () => source.write(content)));
      await Promise.all(paths.map((path) => store.putFile(KEY, path)));
      await store.putFile(KEY, await source.write(content));
      expect(await store.bytesOnDisk()).toBe(100_000);
      for (const path of paths) await expect(access(path)).rejects.toThrow();
    });

    test("a reader reads on while the blob is deleted, and after that there is none", async () => {
      await using folder = await createFolder();
      await using source = await makeFiles();
      const store = await folder.open();
      await store.putFile(KEY, await source.write(Buffer.from("still here")));
      const reader = await store.open(KEY);
      await store.delete(KEY);
      expect(Buffer.from((await reader?.read(0, 100)) ?? "").toString()).toBe("still here");
      await reader?.close();
      expect(await store.open(KEY)).toBeNull();
      expect(await store.bytesOnDisk()).toBe(0);
      await store.delete(KEY);
    });

    test("counts the bytes of all, and gives null for a key that never was", async () => {
      await using folder = await createFolder();
      await using source = await makeFiles();
      const store = await folder.open();
      await store.putFile(KEY, await source.write(Buffer.alloc(1000)));
      await store.putFile(OTHER_KEY, await source.write(Buffer.alloc(500)));
      expect(await store.bytesOnDisk()).toBe(1500);
      expect(await store.open("ffd1e2f3a4b5c6d7e8f90011223344556677889a")).toBeNull();
    });

    test("refuses keys that are no lower-case hex", async () => {
      await using folder = await createFolder();
      await using source = await makeFiles();
      const store = await folder.open();
      for (const key of ["../../etc/passwd", "", "ABCDEF0123", "00/../../11223344", "0".repeat(129)]) {
        await expect(store.putFile(key, await source.write(Buffer.from("x")))).rejects.toThrow(RangeError);
        await expect(store.open(key)).rejects.toThrow(RangeError);
        await expect(store.delete(key)).rejects.toThrow(RangeError);
      }
    });
  });
}

async function makeFiles() {
  const dir = await mkdtemp(join(tmpdir(), "culprit-uploads-"));
  return {
    async write(content: Uint8Array): Promise<string> {
      const path = join(dir, randomBytes(8).toString("hex"));
      await writeFile(path, content);
      return path;
    },
    async [Symbol.asyncDispose]() {
      await rm(dir, { recursive: true, force: true });
    },
  };
}
