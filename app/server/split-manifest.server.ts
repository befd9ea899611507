import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

interface BuiltManifest {
  url: string;
  routes: Record<string, { imports: string[] }>;
}

const BEGIN = "window.__reactRouterManifest=";

/**
 * Moves the imports of each route from the built map of routes to a file beside it. They are half of the map, which every
 * page waits for, and only prefetching a link needs them. The page fetches the file when it is at rest
 * (`navigation/learn-imports.ts`). The server has a map of its own, so its HTML still names the imports of its page.
 */
export async function splitManifest(clientFolder: string): Promise<void> {
  const assets = join(clientFolder, "assets");
  const names = (await readdir(assets)).filter((name) => /^manifest-\w+\.js$/.test(name));
  await Promise.all(names.map((name) => splitFile(join(assets, name))));
}

async function splitFile(path: string): Promise<void> {
  const { map, imports } = takeImports(await readFile(path, "utf8"));
  await Promise.all([writeFile(path, map), writeFile(path.replace(/\.js$/, ".json"), imports)]);
}

/** `imports`: JSON, by route. Throws if the router writes its map in another form than today's. */
export function takeImports(script: string): { map: string; imports: string } {
  if (!script.startsWith(BEGIN)) throw new Error(`The map of routes does not begin with ${BEGIN}`);
  const manifest = JSON.parse(script.slice(BEGIN.length).replace(/;\s*$/, "")) as BuiltManifest;
  const imports: Record<string, string[]> = {};
  const routes: Record<string, object> = {};
  for (const [id, { imports: taken, ...route }] of Object.entries(manifest.routes)) {
    routes[id] = route;
    if (taken.length > 0) imports[id] = taken;
  }
  return { map: `${BEGIN}${JSON.stringify({ ...manifest, routes })};`, imports: JSON.stringify(imports) };
}
