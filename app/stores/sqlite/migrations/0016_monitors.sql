-- What check-ins have named.
CREATE TABLE monitors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  slug TEXT NOT NULL,
  -- JSON object (domain/monitor.ts); null: no check-in has carried one.
  config TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (project_id, slug)
) STRICT;
CREATE INDEX monitors_by_slug ON monitors (slug, id);

CREATE TABLE monitor_environments (
  monitor_id INTEGER NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
  environment TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_check_in_at INTEGER NOT NULL,
  last_status TEXT NOT NULL,
  -- Of the last check-in that was not in progress; null: there was none.
  last_finished_status TEXT,
  PRIMARY KEY (monitor_id, environment)
) STRICT, WITHOUT ROWID;

-- Check-ins that made no monitor, or no environment of one, because there were too many.
CREATE TABLE monitor_overflows (
  project_id INTEGER PRIMARY KEY,
  check_in_count INTEGER NOT NULL,
  last_slug TEXT NOT NULL,
  last_at INTEGER NOT NULL
) STRICT;
