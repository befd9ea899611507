-- Figures that Culprit watches by itself (stores/state/metric-store.ts). Instants are milliseconds since 1970.
CREATE TABLE metric_monitors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  -- JSON objects (domain/metrics/metric-monitor.ts).
  settings TEXT NOT NULL,
  state TEXT NOT NULL,
  is_paused INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  -- The end of the next window.
  next_at INTEGER NOT NULL
) STRICT;
CREATE INDEX metric_monitors_due ON metric_monitors (next_at) WHERE is_paused = 0;
CREATE INDEX metric_monitors_by_project ON metric_monitors (project_id);

CREATE TABLE metric_evaluations (
  monitor_id INTEGER NOT NULL REFERENCES metric_monitors (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  value REAL,
  baseline REAL,
  decision TEXT NOT NULL,
  reason TEXT,
  PRIMARY KEY (monitor_id, at)
) STRICT, WITHOUT ROWID;

CREATE TABLE metric_periods (
  monitor_id INTEGER NOT NULL REFERENCES metric_monitors (id) ON DELETE CASCADE,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  level TEXT NOT NULL,
  peak REAL NOT NULL,
  PRIMARY KEY (monitor_id, started_at)
) STRICT, WITHOUT ROWID;
