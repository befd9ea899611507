const METHODS_THAT_CHANGE_NOTHING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
/** Characters. A host name has at most 253. */
const MAX_SHOWN_ORIGIN = 300;

/**
 * Refuses requests that a page of another site makes the browser send: the browser adds the session cookie to them, and
 * `SameSite=Lax` does not stop a page on another port of the same host. `publicUrl`: the address that the operator set; null: none.
 * `isNamedByProxy`: a proxy names the person for requests of any page, like a cookie would.
 * @throws a 403 answer with words for the person or the operator: text for pages, JSON for the web API
 */
export function requireOwnOrigin(
  request: Request,
  { publicUrl, isNamedByProxy }: { publicUrl: string | null; isNamedByProxy: boolean },
): void {
  const { origin, pathname } = new URL(request.url);
  const isApi = /^\/api\/0(\/|$)/.test(pathname);
  // Without a cookie, a request to the web API has nothing that another site could use. The web API itself answers it with 401.
  if (isApi && !request.headers.has("cookie") && !isNamedByProxy) return;
  const fault = findOriginFault(request, listOwnOrigins(publicUrl, origin), { isNamedByProxy });
  if (fault === null) return;
  throw isApi
    ? Response.json({ detail: fault }, { status: 403 })
    : new Response(fault, { status: 403, headers: { "content-type": "text/plain" } });
}

/**
 * Says why a request may not change anything. Null: it may, or it changes nothing. Browsers do not let pages choose
 * `Sec-Fetch-Site` and `Origin`. They send the first only to https and localhost, and the second always.
 */
export function findOriginFault(
  { method, headers }: Pick<Request, "method" | "headers">,
  ownOrigins: readonly string[],
  { isNamedByProxy }: { isNamedByProxy: boolean },
): string | null {
  if (METHODS_THAT_CHANGE_NOTHING.has(method)) return null;
  // A tool. No browser adds a bearer token by itself, and no page may add one without asking this server first. A proxy may.
  if (!isNamedByProxy && /^Bearer /i.test(headers.get("authorization") ?? "")) return null;
  // Correct even if a proxy hides this server's address from it. `none`: the person's own action, without a page.
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
 * Whether a page was requested from a page of this server, or by the person by hand. It protects the few pages that begin
 * something. To https and localhost, browsers say so with `Sec-Fetch-Site`. To other servers they send the address of the page with
 * the link, which another site can only leave out.
 */
export function isAskedHere({ headers }: Pick<Request, "headers">, ownOrigins: readonly string[]): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" || site === "none";
  const from = headers.get("referer") ?? "";
  return URL.canParse(from) && ownOrigins.includes(new URL(from).origin);
}

/** The origins of this server: the one that the operator set (null: none), and the one in the request. */
export function listOwnOrigins(publicUrl: string | null, requested: string): string[] {
  return publicUrl === null ? [requested] : [...new Set([new URL(publicUrl).origin, requested])];
}

/** A text for an origin: a URL, or `null` from a browser. */
function shorten(origin: string): string {
  return origin === "null" ? "a page that hides its origin (null)" : origin.slice(0, MAX_SHOWN_ORIGIN);
}
