/** The part of the router's map of routes that is changed here. */
export interface RouteMap {
  url: string;
  routes: Record<string, { imports?: string[] } | undefined>;
}

declare global {
  interface Window {
    __reactRouterManifest?: RouteMap;
  }
}

/**
 * Tells the router what the code of each route imports, so that prefetching a link fetches all of it at once. The build keeps that in a
 * file beside the map of routes (`server/split-manifest.server.ts`). Links also work without it: then the browser finds the imports in the
 * code.
 */
export async function learnImports(map: RouteMap | undefined = window.__reactRouterManifest): Promise<void> {
  if (!map) return;
  try {
    const answer = await fetch(map.url.replace(/\.js$/, ".json"), { priority: "low" });
    if (!answer.ok) return;
    for (const [id, imports] of Object.entries((await answer.json()) as Record<string, string[]>)) {
      const route = map.routes[id];
      if (route) route.imports = imports;
    }
  } catch {
    // The browser is offline, or the page is being left.
  }
}
