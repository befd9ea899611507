-- An account (`users`) says who somebody is, a member what they may do in the organization. Somebody who was removed keeps the row,
-- so that a removal can be undone.
CREATE TABLE members (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('owner', 'manager', 'admin', 'member', 'viewer')),
  joined_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT;

-- Projects that somebody sees without a team.
CREATE TABLE member_projects (
  user_id INTEGER NOT NULL REFERENCES members (user_id) ON DELETE CASCADE,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  PRIMARY KEY (user_id, project_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX member_projects_by_project ON member_projects (project_id);

CREATE TABLE teams (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  -- 1: every project, also those that come later.
  has_all_projects INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE team_members (
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES members (user_id) ON DELETE CASCADE,
  PRIMARY KEY (team_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX team_members_by_user ON team_members (user_id);

CREATE TABLE team_projects (
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  PRIMARY KEY (team_id, project_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX team_projects_by_project ON team_projects (project_id);

-- The owner stays the owner. Who saw every project could do everything but own: a manager. Who was limited to projects views them.
INSERT INTO members (user_id, role, joined_at)
SELECT id, CASE WHEN role = 'owner' THEN 'owner' WHEN project_ids IS NULL THEN 'manager' ELSE 'viewer' END, created_at
FROM users;
INSERT INTO member_projects (user_id, project_id)
SELECT DISTINCT users.id, projects.id
FROM users, json_each(users.project_ids) AS chosen JOIN projects ON projects.id = chosen.value;

DROP INDEX users_one_owner;
ALTER TABLE users DROP COLUMN role;
ALTER TABLE users DROP COLUMN project_ids;
