import { DAY_MS } from "./time.ts";

/** Scopes of tokens of the web API, in the words of Sentry's tools and documentation. */
export const API_SCOPES = [
  "org:read",
  "org:write",
  "org:admin",
  "org:ci",
  "member:read",
  "member:write",
  "member:admin",
  "team:read",
  "team:write",
  "team:admin",
  "project:read",
  "project:write",
  "project:admin",
  "project:releases",
  "event:read",
  "event:write",
  "event:admin",
  // For tokens of locations. This scope is Culprit's own.
  "uptime:check",
] as const;

export type ApiScope = (typeof API_SCOPES)[number];

/** A token of the web API. Its secret is shown once and kept as a hash. Instants are milliseconds since 1970. */
export interface ApiToken {
  id: number;
  /** A personal token acts as its user; an organization's token as nobody in particular. */
  kind: "personal" | "organization";
  name: string;
  scopes: ApiScope[];
  /** The last characters of the secret, to tell tokens apart. */
  hint: string;
  /** The user who made it; a personal token acts as this user. */
  userId: number;
  createdAt: number;
  /** Milliseconds since 1970, accurate to a minute. Null: the token was never used. */
  lastUsedAt: number | null;
  /** The address of the client that used it last. Null: it was never used, or the address is not known. */
  lastUsedFrom: string | null;
  /** Null: it never expires. */
  expiresAt: number | null;
}

/** How long a new token works, in days. A token may also never expire. */
export const TOKEN_LIVES_DAYS = [7, 30, 90, 365] as const;
export const DEFAULT_TOKEN_LIFE_DAYS = 90;
/** The page warns before a token expires. */
const TOKEN_WARNING_MS = 14 * DAY_MS;

export function findTokenState(
  { expiresAt }: Pick<ApiToken, "expiresAt">,
  now: number,
): "valid" | "expires-soon" | "expired" {
  if (expiresAt === null || expiresAt - now > TOKEN_WARNING_MS) return "valid";
  return expiresAt > now ? "expires-soon" : "expired";
}

/** Other scopes that a scope includes. */
const IMPLIED: Partial<Record<ApiScope, readonly ApiScope[]>> = {
  // Build pipelines get this one alone: what uploads and releases need, and nothing that reads events.
  "org:ci": ["project:releases"],
  "org:admin": ["org:write"],
  "org:write": ["org:read"],
  "member:admin": ["member:write"],
  "member:write": ["member:read"],
  "team:admin": ["team:write"],
  "team:write": ["team:read"],
  "project:admin": ["project:write"],
  "project:write": ["project:read", "project:releases"],
  "event:write": ["event:read"],
  "event:admin": ["event:write"],
};

/** Whether one of the needed scopes is granted, or implied by a granted one. Nobody is allowed what needs none: nobody said who may. */
export function allowsScope(granted: readonly ApiScope[], needed: readonly ApiScope[]): boolean {
  return granted.some((scope) => needed.includes(scope) || allowsScope(IMPLIED[scope] ?? [], needed));
}

/** Scopes from words: in the order of `API_SCOPES`, without duplicates and unknown scopes. */
export function toApiScopes(words: readonly string[]): ApiScope[] {
  return API_SCOPES.filter((scope) => words.includes(scope));
}
