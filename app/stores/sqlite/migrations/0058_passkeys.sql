-- Passkeys of accounts. `credential_id`, `user_handle`: base64url, as browsers name them. `site`: the host name that browsers bind one to.
-- `counter`: what the authenticator counted last; 0 of those that do not count.
CREATE TABLE passkeys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  credential_id TEXT NOT NULL UNIQUE,
  user_handle TEXT NOT NULL,
  site TEXT NOT NULL,
  public_key BLOB NOT NULL,
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  is_backed_up INTEGER NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX passkeys_by_user ON passkeys (user_id);
