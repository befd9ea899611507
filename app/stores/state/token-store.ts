import type { ApiToken } from "../../domain/api-token.ts";

/** Tokens of the web API, by the SHA-256 of their secret. */
export interface TokenStore {
  /** @throws when the hash is taken, or the user does not exist. A user's tokens go with the user. */
  createToken(
    token: Pick<ApiToken, "kind" | "name" | "scopes" | "hint" | "userId" | "expiresAt"> & {
      tokenHash: string;
      at: number;
    },
  ): Promise<ApiToken>;
  /** Newest first, without those that are revoked. */
  listTokens(): Promise<ApiToken[]>;
  getToken(tokenId: number): Promise<ApiToken | null>;
  /**
   * Finds a token, also an expired or revoked one. `revokedAt` is null for a token that is not revoked. The last thousand revoked tokens
   * are known.
   */
  findToken(tokenHash: string): Promise<(ApiToken & { revokedAt: number | null }) | null>;
  /** Writes at most once a minute, so that a busy token does not make every read a write. */
  noteTokenUse(tokenId: number, at: number, address: string | null): Promise<void>;
  /** False: there is none, or it is revoked already. */
  revokeToken(tokenId: number, at: number): Promise<boolean>;
}
