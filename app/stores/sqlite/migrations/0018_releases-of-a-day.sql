-- Releases that events have made, by project and day (days since 1970, UTC, by when they arrived), and what found no room.
CREATE TABLE release_days (
  project_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  release_count INTEGER NOT NULL,
  -- Events whose release was not made.
  left_out_event_count INTEGER NOT NULL DEFAULT 0,
  -- The last of them; null: none.
  last_left_out TEXT,
  PRIMARY KEY (project_id, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX release_days_left_out ON release_days (day) WHERE last_left_out IS NOT NULL;
