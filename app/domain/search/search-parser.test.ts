import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildSearchParser } from "../../../scripts/build-search-parser.ts";

test("the generated files are those of the grammar; `node scripts/build-search-parser.ts` writes them", () => {
  const files = buildSearchParser();
  expect(Object.keys(files)).toHaveLength(2);
  for (const [name, text] of Object.entries(files))
    expect(readFileSync(join(import.meta.dirname, name), "utf8"), name).toBe(text);
});
