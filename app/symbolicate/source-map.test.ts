import { readFileSync } from "node:fs";
import { join } from "node:path";
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { describe, expect, test } from "vitest";
import { SourceMap, SourceMapError } from "./source-map.ts";

const BUNDLES = join(import.meta.dirname, "../../tests/fixtures/bundles");

function parse(map: unknown): SourceMap {
  return SourceMap.parse(Buffer.from(typeof map === "string" ? map : JSON.stringify(map)));
}

/** Line 1: column 0 is a.js:1:1; column 4 is `name` at a.js:2:3. Line 2: column 0 is b.js:1:1. */
const SMALL = {
  version: 3,
  sources: ["a.js", "b.js"],
  sourcesContent: ["first\nsecond\n", null],
  names: ["name"],
  mappings: "AAAA,IACEA;ACDF",
};

describe("lookups", () => {
  test("gives the last mapping at or before the column", () => {
    const map = parse(SMALL);
    expect(map.find(0, 3)).toEqual({ source: 0, line: 0, column: 0, name: null, generatedColumn: 0 });
    expect(map.find(0, 4)).toEqual({ source: 0, line: 1, column: 2, name: "name", generatedColumn: 4 });
    expect(map.find(0, 900)).toMatchObject({ line: 1, column: 2 });
    expect(map.find(1, 0)).toMatchObject({ source: 1, line: 0 });
  });

  test("has nothing before the first mapping of a line, nor behind the last line", () => {
    const map = parse({ ...SMALL, mappings: ";IAAA" });
    expect(map.find(0, 0)).toBeNull();
    expect(map.find(1, 3)).toBeNull();
    expect(map.find(1, 4)).not.toBeNull();
    expect(map.find(2, 0)).toBeNull();
    expect(map.find(-1, 0)).toBeNull();
  });

  test("has nothing where the map says that code has no source", () => {
    const map = parse({ ...SMALL, mappings: "AAAA,E,EAAA" });
    expect(map.find(0, 1)).not.toBeNull();
    expect(map.find(0, 2)).toBeNull();
    expect(map.find(0, 4)).not.toBeNull();
  });

  test("of two mappings at one place gives the first there, and the last behind it", () => {
    const map = parse({ ...SMALL, mappings: "AAAA,AACA" });
    expect(map.find(0, 0)).toMatchObject({ line: 0 });
    expect(map.find(0, 1)).toMatchObject({ line: 1 });
  });

  test("puts mappings of a line in order that are not", () => {
    const map = parse({ ...SMALL, mappings: "IAAA,JACA" });
    expect(map.find(0, 0)).toMatchObject({ line: 1 });
    expect(map.find(0, 4)).toMatchObject({ line: 0 });
  });

  for (const name of ["rolldown", "esbuild", "terser", "webpack"]) {
    test(`agrees with another reader on every place of a bundle of ${name}`, () => {
      const text = readFileSync(join(BUNDLES, `${name}.js.map`), "utf8");
      const map = parse(text);
      const other = new TraceMap(text);
      const lines = readFileSync(join(BUNDLES, `${name}.js`), "utf8").split("\n");
      let compared = 0;
      for (const [line, content] of lines.entries()) {
        for (let column = 0; column <= content.length; column++) {
          const expected = originalPositionFor(other, { line: line + 1, column });
          const found = map.find(line, column);
          const place = found && {
            // The other one takes dots out of paths.
            source: map.sourceName(found.source)?.replace("/./", "/"),
            line: found.line + 1,
            column: found.column,
            name: found.name,
          };
          expect(place ?? { source: null, line: null, column: null, name: null }).toEqual(expected);
          compared++;
        }
      }
      expect(compared).toBeGreaterThan(1_000);
    });
  }
});

