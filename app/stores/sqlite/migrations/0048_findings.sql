-- What Culprit found out itself, on its way to an issue (stores/state/finding-store.ts).
CREATE TABLE findings (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  subject TEXT NOT NULL,
  -- JSON object (domain/findings/finding.ts).
  finding TEXT NOT NULL,
  -- Of the journal record with its event; null: it is not in the journal yet.
  sequence INTEGER
) STRICT;
CREATE INDEX findings_by_subject ON findings (project_id, subject, position);
