-- Issues that somebody split by a value of their events, until it is undone.
CREATE TABLE issue_splits (
  -- Part of the keys of the issues that come of it.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  variable TEXT NOT NULL,
  -- The issue that was split. When it ends in another one, this is set to that.
  issue_id INTEGER NOT NULL,
  -- JSON of the hashes that it had.
  hashes TEXT NOT NULL,
  split_at INTEGER NOT NULL,
  -- Null: a token of the organization.
  user_id INTEGER,
  -- Null: it holds.
  undone_at INTEGER,
  undone_user_id INTEGER
) STRICT;
CREATE INDEX issue_splits_by_project ON issue_splits (project_id, id);
CREATE INDEX issue_splits_by_issue ON issue_splits (issue_id);

-- The split that the hash came of.
ALTER TABLE issue_hashes ADD COLUMN split_id INTEGER;
CREATE INDEX issue_hashes_by_split ON issue_hashes (split_id) WHERE split_id IS NOT NULL;

-- 1: events go by the rules of now; 0: by the key that each was stored with.
ALTER TABLE regrouping_requests ADD COLUMN by_rules INTEGER NOT NULL DEFAULT 0 CHECK (by_rules IN (0, 1));
-- Events that were looked at.
ALTER TABLE regrouping_requests ADD COLUMN done_count INTEGER NOT NULL DEFAULT 0;
