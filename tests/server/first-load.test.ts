import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { findImports } from "../../bench/measure-javascript.ts";

/** A little more than there is. `npm run bench -- --only js` prints it, with the goal. */
const MAX_BYTES = 140_000;

interface Manifest {
  entry: { module: string; imports: string[] };
  routes: Record<string, { parentId?: string; module: string }>;
}

test("the issue list needs no more JavaScript before it can be used than it did", () => {
  const folder = join(import.meta.dirname, "../../build/client");
  const name = readdirSync(join(folder, "assets")).find((file) => /^manifest-\w+\.js$/.test(file)) ?? "";
  const read = (path: string) => readFileSync(join(folder, path), "utf8");
  const manifest = JSON.parse(
    read(`assets/${name}`)
      .replace(/^[^{]*/, "")
      .replace(/;\s*$/, ""),
  ) as Manifest;
  const imports = JSON.parse(read(`assets/${name}on`)) as Record<string, string[]>;

  const waiting = [`/assets/${name}`, manifest.entry.module, ...manifest.entry.imports];
  for (let id: string | undefined = "routes/issues/list"; id !== undefined; id = manifest.routes[id]?.parentId) {
    const route = manifest.routes[id];
    if (route) waiting.push(route.module, ...(imports[id] ?? []));
  }
  const needed = new Map<string, number>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (needed.has(path)) continue;
    const text = read(path);
    needed.set(path, brotliCompressSync(text).length);
    for (const imported of findImports(text)) waiting.push(new URL(imported, `http://culprit.test${path}`).pathname);
  }
  expect(needed.size).toBeGreaterThan(5);
  expect([...needed.values()].reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(MAX_BYTES);
});
