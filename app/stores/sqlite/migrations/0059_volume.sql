-- Errors of projects that do not store all of them, by the hour in which they were received. Null: no bound.
CREATE TABLE project_volume (
  project_id INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  bound INTEGER,
  usual INTEGER,
  arrived INTEGER NOT NULL,
  stored INTEGER NOT NULL,
  spared INTEGER NOT NULL,
  PRIMARY KEY (project_id, hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX project_volume_by_hour ON project_volume (hour);

CREATE TABLE issue_volume (
  issue_id INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  arrived INTEGER NOT NULL,
  left_out INTEGER NOT NULL,
  PRIMARY KEY (issue_id, hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_volume_by_hour ON issue_volume (hour);
