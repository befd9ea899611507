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

test("of files that do not all fit into the cache, those of the crash are mapped when time is up", async () => {
  const uploads = new UploadFixtures();
  const names = Array.from({ length: 30 }, (_, index) => `n${index}`);
  const code = "function crash() { throw new Error() }\n".repeat(50);
  for (const name of names) {
    const files = [
      { url: `~/${name}.js`, type: "minified_source", content: `${code}//# sourceMappingURL=${name}.js.map` },
      { url: `~/${name}.js.map`, type: "source_map", content: MAP },
    ];
    await uploads.upload({ bytes: makeBundle(files, { note: name }), releases: [{ version: "1", dist: null }] });
  }
  const frames = names.map((name) => ({ abs_path: `https://x/${name}.js`, lineno: 1, colno: 1 }));
  const event = { platform: "javascript", release: "1", exception: { values: [{ stacktrace: { frames } }] } };
  const options = optionsOf(uploads, { files: new SourceMapCache(uploads.blobs, { maxCacheBytes: 14_000 }) });
  const { blobs } = uploads;
  const readNow = blobs.open.bind(blobs);
  for (let request = 0; request < 3; request++) {
    const { promise: deadline, resolve: end } = Promise.withResolvers<void>();
    blobs.openCount = 0;
    blobs.open = async (key) => {
      const reader = await readNow(key);
      if (blobs.openCount === 9) end();
      return reader;
    };
    const { report } = await symbolicateEvent(event, { ...options, deadline });
    expect(report.failure).toBe("timed_out");
    const found = report.files.filter(({ sourceMap }) => sourceMap.state === "found").map(({ absPath }) => absPath);
    expect(found).toEqual([26, 27, 28, 29].map((index) => `https://x/n${index}.js`));
  }
});
