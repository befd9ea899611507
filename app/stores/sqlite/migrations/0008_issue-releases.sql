-- Of the earliest and of the latest event; null where that names no release.
ALTER TABLE issues ADD COLUMN first_release_id INTEGER;
ALTER TABLE issues ADD COLUMN last_release_id INTEGER;
CREATE INDEX issues_by_first_release ON issues (first_release_id, project_id) WHERE first_release_id IS NOT NULL;

-- Which issues have an event of a release.
CREATE TABLE issue_releases (
  release_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  PRIMARY KEY (release_id, issue_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_releases_by_issue ON issue_releases (issue_id);

-- What resolved issues wait for. A row stays when people put the issue away otherwise, for their undo; it goes with the
-- event that brings the issue back, and with the next resolve.
CREATE TABLE issue_resolutions (
  issue_id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('next_release', 'release', 'commit')),
  -- Of `next_release` the one before it; null: there was none.
  version TEXT,
  commit_id TEXT,
  repository TEXT
) STRICT;
CREATE INDEX issue_resolutions_waiting ON issue_resolutions (project_id, kind) WHERE kind <> 'release';
CREATE INDEX issue_resolutions_by_release ON issue_resolutions (version) WHERE kind = 'release';

-- The same table with more kinds, which SQLite cannot add to a check, and with the release of an event that brought an
-- issue back.
CREATE TABLE issue_activity_2 (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN (
    'first_seen', 'resolved', 'archived', 'reopened', 'regressed', 'joined', 'split_off', 'moved_away'
  )),
  user_id INTEGER,
  -- JSON object.
  data TEXT NOT NULL,
  release_id INTEGER
) STRICT;
INSERT INTO issue_activity_2 (id, issue_id, at, kind, user_id, data)
  SELECT id, issue_id, at, kind, user_id, data FROM issue_activity ORDER BY id;
DROP TABLE issue_activity;
ALTER TABLE issue_activity_2 RENAME TO issue_activity;
CREATE INDEX issue_activity_by_issue ON issue_activity (issue_id, id);
CREATE INDEX issue_activity_by_release ON issue_activity (release_id, id) WHERE release_id IS NOT NULL;
