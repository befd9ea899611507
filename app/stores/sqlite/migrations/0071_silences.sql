-- Times in which alert rules tell nothing.
CREATE TABLE alert_silences (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- What it covers; null: any. At least one is not null.
  rule_id INTEGER REFERENCES alert_rules (id) ON DELETE CASCADE,
  project_id INTEGER REFERENCES projects (id) ON DELETE CASCADE,
  environment TEXT,
  reason TEXT NOT NULL,
  -- The name of who made it.
  made_by TEXT NOT NULL,
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL CHECK (ends_at >= starts_at),
  CHECK (rule_id IS NOT NULL OR project_id IS NOT NULL OR environment IS NOT NULL)
) STRICT;
CREATE INDEX alert_silences_by_end ON alert_silences (ends_at);
CREATE INDEX alert_silences_by_rule ON alert_silences (rule_id);
CREATE INDEX alert_silences_by_project ON alert_silences (project_id);

-- What rules saw of changes and numbers that they wait for, and what came of it.
CREATE TABLE alert_outcomes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  rule_id INTEGER NOT NULL REFERENCES alert_rules (id) ON DELETE CASCADE,
  project_id INTEGER NOT NULL,
  -- 0: the rule failed before it came to an issue.
  issue_id INTEGER NOT NULL,
  trigger TEXT NOT NULL,
  outcome TEXT NOT NULL,
  -- Of `unfit` the condition, of `error` what went wrong, of `fired` a JSON list of the targets.
  detail TEXT NOT NULL,
  silence_id INTEGER,
  -- The same outcome of the same issue is one row: when first, when last, and how often.
  at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  times INTEGER NOT NULL
) STRICT;
CREATE INDEX alert_outcomes_by_issue ON alert_outcomes (rule_id, issue_id, trigger, id);
CREATE INDEX alert_outcomes_by_outcome ON alert_outcomes (rule_id, outcome, id);
CREATE INDEX alert_outcomes_by_silence ON alert_outcomes (silence_id) WHERE silence_id IS NOT NULL;
CREATE INDEX alert_outcomes_by_project ON alert_outcomes (project_id);
