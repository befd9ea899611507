import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CLIENT_CHUNKS } from "./client-chunks.ts";

const APP = join(import.meta.dirname, "..");
const ICONS = join(APP, "../node_modules/lucide-react/dist/esm/icons");

// A name that no file has any more would leave its module in a file of its own, and nobody would notice.
test("every module of a chunk is there", () => {
  const paths = CLIENT_CHUNKS.flatMap(({ modules, icons }) => [
    ...modules.map((path) => [path, existsSync(join(APP, `${path}.ts`)) || existsSync(join(APP, `${path}.tsx`))]),
    ...icons.map((icon) => [icon, existsSync(join(ICONS, `${icon}.mjs`))]),
  ]);
  expect(paths.filter(([, isThere]) => !isThere)).toEqual([]);
});

test("no module is in two chunks, where only the first would have it", () => {
  const all = CLIENT_CHUNKS.flatMap(({ modules, icons }) => [...modules, ...icons]);
  expect(all.filter((path, index) => all.indexOf(path) !== index)).toEqual([]);
});
