/**
 * Tells whether a request may come from the origin that it names. Patterns are `*`, a host (`example.com`, with a port if only that port
 * counts), and `*.example.com` (that domain and its subdomains). Each may have a scheme in front.
 */
export type OriginCheck = (origin: string | undefined, referer: string | undefined) => boolean;

interface Pattern {
  /** Null: any scheme. */
  scheme: string | null;
  host: string;
  isWildcard: boolean;
  hasPort: boolean;
}

/** Without patterns, everything is allowed. A request with neither origin nor referrer does not come from a browser, and passes. */
export function createOriginCheck(patterns: readonly string[]): OriginCheck {
  const wanted = patterns.map((pattern) => pattern.trim().toLowerCase()).filter((pattern) => pattern !== "");
  if (wanted.length === 0 || wanted.includes("*")) return () => true;
  const parsed = wanted.map(parsePattern);
  return (origin, referer) => {
    const source = origin || referer;
    if (!source) return true;
    // `Origin: null` (sandboxed frames, files) parses to nothing, and nothing but `*` allows it.
    const url = URL.parse(source);
    return url !== null && parsed.some((pattern) => matches(pattern, url));
  };
}

function parsePattern(pattern: string): Pattern {
  const schemeEnd = pattern.indexOf("://");
  const scheme = schemeEnd < 0 ? null : pattern.slice(0, schemeEnd);
  const rest = pattern.slice(schemeEnd < 0 ? 0 : schemeEnd + 3).split("/", 1)[0] ?? "";
  const isWildcard = rest.startsWith("*.");
  const host = isWildcard ? rest.slice(2) : rest;
  return { scheme, host, isWildcard, hasPort: /:\d+$/.test(host) };
}

function matches(pattern: Pattern, url: URL): boolean {
  if (pattern.scheme !== null && `${pattern.scheme}:` !== url.protocol) return false;
  // A scheme without a port means the scheme's own port, as it does in an origin.
  const host = pattern.hasPort || pattern.scheme !== null ? hostWithoutDefaultPort(url, pattern) : url.hostname;
  if (host === pattern.host) return true;
  return pattern.isWildcard && host.endsWith(`.${pattern.host}`);
}

function hostWithoutDefaultPort(url: URL, pattern: Pattern): string {
  if (url.port !== "" || !pattern.hasPort) return url.host;
  return `${url.hostname}:${url.protocol === "https:" ? "443" : "80"}`;
}
