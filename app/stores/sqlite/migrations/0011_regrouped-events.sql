-- Issues all of whose events went to another one: their ids and short ids name that one for ever.
CREATE TABLE merged_issues (
  issue_id INTEGER PRIMARY KEY,
  short_id TEXT NOT NULL UNIQUE,
  -- Never merged itself: when it is, this is set to its target.
  target_issue_id INTEGER NOT NULL,
  merged_at INTEGER NOT NULL
) STRICT;
CREATE INDEX merged_issues_by_target ON merged_issues (target_issue_id);

-- Events that were counted over to another issue, until the event store has them there too.
CREATE TABLE event_moves (
  project_id INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  from_issue_id INTEGER NOT NULL,
  to_issue_id INTEGER NOT NULL,
  PRIMARY KEY (project_id, event_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_moves_by_target ON event_moves (to_issue_id);

-- Whether a source map that came later brought the hash to the issue.
ALTER TABLE issue_hashes ADD COLUMN is_regrouped INTEGER NOT NULL DEFAULT 0 CHECK (is_regrouped IN (0, 1));
CREATE INDEX issue_kin_keys_by_issue ON issue_kin_keys (issue_id);
