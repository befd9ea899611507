import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { brotliCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { findImports } from "../../bench/measure-javascript.ts";

/** 130 kB, the goal of `npm run bench -- --only js`, which asks a running server for the same files. */
const MAX_BYTES = 130 * 1024;
/** Over HTTP/1.1 browsers ask for six files at a time: three rounds, with what a page loads besides. */
const MAX_SCRIPTS = 16;

interface Manifest {
  entry: { module: string; imports: string[] };
  routes: Record<string, { parentId?: string; module: string; clientMiddlewareModule?: string }>;
}

test("the issue list needs less than 130 kB of JavaScript before it can be used", () => {
  const sizes = [...readScripts("routes/issues/list").values()].map((text) => brotliCompressSync(text).length);
  expect(sizes.length).toBeGreaterThan(5);
  expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(MAX_BYTES);
});

test("an issue's page does not ask for each of its small parts", () => {
  const scripts = readScripts("routes/issues/event");
  expect(scripts.size).toBeGreaterThan(5);
  expect(scripts.size, [...scripts.keys()].join("\n")).toBeLessThanOrEqual(MAX_SCRIPTS);
});

/** What a page of a route loads before it can be used, by path. */
function readScripts(route: string): Map<string, string> {
  const folder = join(import.meta.dirname, "../../build/client");
  const name = readdirSync(join(folder, "assets")).find((file) => /^manifest-\w+\.js$/.test(file)) ?? "";
  const read = (path: string) => readFileSync(join(folder, path), "utf8");
  const window: { __reactRouterManifest?: Manifest } = {};
  runInNewContext(read(`assets/${name}`), { window });
  const manifest = window.__reactRouterManifest as Manifest;
  const imports = JSON.parse(read(`assets/${name}on`)) as Record<string, string[]>;

  const waiting = [`/assets/${name}`, manifest.entry.module, ...manifest.entry.imports];
  for (let id: string | undefined = route; id !== undefined; id = manifest.routes[id]?.parentId) {
    const part = manifest.routes[id];
    if (!part) continue;
    waiting.push(part.module, ...(imports[id] ?? []));
    if (part.clientMiddlewareModule) waiting.push(part.clientMiddlewareModule);
  }
  const scripts = new Map<string, string>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (scripts.has(path)) continue;
    const text = read(path);
    expect(text, `${path} has the icon library's own drawing`).not.toContain("absoluteStrokeWidth");
    scripts.set(path, text);
    for (const imported of findImports(text)) waiting.push(new URL(imported, `http://culprit.test${path}`).pathname);
  }
  return scripts;
}
