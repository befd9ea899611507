-- What people decide about what a project takes in: JSON, a row for each part of ProjectRules.
CREATE TABLE project_rules (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  rules TEXT NOT NULL,
  PRIMARY KEY (project_id, kind)
) STRICT, WITHOUT ROWID;

-- The latest event that each filter took, for a day.
CREATE TABLE filtered_examples (
  project_id INTEGER NOT NULL,
  reason TEXT NOT NULL,
  event_id TEXT NOT NULL,
  title TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  -- JSON of the event, deflated.
  payload BLOB NOT NULL,
  PRIMARY KEY (project_id, reason)
) STRICT;
CREATE INDEX filtered_examples_by_age ON filtered_examples (received_at);

-- The events that a journal's last batch left out: when the batch is read again after a crash, the rules may be others.
-- JSON: keys of `${sequence} ${event id}`.
CREATE TABLE last_filtered (
  journal_id TEXT PRIMARY KEY,
  filtered TEXT NOT NULL
) STRICT;
