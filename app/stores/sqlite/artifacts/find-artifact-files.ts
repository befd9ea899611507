import { asFields } from "../../sql/columns.ts";
import type { FoundArtifactFile } from "../../state/artifact-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { FILE_COLUMNS } from "./artifacts.ts";

/** The most files that are found for one id and type, or one URL: every build sends an unchanged file again. */
const MAX_FOUND_OF_ONE = 10;

/** A row of the inner query. The outer `SELECT *` orders by its two extra columns. */
type FoundFileRow = Omit<FoundArtifactFile, "release" | "dist"> & { fileId: number; place: number };

const COLUMNS = `${FILE_COLUMNS}, ${asFields("b.checksum, b.container, b.uploaded_at")}, f.id AS fileId`;

function toFoundFile(
  { fileId: _, place: __, ...file }: FoundFileRow,
  where: { release: string | null; dist: string | null },
): FoundArtifactFile {
  return { ...file, release: where.release, dist: where.dist };
}

export function findFilesByDebugId(
  db: SqliteConnection,
  projectId: number,
  debugIds: readonly string[],
): FoundArtifactFile[] {
  const rows = db.all<FoundFileRow>(
    `SELECT * FROM (
       SELECT ${COLUMNS},
         row_number() OVER (PARTITION BY f.debug_id, f.type ORDER BY b.uploaded_at DESC, b.id DESC, f.id) AS place
       FROM (SELECT DISTINCT value FROM json_each(:debugIds)) AS asked
       CROSS JOIN artifact_files AS f ON f.debug_id = asked.value
       CROSS JOIN artifact_bundle_projects AS p ON p.project_id = :projectId AND p.bundle_id = f.bundle_id
       CROSS JOIN artifact_bundles AS b ON b.id = f.bundle_id
     )
     WHERE place <= ${MAX_FOUND_OF_ONE}
     ORDER BY uploadedAt DESC, bundleId DESC, fileId`,
    { projectId, debugIds: JSON.stringify(debugIds) },
  );
  return rows.map((row) => toFoundFile(row, { release: null, dist: null }));
}

export function findFilesByUrl(
  db: SqliteConnection,
  where: { projectId: number; release: string; dist: string | null },
  urls: readonly string[],
): FoundArtifactFile[] {
  const rows = db.all<FoundFileRow>(
    `SELECT * FROM (
       SELECT ${COLUMNS},
         row_number() OVER (PARTITION BY f.url ORDER BY b.uploaded_at DESC, b.id DESC, f.id) AS place
       FROM artifact_bundle_releases AS r
       CROSS JOIN artifact_bundles AS b ON b.id = r.bundle_id
       CROSS JOIN (SELECT DISTINCT value FROM json_each(:urls)) AS asked
       CROSS JOIN artifact_files AS f ON f.bundle_id = r.bundle_id AND f.url = asked.value
       WHERE r.project_id = :projectId AND r.version = :release AND r.dist = :dist
     )
     WHERE place <= ${MAX_FOUND_OF_ONE}
     ORDER BY uploadedAt DESC, bundleId DESC, fileId`,
    { projectId: where.projectId, release: where.release, dist: where.dist ?? "", urls: JSON.stringify(urls) },
  );
  return rows.map((row) => toFoundFile(row, where));
}

export function listReleaseUrls(
  db: SqliteConnection,
  where: { projectId: number; release: string },
  limit: number,
): Array<{ url: string; dist: string | null }> {
  const rows = db.all<{ url: string; dist: string }>(
    `SELECT DISTINCT f.url, r.dist
     FROM artifact_bundle_releases AS r
     CROSS JOIN artifact_files AS f ON f.bundle_id = r.bundle_id
     WHERE r.project_id = :projectId AND r.version = :release AND f.url IS NOT NULL
     ORDER BY f.url, r.dist
     LIMIT :limit`,
    { ...where, limit: Math.max(Math.trunc(limit), 0) },
  );
  return rows.map(({ url, dist }) => ({ url, dist: dist === "" ? null : dist }));
}
