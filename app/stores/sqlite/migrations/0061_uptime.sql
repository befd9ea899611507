-- Addresses that Culprit asks by itself (stores/state/uptime-store.ts). Instants are milliseconds since 1970.
CREATE TABLE uptime_monitors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  -- JSON objects (domain/uptime/uptime-monitor.ts).
  settings TEXT NOT NULL,
  state TEXT NOT NULL,
  is_paused INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  next_check_at INTEGER NOT NULL
) STRICT;
CREATE INDEX uptime_monitors_due ON uptime_monitors (next_check_at) WHERE is_paused = 0;
CREATE INDEX uptime_monitors_by_project ON uptime_monitors (project_id);

CREATE TABLE uptime_quarters (
  monitor_id INTEGER NOT NULL REFERENCES uptime_monitors (id) ON DELETE CASCADE,
  -- Whole quarters of an hour since 1970.
  quarter INTEGER NOT NULL,
  checks INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  -- Of checks that were answered well.
  sum_ms REAL NOT NULL,
  max_ms REAL NOT NULL,
  PRIMARY KEY (monitor_id, quarter)
) STRICT, WITHOUT ROWID;
CREATE INDEX uptime_quarters_by_age ON uptime_quarters (quarter);

CREATE TABLE uptime_outages (
  monitor_id INTEGER NOT NULL REFERENCES uptime_monitors (id) ON DELETE CASCADE,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  reason TEXT NOT NULL,
  PRIMARY KEY (monitor_id, started_at)
) STRICT, WITHOUT ROWID;

CREATE TABLE uptime_checks (
  monitor_id INTEGER NOT NULL REFERENCES uptime_monitors (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  duration_ms REAL NOT NULL,
  reason TEXT,
  http_status INTEGER,
  certificate_ends_at INTEGER,
  trace_id TEXT NOT NULL,
  PRIMARY KEY (monitor_id, at)
) STRICT, WITHOUT ROWID;
