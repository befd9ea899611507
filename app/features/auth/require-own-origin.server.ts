const METHODS_THAT_CHANGE_NOTHING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
/** Characters. No host name is longer than 253. */
const MAX_SHOWN_ORIGIN = 300;

/**
 * Refuses what another site's page makes the browser send: the browser adds the session cookie to it, and `SameSite=Lax`
 * does not stop a page on another port of the same host. `publicUrl`: the address that the operator set; null: none.
 * `isNamedByProxy`: a proxy says who sends it, whatever page that came from, as a cookie would.
 * @throws a 403 answer in words for the person or the operator: text for pages, JSON for the web API.
 */
export function requireOwnOrigin(
  request: Request,
  { publicUrl, isNamedByProxy }: { publicUrl: string | null; isNamedByProxy: boolean },
): void {
  const { origin, pathname } = new URL(request.url);
  const isApi = /^\/api\/0(\/|$)/.test(pathname);
  // Without a cookie the web API has nothing that another site could use, and answers 401 by itself.
  if (isApi && !request.headers.has("cookie") && !isNamedByProxy) return;
  const fault = findOriginFault(request, listOwnOrigins(publicUrl, origin), { isNamedByProxy });
  if (fault === null) return;
  throw isApi
    ? Response.json({ detail: fault }, { status: 403 })
    : new Response(fault, { status: 403, headers: { "content-type": "text/plain" } });
}

/**
 * Why a request may not change anything, in a sentence for people; null when it may, or when it changes nothing. Browsers
 * let no page choose `Sec-Fetch-Site` and `Origin`. They send the first to https and localhost only, the second always.
 */
export function findOriginFault(
  { method, headers }: Pick<Request, "method" | "headers">,
  ownOrigins: readonly string[],
  { isNamedByProxy }: { isNamedByProxy: boolean },
): string | null {
  if (METHODS_THAT_CHANGE_NOTHING.has(method)) return null;
  // A tool. No browser adds a bearer token by itself, and no page may without asking this server first; a proxy may.
  if (!isNamedByProxy && /^Bearer /i.test(headers.get("authorization") ?? "")) return null;
  // Right even where a proxy hides from this server how it is reached. `none`: no page, but the person.
  const site = headers.get("sec-fetch-site");
  if (site === "same-origin" || site === "none") return null;
  const origin = headers.get("origin");
  if (origin !== null && ownOrigins.includes(origin)) return null;
  const sent = origin === null ? "The request names no origin" : `The browser sent this from ${shorten(origin)}`;
  return (
    `${sent}, and this server expects ${ownOrigins.join(" or ")}. If people open Culprit at another address, set PUBLIC_URL ` +
    "to it. Behind a proxy, set TRUST_PROXY=1 as well, and let the proxy send X-Forwarded-Proto, and X-Forwarded-Host with " +
    "the port. A tool sends an API token instead: Authorization: Bearer <token>."
  );
}

/**
 * Whether a page of this server, or the person by hand, asks for a page: for the few that begin something. Browsers say it by `Sec-Fetch-Site` to https
 * and localhost, and to others by the page that the link stands on, which another site can only leave out.
 */
export function isAskedHere({ headers }: Pick<Request, "headers">, ownOrigins: readonly string[]): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" || site === "none";
  const from = headers.get("referer") ?? "";
  return URL.canParse(from) && ownOrigins.includes(new URL(from).origin);
}

/** This server's own: as the operator set it (null: not at all), and as the request names it. */
export function listOwnOrigins(publicUrl: string | null, requested: string): string[] {
  return publicUrl === null ? [requested] : [...new Set([new URL(publicUrl).origin, requested])];
}

/** An origin that is a URL, or `null` as browsers say it. */
function shorten(origin: string): string {
  return origin === "null" ? "a page that hides its origin (null)" : origin.slice(0, MAX_SHOWN_ORIGIN);
}
