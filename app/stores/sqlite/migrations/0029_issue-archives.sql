-- What brings archived issues back. A row stays when people give the issue another status, for their undo; it goes when the issue comes
-- back by it, when its time is over, and with the next archive.
CREATE TABLE issue_archives (
  issue_id INTEGER PRIMARY KEY,
  -- `until`, `events` or `users`; there may be more.
  kind TEXT NOT NULL,
  -- Of `until`.
  until INTEGER,
  -- Of `events` and `users`.
  count INTEGER,
  -- Null: however long it takes.
  window_minutes INTEGER,
  -- Events or new users since the archive; with a window, JSON of what came within it.
  seen INTEGER NOT NULL DEFAULT 0,
  recent TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX issue_archives_due ON issue_archives (until) WHERE until IS NOT NULL;
