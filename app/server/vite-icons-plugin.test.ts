import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ICON_FILE, toLeanIcon } from "./vite-icons-plugin.ts";

const findFile = (name: string) =>
  fileURLToPath(new URL(`../../node_modules/lucide-react/dist/esm/icons/${name}.mjs`, import.meta.url));

test.each([
  ["bug", "of many parts"],
  ["chevron-down", "in one line"],
  ["circle-question-mark", "with other names"],
])("%s, an icon %s, keeps its name and its shape alone", (name) => {
  const file = findFile(name);
  const icon = readFileSync(file, "utf8");
  expect(file, "the plugin looks for its icons elsewhere").toMatch(ICON_FILE);
  const lean = toLeanIcon(icon, file);
  expect(icon).toContain("key:");
  expect(lean).not.toMatch(/key:|size:|aliases|__iconData|createLucideIcon/);
  expect(lean).toContain(`drawIcon("${name}", [`);
  const shape = (code: string) => [...code.matchAll(/ (?:d|cx|cy|r): "([^"]+)"/g)].map(([, value]) => value);
  expect(shape(icon).length).toBeGreaterThan(0);
  expect(shape(lean)).toEqual(shape(icon));
});

test("an icon of another form stops the build", () => {
  const icon = readFileSync(findFile("bug"), "utf8");
  expect(() => toLeanIcon(icon.replace("size: 24", "size: 32"), "bug.mjs")).toThrow("bug.mjs has another form");
});
