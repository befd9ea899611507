-- Which commits have said that they fix an issue, so that each does so once: builds send a commit again and again.
CREATE TABLE issue_fixes (
  issue_id INTEGER NOT NULL,
  -- The hash, or where it is none the repository and the name.
  commit_key TEXT NOT NULL,
  PRIMARY KEY (issue_id, commit_key)
) STRICT, WITHOUT ROWID;
