-- Stored events of a project that somebody has brought to where its rules want them.
CREATE TABLE rule_moves (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  -- Events from then on.
  since INTEGER NOT NULL,
  -- Null: a token of the organization.
  user_id INTEGER,
  asked_at INTEGER NOT NULL,
  -- Issues up to this one were there; those up to `done_issue_id` were looked at.
  last_issue_id INTEGER NOT NULL,
  done_issue_id INTEGER NOT NULL DEFAULT 0,
  issue_count INTEGER NOT NULL,
  done_issue_count INTEGER NOT NULL DEFAULT 0,
  moved_count INTEGER NOT NULL DEFAULT 0,
  -- Null: it is not over.
  ended_at INTEGER,
  undo_asked_at INTEGER,
  undo_user_id INTEGER,
  undone_at INTEGER
) STRICT;
CREATE INDEX rule_moves_by_project ON rule_moves (project_id, id);
CREATE INDEX rule_moves_open ON rule_moves (id) WHERE ended_at IS NULL OR (undo_asked_at IS NOT NULL AND undone_at IS NULL);

-- Issues that got events by it.
CREATE TABLE rule_move_issues (
  move_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  PRIMARY KEY (move_id, issue_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX rule_move_issues_by_issue ON rule_move_issues (issue_id);

-- The move by which the issue lost its last event; null: somebody merged it.
ALTER TABLE issue_merges ADD COLUMN rule_move_id INTEGER;
CREATE INDEX issue_merges_by_rule_move ON issue_merges (rule_move_id) WHERE rule_move_id IS NOT NULL;
