-- Links by which strangers see a little of an issue.
CREATE TABLE issue_shares (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL,
  -- SHA-256 of the token; the token itself is not kept.
  token_hash TEXT NOT NULL UNIQUE,
  -- Null: a token of the organization made it. Such a link ends with its time alone; others end with the person's sight of the project.
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX issue_shares_by_issue ON issue_shares (issue_id);
ALTER TABLE organization ADD COLUMN allows_shares INTEGER NOT NULL DEFAULT 1;
