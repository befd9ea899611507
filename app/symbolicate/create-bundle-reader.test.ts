import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createBundleReader } from "./create-bundle-reader.ts";
import { makeZip } from "./fixtures/make-zip.ts";

const dir = mkdtempSync(join(tmpdir(), "culprit-bundle-"));
afterAll(() => rmSync(dir, { recursive: true }));

function write(manifest: string): string {
  const path = join(dir, "upload.zip");
  const entries = [
    { path: "app.js", content: "f()" },
    { path: "manifest.json", content: manifest, isStored: true },
  ];
  writeFileSync(path, makeZip(entries));
  return path;
}

const MANIFEST = JSON.stringify({ files: { "app.js": { type: "minified_source", url: "~/app.js" } } });

test("uploads are read on another thread, and what is wrong with one is told", async () => {
  const read = createBundleReader();
  expect(await read(write(MANIFEST))).toMatchObject({ ok: true, manifest: { files: [{ url: "~/app.js" }] } });
  expect(await read(write("[]"))).toEqual({ ok: false, problem: "manifest.json is not a JSON object" });
  const [missing, next] = await Promise.allSettled([read(join(dir, "none")), read(write(MANIFEST))]);
  expect(missing).toMatchObject({ status: "rejected", reason: { code: "ENOENT" } });
  expect(next).toMatchObject({ value: { ok: true } });
});

test("an upload that takes too long is refused", async () => {
  const path = write(MANIFEST);
  const problem = "reading the upload takes more than 0.001 seconds";
  const read = createBundleReader({ maxMs: 1 });
  expect(await Promise.all([read(path), read(path)])).toEqual([
    { ok: false, problem },
    { ok: false, problem },
  ]);
});

test("one thread reads what comes in time, and ends after it", async () => {
  const started: string[] = [];
  const note = ({ threadId }: { threadId: number }) => started.push(String(threadId));
  process.on("worker", note);
  try {
    const read = createBundleReader({ idleMs: 50 });
    const path = write(MANIFEST);
    for (let count = 0; count < 3; count++) await read(path);
    expect(started).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await read(path);
    expect(started).toHaveLength(2);
  } finally {
    process.off("worker", note);
  }
});
