import { API_SCOPES, type ApiToken } from "../../../domain/api-token.ts";
import type { SqliteConnection } from "../connection.ts";

const MAX_LISTED = 10_000;
/** How exactly it is known when a token was last used. */
const USE_STEP_MS = 60_000;

interface TokenRow {
  id: number;
  kind: ApiToken["kind"];
  name: string;
  scopes: string;
  hint: string;
  user_id: number;
  created_at: number;
  last_used_at: number | null;
}

const TOKEN_COLUMNS = "id, kind, name, scopes, hint, user_id, created_at, last_used_at";

function toToken(row: TokenRow): ApiToken {
  const scopes: unknown[] = JSON.parse(row.scopes);
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    // Of a newer version there may be others, which allow nothing here.
    scopes: API_SCOPES.filter((scope) => scopes.includes(scope)),
    hint: row.hint,
    userId: row.user_id,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}

/** Within a write transaction. @throws when the hash is taken, or the user does not exist. */
export function createToken(
  db: SqliteConnection,
  token: Pick<ApiToken, "kind" | "name" | "scopes" | "hint" | "userId"> & { tokenHash: string; at: number },
): ApiToken {
  const row = db.get<TokenRow>(
    `INSERT INTO api_tokens (kind, name, token_hash, hint, scopes, user_id, created_at)
     VALUES (:kind, :name, :tokenHash, :hint, :scopes, :userId, :at)
     RETURNING ${TOKEN_COLUMNS}`,
    { ...token, scopes: JSON.stringify(token.scopes) },
  );
  if (row === undefined) throw new Error("SQLite gave no row for the token that was inserted");
  return toToken(row);
}

export function listTokens(db: SqliteConnection): ApiToken[] {
  return db
    .all<TokenRow>(`SELECT ${TOKEN_COLUMNS} FROM api_tokens ORDER BY created_at DESC, id DESC LIMIT ${MAX_LISTED}`)
    .map(toToken);
}

export function getToken(db: SqliteConnection, tokenId: number): ApiToken | null {
  const row = db.get<TokenRow>(`SELECT ${TOKEN_COLUMNS} FROM api_tokens WHERE id = :tokenId`, { tokenId });
  return row ? toToken(row) : null;
}

export function findToken(db: SqliteConnection, tokenHash: string): ApiToken | null {
  const row = db.get<TokenRow>(`SELECT ${TOKEN_COLUMNS} FROM api_tokens WHERE token_hash = :tokenHash`, { tokenHash });
  return row ? toToken(row) : null;
}

export async function noteTokenUse(db: SqliteConnection, tokenId: number, at: number): Promise<void> {
  const lastUsedAt = getToken(db, tokenId)?.lastUsedAt;
  if (lastUsedAt === undefined || (lastUsedAt !== null && at < lastUsedAt + USE_STEP_MS)) return;
  await db.write(() =>
    db.run(
      `UPDATE api_tokens SET last_used_at = :at
       WHERE id = :tokenId AND (last_used_at IS NULL OR last_used_at <= :at - ${USE_STEP_MS})`,
      { tokenId, at: Math.floor(at) },
    ),
  );
}

/** Within a write transaction. */
export function deleteToken(db: SqliteConnection, tokenId: number): boolean {
  return db.run("DELETE FROM api_tokens WHERE id = :tokenId", { tokenId }).changedRows > 0;
}
