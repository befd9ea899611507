-- Who could work on an issue, as the job suggest-owners found when it looked last. `place` 0 has the strongest reason.
CREATE TABLE issue_suggestions (
  issue_id INTEGER NOT NULL,
  place INTEGER NOT NULL,
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  team_id INTEGER REFERENCES teams (id) ON DELETE CASCADE,
  -- JSON list of domain/ownership/suggested-owner.ts.
  reasons TEXT NOT NULL,
  PRIMARY KEY (issue_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_suggestions_by_user ON issue_suggestions (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX issue_suggestions_by_team ON issue_suggestions (team_id) WHERE team_id IS NOT NULL;

-- When it looked; 0: something has changed since that it must see.
CREATE TABLE issue_suggestion_looks (
  issue_id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX issue_suggestion_looks_due ON issue_suggestion_looks (issue_id) WHERE at = 0;
