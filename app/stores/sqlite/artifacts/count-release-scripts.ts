import type { SqliteConnection } from "../connection.ts";

/**
 * Matches a script with a source map by their debug id, or else by the URL of the map: the URL in the script (relative to its own), or its
 * own URL with `.map`. A script that names no map and was uploaded with the maps of others needs none: bundlers make none for their own
 * helper scripts.
 */
const COUNT = `
  WITH own AS MATERIALIZED (
    SELECT r.dist, f.bundle_id, f.type, coalesce(f.url, f.path) AS url, f.debug_id, f.source_map_url
    FROM artifact_bundle_releases AS r
    CROSS JOIN artifact_files AS f ON f.bundle_id = r.bundle_id
    WHERE r.project_id = :projectId AND r.version = :release AND f.type <> 'source'
  ),
  with_maps AS MATERIALIZED (SELECT DISTINCT bundle_id FROM own WHERE type = 'source_map'),
  files AS (
    SELECT
      CASE
        WHEN debug_id IS NOT NULL THEN debug_id
        WHEN type = 'source_map' THEN dist || char(10) || url
        WHEN source_map_url IS NULL OR source_map_url LIKE '%:%' OR source_map_url LIKE '/%' OR source_map_url LIKE '../%'
          THEN dist || char(10) || url || '.map'
        ELSE dist || char(10) || rtrim(url, replace(url, '/', '')) ||
          CASE WHEN source_map_url LIKE './%' THEN substr(source_map_url, 3) ELSE source_map_url END
      END AS identity,
      type = 'source_map' OR coalesce(source_map_url LIKE 'data:%', 0) AS is_mapped,
      source_map_url IS NULL AND bundle_id IN (SELECT bundle_id FROM with_maps) AS needs_none
    FROM own
  ),
  scripts AS (
    SELECT max(is_mapped) AS is_mapped, min(needs_none) AS needs_none FROM files GROUP BY identity
  )
  SELECT count(*) AS count, coalesce(sum(is_mapped), 0) AS mapped_count FROM scripts WHERE is_mapped OR NOT needs_none`;

export function countReleaseScripts(
  db: SqliteConnection,
  where: { projectId: number; release: string },
): { count: number; mappedCount: number } {
  const row = db.get<{ count: number; mapped_count: number }>(COUNT, where);
  return { count: row?.count ?? 0, mappedCount: row?.mapped_count ?? 0 };
}
