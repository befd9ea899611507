-- What users said.
CREATE TABLE feedback (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  -- `feedback` or `report`.
  source TEXT NOT NULL,
  -- The item in the event store: by it, a deletion finds what it has to take from here.
  item_key TEXT NOT NULL,
  event_id TEXT,
  about_event_id TEXT,
  -- Of the event that it is about, once that is known.
  issue_id INTEGER,
  trace_id TEXT,
  replay_id TEXT,
  name TEXT,
  email TEXT,
  message TEXT NOT NULL,
  url TEXT,
  environment TEXT,
  release TEXT,
  browser TEXT,
  text_hash TEXT,
  sender TEXT,
  received_at INTEGER NOT NULL,
  -- `unresolved`, `resolved` or `spam`.
  status TEXT NOT NULL,
  spam_reason TEXT,
  -- 1: somebody has taken it out of spam.
  is_cleared INTEGER NOT NULL DEFAULT 0,
  is_read INTEGER NOT NULL DEFAULT 0,
  assignee_user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  assignee_team_id INTEGER REFERENCES teams (id) ON DELETE SET NULL,
  changed_by INTEGER REFERENCES users (id) ON DELETE SET NULL,
  changed_at INTEGER,
  UNIQUE (project_id, item_key)
) STRICT;
CREATE INDEX feedback_by_status ON feedback (status, project_id, is_read);
CREATE INDEX feedback_by_text ON feedback (project_id, text_hash, received_at) WHERE text_hash IS NOT NULL;
CREATE INDEX feedback_by_event ON feedback (project_id, about_event_id) WHERE about_event_id IS NOT NULL;
CREATE INDEX feedback_by_issue ON feedback (issue_id) WHERE issue_id IS NOT NULL;
CREATE INDEX feedback_by_sent_with ON feedback (project_id, event_id) WHERE event_id IS NOT NULL;
CREATE INDEX feedback_without_issue ON feedback (received_at) WHERE issue_id IS NULL AND about_event_id IS NOT NULL;
