-- Links by mail that change the address of an account. `is_undo` 0: the new address confirms it. 1: the former one takes it back, with all
-- ways to sign in that were added since `changed_at`.
CREATE TABLE email_changes (
  token_hash TEXT NOT NULL PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  is_undo INTEGER NOT NULL,
  changed_at INTEGER,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX email_changes_by_user ON email_changes (user_id, is_undo);
