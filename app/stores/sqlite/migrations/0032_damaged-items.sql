-- What was found damaged and counted as that. Hours since 1970 (UTC) in which it came.
CREATE TABLE damaged_items (
  project_id INTEGER NOT NULL,
  item_key TEXT NOT NULL,
  hour INTEGER NOT NULL,
  PRIMARY KEY (project_id, item_key)
) STRICT, WITHOUT ROWID;
