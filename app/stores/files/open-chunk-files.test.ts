import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeChunkStore } from "../chunk-store.contract.ts";
import { openChunkFiles } from "./open-chunk-files.ts";

async function makeFolder() {
  const dir = await mkdtemp(join(tmpdir(), "culprit-chunks-"));
  return {
    dir,
    open: (options: { now?: () => number } = {}) => openChunkFiles({ dir, ...options }),
    async [Symbol.asyncDispose]() {
      await rm(dir, { recursive: true, force: true });
    },
  };
}

describeChunkStore("files", makeFolder);

test("what a crash left half written is no chunk, and is removed at the next start", async () => {
  await using folder = await makeFolder();
  await folder.open();
  const chunk = Buffer.from("the whole of it");
  const sha1 = createHash("sha1").update(chunk).digest("hex");
  await mkdir(join(folder.dir, "unfinished"), { recursive: true });
  await writeFile(join(folder.dir, "unfinished", `${sha1}-0a0b0c0d0e0f`), "the who");
  const store = await folder.open();
  expect(await store.listMissing([sha1])).toEqual([sha1]);
  expect(await readdir(join(folder.dir, "unfinished"))).toEqual([]);
  await store.put(sha1, chunk);
  expect(await store.listMissing([sha1])).toEqual([]);
});

test("an upload that would grow the data folder beyond its limit is refused", async () => {
  await using folder = await makeFolder();
  let free = 15;
  const chunks = await openChunkFiles({ dir: folder.dir, minFreeDiskBytes: 5, freeBytes: async () => free });
  const put = (text: string) => chunks.put(createHash("sha1").update(text).digest("hex"), Buffer.from(text));
  await put("ten bytes.");
  free -= 10;
  await expect(put("more bytes")).rejects.toMatchObject({ code: "ENOSPC" });
  // What is there takes no more room.
  await put("ten bytes.");
});

test("an upload that would leave too little of the disk is refused, and leaves nothing behind", async () => {
  await using folder = await makeFolder();
  const chunk = Buffer.from("some bytes");
  const sha1 = createHash("sha1").update(chunk).digest("hex");
  const full = await openChunkFiles({ dir: folder.dir, minFreeDiskBytes: Number.MAX_SAFE_INTEGER });
  await expect(full.put(sha1, chunk)).rejects.toMatchObject({ code: "ENOSPC" });
  await (await folder.open()).put(sha1, chunk);
  const upload = { checksum: sha1, chunks: [sha1], maxBytes: 100 };
  const again = await openChunkFiles({ dir: folder.dir, minFreeDiskBytes: Number.MAX_SAFE_INTEGER });
  await expect(again.assemble(upload, async () => expect.unreachable())).rejects.toMatchObject({ code: "ENOSPC" });
  expect(await readdir(join(folder.dir, "unfinished"))).toEqual([]);
  expect(await again.listMissing([sha1])).toEqual([]);
});
