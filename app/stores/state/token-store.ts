import type { ApiToken } from "../../domain/api-token.ts";

/** Tokens of the web API, by the SHA-256 of their secret. */
export interface TokenStore {
  /** @throws when the hash is taken, or the user does not exist. A user's tokens go with the user. */
  createToken(
    token: Pick<ApiToken, "kind" | "name" | "scopes" | "hint" | "userId"> & { tokenHash: string; at: number },
  ): Promise<ApiToken>;
  /** Newest first. */
  listTokens(): Promise<ApiToken[]>;
  getToken(tokenId: number): Promise<ApiToken | null>;
  findToken(tokenHash: string): Promise<ApiToken | null>;
  /** Writes at most once a minute, so that a busy token does not make every read a write. */
  noteTokenUse(tokenId: number, at: number): Promise<void>;
  /** Gives whether there was one. */
  deleteToken(tokenId: number): Promise<boolean>;
}
