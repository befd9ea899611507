-- Browsers that have signed in to an account: strangers cannot lock them out of it. By the SHA-256 of their token, which is
-- kept nowhere; a user has at most twenty, those that expire last.
CREATE TABLE known_browsers (
  token_hash TEXT NOT NULL PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX known_browsers_by_user ON known_browsers (user_id, expires_at);
