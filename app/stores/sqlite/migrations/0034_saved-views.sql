-- Searches that people keep by name, with the filters beside them.
CREATE TABLE saved_views (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  list TEXT NOT NULL CHECK (list IN ('issues', 'traces', 'logs', 'performance')),
  name TEXT NOT NULL,
  -- Of the list's address, without the question mark.
  query TEXT NOT NULL,
  is_shared INTEGER NOT NULL CHECK (is_shared IN (0, 1)),
  -- JSON: the ids of the projects that it names.
  project_ids TEXT NOT NULL,
  -- Among the views of its list that the user has made.
  place INTEGER NOT NULL,
  UNIQUE (user_id, list, name)
) STRICT;
CREATE INDEX saved_views_shared ON saved_views (is_shared) WHERE is_shared = 1;

-- The view that a list begins with.
CREATE TABLE default_views (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  list TEXT NOT NULL,
  view_id INTEGER NOT NULL REFERENCES saved_views (id) ON DELETE CASCADE,
  PRIMARY KEY (user_id, list)
) STRICT, WITHOUT ROWID;
CREATE INDEX default_views_by_view ON default_views (view_id);
