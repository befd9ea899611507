-- Further Culprit processes that check addresses from elsewhere (stores/state/uptime-location-store.ts).
CREATE TABLE uptime_locations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  -- Null: its token is gone.
  token_id INTEGER UNIQUE REFERENCES api_tokens (id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER,
  -- Null: it is heard of.
  silent_since INTEGER,
  version TEXT
) STRICT;

-- As `uptime_quarters`, of each place that checks a monitor that several check, for two days. Location 0 is this server.
CREATE TABLE uptime_place_quarters (
  monitor_id INTEGER NOT NULL REFERENCES uptime_monitors (id) ON DELETE CASCADE,
  location_id INTEGER NOT NULL,
  quarter INTEGER NOT NULL,
  checks INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  sum_ms REAL NOT NULL,
  max_ms REAL NOT NULL,
  PRIMARY KEY (monitor_id, location_id, quarter)
) STRICT, WITHOUT ROWID;

-- Two places may check in the same millisecond.
CREATE TABLE uptime_placed_checks (
  monitor_id INTEGER NOT NULL REFERENCES uptime_monitors (id) ON DELETE CASCADE,
  location_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  duration_ms REAL NOT NULL,
  reason TEXT,
  http_status INTEGER,
  certificate_ends_at INTEGER,
  trace_id TEXT NOT NULL,
  PRIMARY KEY (monitor_id, location_id, at)
) STRICT, WITHOUT ROWID;
INSERT INTO uptime_placed_checks
  SELECT monitor_id, 0, at, duration_ms, reason, http_status, certificate_ends_at, trace_id FROM uptime_checks;
DROP TABLE uptime_checks;
ALTER TABLE uptime_placed_checks RENAME TO uptime_checks;
