-- The environments that a project keeps apart (domain/environments.ts). Further ones have the id 0, which has no name.
CREATE TABLE project_environments (
  project_id INTEGER NOT NULL,
  environment_id INTEGER NOT NULL,
  -- Whole days since 1970 (UTC), of the latest event.
  last_seen_day INTEGER NOT NULL,
  PRIMARY KEY (project_id, environment_id)
) STRICT, WITHOUT ROWID;

-- What is there stays, however many that are.
INSERT INTO project_environments (project_id, environment_id, last_seen_day)
SELECT i.project_id, e.environment_id, max(e.last_seen_at) / 86400000
FROM issue_environments AS e JOIN issues AS i ON i.id = e.issue_id
GROUP BY 1, 2;

CREATE TABLE environment_overflows (
  project_id INTEGER PRIMARY KEY,
  event_count INTEGER NOT NULL,
  last_name TEXT NOT NULL,
  last_at INTEGER NOT NULL
) STRICT;
