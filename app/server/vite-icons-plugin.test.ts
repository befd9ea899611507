import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { DRAWING_FILE, ICON_FILE, withoutKeys } from "./vite-icons-plugin.ts";

const file = fileURLToPath(new URL("../../node_modules/lucide-react/dist/esm/icons/bug.mjs", import.meta.url));
const icon = readFileSync(file, "utf8");

test("the icons of the installed version lie and import where the plugin expects it", () => {
  expect(file).toMatch(ICON_FILE);
  const imported = [...icon.matchAll(/ from '([^']+)'/g)].map(([, path]) => path);
  expect(imported).toEqual([expect.stringMatching(DRAWING_FILE)]);
});

test("they lose their keys and keep their shape", () => {
  const lean = withoutKeys(icon);
  expect(icon).toContain("key:");
  expect(lean).not.toContain("key:");
  const shape = (code: string) => [...code.matchAll(/ d: "([^"]+)"/g)].map(([, d]) => d);
  expect(shape(lean).length).toBeGreaterThan(5);
  expect(shape(lean)).toEqual(shape(icon));
});
