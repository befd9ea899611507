/** A JSON answer of the web API, in the shape that Sentry's tools read. Thrown or returned. */
export function answer(body: unknown, init: { status?: number; headers?: HeadersInit } = {}): Response {
  const headers = new Headers(init.headers);
  headers.set("content-type", "application/json");
  headers.set("cache-control", "no-store");
  return new Response(JSON.stringify(body), { status: init.status ?? 200, headers });
}

/** `{"detail": "…"}`: a string, because sentry-cli shows anything else as raw JSON. */
export function refusal(status: number, detail: string, headers: Record<string, string> = {}): Response {
  const challenge: Record<string, string> = status === 401 ? { "www-authenticate": 'Bearer realm="api"' } : {};
  return answer({ detail }, { status, headers: { ...challenge, ...headers } });
}

/** 204. */
export function nothing(): Response {
  return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
}

/**
 * The `Link` header by which clients page. Both entries are always there; `results` says whether there is something.
 * `cursor` values are opaque to clients; null means that there is nothing that way.
 */
export function linkHeader(url: URL, cursors: { previous: string | null; next: string | null }): string {
  const entry = (rel: "previous" | "next", cursor: string | null) => {
    const target = new URL(url);
    target.searchParams.set("cursor", cursor ?? "");
    return `<${target.href}>; rel="${rel}"; results="${cursor !== null}"; cursor="${cursor ?? ""}"`;
  };
  return `${entry("previous", cursors.previous)}, ${entry("next", cursors.next)}`;
}

/** Page size: `per_page` or `limit`, 1 to 100, 100 unless told otherwise. */
export function readLimit(url: URL, fallback = 100): number {
  const name = url.searchParams.get("per_page") ? "per_page" : "limit";
  const text = url.searchParams.get(name);
  if (text === null || text === "") return fallback;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1) throw refusal(400, `${name} must be a whole number from 1 to 100`);
  return Math.min(limit, 100);
}

/** Made by a client that counts by itself: value, offset, and whether it leads back. */
const COUNTED_CURSOR = /^[^:]*:\d+:[01]$/;
const FIRST_PAGE = /^0?:0:[01]$/;

/**
 * The cursor of the request; an empty one asks for the first page. @throws a 400 answer for a counted one, which ends the
 * client's loop: with the first page over and over, it would never end.
 */
export function readCursor(url: URL): string | null {
  const cursor = url.searchParams.get("cursor") || null;
  if (cursor === null || !COUNTED_CURSOR.test(cursor)) return cursor;
  if (FIRST_PAGE.test(cursor)) return null;
  throw refusal(400, "cursor: is none of this server's; take it from the Link header of the page before");
}

export function toIso(instantMs: number): string {
  return new Date(instantMs).toISOString();
}

export function toIsoOrNull(instantMs: number | null): string | null {
  return instantMs === null ? null : toIso(instantMs);
}
