import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { SymbolicationEvent } from "./collect-frames.ts";
import { makeBundle, optionsOf } from "./fixtures/map-stacks.ts";
import { UploadFixtures } from "./fixtures/memory-stores.ts";
import { SourceMapCache } from "./source-map-cache.ts";
import { symbolicateEvent } from "./symbolicate-event.ts";

const MAP = JSON.stringify({ version: 3, sources: ["x.ts"], sourcesContent: ["f()"], names: [], mappings: "AAAA" });

/** Each file is an upload of its own, so that each opens a blob. */
async function uploadMaps(uploads: UploadFixtures, names: readonly string[]): Promise<SymbolicationEvent> {
  for (const name of names) {
    const bytes = makeBundle([{ url: `~/${name}.js.map`, type: "source_map", content: MAP }], { note: name });
    await uploads.upload({ bytes, releases: [{ version: "1", dist: null }] });
  }
  const frames = names.map((name) => ({ abs_path: `https://x/${name}.js`, lineno: 1, colno: 1 }));
  return { platform: "javascript", release: "1", exception: { values: [{ stacktrace: { frames } }] } };
}

test("a late event reads one file more each time, and has them all in the end", async () => {
  const uploads = new UploadFixtures();
  const event = await uploadMaps(uploads, ["a", "b", "c", "d"]);
  const options = optionsOf(uploads);
  const openCounts: number[] = [];
  for (let request = 0; request < 4; request++) {
    await symbolicateEvent(event, { ...options, deadline: Promise.resolve() });
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    openCounts.push(uploads.blobs.openCount);
  }
  expect(openCounts).toEqual([1, 2, 3, 4]);
  const { report } = await symbolicateEvent(event, options);
  expect(report.files.map(({ sourceMap }) => sourceMap.state)).toEqual(Array(4).fill("found"));
  expect(uploads.blobs.openCount).toBe(4);
});

test("an event with one file does not wait for all files of another", async () => {
  const uploads = new UploadFixtures();
  const many = await uploadMaps(uploads, ["a", "b", "c", "d", "e", "f"]);
  const one = await uploadMaps(uploads, ["g"]);
  const files = new SourceMapCache(uploads.blobs);
  const ends: string[] = [];
  await Promise.all([
    symbolicateEvent(many, optionsOf(uploads, { files })).then(() => ends.push("many")),
    symbolicateEvent(one, optionsOf(uploads, { files })).then(() => ends.push("one")),
  ]);
  expect(ends).toEqual(["one", "many"]);
});
