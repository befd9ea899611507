-- Mappings of R8 and ProGuard are uploads by themselves, found by the id that a build gave them.
CREATE TABLE new_artifact_files (
  id INTEGER PRIMARY KEY,
  bundle_id INTEGER NOT NULL REFERENCES artifact_bundles (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  type TEXT NOT NULL
    CHECK (type IN ('source', 'minified_source', 'source_map', 'indexed_ram_bundle', 'proguard_mapping')),
  url TEXT,
  debug_id TEXT,
  source_map_url TEXT,
  bytes INTEGER NOT NULL
) STRICT;
INSERT INTO new_artifact_files (id, bundle_id, path, type, url, debug_id, source_map_url, bytes)
SELECT id, bundle_id, path, type, url, debug_id, source_map_url, bytes FROM artifact_files;
DROP TABLE artifact_files;
ALTER TABLE new_artifact_files RENAME TO artifact_files;
CREATE INDEX artifact_files_by_bundle ON artifact_files (bundle_id, path);
CREATE INDEX artifact_files_by_url ON artifact_files (bundle_id, url) WHERE url IS NOT NULL;
CREATE INDEX artifact_files_by_debug_id ON artifact_files (debug_id, bundle_id) WHERE debug_id IS NOT NULL;

ALTER TABLE wanted_source_maps ADD COLUMN type TEXT NOT NULL DEFAULT 'source_map'
  CHECK (type IN ('source_map', 'proguard_mapping'));
