-- Runs of monitors, and what is waited for (domain/monitors/watch-runs.ts).
ALTER TABLE monitors ADD COLUMN name TEXT;
ALTER TABLE monitors ADD COLUMN is_muted INTEGER NOT NULL DEFAULT 0;

ALTER TABLE monitor_environments ADD COLUMN is_paused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE monitor_environments ADD COLUMN state TEXT NOT NULL DEFAULT 'waiting';
ALTER TABLE monitor_environments ADD COLUMN next_due_at INTEGER;
ALTER TABLE monitor_environments ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
ALTER TABLE monitor_environments ADD COLUMN successes INTEGER NOT NULL DEFAULT 0;
-- Since when its trouble is an issue.
ALTER TABLE monitor_environments ADD COLUMN trouble_at INTEGER;
-- Of its last finding.
ALTER TABLE monitor_environments ADD COLUMN told_at INTEGER NOT NULL DEFAULT 0;
-- When time alone changes something; null: never.
ALTER TABLE monitor_environments ADD COLUMN check_at INTEGER;
CREATE INDEX monitor_environments_by_check ON monitor_environments (check_at) WHERE check_at IS NOT NULL;
-- Those with a schedule are watched from the next start on.
UPDATE monitor_environments SET check_at = 0
WHERE (SELECT config FROM monitors WHERE id = monitor_id) IS NOT NULL;
UPDATE monitor_environments SET state = iif(last_finished_status = 'ok', 'ok', 'error')
WHERE last_finished_status IS NOT NULL;

CREATE TABLE monitor_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  monitor_id INTEGER NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
  environment TEXT NOT NULL,
  check_in_id TEXT,
  status TEXT NOT NULL,
  due_at INTEGER,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  duration_ms INTEGER,
  is_late INTEGER NOT NULL,
  release TEXT,
  trace_id TEXT,
  exit_status INTEGER,
  output TEXT
) STRICT;
CREATE INDEX monitor_runs_by_environment ON monitor_runs (monitor_id, environment, id);
CREATE INDEX monitor_runs_by_start ON monitor_runs (monitor_id, started_at);
CREATE INDEX monitor_runs_by_check_in ON monitor_runs (monitor_id, check_in_id) WHERE check_in_id IS NOT NULL;
CREATE INDEX monitor_runs_open ON monitor_runs (monitor_id, environment, id) WHERE status = 'in_progress';
CREATE INDEX monitor_runs_with_output ON monitor_runs (monitor_id, environment, id) WHERE output IS NOT NULL;

-- When this server was last alive, and when it was not.
CREATE TABLE server_alive (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL) STRICT;
CREATE TABLE server_downtimes (from_at INTEGER PRIMARY KEY, to_at INTEGER NOT NULL) STRICT;
