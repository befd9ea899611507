CREATE TABLE artifact_bundles (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  checksum TEXT NOT NULL UNIQUE,
  container TEXT NOT NULL CHECK (container IN ('zip', 'file')),
  debug_id TEXT,
  note TEXT,
  bytes INTEGER NOT NULL,
  file_count INTEGER NOT NULL,
  uploaded_at INTEGER NOT NULL,
  uploaded_by TEXT
) STRICT;
CREATE INDEX artifact_bundles_by_upload ON artifact_bundles (uploaded_at, id);

CREATE TABLE artifact_bundle_projects (
  project_id INTEGER NOT NULL,
  bundle_id INTEGER NOT NULL REFERENCES artifact_bundles (id) ON DELETE CASCADE,
  PRIMARY KEY (project_id, bundle_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX artifact_bundle_projects_by_bundle ON artifact_bundle_projects (bundle_id);

CREATE TABLE artifact_bundle_releases (
  version TEXT NOT NULL,
  -- Empty: without.
  dist TEXT NOT NULL,
  bundle_id INTEGER NOT NULL REFERENCES artifact_bundles (id) ON DELETE CASCADE,
  PRIMARY KEY (version, dist, bundle_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX artifact_bundle_releases_by_bundle ON artifact_bundle_releases (bundle_id);

CREATE TABLE artifact_files (
  id INTEGER PRIMARY KEY,
  bundle_id INTEGER NOT NULL REFERENCES artifact_bundles (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('source', 'minified_source', 'source_map', 'indexed_ram_bundle')),
  url TEXT,
  debug_id TEXT,
  source_map_url TEXT,
  bytes INTEGER NOT NULL
) STRICT;
CREATE INDEX artifact_files_by_bundle ON artifact_files (bundle_id, path);
CREATE INDEX artifact_files_by_url ON artifact_files (bundle_id, url) WHERE url IS NOT NULL;
CREATE INDEX artifact_files_by_debug_id ON artifact_files (debug_id, bundle_id) WHERE debug_id IS NOT NULL;

-- Grows with every upload and deletion, so that whoever caches answers knows when they are stale.
CREATE TABLE artifact_version (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL
) STRICT;
INSERT INTO artifact_version (id, version) VALUES (1, 1);
