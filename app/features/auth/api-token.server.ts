import { createHash, randomBytes } from "node:crypto";
import type { ApiScope, ApiToken } from "../../domain/api-token.ts";
import type { TokenStore } from "../../stores/state/token-store.ts";

/** Characters of the secret that are kept, to tell tokens apart in a list. */
const HINT_LENGTH = 4;

export interface NewApiToken {
  kind: ApiToken["kind"];
  name: string;
  scopes: ApiScope[];
  /** The user who makes it; a personal token acts as this user. */
  userId: number;
  /** An organization's token carries the server's address and the organization. */
  organizationSlug: string;
  /** `https://host[:port]`: tools take it instead of their own setting, so it must be what they can reach. */
  rootUrl: string;
  /** Milliseconds since 1970; null: it never expires. */
  expiresAt: number | null;
  /** Milliseconds since 1970. */
  at: number;
}

/** Makes a token and gives its secret, which is nowhere afterwards: the store has its hash. */
export async function createApiToken(
  tokens: TokenStore,
  { kind, name, scopes, userId, organizationSlug, rootUrl, expiresAt, at }: NewApiToken,
): Promise<{ token: ApiToken; secret: string }> {
  const secret = kind === "personal" ? mintPersonalSecret() : mintOrganizationSecret({ organizationSlug, rootUrl, at });
  const tokenHash = hashApiToken(secret);
  const token = await tokens.createToken({
    kind,
    name,
    scopes,
    userId,
    tokenHash,
    hint: secret.slice(-HINT_LENGTH),
    expiresAt,
    at,
  });
  return { token, secret };
}

/** `sntryu_` and 64 hex characters, as Sentry's tools expect them. */
export function mintPersonalSecret(): string {
  return `sntryu_${randomBytes(32).toString("hex")}`;
}

/**
 * `sntrys_<what it carries>_<chance>`. Tools split it at the underscores, so both parts are of the base64 alphabet that
 * has none.
 */
export function mintOrganizationSecret({
  organizationSlug,
  rootUrl,
  at,
}: Pick<NewApiToken, "organizationSlug" | "rootUrl" | "at">): string {
  const carried = JSON.stringify({ iat: at / 1000, url: rootUrl, region_url: rootUrl, org: organizationSlug });
  const chance = randomBytes(32).toString("base64").replace(/=+$/, "");
  return `sntrys_${Buffer.from(carried).toString("base64")}_${chance}`;
}

/** The secret has 256 bits of chance, so a plain hash is enough: there is nothing to guess. */
export function hashApiToken(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
