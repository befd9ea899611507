import { API_SCOPES, type ApiToken } from "../../domain/api-token.ts";
import type { AuditFields, AuditTarget } from "../../domain/audit/audit-entry.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { TokenStore } from "../state/token-store.ts";
import { asFields, type RowOf } from "./columns.ts";
import { all, get, type Query, type QueryRunner, run } from "./query.ts";

const MAX_LISTED = 10_000;
/** Revoked tokens whose users still hear that they are. */
const MAX_REVOKED = 1_000;
/** How exactly it is known when a token was last used. */
const USE_STEP_MS = MINUTE_MS;

type TokenRow = RowOf<ApiToken, { scopes: string }>;

const TOKEN_COLUMNS = asFields(
  "id, kind, name, scopes, hint, user_id, created_at, last_used_at, last_used_from, expires_at",
);

function toToken(row: TokenRow): ApiToken {
  const scopes: unknown[] = JSON.parse(row.scopes);
  // A newer version may have stored others, which allow nothing here.
  return { ...row, scopes: API_SCOPES.filter((scope) => scopes.includes(scope)) };
}

function toTarget({ id, name }: ApiToken): AuditTarget {
  return { kind: "token", id, name };
}

/** What the audit log says of a token: nothing of its secret but the end that lists show. */
function toFields({ kind, scopes, hint, expiresAt }: ApiToken): AuditFields {
  return { kind, scopes, "ends in": hint, expires: expiresAt === null ? "never" : new Date(expiresAt).toISOString() };
}

export function createTokenStore(db: QueryRunner): TokenStore {
  return {
    createToken: (input) =>
      db.write(function* () {
        const token = yield* createToken(input);
        yield* db.note({ action: "token.create", target: toTarget(token), after: toFields(token) });
        return token;
      }),
    listTokens: () => db.read(listTokens),
    getToken: (tokenId) => db.read(() => getToken(tokenId)),
    findToken: (tokenHash) => db.read(() => findToken(tokenHash)),
    async noteTokenUse(tokenId, at, address) {
      const lastUsedAt = (await db.read(() => getToken(tokenId)))?.lastUsedAt;
      if (lastUsedAt === undefined || (lastUsedAt !== null && at < lastUsedAt + USE_STEP_MS)) return;
      await db.write(() => noteTokenUse(tokenId, Math.floor(at), address));
    },
    revokeToken: (tokenId, at) =>
      db.write(function* () {
        const token = yield* getToken(tokenId);
        if (token === null || !(yield* revokeToken(tokenId, Math.floor(at)))) return false;
        yield* db.note({ action: "token.revoke", target: toTarget(token), before: toFields(token) });
        return true;
      }),
  };
}

function* createToken(token: Parameters<TokenStore["createToken"]>[0]): Query<ApiToken> {
  const row = yield* get<TokenRow>(
    `INSERT INTO api_tokens (kind, name, token_hash, hint, scopes, user_id, created_at, expires_at)
     VALUES (:kind, :name, :tokenHash, :hint, :scopes, :userId, :at, :expiresAt)
     RETURNING ${TOKEN_COLUMNS}`,
    { ...token, scopes: JSON.stringify(token.scopes) },
  );
  if (row === undefined) throw new Error("the database gave no row for the token that was inserted");
  return toToken(row);
}

function* listTokens(): Query<ApiToken[]> {
  const rows = yield* all<TokenRow>(
    `SELECT ${TOKEN_COLUMNS} FROM api_tokens WHERE revoked_at IS NULL ORDER BY created_at DESC, id DESC LIMIT ${MAX_LISTED}`,
  );
  return rows.map(toToken);
}

function* getToken(tokenId: number): Query<ApiToken | null> {
  const row = yield* get<TokenRow>(
    `SELECT ${TOKEN_COLUMNS} FROM api_tokens WHERE id = :tokenId AND revoked_at IS NULL`,
    { tokenId },
  );
  return row ? toToken(row) : null;
}

function* findToken(tokenHash: string): Query<(ApiToken & { revokedAt: number | null }) | null> {
  const row = yield* get<TokenRow & { revokedAt: number | null }>(
    `SELECT ${TOKEN_COLUMNS}, ${asFields("revoked_at")} FROM api_tokens WHERE token_hash = :tokenHash`,
    {
      tokenHash,
    },
  );
  return row ? { ...toToken(row), revokedAt: row.revokedAt } : null;
}

/** Compares again: another process may have noted a use meanwhile. */
function* noteTokenUse(tokenId: number, at: number, address: string | null): Query<void> {
  yield* run(
    `UPDATE api_tokens SET last_used_at = :at, last_used_from = :address
     WHERE id = :tokenId AND (last_used_at IS NULL OR last_used_at <= :latest)`,
    { tokenId, at, address, latest: at - USE_STEP_MS },
  );
}

function* revokeToken(tokenId: number, at: number): Query<boolean> {
  const changedRows = yield* run("UPDATE api_tokens SET revoked_at = :at WHERE id = :tokenId AND revoked_at IS NULL", {
    tokenId,
    at,
  });
  yield* run(
    `DELETE FROM api_tokens WHERE revoked_at IS NOT NULL AND id NOT IN
       (SELECT id FROM api_tokens WHERE revoked_at IS NOT NULL ORDER BY revoked_at DESC, id DESC LIMIT ${MAX_REVOKED})`,
  );
  return changedRows > 0;
}
