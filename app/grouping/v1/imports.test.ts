import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test("version 1 imports nothing that moves: its own folder, types of the domain, and the hash of Node", () => {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  expect(files).toContain("group-event-v1.ts");
  const outside = files.flatMap((file) =>
    [
      ...readFileSync(join(import.meta.dirname, file), "utf8").matchAll(
        /^(?:import|export)\b([^;]*?)\bfrom\s+"([^"]+)"/gm,
      ),
    ]
      .filter(([, names = "", from = ""]) => !isAllowed(names, from))
      .map(([, , from]) => `${file} imports ${from}`),
  );
  expect(outside).toEqual([]);
});

function isAllowed(names: string, from: string): boolean {
  if (from.startsWith("./")) return true;
  if (from.startsWith("../../domain/")) return names.trimStart().startsWith("type ");
  return from === "node:crypto" && names.trim() === "{ hash }";
}
