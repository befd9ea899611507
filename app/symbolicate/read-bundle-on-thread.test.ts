import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeZip } from "./fixtures/make-zip.ts";
import { readBundleOnThread } from "./read-bundle-on-thread.ts";

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

test("an upload is read on another thread, and what is wrong with it is told", async () => {
  expect(await readBundleOnThread(write(MANIFEST))).toMatchObject({
    ok: true,
    manifest: { files: [{ url: "~/app.js" }] },
  });
  expect(await readBundleOnThread(write("[]"))).toEqual({ ok: false, problem: "manifest.json is not a JSON object" });
  await expect(readBundleOnThread(join(dir, "none"))).rejects.toThrow("ENOENT");
});

test("an upload that takes too long is refused", async () => {
  expect(await readBundleOnThread(write(MANIFEST), { maxMs: 1 })).toEqual({
    ok: false,
    problem: "reading the upload takes more than 0.001 seconds",
  });
});
