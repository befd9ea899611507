import { createHash, randomBytes } from "node:crypto";
import type { ApiScope, ApiToken } from "../../domain/api-token.ts";
import type { TokenStore } from "../../stores/state/token-store.ts";

/** Characters of the secret that are stored, to distinguish tokens in a list. */
const HINT_LENGTH = 4;

export interface NewApiToken {
  kind: ApiToken["kind"];
  name: string;
  scopes: ApiScope[];
  /** The user who makes it. A personal token acts as this user. */
  userId: number;
  /** The slug of the organization. An organization's token contains it, with the server's address. */
  organizationSlug: string;
  /** The server's address `https://host[:port]`. Tools use it instead of their own setting, so they must be able to reach it. */
  rootUrl: string;
  /** Milliseconds since 1970. Null: it never expires. */
  expiresAt: number | null;
  /** Milliseconds since 1970. */
  at: number;
}

/** Makes a token and returns its secret, which is stored nowhere: the store has its hash. */
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

/** A secret of the form that Sentry's tools expect: `sntryu_` and 64 hex characters. */
export function mintPersonalSecret(): string {
  return `sntryu_${randomBytes(32).toString("hex")}`;
}

/** A secret of the form `sntrys_<data>_<random>`. Tools split it at the underscores, so both parts use a base64 alphabet without them. */
export function mintOrganizationSecret({
  organizationSlug,
  rootUrl,
  at,
}: Pick<NewApiToken, "organizationSlug" | "rootUrl" | "at">): string {
  const carried = JSON.stringify({ iat: at / 1000, url: rootUrl, region_url: rootUrl, org: organizationSlug });
  const chance = randomBytes(32).toString("base64").replace(/=+$/, "");
  return `sntrys_${Buffer.from(carried).toString("base64")}_${chance}`;
}

/** The hash of a secret. The secret has 256 random bits, so a plain hash is enough: it cannot be guessed. */
export function hashApiToken(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
