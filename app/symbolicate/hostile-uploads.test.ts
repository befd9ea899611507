import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MIB } from "../domain/bytes.ts";
import type { Frame } from "../domain/event.ts";
import type { SymbolicationEvent } from "./collect-frames.ts";
import { explainReport } from "./explain-report.ts";
import { makeZip } from "./fixtures/make-zip.ts";
import { makeBundle, optionsOf } from "./fixtures/map-stacks.ts";
import { readerOf, UploadFixtures } from "./fixtures/memory-stores.ts";
import { readArtifactBundle } from "./read-artifact-bundle.ts";
import { scanFunctionScopes } from "./scan-function-scopes.ts";
import { readMapDebugId, readSourceMappingUrl } from "./source-file-facts.ts";
import { SourceMap, SourceMapError } from "./source-map.ts";
import { symbolicateEvent } from "./symbolicate-event.ts";
import { ArchiveError } from "./zip-directory.ts";

const BUNDLES = join(import.meta.dirname, "../../tests/fixtures/bundles");
const CODE = readFileSync(join(BUNDLES, "terser.js"));
const MAP = readFileSync(join(BUNDLES, "terser.js.map"));
const FRAMES: Frame[] = JSON.parse(readFileSync(join(BUNDLES, "terser.stacks.json"), "utf8")).method;
const CONTEXT = { serverUrl: "https://errors.example", org: "acme", project: "web" };

/** Numbers that look random and are the same in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Some bytes changed, cut out, doubled or put elsewhere. */
function damage(bytes: Uint8Array, random: (below: number) => number): Buffer {
  let damaged = Buffer.from(bytes);
  for (let times = random(4) + 1; times > 0; times--) {
    const at = random(damaged.length);
    const length = random(Math.min(40, damaged.length));
    const piece = Buffer.from(damaged.subarray(at, at + length));
    switch (random(4)) {
      case 0:
        for (let index = 0; index < 3; index++) damaged[random(damaged.length)] = random(256);
        break;
      case 1:
        damaged = Buffer.concat([damaged.subarray(0, at), damaged.subarray(at + length)]);
        break;
      case 2:
        damaged = Buffer.concat([damaged.subarray(0, at), piece, damaged.subarray(at)]);
        break;
      default:
        damaged = damaged.subarray(0, Math.max(1, damaged.length - length));
    }
  }
  return damaged;
}

test("a damaged map is refused or read, and never more", () => {
  const random = createRandom(1);
  let refused = 0;
  for (let round = 0; round < 1_500; round++) {
    try {
      const map = SourceMap.parse(damage(MAP, random));
      for (let place = 0; place < 10; place++) {
        const found = map.find(random(3), random(2_000));
        if (found === null) continue;
        expect(found.line >= 0 && found.column >= 0 && found.source < map.sourceCount).toBe(true);
        map.sourceName(found.source);
        map.sourceLines(found.source)?.context(found.line, found.column);
      }
    } catch (error) {
      expect(error).toBeInstanceOf(SourceMapError);
      refused++;
    }
  }
  expect(refused).toBeGreaterThan(100);
  expect(refused).toBeLessThan(1_450);
});

/** Values where others belong. */
const ODD: unknown[] = [null, 0, -1, 1e99, "", "x", [], {}, [null], [[]], { a: 1 }, true, ["AAAA"], [1, 2]];

test("wrong types in any place of a map are refused or passed over", () => {
  const base = { ...JSON.parse(MAP.toString()), sourceRoot: "", ignoreList: [], x_facebook_sources: [], debug_id: "x" };
  const section = { version: 3, sections: [{ offset: { line: 0, column: 0 }, map: base }] };
  for (const odd of ODD) {
    for (const key of [...Object.keys(base), "sections"]) checkMap({ ...base, [key]: odd });
    for (const sections of [
      [odd],
      [{ offset: odd, map: base }],
      [{ offset: { line: odd, column: 0 }, map: base }],
      [{ offset: { line: 0, column: 0 }, map: odd }],
    ])
      checkMap({ ...section, sections });
    checkMap({ ...base, x_facebook_sources: [odd] });
    checkMap({ ...base, x_facebook_sources: [[{ names: odd, mappings: "AAA" }]] });
    checkMap({ ...base, x_facebook_sources: [[{ names: [odd], mappings: odd }]] });
    checkMap({ ...base, sources: [odd, odd, odd, odd], sourcesContent: [odd], names: [odd] });
  }

  function checkMap(value: unknown): void {
    try {
      const map = SourceMap.parse(Buffer.from(JSON.stringify(value)));
      for (let column = 0; column < 300; column += 7) {
        const found = map.find(0, column);
        if (found === null) continue;
        map.sourceName(found.source);
        map.sourceLines(found.source)?.context(found.line, found.column);
        map.findFunctionName(found.source, found.line, found.column);
        map.isIgnored(found.source);
      }
    } catch (error) {
      expect(error).toBeInstanceOf(SourceMapError);
    }
  }
});

