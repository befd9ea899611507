-- What somebody is to an issue.
CREATE TABLE issue_people (
  issue_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Why they are subscribed: `assigned`, `commented`, `mentioned` or `chosen`; `off`: they do not want to be. Null: never asked.
  subscription TEXT,
  bookmarked_at INTEGER,
  -- When they looked at its page last.
  seen_at INTEGER,
  PRIMARY KEY (issue_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_people_by_bookmark ON issue_people (user_id, bookmarked_at) WHERE bookmarked_at IS NOT NULL;
