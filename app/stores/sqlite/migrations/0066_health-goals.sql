-- Shares of sessions without a crash that a project wants of its releases, from 0 to 1. Projects that are not here have the default.
CREATE TABLE health_goals (
  project_id INTEGER PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  target REAL NOT NULL CHECK (target BETWEEN 0 AND 1),
  floor REAL NOT NULL CHECK (floor BETWEEN 0 AND target)
) STRICT;
