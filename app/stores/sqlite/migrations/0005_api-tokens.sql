CREATE TABLE api_tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('personal', 'organization')),
  name TEXT NOT NULL,
  -- SHA-256 of the secret, which is kept nowhere.
  token_hash TEXT NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  -- JSON array of strings.
  scopes TEXT NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
CREATE INDEX api_tokens_by_user ON api_tokens (user_id);
