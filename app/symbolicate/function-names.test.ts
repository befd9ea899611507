import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mapStacks } from "./fixtures/map-stacks.ts";
import { foldRepeatedParts, isUselessName } from "./function-names.ts";

const BUNDLES = join(import.meta.dirname, "../../tests/fixtures/bundles");

/** The function that throws, and who calls it, in each case of `tests/fixtures/bundles/source/main.js`. */
const NAMES: Record<string, string> = {
  plainFunction: "addToCart findInStock",
  defaultExport: "CASES.defaultExport checkOut",
  constructorCall: "CASES.constructorCall new Basket",
  method: "CASES.method Basket.fillFrom",
  staticMethod: "CASES.staticMethod Basket.restore",
  getter: "CASES.getter Basket.totalPrice",
  privateMethod: "Basket.seal Basket.#closeLid",
  arrowField: "CASES.arrowField Basket.handleRemove",
  asyncFunction: "loadBaskets",
  objectMethod: "CASES.objectMethod api.fetchItems",
  nestedArrow: "api.cache.readEntry readEntry",
  wrappedArrow: "onSelect onSelect",
  callbackInFunction: "refreshAll ?",
};

/** Where a minifier put one function into another, the stack has one frame for both. */
const INLINED: Record<string, Record<string, string>> = {
  rolldown: {},
  esbuild: {},
  terser: {
    defaultExport: "runCase CASES.defaultExport",
    callbackInFunction: "CASES.callbackInFunction ?",
    // The function around it is called at once, and its result is what has the name.
    wrappedArrow: "onSelect ?",
  },
  webpack: {
    plainFunction: "CASES.plainFunction findInStock",
    defaultExport: "runCase CASES.defaultExport",
    callbackInFunction: "CASES.callbackInFunction ?",
    wrappedArrow: "CASES.wrappedArrow onSelect",
    // Terser made variables of the object's members: the map has the object's name for them.
    objectMethod: "CASES.objectMethod api",
    nestedArrow: "api.readEntry readEntry",
  },
};

describe.each(Object.keys(INLINED))("names of functions in a bundle of %s", (bundler) => {
  test.each(Object.keys(NAMES))("%s", async (caseName) => {
    const stacks = JSON.parse(readFileSync(join(BUNDLES, `${bundler}.stacks.json`), "utf8"));
    const { frames, report } = await mapStacks(BUNDLES, `${bundler}.js`, stacks[caseName]);
    const names = frames.map(({ function: name }) => name);
    expect(names.pop()).toBe("fail");
    const expected = INLINED[bundler]?.[caseName] ?? NAMES[caseName] ?? "";
    expect(names.slice(-expected.split(/ (?!Basket$)/).length).join(" ")).toBe(expected);
    expect(report.frames.every(({ mapping }) => mapping.state === "found" && mapping.hasContent)).toBe(true);
    expect(frames.at(-1)).toMatchObject({ context_line: expect.stringContaining("new Error(message)"), lineno: 2 });
  });
});

test("equal parts that follow each other are folded, except the last", () => {
  expect(foldRepeatedParts("a.a.f")).toBe("{a#2}.f");
  expect(foldRepeatedParts("b.a.a.a.f")).toBe("b.{a#3}.f");
  expect(foldRepeatedParts("a.a")).toBe("a.a");
  expect(foldRepeatedParts("f")).toBe("f");
});

test.each([
  [undefined, true],
  ["?", true],
  ["<anonymous>", true],
  ["Object.<anonymous>", true],
  ["__webpack_require__", true],
  ["Module.foo", false],
  ["e", false],
])("%s says nothing: %s", (name, isUseless) => expect(isUselessName(name)).toBe(isUseless));
