import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { brotliCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { findImports } from "../../bench/measure-javascript.ts";

/** 130 kB, the goal of `npm run bench -- --only js`, which asks a running server for the same files. */
const MAX_BYTES = 130 * 1024;

interface Manifest {
  entry: { module: string; imports: string[] };
  routes: Record<string, { parentId?: string; module: string; clientMiddlewareModule?: string }>;
}

test("the issue list needs less than 130 kB of JavaScript before it can be used", () => {
  const folder = join(import.meta.dirname, "../../build/client");
  const name = readdirSync(join(folder, "assets")).find((file) => /^manifest-\w+\.js$/.test(file)) ?? "";
  const read = (path: string) => readFileSync(join(folder, path), "utf8");
  const window: { __reactRouterManifest?: Manifest } = {};
  runInNewContext(read(`assets/${name}`), { window });
  const manifest = window.__reactRouterManifest as Manifest;
  const imports = JSON.parse(read(`assets/${name}on`)) as Record<string, string[]>;

  const waiting = [`/assets/${name}`, manifest.entry.module, ...manifest.entry.imports];
  for (let id: string | undefined = "routes/issues/list"; id !== undefined; id = manifest.routes[id]?.parentId) {
    const route = manifest.routes[id];
    if (!route) continue;
    waiting.push(route.module, ...(imports[id] ?? []));
    if (route.clientMiddlewareModule) waiting.push(route.clientMiddlewareModule);
  }
  const needed = new Map<string, number>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (needed.has(path)) continue;
    const text = read(path);
    expect(text, `${path} has the icon library's own drawing`).not.toContain("absoluteStrokeWidth");
    needed.set(path, brotliCompressSync(text).length);
    for (const imported of findImports(text)) waiting.push(new URL(imported, `http://culprit.test${path}`).pathname);
  }
  expect(needed.size).toBeGreaterThan(5);
  expect([...needed.values()].reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(MAX_BYTES);
});
