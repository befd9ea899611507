-- Rules by which people decide which events are one issue, as they wrote them.
CREATE TABLE grouping_rules (
  project_id INTEGER PRIMARY KEY,
  fingerprint_rules TEXT NOT NULL,
  stack_rules TEXT NOT NULL,
  -- Grows with each change of this project's.
  revision INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL
) STRICT;

-- Grows with each change of any project's, so that every thread notices it.
CREATE TABLE grouping_rules_version (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL
) STRICT;
INSERT INTO grouping_rules_version (id, version) VALUES (1, 1);
