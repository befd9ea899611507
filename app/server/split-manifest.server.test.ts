import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../tests/support/temp-folder.ts";
import { splitManifest, takeImports } from "./split-manifest.server.ts";

const MANIFEST = {
  entry: { module: "/assets/entry-1.js", imports: ["/assets/react-1.js"], css: [] },
  routes: {
    root: {
      id: "root",
      path: "",
      hasAction: false,
      hasLoader: true,
      module: "/assets/root-1.js",
      imports: ["/assets/react-1.js"],
      css: ["/assets/a.css"],
    },
    "routes/live": {
      id: "routes/live",
      parentId: "root",
      path: "live",
      hasAction: true,
      hasLoader: true,
      module: "/assets/live-1.js",
      imports: [],
      css: [],
    },
  },
  url: "/assets/manifest-0a1b2c3d.js",
  version: "0a1b2c3d",
};
const toScript = (manifest: object) => `window.__reactRouterManifest=${JSON.stringify(manifest)};`;

test("imports of routes go to a file beside the map, which says the rest in fewer words", async () => {
  using folder = makeTempFolder();
  mkdirSync(join(folder.path, "assets"));
  const path = join(folder.path, "assets", "manifest-0a1b2c3d.js");
  writeFileSync(path, toScript(MANIFEST));
  await splitManifest(folder.path);

  const script = readFileSync(path, "utf8");
  const window: { __reactRouterManifest?: object } = {};
  runInNewContext(script, { window });
  const { imports: _, hasAction: __, ...root } = MANIFEST.routes.root;
  const { imports: ___, ...live } = MANIFEST.routes["routes/live"];
  expect(window.__reactRouterManifest).toEqual({ ...MANIFEST, routes: { root, "routes/live": live } });
  expect(script).not.toMatch(/false|"id"/);
  expect(JSON.parse(readFileSync(path.replace(/\.js$/, ".json"), "utf8"))).toEqual({ root: ["/assets/react-1.js"] });
});

test("a map in a form that is not known is refused", async () => {
  expect(() => takeImports("export default {}")).toThrow("does not begin with window.__reactRouterManifest=");
  const { imports: _, ...root } = MANIFEST.routes.root;
  expect(() => takeImports(toScript({ routes: { root } }))).toThrow("another form at root");
  expect(() => takeImports(toScript({ routes: { other: MANIFEST.routes.root } }))).toThrow("another form at other");
  using folder = makeTempFolder();
  mkdirSync(join(folder.path, "assets"));
  await expect(splitManifest(folder.path)).rejects.toThrow("no map of routes");
});
