import { isPublicKey, parseDsn } from "./dsn.ts";
import { decodePercent, readQueryParameter } from "./query-string.ts";
import { rememberTexts } from "./remember-texts.ts";

export interface Credentials {
  readonly publicKey: string;
  /** `sentry_client`, like `sentry.python/2.1.0`; null when the sender did not say. At most 128 characters. */
  readonly client: string | null;
  /** The project that the credentials themselves name: only a DSN does. */
  readonly projectId: number | null;
}

/** The places in which SDKs put their key, in the order in which they count (protocol 1.2). */
export interface CredentialPlaces {
  xSentryAuth?: string | undefined;
  authorization?: string | undefined;
  /** The raw query string, without the `?`. */
  query?: string | undefined;
  /** A key in the URL's path. */
  pathKey?: string | null | undefined;
  /** `dsn` of the envelope header, as it came. */
  envelopeDsn?: unknown;
}

export type CredentialsResult =
  | { ok: true; credentials: Credentials }
  | {
      ok: false;
      code: "missing-credentials" | "invalid-credentials" | "conflicting-keys" | "unsupported-version";
      detail: string;
    };

/** The result of one place: nothing, an invalid key, or credentials. */
type Found = null | "invalid" | "unsupported-version" | Credentials;

/** The newest `sentry_version` that any SDK sends is 7; Relay takes 8 too. */
const MAX_PROTOCOL_VERSION = 8;
const MAX_CLIENT_CHARS = 128;

/** The first place that names a key wins. Places that name different keys are a conflict, whichever is right. */
export function resolveCredentials(places: CredentialPlaces): CredentialsResult {
  const { xSentryAuth, authorization, query, pathKey, envelopeDsn } = places;
  const found: Found[] = [
    xSentryAuth === undefined ? null : readSentryHeader(xSentryAuth),
    authorization === undefined ? null : readAuthorization(authorization),
    query ? readQuery(query) : null,
    pathKey ? fromKey(pathKey) : null,
  ];
  let winner: Credentials | null = null;
  let isInvalid = false;
  for (const one of found) {
    if (one === null) continue;
    if (one === "unsupported-version") {
      return { ok: false, code: one, detail: `unsupported sentry_version: at most ${MAX_PROTOCOL_VERSION} is known` };
    }
    if (one === "invalid") isInvalid = true;
    else if (winner === null) winner = one;
    else if (winner.publicKey !== one.publicKey) {
      return { ok: false, code: "conflicting-keys", detail: "the request names two different public keys" };
    }
  }
  const result: CredentialsResult =
    winner !== null
      ? { ok: true, credentials: winner }
      : isInvalid
        ? { ok: false, code: "invalid-credentials", detail: "bad sentry DSN public key" }
        : { ok: false, code: "missing-credentials", detail: "missing authorization information" };
  return joinEnvelopeDsn(result, envelopeDsn);
}

/**
 * Combines the credentials of the request's headers with the `dsn` of the envelope header. The `dsn` is the key if nothing else named one,
 * and a conflict if it names another.
 */
export function joinEnvelopeDsn(earlier: CredentialsResult, envelopeDsn: unknown): CredentialsResult {
  if (envelopeDsn === undefined || envelopeDsn === null) return earlier;
  if (!earlier.ok && earlier.code !== "missing-credentials" && earlier.code !== "invalid-credentials") return earlier;
  const found = fromDsn(envelopeDsn);
  if (found === null || typeof found === "string") {
    if (earlier.ok) return earlier;
    return { ok: false, code: "invalid-credentials", detail: "the envelope header's dsn is not a DSN" };
  }
  if (!earlier.ok) return { ok: true, credentials: found };
  if (earlier.credentials.publicKey === found.publicKey) return earlier;
  return {
    ok: false,
    code: "conflicting-keys",
    detail: "the envelope header's dsn names another public key than the request",
  };
}

function readAuthorization(value: string): Found {
  if (startsWithWord(value, "sentry")) return readSentryHeader(value);
  if (startsWithWord(value, "basic")) return readBasic(value.slice(6).trim());
  // Bearer tokens and the like belong to a proxy in front: neither a key nor a broken key.
  return null;
}

/** `Sentry sentry_version=7, sentry_client=…, sentry_key=…`; the prefix may be missing. */
const readSentryHeader = rememberTexts((value): Found => {
  let at = startsWithWord(value, "sentry") ? 7 : 0;
  let key: string | null = null;
  let version: string | null = null;
  let client: string | null = null;
  while (at < value.length) {
    let end = value.indexOf(",", at);
    if (end < 0) end = value.length;
    const equals = value.indexOf("=", at);
    if (equals > 0 && equals < end) {
      const name = value.slice(at, equals).trim();
      if (name === "sentry_key") key ??= readValue(value, equals + 1, end);
      else if (name === "sentry_version") version ??= readValue(value, equals + 1, end);
      else if (name === "sentry_client") client ??= readValue(value, equals + 1, end);
    }
    at = end + 1;
  }
  return toFound(key, version, client) ?? "invalid";
});

function readValue(text: string, start: number, end: number): string {
  const value = decodePercent(text.slice(start, end).trim());
  const isQuoted = value.length >= 2 && value.startsWith('"') && value.endsWith('"');
  return isQuoted ? value.slice(1, -1) : value;
}

function readBasic(encoded: string): Found {
  let decoded: string;
  try {
    decoded = atob(encoded);
  } catch {
    return "invalid";
  }
  const colon = decoded.indexOf(":");
  return fromKey(colon < 0 ? decoded : decoded.slice(0, colon));
}

function readQuery(query: string): Found {
  if (!query.includes("sentry_")) return null;
  return toFound(
    readQueryParameter(query, "sentry_key"),
    readQueryParameter(query, "sentry_version"),
    readQueryParameter(query, "sentry_client"),
  );
}

function toFound(key: string | null, version: string | null, client: string | null): Found {
  if (version !== null && Number(version) > MAX_PROTOCOL_VERSION) return "unsupported-version";
  if (key === null) return null;
  if (!isPublicKey(key)) return "invalid";
  return { publicKey: key, client: client ? client.slice(0, MAX_CLIENT_CHARS) : null, projectId: null };
}

function fromKey(key: string): Found {
  return isPublicKey(key) ? { publicKey: key, client: null, projectId: null } : "invalid";
}

function fromDsn(value: unknown): Found {
  return typeof value === "string" ? readDsn(value) : "invalid";
}

const readDsn = rememberTexts((text): Found => {
  const dsn = parseDsn(text);
  return dsn === null ? "invalid" : { publicKey: dsn.publicKey, client: null, projectId: dsn.projectId };
});

function startsWithWord(value: string, word: string): boolean {
  if (value.length <= word.length) return false;
  const next = value.charCodeAt(word.length);
  return (next === 32 || next === 9) && value.slice(0, word.length).toLowerCase() === word;
}
