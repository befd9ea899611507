-- Categories and reasons that client reports brought in an hour. They are free text: so many of them are counted under
-- their own words, and the rest together.
CREATE TABLE reported_words (
  hour INTEGER NOT NULL,
  project_id INTEGER NOT NULL,
  category TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (hour, project_id, category, reason)
) STRICT, WITHOUT ROWID;
