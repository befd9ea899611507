-- A second factor of an account: the secret that its app and the server share. `confirmed_at` null: the set-up has begun.
-- `last_step`: the newest time step whose code was used. A code of it or of an older one is refused.
CREATE TABLE second_factors (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  secret TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  confirmed_at INTEGER,
  last_step INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Hashes of codes that stand for the app once each. Those that are used are deleted.
CREATE TABLE recovery_codes (
  user_id INTEGER NOT NULL REFERENCES second_factors (user_id) ON DELETE CASCADE,
  code_hash TEXT NOT NULL,
  PRIMARY KEY (user_id, code_hash)
) STRICT, WITHOUT ROWID;

-- 1: members without a second factor see nothing but the page that sets one up.
ALTER TABLE organization ADD COLUMN requires_second_factor INTEGER NOT NULL DEFAULT 0;
