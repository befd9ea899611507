-- What was refused, or answered as if it were, in such a way that SDKs report the loss again, and has not been reported
-- yet. Rows end after a day, or when reports have taken their whole quantity.
CREATE TABLE reportable_refusals (
  project_id INTEGER NOT NULL,
  category TEXT NOT NULL,
  hour INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  PRIMARY KEY (project_id, category, hour)
) STRICT, WITHOUT ROWID;
