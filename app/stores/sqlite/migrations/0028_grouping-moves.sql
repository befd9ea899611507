-- When the project moved over from version 1 of the grouping to version 2; null: it began with version 2. Projects that have no event yet
-- have nothing that could be split.
ALTER TABLE projects ADD COLUMN grouping_moved_at INTEGER;
UPDATE projects SET grouping_moved_at = unixepoch('now') * 1000 WHERE first_event_at IS NOT NULL;

-- Issues whose kind of event goes to another issue since, each pair once, so that it is said once.
CREATE TABLE grouping_moves (
  from_issue_id INTEGER NOT NULL,
  to_issue_id INTEGER NOT NULL,
  PRIMARY KEY (from_issue_id, to_issue_id)
) STRICT, WITHOUT ROWID;