test("a map that claims too much is refused before memory is taken for it", () => {
  const mappings = (text: string) => Buffer.from(`{"version":3,"sources":[],"names":[],"mappings":"${text}"}`);
  expect(() => SourceMap.parse(mappings(",".repeat(11_000_000)))).toThrow("more than 10000000 mappings");
  expect(() => SourceMap.parse(mappings(";".repeat(10_000_001)))).toThrow(/more than 10000000/);
  const list = `[${"1,".repeat(600_000)}1]`;
  const part = `{"offset":{"line":0,"column":0},"map":{"version":3,"mappings":"","names":${list}}}`;
  const many = Buffer.from(`{"version":3,"sections":[${part},${part},${part},${part}]}`);
  expect(() => SourceMap.parse(many)).toThrow("more than 2000000 entries together");
  const sections =
    '{"version":3,"sections":[{"offset":{"line":2000000000,"column":0},"map":{"version":3,"mappings":""}}]}';
  expect(() => SourceMap.parse(Buffer.from(sections))).toThrow("generated lines");
});

test("values of a map that are far too long are not built", () => {
  const wide = (bytes: number, text: string) => text.padStart(bytes);
  const parse = (fields: string) => SourceMap.parse(Buffer.from(`{"mappings":"AAAA","sources":["a","b"],${fields}}`));
  const members = Array.from({ length: 10_001 }, (_, index) => `"k${index}":1`).join();
  expect(() => parse(members)).toThrow("more than 10000 members");
  expect(readMapDebugId(Buffer.from(`{${members},"debug_id":"${"a".repeat(32)}"}`))).toBeNull();
  expect(() => parse(`"version":[${wide(300, "3")}]`)).toThrow("version null");
  expect(parse(`"ignoreList":[1]`).isIgnored(1)).toBe(true);
  expect(parse(`"ignoreList":[[1]]`).isIgnored(1)).toBe(false);
  const long = parse(`"sourcesContent":["x","${"x".repeat(16 * MIB)}"]`);
  expect([long.hasSourceContent(0), long.sourceLines(0)?.count]).toEqual([true, 1]);
  expect([long.hasSourceContent(1), long.sourceLines(1)]).toEqual([false, null]);
  const functions = (names: number) =>
    `"x_facebook_sources":[[{"names":["f"${',""'.repeat(names)}],"mappings":"AAA"}]]`;
  expect(parse(functions(10)).findFunctionName(0, 1, 0)).toBe("f");
  expect(parse(functions(1_500_000)).findFunctionName(0, 1, 0)).toBeNull();
});

test("a map of very many sections is refused", () => {
  const section = `{"offset":{"line":0,"column":0},"map":{"mappings":""}}`;
  const parse = (count: number) => SourceMap.parse(Buffer.from(`{"sections":[${Array(count).fill(section)}]}`));
  expect(parse(1_000).sourceCount).toBe(0);
  expect(() => parse(50_001)).toThrow("more than 50000 sections");
});

test("numbers of more than 31 bits do not come out as others", () => {
  // Each goes 2^30 on.
  const far = "ggggggC";
  const parse = (mappings: string) =>
    SourceMap.parse(Buffer.from(JSON.stringify({ version: 3, sources: ["a"], names: [], mappings })));
  expect(parse(`AA${far}A,CA${far}A`).find(0, 5)).toBeNull();
  expect(parse(`AA${far}A`).find(0, 5)).toMatchObject({ line: 2 ** 30 });
  const columns = parse(`AAAA,${far}AAC,${far}AAC,${far}AAC,${far}AAC`);
  expect([columns.find(0, 5)?.column, columns.find(0, 2 ** 30)?.column, columns.mappingCount]).toEqual([0, 1, 2]);
});

