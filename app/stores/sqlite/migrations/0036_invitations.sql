CREATE TABLE invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- SHA-256 of the token in the link, which is kept nowhere.
  token_hash TEXT NOT NULL UNIQUE,
  -- Null: whoever has the link.
  email TEXT,
  role TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'admin', 'member', 'viewer')),
  -- JSON lists of ids.
  team_ids TEXT NOT NULL,
  project_ids TEXT NOT NULL,
  -- Null: a token of the organization.
  invited_by INTEGER REFERENCES users (id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- What became of the mail: the server's answer, and whether it took it. Null: none was sent.
  mail_answer TEXT,
  mail_is_ok INTEGER
) STRICT;

CREATE TABLE password_resets (
  token_hash TEXT NOT NULL PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX password_resets_by_user ON password_resets (user_id);
