-- Keys that an issue's events left for reports of the same error by other engines: looked up where no hash is known.
-- The first issue that leaves a key keeps it.
CREATE TABLE issue_kin_keys (
  project_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  issue_id INTEGER NOT NULL,
  PRIMARY KEY (project_id, key)
) STRICT, WITHOUT ROWID;

-- Whether the event that brought the hash found the issue by such a key.
ALTER TABLE issue_hashes ADD COLUMN is_found_by_kin INTEGER NOT NULL DEFAULT 0 CHECK (is_found_by_kin IN (0, 1));
