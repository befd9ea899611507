CREATE TABLE releases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  version TEXT NOT NULL UNIQUE,
  -- In lower case, for looking for parts.
  search_text TEXT NOT NULL,
  -- Versions of one package sort by the key; it is empty for what is no semantic version. No package is the empty name.
  package TEXT NOT NULL,
  sort_key TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'archived')),
  ref TEXT,
  url TEXT,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  released_at INTEGER,
  ordered_at INTEGER NOT NULL GENERATED ALWAYS AS (coalesce(released_at, created_at)) STORED,
  commit_count INTEGER NOT NULL DEFAULT 0,
  last_commit_id TEXT,
  -- JSON array of objects with name and email.
  authors TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX releases_by_date ON releases (ordered_at, id);
CREATE INDEX releases_by_version ON releases (sort_key, ordered_at, id);
CREATE INDEX releases_by_package ON releases (package, sort_key, ordered_at, id);

CREATE TABLE release_projects (
  project_id INTEGER NOT NULL,
  release_id INTEGER NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  first_event_at INTEGER,
  last_event_at INTEGER,
  event_count INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, release_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX release_projects_by_release ON release_projects (release_id);

CREATE TABLE release_commits (
  release_id INTEGER NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  -- From 0, newest first.
  position INTEGER NOT NULL,
  commit_id TEXT NOT NULL,
  repository TEXT NOT NULL,
  author_name TEXT,
  author_email TEXT,
  at INTEGER NOT NULL,
  message TEXT NOT NULL,
  has_files INTEGER NOT NULL CHECK (has_files IN (0, 1)),
  PRIMARY KEY (release_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX release_commits_by_id ON release_commits (commit_id, repository);
CREATE INDEX release_commits_by_repository ON release_commits (repository, at);

CREATE TABLE release_commit_files (
  release_id INTEGER NOT NULL,
  -- What follows the last slash of the path: by it, paths are looked up.
  name TEXT NOT NULL,
  commit_position INTEGER NOT NULL,
  file_position INTEGER NOT NULL,
  path TEXT NOT NULL,
  change TEXT NOT NULL CHECK (change IN ('A', 'M', 'D')),
  PRIMARY KEY (release_id, commit_position, file_position),
  FOREIGN KEY (release_id, commit_position) REFERENCES release_commits (release_id, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX release_commit_files_by_name ON release_commit_files (release_id, name);

CREATE TABLE deploys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  release_id INTEGER NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  environment TEXT NOT NULL,
  name TEXT,
  url TEXT,
  started_at INTEGER,
  finished_at INTEGER NOT NULL
) STRICT;
CREATE INDEX deploys_by_release ON deploys (release_id, finished_at, id);
CREATE INDEX deploys_by_date ON deploys (finished_at, id);
