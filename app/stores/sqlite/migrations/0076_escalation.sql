-- JSON list of steps: who is told, so many minutes later, if nobody has acknowledged (domain/alerts/escalation.ts).
ALTER TABLE alert_rules ADD COLUMN steps TEXT NOT NULL DEFAULT '[]';

-- An issue that a rule with steps has told, until somebody deals with it.
-- deliveries.is_high is 2 from here on where the message has a step: it waits for no quiet hours.
CREATE TABLE alert_periods (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  rule_id INTEGER NOT NULL REFERENCES alert_rules (id) ON DELETE CASCADE,
  project_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  -- Of the event that the rule told.
  event_id TEXT NOT NULL,
  release TEXT,
  -- By the clock of the server; the steps count from here.
  opened_at INTEGER NOT NULL,
  -- The number of steps that were told.
  next_step INTEGER NOT NULL,
  -- When the next one is due. Null: none is left, or nobody waits for an answer any more.
  next_at INTEGER,
  -- JSON list of who was told when; the first entry is what opened it.
  told TEXT NOT NULL,
  acknowledged_at INTEGER,
  -- Null: a token of the organization.
  acknowledged_by INTEGER REFERENCES users (id) ON DELETE SET NULL,
  ended_at INTEGER,
  end_reason TEXT
) STRICT;
CREATE UNIQUE INDEX alert_periods_open ON alert_periods (rule_id, issue_id) WHERE ended_at IS NULL;
CREATE INDEX alert_periods_by_rule ON alert_periods (rule_id, id);
CREATE INDEX alert_periods_by_issue ON alert_periods (issue_id);
CREATE INDEX alert_periods_by_project ON alert_periods (project_id);
CREATE INDEX alert_periods_due ON alert_periods (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX alert_periods_waiting ON alert_periods (opened_at) WHERE next_at IS NOT NULL;