describe("forms of maps", () => {
  test("may begin with a byte order mark and the line that keeps them from being run", () => {
    expect(parse(`\uFEFF)]}'\n${JSON.stringify(SMALL)}`).find(0, 4)?.name).toBe("name");
  });

  test("of sections count positions from where each begins, and end where the next begins", () => {
    const map = parse({
      version: 3,
      sections: [
        { offset: { line: 1, column: 10 }, map: { ...SMALL, sources: ["second.js"], mappings: "AAAA,IAAI;AACA" } },
        { offset: { line: 0, column: 0 }, map: { ...SMALL, sources: ["first.js"], mappings: "AAAA;AACA,oBAAoB" } },
      ],
    });
    const nameAt = (line: number, column: number): string | null => {
      const found = map.find(line, column);
      return found === null ? null : map.sourceName(found.source);
    };
    expect(nameAt(0, 0)).toBe("first.js");
    expect(nameAt(1, 9)).toBe("first.js");
    expect(nameAt(1, 10)).toBe("second.js");
    // Behind the offset of the section, the first one has nothing to say.
    expect(nameAt(1, 30)).toBe("second.js");
    expect(map.find(1, 14)).toMatchObject({ column: 4 });
    expect(nameAt(2, 0)).toBe("second.js");
  });

  test("put the root in front of relative sources only", () => {
    const sources = ["a.js", "/abs.js", "webpack://ns/./b.js", null, 7];
    const map = parse({ ...SMALL, sourceRoot: "src", sources });
    expect(sources.map((_, index) => map.sourceName(index))).toEqual([
      "src/a.js",
      "/abs.js",
      "webpack://ns/./b.js",
      null,
      null,
    ]);
    expect(parse({ ...SMALL, sourceRoot: "src/" }).sourceName(0)).toBe("src/a.js");
  });

  test("may lack texts of sources, or all of them", () => {
    expect(parse(SMALL).sourceLines(0)?.line(1)).toBe("second");
    expect(parse(SMALL).sourceLines(1)).toBeNull();
    expect(parse({ ...SMALL, sourcesContent: undefined }).sourceLines(0)).toBeNull();
    expect(parse({ ...SMALL, sourcesContent: "no list" }).sourceLines(0)).toBeNull();
  });

  test("may say which sources are other people's", () => {
    expect(parse({ ...SMALL, ignoreList: [1] }).isIgnored(1)).toBe(true);
    expect(parse({ ...SMALL, x_google_ignoreList: [0] }).isIgnored(0)).toBe(true);
    expect(parse({ ...SMALL, ignoreList: ["x", -1, {}] }).isIgnored(0)).toBe(false);
  });

  test("name their debug id in either spelling", () => {
    const id = "9B7990F8-1f25-571a-a422-03bea91eb8ab";
    expect(parse({ ...SMALL, debug_id: id }).debugId).toBe("9b7990f81f25571aa42203bea91eb8ab");
    expect(parse({ ...SMALL, debugId: id }).debugId).toBe("9b7990f81f25571aa42203bea91eb8ab");
    expect(parse({ ...SMALL, debugId: "none" }).debugId).toBeNull();
  });

  test("of Hermes name functions by original position", () => {
    // <global> from 1:0, render from 1:4, <global> again from 3:1.
    const functions = [{ names: ["<global>", "render"], mappings: "AAA,ICA;CDE" }];
    const map = parse({ ...SMALL, x_facebook_sources: [functions, null], x_hermes_function_offsets: { 0: [0, 12] } });
    expect(map.findFunctionName(0, 0, 2)).toBeNull();
    expect(map.findFunctionName(0, 0, 4)).toBe("render");
    expect(map.findFunctionName(0, 1, 0)).toBe("render");
    expect(map.findFunctionName(0, 2, 5)).toBeNull();
    expect(map.findFunctionName(1, 0, 0)).toBeNull();
  });

  test("with strings that are escaped where no tool escapes are read all the same", () => {
    const text = JSON.stringify(SMALL).replace('"mappings":"AAAA', '"m\\u0061ppings":"\\u0041AAA');
    expect(parse(text).find(0, 4)?.name).toBe("name");
  });
});

describe("what is wrong with a map is said", () => {
  test.each([
    ["", "expected a value"],
    ["<!doctype html>", "expected a value"],
    ['{"version":3', "cut off"],
    [`${JSON.stringify(SMALL)} trailing`, "something follows"],
    ["[]", "not a JSON object"],
    [JSON.stringify({ ...SMALL, version: 2 }), "version 2, not 3"],
    [JSON.stringify({ ...SMALL, x_hermes_function_offsets: {} }), "must be composed with the map of the packager"],
    [JSON.stringify({ ...SMALL, mappings: undefined }), "has no mappings"],
    [JSON.stringify({ ...SMALL, mappings: ["AAAA"] }), "has no mappings"],
    [JSON.stringify({ ...SMALL, mappings: "AA!A" }), "no Base64 digit"],
    [JSON.stringify({ ...SMALL, mappings: "ggggggggggA" }), "more than 32 bits"],
    [JSON.stringify({ version: 3, sections: [{ offset: { line: -1, column: 0 }, map: SMALL }] }), "offset"],
    [JSON.stringify({ version: 3, sections: [{ offset: { line: 0, column: 0 }, url: "x.map" }] }), "only a URL"],
    [`{"version":3,"mappings":"","x":${"[".repeat(200)}${"]".repeat(200)}}`, "nested deeper"],
  ])("%#", (text, problem) => {
    expect(() => parse(text)).toThrow(SourceMapError);
    expect(() => parse(text)).toThrow(problem);
  });

  test("sections in sections stop at some depth", () => {
    let map: unknown = SMALL;
    for (let depth = 0; depth < 10; depth++) map = { version: 3, sections: [{ offset: { line: 0, column: 0 }, map }] };
    expect(() => parse(map)).toThrow("nest deeper than 4");
  });

  test("indices that lead nowhere give no mapping", () => {
    const map = parse({ ...SMALL, sources: [], mappings: "AAAA,IACEA" });
    expect(map.find(0, 4)).toBeNull();
    expect(parse({ ...SMALL, mappings: "ADAA" }).find(0, 0)).toBeNull();
    expect(parse({ ...SMALL, names: [] }).find(0, 4)?.name).toBeNull();
  });
});

test("a large map takes about its bytes and twenty more per mapping", () => {
  const mappings = Array.from({ length: 200_000 }, () => "CAAC").join(",");
  const text = JSON.stringify({ ...SMALL, mappings, sourcesContent: ["x".repeat(1_000_000)] });
  const map = parse(text);
  expect(map.mappingCount).toBe(200_000);
  expect(map.memoryBytes).toBeGreaterThan(text.length + 200_000 * 20);
  expect(map.memoryBytes).toBeLessThan(text.length + 200_000 * 20 + 1_000_000);
  expect(map.find(0, 100_000)).toMatchObject({ column: 100_000 });
});
