-- Releases of an upload, by project: the same upload may belong to another release in another project. Those that are known
-- count for each project that has the upload, as before.
CREATE TABLE new_bundle_releases (
  project_id INTEGER NOT NULL,
  version TEXT NOT NULL,
  -- Empty: without.
  dist TEXT NOT NULL,
  bundle_id INTEGER NOT NULL,
  PRIMARY KEY (project_id, version, dist, bundle_id),
  FOREIGN KEY (project_id, bundle_id) REFERENCES artifact_bundle_projects (project_id, bundle_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO new_bundle_releases (project_id, version, dist, bundle_id)
SELECT p.project_id, r.version, r.dist, r.bundle_id
FROM artifact_bundle_releases AS r JOIN artifact_bundle_projects AS p ON p.bundle_id = r.bundle_id;
DROP TABLE artifact_bundle_releases;
ALTER TABLE new_bundle_releases RENAME TO artifact_bundle_releases;
CREATE INDEX artifact_bundle_releases_by_bundle ON artifact_bundle_releases (bundle_id, project_id);
