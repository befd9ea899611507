import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

interface BuiltManifest {
  routes: Record<string, { id: string; imports: string[] }>;
}

const BEGIN = "window.__reactRouterManifest=";
const GIVE_IDS = "for(const[id,route]of Object.entries(window.__reactRouterManifest.routes))route.id=id;";

/**
 * Makes the built map of routes small, because every page waits for it. Half of it are the imports of each route, which only the
 * prefetching of a link needs. They move to a file beside the map, which the page fetches when it is idle (`navigation/learn-imports.ts`).
 * The id of a route is its key, and the router treats missing fields as false. The server has its own map, so its HTML still names the
 * imports of its page.
 */
export async function splitManifest(clientFolder: string): Promise<void> {
  const assets = join(clientFolder, "assets");
  const names = (await readdir(assets)).filter((name) => /^manifest-\w+\.js$/.test(name));
  if (names.length === 0) throw new Error(`There is no map of routes in ${assets}`);
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
  for (const [key, { id, imports: taken, ...route }] of Object.entries(manifest.routes)) {
    if (id !== key || !Array.isArray(taken)) throw new Error(`The map of routes has another form at ${key}`);
    routes[key] = route;
    if (taken.length > 0) imports[key] = taken;
  }
  const map = JSON.stringify({ ...manifest, routes }, (_, value) => (value === false ? undefined : value));
  return { map: `${BEGIN}${map};${GIVE_IDS}`, imports: JSON.stringify(imports) };
}
