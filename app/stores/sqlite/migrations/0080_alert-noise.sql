-- The higher line that suits a rule with one number that fires often. A line null: none does.
CREATE TABLE alert_lines (
  rule_id INTEGER PRIMARY KEY REFERENCES alert_rules (id) ON DELETE CASCADE,
  looked_at INTEGER NOT NULL,
  -- Of the rule that was looked at: after a change it says nothing.
  rule_changed_at INTEGER NOT NULL,
  line INTEGER,
  -- How often it would have fired at that line, and at its own.
  times INTEGER,
  own_times INTEGER
) STRICT;

-- Until when a person has been told by mail which rules fire often (domain/alerts/noise.ts).
CREATE TABLE noise_readers (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  told_until INTEGER NOT NULL,
  is_wanted INTEGER NOT NULL
) STRICT;