test("of a file with very many marks of a map, the last ones are looked at", () => {
  const reference = (marks: number) =>
    readSourceMappingUrl(Buffer.from(`f()\n//# sourceMappingURL=a.map\n${"sourceMappingURL=".repeat(marks)}`));
  expect([reference(900), reference(2_000)]).toEqual(["a.map", null]);
});

test("an archive whose manifest lists one file under many names is refused", async () => {
  const files = { "a/b/c.js": { type: "minified_source" }, "a\\b/c.js": { type: "minified_source" } };
  const bytes = makeZip([
    { path: "a/b/c.js", content: "f()" },
    { path: "manifest.json", content: JSON.stringify({ files }) },
  ]);
  await expect(readArtifactBundle(readerOf(bytes))).rejects.toThrow('lists "a\\\\b/c.js" twice');
});

test("a damaged archive is refused or read, and never more", async () => {
  const files = [
    { url: "~/assets/terser.js", type: "minified_source", content: CODE },
    { url: "~/assets/terser.js.map", type: "source_map", content: MAP },
  ];
  const bytes = makeBundle(files);
  const random = createRandom(2);
  let refused = 0;
  for (let round = 0; round < 400; round++) {
    try {
      const { manifest } = await readArtifactBundle(readerOf(damage(bytes, random)), { derive: true });
      expect(manifest.files.length).toBeLessThanOrEqual(2);
    } catch (error) {
      expect(error).toBeInstanceOf(ArchiveError);
      refused++;
    }
  }
  expect(refused).toBeGreaterThan(100);
});

test("damaged code is followed or given up, and never more", () => {
  const random = createRandom(3);
  for (let round = 0; round < 1_500; round++) {
    const scopes = scanFunctionScopes(damage(CODE, random).toString("utf8"));
    for (let column = 0; column < 1_400; column += 100) scopes?.find({ line: 0, column });
  }
});

test("events of any form with uploads of any form come back with a report that has words", async () => {
  const random = createRandom(4);
  const odd = (): unknown => ODD[random(ODD.length)];
  for (let round = 0; round < 150; round++) {
    const uploads = new UploadFixtures();
    const bytes = makeBundle([
      { url: "~/assets/terser.js", type: "minified_source", content: random(2) ? CODE : damage(CODE, random) },
      { url: "~/assets/terser.js.map", type: "source_map", content: random(2) ? MAP : damage(MAP, random) },
    ]);
    await uploads.upload({ bytes, releases: [{ version: "1", dist: null }] });
    const frames = FRAMES.map((frame) => {
      const changed: Record<string, unknown> = { ...frame };
      if (random(3) === 0) changed.lineno = [1, 2, 1e9, undefined][random(4)];
      if (random(3) === 0) changed.colno = [1, 1e9, 2 ** 31, undefined][random(4)];
      if (random(5) === 0) changed.abs_path = ["", "webpack-internal:///./x.js", "\0", "a".repeat(5_000)][random(4)];
      if (random(5) === 0) changed.data = {};
      return changed;
    });
    const images = [odd(), { type: "sourcemap", code_file: odd(), debug_id: odd() }];
    // Types as normalisation leaves them; what it does not look into is anything.
    const event = {
      platform: "javascript",
      release: random(4) ? "1" : "2",
      exception: { values: [{ stacktrace: { frames } }] },
      debug_meta: { images: images.filter((image) => typeof image === "object" && image !== null) },
    } as unknown as SymbolicationEvent;
    const result = await symbolicateEvent(event, optionsOf(uploads, { withDiagnosis: true }));
    expect(result.report.frames).toHaveLength(FRAMES.length);
    expect(JSON.parse(JSON.stringify(result.report))).toEqual(result.report);
    for (const { summary, steps } of explainReport(result.report, CONTEXT)) {
      expect(summary).not.toBe("");
      expect(steps.every(({ text }) => text.length > 5 && !/undefined|null|NaN/.test(text))).toBe(true);
    }
  }
});
