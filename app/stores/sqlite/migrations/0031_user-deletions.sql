-- The same table with one more kind, which SQLite cannot add to a check.
CREATE TABLE issue_activity_2 (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN (
    'first_seen', 'resolved', 'archived', 'reopened', 'regressed', 'joined', 'split_off', 'moved_away', 'events_deleted'
  )),
  user_id INTEGER,
  -- JSON object.
  data TEXT NOT NULL,
  release_id INTEGER
) STRICT;
INSERT INTO issue_activity_2 (id, issue_id, at, kind, user_id, data, release_id)
  SELECT id, issue_id, at, kind, user_id, data, release_id FROM issue_activity ORDER BY id;
DROP TABLE issue_activity;
ALTER TABLE issue_activity_2 RENAME TO issue_activity;
CREATE INDEX issue_activity_by_issue ON issue_activity (issue_id, id);
CREATE INDEX issue_activity_by_release ON issue_activity (release_id, id) WHERE release_id IS NOT NULL;

-- How far the rows are looked through that may be of the user: JSON (stores/state/deletion-store.ts).
ALTER TABLE deletions ADD COLUMN scan TEXT;

-- Issues that count events or users which a deletion took away, until they are right again. An empty key stands for no user.
CREATE TABLE deletion_issues (
  deletion_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  user_key TEXT NOT NULL,
  event_count INTEGER NOT NULL,
  PRIMARY KEY (deletion_id, issue_id, user_key)
) STRICT, WITHOUT ROWID;
