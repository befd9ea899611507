-- The background jobs: who runs each, and what became of it.
CREATE TABLE jobs (
  name TEXT PRIMARY KEY,
  -- Process that holds the lease, until an instant in ms since 1970; null: nobody.
  owner TEXT,
  leased_until INTEGER,
  runs INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  -- Of the last run; null: the job has never run.
  last_started_at INTEGER,
  last_duration_ms INTEGER,
  next_due_at INTEGER,
  -- Of the last failure; null: there was none.
  last_failed_at INTEGER,
  last_failure TEXT
) STRICT, WITHOUT ROWID;
