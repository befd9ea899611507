import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeBlobStore } from "../blob-store.contract.ts";
import { openBlobFiles } from "./open-blob-files.ts";

describeBlobStore("files", async () => {
  const dir = await mkdtemp(join(tmpdir(), "culprit-blobs-"));
  return {
    open: () => openBlobFiles({ dir }),
    async [Symbol.asyncDispose]() {
      await rm(dir, { recursive: true, force: true });
    },
  };
});

test("files that a crash left beside the blobs are not blobs", async () => {
  const dir = await mkdtemp(join(tmpdir(), "culprit-blobs-"));
  try {
    await mkdir(join(dir, "00"));
    await writeFile(join(dir, "00", "00112233445566.0a0b0c0d0e0f"), "half of it");
    const store = await openBlobFiles({ dir });
    expect(await store.open("00112233445566")).toBeNull();
    expect(await readdir(dir)).toEqual(["00"]);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
