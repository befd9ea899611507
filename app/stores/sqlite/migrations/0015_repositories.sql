CREATE TABLE repositories (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- As tools name it: owner/repo.
  name TEXT NOT NULL UNIQUE,
  provider TEXT CHECK (provider IN ('github', 'gitlab', 'gitea', 'bitbucket', 'other')),
  url TEXT,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  created_at INTEGER NOT NULL
) STRICT;
-- Those that builds have named so far. What names none, and what sentry-cli says without a remote, is no repository.
INSERT INTO repositories (name, created_at)
  SELECT repository, min(at) FROM release_commits WHERE repository NOT IN ('', 'local')
  GROUP BY repository ORDER BY max(at) DESC LIMIT 1000;

-- The newest commit of each repository that a build named without a list.
CREATE TABLE release_heads (
  release_id INTEGER NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  repository TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  previous_commit_id TEXT,
  -- Whether all commits up to the one before are known.
  has_commits INTEGER NOT NULL CHECK (has_commits IN (0, 1)),
  PRIMARY KEY (release_id, position)
) STRICT, WITHOUT ROWID;
