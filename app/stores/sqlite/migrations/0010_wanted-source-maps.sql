-- What frames of stored events could not be mapped by. No index by time: rows are written with every batch, and dropped
-- seldom.
CREATE TABLE wanted_source_maps (
  project_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  -- Empty: none. So for the next two.
  debug_id TEXT NOT NULL,
  release TEXT NOT NULL,
  dist TEXT NOT NULL,
  event_count INTEGER NOT NULL,
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  sample_url TEXT NOT NULL,
  PRIMARY KEY (project_id, issue_id, debug_id, release, dist)
) STRICT, WITHOUT ROWID;
