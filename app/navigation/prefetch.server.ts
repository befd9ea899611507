import { createCookie, type MiddlewareFunction, type ServerBuild } from "react-router";
import { PREFETCH_SECONDS, type PrefetchKind, STATIC_PREFETCH_SECONDS } from "./navigation-limits.ts";

/**
 * Lets the next click use a prefetched page, but nothing later than the page allows.
 * Browsers keep a prefetched response only if its headers allow it, so the answer to a prefetch gets a `Cache-Control`. The answer varies
 * by cookie, and every request that changes something changes a cookie. So no page that was prefetched before matches any more: in all
 * tabs, without script, for forms and fetchers alike. Other answers are not touched.
 */
export function createPrefetchMiddleware(
  loadBuild: () => Promise<Pick<ServerBuild, "routes">>,
): MiddlewareFunction<Response> {
  let kinds: Map<string, PrefetchKind> | undefined;
  return async ({ request, pattern }, next) => {
    const response = await next();
    if (request.method !== "GET" && request.method !== "HEAD") {
      if (request.headers.has("cookie")) response.headers.append("set-cookie", await serializeChange());
      return response;
    }
    if (!isPrefetch(request) || !response.ok || response.headers.has("cache-control")) return response;
    // In development routes come and go. In production there is one build.
    if (!kinds || import.meta.env?.DEV) kinds = listPrefetchKinds((await loadBuild()).routes);
    response.headers.set(
      "cache-control",
      `private, max-age=${PREFETCH_SECONDS[kinds.get(toPatternKey(pattern)) ?? "live"]}`,
    );
    response.headers.append("vary", "cookie");
    return response;
  };
}

export const prefetchMiddleware = createPrefetchMiddleware(() => import("virtual:react-router/server-build"));

function isPrefetch(request: Request): boolean {
  const purpose = request.headers.get("sec-purpose") ?? request.headers.get("purpose") ?? request.headers.get("x-moz");
  return purpose?.includes("prefetch") ?? false;
}

/** It lives a little longer than the oldest prefetch that must not be used. */
const changeCookie = createCookie("culprit_change", {
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  maxAge: STATIC_PREFETCH_SECONDS + 60,
});

let changeCount = 0;

function serializeChange(): Promise<string> {
  changeCount += 1;
  return changeCookie.serialize(`${Date.now().toString(36)}.${changeCount.toString(36)}`);
}

/** The kinds by full pattern, as middleware gets it. A route without a kind has that of its nearest parent. */
export function listPrefetchKinds(routes: ServerBuild["routes"]): Map<string, PrefetchKind> {
  const kinds = new Map<string, PrefetchKind>();
  for (const route of Object.values(routes)) {
    const segments: string[] = [];
    let kind: PrefetchKind | undefined;
    for (let at: typeof route = route; at; at = at.parentId ? routes[at.parentId] : undefined) {
      if (at.path) segments.unshift(at.path);
      kind ??= toPrefetchKind(at.module.handle);
    }
    const pattern = toPatternKey(segments.join("/"));
    // A layout and its index route share a pattern. Both get the shorter time.
    if (kinds.get(pattern) !== "live") kinds.set(pattern, kind ?? "live");
  }
  return kinds;
}

/** The pattern with one slash at its start: routes are written with and without it. */
function toPatternKey(pattern: string): string {
  return `/${pattern}`.replace(/\/+/g, "/");
}

function toPrefetchKind(handle: unknown): PrefetchKind | undefined {
  if (typeof handle !== "object" || handle === null || !("prefetch" in handle)) return undefined;
  return handle.prefetch === "static" || handle.prefetch === "live" ? handle.prefetch : undefined;
}
