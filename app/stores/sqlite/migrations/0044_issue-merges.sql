-- Issues that somebody merged into another: their hashes lead there, until it is undone.
CREATE TABLE issue_merges (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  -- The issue that goes on. When that ends itself, this is set to where it ended.
  target_issue_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  short_id TEXT NOT NULL,
  -- JSON of what the issue was: see `issue-snapshot.ts`.
  snapshot TEXT NOT NULL,
  -- JSON of the hashes that it had.
  hashes TEXT NOT NULL,
  merged_at INTEGER NOT NULL,
  -- Null: a token of the organization.
  user_id INTEGER,
  -- Null: it holds.
  undone_at INTEGER,
  undone_user_id INTEGER
) STRICT;
CREATE INDEX issue_merges_by_target ON issue_merges (target_issue_id);
CREATE INDEX issue_merges_by_issue ON issue_merges (issue_id);
CREATE INDEX issue_merges_by_project ON issue_merges (project_id, id);

-- Issues whose stored events are to be given to the issues of their hashes.
CREATE TABLE regrouping_requests (
  issue_id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL,
  asked_at INTEGER NOT NULL
) STRICT;
