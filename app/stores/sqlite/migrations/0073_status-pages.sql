-- What strangers see of a project's uptime monitors (stores/state/status-page-store.ts).
CREATE TABLE status_pages (
  project_id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  -- JSON list of ids, in the order of the page.
  monitor_ids TEXT NOT NULL,
  shows_addresses INTEGER NOT NULL
) STRICT;
