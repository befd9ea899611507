-- Who works on an issue: a member or a team. Whether they still see its project is asked when it is read, so that a right that
-- comes back brings the assignment back.
CREATE TABLE issue_assignees (
  issue_id INTEGER PRIMARY KEY,
  user_id INTEGER REFERENCES members (user_id) ON DELETE CASCADE,
  team_id INTEGER REFERENCES teams (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  CHECK ((user_id IS NULL) <> (team_id IS NULL))
) STRICT;
CREATE INDEX issue_assignees_by_user ON issue_assignees (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX issue_assignees_by_team ON issue_assignees (team_id) WHERE team_id IS NOT NULL;

-- What somebody has set: 3 high, 2 medium, 1 low. Null: the rule of `domain/issues/priority.ts` decides.
ALTER TABLE issues ADD COLUMN set_priority INTEGER;
-- The key of the order by priority, the latest event first within one; the same expression as in `issue-priority.ts`.
CREATE INDEX issues_by_priority ON issues (
  (coalesce(set_priority, CASE level
    WHEN 'fatal' THEN 3
    WHEN 'error' THEN 2 + (event_count * 86400000 >= 100 * max(86400000, last_seen_at - first_seen_at))
    WHEN 'warning' THEN 1 + (event_count * 86400000 >= 100 * max(86400000, last_seen_at - first_seen_at))
    ELSE 1 END) * 10000000000000 + last_seen_at),
  id, project_id, status
);

-- JSON of who is told by mail of what a person did: `userIds`, `by`. Null: the settings of the project decide.
ALTER TABLE outbox ADD COLUMN told TEXT;

-- Kinds are those of `IssueActivity` in `stores/state/issue-store.ts`: a check here would need a new table with each new kind.
CREATE TABLE issue_activity_2 (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  -- Null: Culprit itself, or a token of the organization.
  user_id INTEGER,
  -- JSON.
  data TEXT NOT NULL,
  release_id INTEGER
) STRICT;
INSERT INTO issue_activity_2 (id, issue_id, at, kind, user_id, data, release_id)
  SELECT id, issue_id, at, kind, user_id, data, release_id FROM issue_activity ORDER BY id;
DROP TABLE issue_activity;
ALTER TABLE issue_activity_2 RENAME TO issue_activity;
CREATE INDEX issue_activity_by_issue ON issue_activity (issue_id, id);
CREATE INDEX issue_activity_by_release ON issue_activity (release_id, id) WHERE release_id IS NOT NULL;
