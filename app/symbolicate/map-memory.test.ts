import { expect, test } from "vitest";
import type { SymbolicationEvent } from "./collect-frames.ts";
import { makeBundle, optionsOf } from "./fixtures/map-stacks.ts";
import { UploadFixtures } from "./fixtures/memory-stores.ts";
import { MapMemory } from "./map-memory.ts";
import { SourceMapCache } from "./source-map-cache.ts";
import { symbolicateEvent } from "./symbolicate-event.ts";

test("an event holds one thing of any size, and several within its limit", () => {
  const memory = new MapMemory({ ofEvent: 100, ofAll: 1_000 });
  const share = memory.openShare();
  const large = { memoryBytes: 300 };
  expect([share.take(large), share.take(large)]).toEqual(["held", "held"]);
  expect(share.take({ memoryBytes: 1 })).toBe("event-has-too-much");
  const other = memory.openShare();
  expect([60, 40, 1].map((memoryBytes) => other.take({ memoryBytes }))).toEqual(["held", "held", "event-has-too-much"]);
});

test("all events together have a limit, in which a thing counts once, until they let go", () => {
  const memory = new MapMemory({ ofEvent: 1_000, ofAll: 100 });
  const [one, two, three] = [memory.openShare(), memory.openShare(), memory.openShare()];
  const shared = { memoryBytes: 90 };
  expect([one.take(shared), two.take(shared), three.take({ memoryBytes: 20 })]).toEqual([
    "held",
    "held",
    "all-have-too-much",
  ]);
  one.release();
  expect(three.take({ memoryBytes: 20 })).toBe("all-have-too-much");
  two.release();
  expect(three.take({ memoryBytes: 20 })).toBe("held");
  // What is read after the event was answered.
  expect(one.take({ memoryBytes: 1 })).toBe("all-have-too-much");
});

test("maps of an event that are too large together are named, and the others are used", async () => {
  const uploads = new UploadFixtures();
  const names = ["a", "b", "c"];
  const map = JSON.stringify({ version: 3, sources: ["x.ts"], sourcesContent: ["f()"], names: [], mappings: "AAAA" });
  const files = names.flatMap((name) => [
    { url: `~/${name}.js`, type: "minified_source", content: `f()\n//# sourceMappingURL=${name}.js.map` },
    { url: `~/${name}.js.map`, type: "source_map", content: map },
  ]);
  await uploads.upload({ bytes: makeBundle(files), releases: [{ version: "1", dist: null }] });
  const event: SymbolicationEvent = {
    platform: "javascript",
    release: "1",
    exception: {
      values: [
        { stacktrace: { frames: names.map((name) => ({ abs_path: `https://x/${name}.js`, lineno: 1, colno: 1 })) } },
      ],
    },
  };
  const mapWith = async (memory: { ofEvent?: number; ofAll?: number }) => {
    const cache = new SourceMapCache(uploads.blobs, { memory });
    const run = () => symbolicateEvent(event, optionsOf(uploads, { files: cache }));
    const results = [await run(), await run()];
    return results.map(({ report }) => report.files.map(({ sourceMap }) => sourceMap.error ?? sourceMap.state));
  };
  expect(await mapWith({})).toEqual(Array(2).fill(["found", "found", "found"]));
  // The second time, what the first held is free again.
  const tooLarge = ["sourcemap_too_large", "sourcemap_too_large", "found"];
  expect(await mapWith({ ofEvent: 10 })).toEqual(Array(2).fill(tooLarge));
  // Also what cannot be held is read, for the next request: three maps, three generated files, and the directory.
  const cache = new SourceMapCache(uploads.blobs, { memory: { ofAll: 10 } });
  await symbolicateEvent(event, optionsOf(uploads, { files: cache }));
  expect(cache.stats().entries).toBe(7);
  expect(await mapWith({ ofAll: 10 })).toEqual(Array(2).fill(["timed_out", "timed_out", "found"]));
});
