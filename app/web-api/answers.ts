/** A JSON answer of the web API, in the shape that Sentry's tools read. */
export function answer(body: unknown, init: { status?: number; headers?: HeadersInit } = {}): Response {
  const headers = new Headers(init.headers);
  headers.set("content-type", "application/json");
  headers.set("cache-control", "no-store");
  return new Response(JSON.stringify(body), { status: init.status ?? 200, headers });
}

/** The answer `{"detail": "…"}`, to throw or to return. `detail` is a string, because sentry-cli shows anything else as raw JSON. */
export function refusal(status: number, detail: string, headers: Record<string, string> = {}): Response {
  const challenge: Record<string, string> = status === 401 ? { "www-authenticate": 'Bearer realm="api"' } : {};
  return answer({ detail }, { status, headers: { ...challenge, ...headers } });
}

/** An answer without a body. */
export function nothing(status: 202 | 204 = 204): Response {
  return new Response(null, { status, headers: { "cache-control": "no-store" } });
}

/** A page of a list, with its `Link` header. */
export function answerPage(
  url: URL,
  items: readonly unknown[],
  page: { previousCursor: string | null; nextCursor: string | null },
  headers: Record<string, string> = {},
): Response {
  return answer(items, { headers: { ...headers, link: toLinkHeader(url, page) } });
}

/**
 * The `Link` header of a list. It always has an entry for the previous and for the next page; `results` says which of them has items.
 * Cursors are opaque to clients.
 */
export function toLinkHeader(
  url: URL,
  { previousCursor, nextCursor }: { previousCursor: string | null; nextCursor: string | null },
): string {
  const entry = (rel: "previous" | "next", cursor: string | null) => {
    const target = new URL(url);
    target.searchParams.set("cursor", cursor ?? "");
    return `<${target.href}>; rel="${rel}"; results="${cursor !== null}"; cursor="${cursor ?? ""}"`;
  };
  return `${entry("previous", previousCursor)}, ${entry("next", nextCursor)}`;
}

export function toIso(instantMs: number): string {
  return new Date(instantMs).toISOString();
}

export function toIsoOrNull(instantMs: number | null): string | null {
  return instantMs === null ? null : toIso(instantMs);
}
