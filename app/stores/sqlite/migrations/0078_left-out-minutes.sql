-- Events that were counted and not stored, by the minute of their arrival: alert rules count them within some minutes. For a day.
CREATE TABLE issue_left_out (
  -- Whole minutes since 1970.
  minute INTEGER NOT NULL,
  issue_id INTEGER NOT NULL,
  left_out INTEGER NOT NULL,
  PRIMARY KEY (minute, issue_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_left_out_by_issue ON issue_left_out (issue_id);
