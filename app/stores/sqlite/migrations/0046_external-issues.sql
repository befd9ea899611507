-- The tracker in which a project's people make tasks.
CREATE TABLE project_trackers (
  project_id INTEGER PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  address TEXT NOT NULL
) STRICT;

-- Links of issues to tasks elsewhere.
CREATE TABLE external_issues (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL,
  url TEXT NOT NULL,
  name TEXT NOT NULL,
  at INTEGER NOT NULL,
  UNIQUE (issue_id, url)
) STRICT;
