-- Which changes and numbers of issues are told, and to whom (domain/alerts).
CREATE TABLE alert_rules (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  -- JSON list, ascending; null: all projects.
  project_ids TEXT,
  -- JSON lists.
  triggers TEXT NOT NULL,
  match TEXT NOT NULL,
  conditions TEXT NOT NULL,
  actions TEXT NOT NULL,
  frequency_minutes INTEGER NOT NULL,
  is_enabled INTEGER NOT NULL,
  -- 1: what was so before the rule began is noted in alert_firings.
  is_primed INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;

-- Each time that a rule fired.
CREATE TABLE alert_firings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  rule_id INTEGER NOT NULL REFERENCES alert_rules (id) ON DELETE CASCADE,
  project_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  trigger TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- Null: the number is still above the line.
  ended_at INTEGER,
  peak INTEGER,
  target_count INTEGER NOT NULL,
  -- 1: it was so before the rule began, and nobody was told.
  is_known INTEGER NOT NULL
) STRICT;
CREATE INDEX alert_firings_by_rule ON alert_firings (rule_id, issue_id, at);
CREATE INDEX alert_firings_by_time ON alert_firings (rule_id, at);
CREATE INDEX alert_firings_by_project ON alert_firings (project_id);
CREATE UNIQUE INDEX alert_firings_open ON alert_firings (rule_id, issue_id, trigger) WHERE ended_at IS NULL;
