-- Milliseconds within which people are satisfied by a transaction of the project.
ALTER TABLE projects ADD COLUMN apdex_ms INTEGER NOT NULL DEFAULT 300 CHECK (apdex_ms BETWEEN 1 AND 600000);
