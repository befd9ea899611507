/** The parts of `{scheme}://{publicKey}[:{secret}]@{host}[:{port}][/{path}]/{projectId}`. */
export interface Dsn {
  scheme: "http" | "https";
  publicKey: string;
  /** Lower case; IPv6 in brackets. */
  host: string;
  /** Null: the scheme's own. */
  port: number | null;
  /** Path in front of `/api/`, with a leading and without a trailing slash. Empty when there is none. */
  path: string;
  projectId: number;
}

/** Every DSN that a server issues is much shorter. A longer text is not parsed. */
const MAX_DSN_CHARS = 2048;

/** Null for any text that SDKs would refuse as a DSN. */
export function parseDsn(text: unknown): Dsn | null {
  if (typeof text !== "string" || text.length > MAX_DSN_CHARS) return null;
  const url = URL.parse(text.trim());
  if (!url) return null;
  const scheme = url.protocol === "https:" ? "https" : url.protocol === "http:" ? "http" : null;
  if (scheme === null || !isPublicKey(url.username) || url.hostname === "") return null;
  const segments = url.pathname.split("/").filter((segment) => segment !== "");
  const projectId = parseProjectId(segments.pop() ?? "");
  if (projectId === null) return null;
  return {
    scheme,
    publicKey: url.username,
    host: url.hostname,
    port: url.port === "" ? null : Number(url.port),
    path: segments.length === 0 ? "" : `/${segments.join("/")}`,
    projectId,
  };
}

/** The URL for envelopes of this DSN, with its key in the query. It needs no header, so a browser needs no preflight. */
export function toEnvelopeUrl(dsn: Dsn): string {
  return `${dsn.scheme}://${authority(dsn)}${dsn.path}/api/${dsn.projectId}/envelope/?sentry_key=${dsn.publicKey}&sentry_version=7`;
}

function authority(dsn: Pick<Dsn, "host" | "port">): string {
  return dsn.port === null ? dsn.host : `${dsn.host}:${dsn.port}`;
}

/** Digits only, as SDKs demand; null for anything else, and for numbers no project can have. */
export function parseProjectId(text: string): number | null {
  if (text.length === 0 || text.length > 15) return null;
  let id = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return null;
    id = id * 10 + digit;
  }
  return id > 0 ? id : null;
}

/** Letters, digits and `_`, which is what the JavaScript SDK takes; at most 128 characters. */
export function isPublicKey(text: string): boolean {
  if (text.length === 0 || text.length > 128) return false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isDigit = code >= 48 && code <= 57;
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
    if (!isDigit && !isLetter && code !== 95) return false;
  }
  return true;
}
