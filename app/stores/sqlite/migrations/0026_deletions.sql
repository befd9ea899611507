-- What people have deleted, and how far that is. The rows stay: they say who deleted what, and hold nothing of it.
CREATE TABLE deletions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('issue', 'event', 'project', 'user')),
  -- Short id or slug.
  label TEXT NOT NULL,
  -- Null: of several projects.
  project_id INTEGER,
  -- JSON (stores/state/deletion-store.ts); null once nothing is left to be found by it.
  target TEXT,
  asked_at INTEGER NOT NULL,
  -- Null: a token that stands for nobody.
  user_id INTEGER,
  phase TEXT NOT NULL CHECK (phase IN ('asked', 'hidden', 'swept', 'erasing', 'done')),
  event_count INTEGER NOT NULL DEFAULT 0,
  item_count INTEGER NOT NULL DEFAULT 0,
  done_at INTEGER
) STRICT;
CREATE INDEX deletions_open ON deletions (phase) WHERE phase <> 'done';

-- Events that are gone for everybody and not yet erased from the payload files. Days since 1970 (UTC) on which they, or what belongs
-- to them, came.
CREATE TABLE deleted_events (
  project_id INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  day INTEGER NOT NULL,
  deletion_id INTEGER NOT NULL,
  PRIMARY KEY (project_id, event_id, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX deleted_events_by_deletion ON deleted_events (deletion_id, day);

-- Keys of deleted issues, for events that had come before and were not digested.
CREATE TABLE deleted_hashes (
  project_id INTEGER NOT NULL,
  hash TEXT NOT NULL,
  issue_id INTEGER NOT NULL,
  deletion_id INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  PRIMARY KEY (project_id, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX deleted_hashes_by_deletion ON deleted_hashes (deletion_id);

-- Payload files that are to be looked through.
CREATE TABLE payload_erasures (
  file_id INTEGER PRIMARY KEY
) STRICT;
