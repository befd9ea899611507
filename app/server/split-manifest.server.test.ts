import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../tests/support/temp-folder.ts";
import { splitManifest, takeImports } from "./split-manifest.server.ts";

const MANIFEST = {
  entry: { module: "/assets/entry-1.js", imports: ["/assets/react-1.js"], css: [] },
  routes: {
    root: {
      id: "root",
      path: "",
      module: "/assets/root-1.js",
      imports: ["/assets/react-1.js"],
      css: ["/assets/a.css"],
    },
    "routes/live": {
      id: "routes/live",
      parentId: "root",
      path: "live",
      module: "/assets/live-1.js",
      imports: [],
      css: [],
    },
  },
  url: "/assets/manifest-0a1b2c3d.js",
  version: "0a1b2c3d",
};
const SCRIPT = `window.__reactRouterManifest=${JSON.stringify(MANIFEST)};`;

test("imports of routes go to a file beside the map, and the rest stays as it was", async () => {
  using folder = makeTempFolder();
  mkdirSync(join(folder.path, "assets"));
  const path = join(folder.path, "assets", "manifest-0a1b2c3d.js");
  writeFileSync(path, SCRIPT);
  await splitManifest(folder.path);

  const map = JSON.parse(
    readFileSync(path, "utf8")
      .replace(/^[^{]*/, "")
      .replace(/;$/, ""),
  );
  const { imports: _, ...root } = MANIFEST.routes.root;
  const { imports: __, ...live } = MANIFEST.routes["routes/live"];
  expect(map).toEqual({ ...MANIFEST, routes: { root, "routes/live": live } });
  expect(JSON.parse(readFileSync(path.replace(/\.js$/, ".json"), "utf8"))).toEqual({ root: ["/assets/react-1.js"] });
});

test("a map in a form that is not known is refused", () => {
  expect(() => takeImports("export default {}")).toThrow("does not begin with window.__reactRouterManifest=");
});
