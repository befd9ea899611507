-- Instants are milliseconds since 1970, `hour` and `day` are whole hours and days since 1970 (UTC).

-- What people change ------------------------------------------------------------------------------------------------

CREATE TABLE organization (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  email TEXT NOT NULL,
  -- Trimmed and in lower case: what people sign in with.
  email_key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'member')),
  password_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX users_one_owner ON users (role) WHERE role = 'owner';

CREATE TABLE sessions (
  token_hash TEXT NOT NULL PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  user_agent TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

CREATE TABLE projects (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  platform TEXT NOT NULL,
  -- JSON array of strings.
  allowed_origins TEXT NOT NULL DEFAULT '[]',
  created_at INTEGER NOT NULL,
  first_event_at INTEGER
) STRICT;

CREATE TABLE project_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  label TEXT NOT NULL,
  public_key TEXT NOT NULL UNIQUE,
  is_enabled INTEGER NOT NULL DEFAULT 1 CHECK (is_enabled IN (0, 1)),
  rate_limit_count INTEGER,
  rate_limit_window_seconds INTEGER,
  created_at INTEGER NOT NULL,
  CHECK ((rate_limit_count IS NULL) = (rate_limit_window_seconds IS NULL))
) STRICT;
CREATE INDEX project_keys_by_project ON project_keys (project_id);

-- Grows with every change of a project or key, so that ingest knows when to read them again.
CREATE TABLE configuration (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL
) STRICT;
INSERT INTO configuration (id, version) VALUES (1, 1);

-- What the digest writes ----------------------------------------------------------------------------------------------

-- Exclusive: every record of that journal below `sequence` is applied.
CREATE TABLE journal_positions (
  journal_id TEXT NOT NULL PRIMARY KEY,
  sequence INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- By the prefix and not by the project: a slug that changes hands goes on counting, so a short id names one issue for ever.
CREATE TABLE short_id_counters (
  prefix TEXT NOT NULL PRIMARY KEY,
  last_number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- No reference to the project: an event of a project that is gone must not stop the batch it is in.
CREATE TABLE issues (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  short_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('unresolved', 'resolved', 'archived')),
  -- `new` is stored for ever; it reads as `ongoing` seven days after the first event.
  substatus TEXT NOT NULL CHECK (substatus IN ('new', 'ongoing', 'regressed')),
  status_changed_at INTEGER NOT NULL,
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  event_count INTEGER NOT NULL,
  user_count INTEGER NOT NULL,
  level TEXT NOT NULL,
  is_unhandled INTEGER NOT NULL CHECK (is_unhandled IN (0, 1)),
  platform TEXT NOT NULL,
  logger TEXT,
  type TEXT,
  title TEXT NOT NULL,
  culprit TEXT NOT NULL,
  -- Title, culprit and short id in lower case, one a line.
  search_text TEXT NOT NULL,
  value TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX issues_by_short_id ON issues (short_id);
-- Holds all that lists filter by, so that a filter that few issues pass reads no row of the others.
CREATE INDEX issues_by_last_seen ON issues (
  last_seen_at, id, project_id, status, substatus, level, is_unhandled, first_seen_at
);
-- Columns after `id` are those that seldom change, or change anyway when the first does.
CREATE INDEX issues_by_first_seen ON issues (first_seen_at, id, project_id, status);
CREATE INDEX issues_by_events ON issues (event_count, id, last_seen_at, project_id, status);
CREATE INDEX issues_by_users ON issues (user_count, id, project_id, status);

-- Which trigrams the search text of an issue has. `detail=none` keeps neither place nor count: a third of the size, and
-- the text itself is compared anyway.
CREATE VIRTUAL TABLE issue_search USING fts5 (
  text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram'
);

CREATE TABLE issue_hashes (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL,
  hash TEXT NOT NULL,
  issue_id INTEGER NOT NULL,
  first_seen_at INTEGER NOT NULL,
  -- JSON of the explanation, compressed with zstd: 5 KB become 0.6.
  grouping BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX issue_hashes_by_hash ON issue_hashes (project_id, hash);
CREATE INDEX issue_hashes_by_issue ON issue_hashes (issue_id);

-- The empty name stands for events without an environment.
CREATE TABLE environments (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE issue_environments (
  environment_id INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  PRIMARY KEY (environment_id, issue_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE issue_hours (
  issue_id INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  environment_id INTEGER NOT NULL,
  event_count INTEGER NOT NULL,
  PRIMARY KEY (issue_id, hour, environment_id)
) STRICT, WITHOUT ROWID;

-- The same sums by day, so that a range of weeks adds up a few rows for each issue.
CREATE TABLE issue_days (
  issue_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  environment_id INTEGER NOT NULL,
  event_count INTEGER NOT NULL,
  PRIMARY KEY (issue_id, day, environment_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_days_by_day ON issue_days (day, issue_id);

CREATE TABLE issue_users (
  issue_id INTEGER NOT NULL,
  -- 63 bits of the SHA-1 of the user key: two of a million users share one with a chance of 1 in 18 million.
  user_hash INTEGER NOT NULL,
  PRIMARY KEY (issue_id, user_hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE issue_activity (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('first_seen', 'resolved', 'archived', 'reopened', 'regressed')),
  user_id INTEGER,
  -- JSON object.
  data TEXT NOT NULL
) STRICT;
CREATE INDEX issue_activity_by_issue ON issue_activity (issue_id, id);

CREATE TABLE outcomes (
  hour INTEGER NOT NULL,
  project_id INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  category TEXT NOT NULL,
  reason TEXT NOT NULL,
  quantity INTEGER NOT NULL,
  PRIMARY KEY (hour, project_id, outcome, category, reason)
) STRICT, WITHOUT ROWID;
