import type { ArtifactBundle, ArtifactFile } from "../../../domain/artifact.ts";
import type { AuditFields, AuditTarget } from "../../../domain/audit/audit-entry.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import { asFields, type RowOf } from "../../sql/columns.ts";
import { nameProjects } from "../audit/names.ts";
import type { SqliteConnection } from "../connection.ts";

const MAX_PAGE_SIZE = 100;
const MAX_LISTED_FILES = 10_000;
const CURSOR = /^(\d{1,15})\.(\d{1,15})$/;

type BundleRow = RowOf<ArtifactBundle, { projectIds: string; releases: string }>;

const BUNDLE_COLUMNS = `
  ${asFields("b.id, b.checksum, b.container, b.debug_id, b.note, b.bytes, b.file_count, b.uploaded_at, b.uploaded_by")},
  (SELECT json_group_array(project_id ORDER BY project_id) FROM artifact_bundle_projects WHERE bundle_id = b.id)
    AS projectIds,
  (SELECT json_group_array(
     json_object('projectId', project_id, 'version', version, 'dist', nullif(dist, '')) ORDER BY version, dist, project_id)
   FROM artifact_bundle_releases WHERE bundle_id = b.id) AS releases`;

/**
 * Converts a row. The upload has only projects and releases in the scope; without a scope, all of them, with a release once for each
 * project.
 */
function toBundle(row: BundleRow, scope: Scope | null): ArtifactBundle {
  const isNamed = (projectId: number) => scope === null || includesProject(scope, projectId);
  const releases = new Map<string, ArtifactBundle["releases"][number]>();
  for (const { projectId, version, dist } of JSON.parse(row.releases) as ReleaseOfProject[])
    if (isNamed(projectId)) releases.set(JSON.stringify([version, dist, scope ?? projectId]), { version, dist });
  const projectIds: number[] = JSON.parse(row.projectIds);
  return { ...row, projectIds: projectIds.filter(isNamed), releases: [...releases.values()] };
}

interface ReleaseOfProject {
  projectId: number;
  version: string;
  dist: string | null;
}

/** Within a write transaction. */
export function saveArtifactBundle(
  db: SqliteConnection,
  scope: Scope,
  bundle: Omit<ArtifactBundle, "id" | "fileCount">,
  files: ReadonlyArray<Omit<ArtifactFile, "bundleId">>,
): ArtifactBundle {
  const known = db.get<{ id: number }>("SELECT id FROM artifact_bundles WHERE checksum = :checksum", {
    checksum: bundle.checksum,
  });
  const bundleId = known?.id ?? insertBundle(db, bundle, files);
  const projectIds = JSON.stringify(bundle.projectIds.filter((id) => includesProject(scope, id)));
  db.run(
    `INSERT OR IGNORE INTO artifact_bundle_projects (project_id, bundle_id)
     SELECT value, :bundleId FROM json_each(:projectIds)`,
    { bundleId, projectIds },
  );
  for (const { version, dist } of bundle.releases) {
    db.run(
      `INSERT OR IGNORE INTO artifact_bundle_releases (project_id, version, dist, bundle_id)
       SELECT value, :version, :dist, :bundleId FROM json_each(:projectIds)`,
      { bundleId, projectIds, version, dist: dist ?? "" },
    );
  }
  noteArtifactChange(db);
  const saved = findBundle(db, scope, { column: "id", value: bundleId });
  if (saved === null) throw new Error(`artifact bundle ${bundleId} is gone as soon as it was saved`);
  if (known === undefined)
    db.note({
      action: "upload.create",
      target: toTarget(saved),
      after: { ...toFields(db, saved), bytes: saved.bytes },
    });
  return saved;
}

function toTarget({ id, checksum }: ArtifactBundle): AuditTarget {
  return { kind: "upload", id, name: `upload ${checksum.slice(0, 12)}` };
}

/** The fields of an upload in the audit log. */
function toFields(db: SqliteConnection, { releases, projectIds, fileCount }: ArtifactBundle): AuditFields {
  return { releases: releases.map(({ version }) => version), projects: nameProjects(db, projectIds), files: fileCount };
}

function insertBundle(
  db: SqliteConnection,
  bundle: Omit<ArtifactBundle, "id" | "fileCount">,
  files: ReadonlyArray<Omit<ArtifactFile, "bundleId">>,
): number {
  const { projectIds: _, releases: __, ...fields } = bundle;
  const { insertedId: bundleId } = db.run(
    `INSERT INTO artifact_bundles (
       checksum, container, debug_id, note, bytes, file_count, uploaded_at, uploaded_by)
     VALUES (:checksum, :container, :debugId, :note, :bytes, :fileCount, :uploadedAt, :uploadedBy)`,
    { ...fields, fileCount: files.length, uploadedAt: Math.floor(bundle.uploadedAt) },
  );
  // A single statement for up to 20,000 rows, because this thread does nothing else meanwhile.
  db.run(
    `INSERT INTO artifact_files (bundle_id, path, type, url, debug_id, source_map_url, bytes)
     SELECT :bundleId, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(:files)`,
    {
      bundleId,
      files: JSON.stringify(
        files.map(({ path, type, url, debugId, sourceMapUrl, bytes }) => [
          path,
          type,
          url,
          debugId,
          sourceMapUrl,
          bytes,
        ]),
      ),
    },
  );
  return bundleId;
}

export function sumUploads(db: SqliteConnection, scope: Scope): Array<{ projectId: number; bytes: number }> {
  return db.all(
    `SELECT p.project_id AS projectId, sum(b.bytes) AS bytes
     FROM artifact_bundle_projects AS p JOIN artifact_bundles AS b ON b.id = p.bundle_id
     WHERE p.project_id IN (SELECT value FROM json_each(:projectIds))
     GROUP BY p.project_id ORDER BY p.project_id`,
    { projectIds: JSON.stringify(scope.projectIds) },
  );
}

/** The upload, with only the projects and releases in the scope; null when no project is in the scope. */
export function findBundle(
  db: SqliteConnection,
  scope: Scope,
  { column, value }: { column: "id"; value: number } | { column: "checksum"; value: string },
): ArtifactBundle | null {
  const row = db.get<BundleRow>(`SELECT ${BUNDLE_COLUMNS} FROM artifact_bundles AS b WHERE b.${column} = :value`, {
    value,
  });
  const bundle = row ? toBundle(row, scope) : null;
  return bundle && bundle.projectIds.length > 0 ? bundle : null;
}

export function listScopedBundles(
  db: SqliteConnection,
  scope: Scope,
  query: { release?: string; cursor: string | null; limit: number },
): { bundles: ArtifactBundle[]; nextCursor: string | null } {
  const { rows, nextCursor } = listRows(db, { ...query, projectIds: scope.projectIds });
  return { bundles: rows.map((row) => toBundle(row, scope)), nextCursor };
}

interface BundleQuery {
  projectIds?: readonly number[];
  release?: string;
  cursor: string | null;
  limit: number;
}

/** Uploads of any of the projects; all uploads when no project is named. */
export function listArtifactBundles(
  db: SqliteConnection,
  query: BundleQuery,
): { bundles: ArtifactBundle[]; nextCursor: string | null } {
  const { rows, nextCursor } = listRows(db, query);
  return { bundles: rows.map((row) => toBundle(row, null)), nextCursor };
}

function listRows(db: SqliteConnection, query: BundleQuery): { rows: BundleRow[]; nextCursor: string | null } {
  const limit = Math.min(Math.max(Math.trunc(query.limit), 1), MAX_PAGE_SIZE);
  const conditions: string[] = [];
  const params: Record<string, string | number> = { limit: limit + 1 };
  if (query.projectIds !== undefined) {
    conditions.push(
      `+EXISTS (SELECT 1 FROM json_each(:projectIds) AS asked
                CROSS JOIN artifact_bundle_projects AS p ON p.project_id = asked.value AND p.bundle_id = b.id)`,
    );
    params.projectIds = JSON.stringify(query.projectIds);
  }
  if (query.release !== undefined) {
    conditions.push(
      query.projectIds === undefined
        ? "b.id IN (SELECT bundle_id FROM artifact_bundle_releases WHERE version = :release)"
        : `b.id IN (SELECT r.bundle_id FROM json_each(:projectIds) AS asked
                    CROSS JOIN artifact_bundle_releases AS r ON r.project_id = asked.value AND r.version = :release)`,
    );
    params.release = query.release;
  }
  const place = CURSOR.exec(query.cursor ?? "");
  if (place !== null) {
    conditions.push("(b.uploaded_at, b.id) < (:placeAt, :placeId)");
    params.placeAt = Number(place[1]);
    params.placeId = Number(place[2]);
  }
  const rows = db.all<BundleRow>(
    `SELECT ${BUNDLE_COLUMNS} FROM artifact_bundles AS b
     ${conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : ""}
     ORDER BY b.uploaded_at DESC, b.id DESC
     LIMIT :limit`,
    params,
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const nextCursor = last && rows.length > limit ? `${last.uploadedAt}.${last.id}` : null;
  return { rows: page, nextCursor };
}

export function listArtifactFiles(db: SqliteConnection, bundleId: number): ArtifactFile[] {
  return db.all<ArtifactFile>(
    `SELECT ${FILE_COLUMNS} FROM artifact_files AS f WHERE f.bundle_id = :bundleId
     ORDER BY f.path, f.id LIMIT ${MAX_LISTED_FILES}`,
    { bundleId },
  );
}

/** Within a write transaction. */
export function deleteArtifactBundle(
  db: SqliteConnection,
  scope: Scope,
  bundleId: number,
): { freedChecksum: string | null } | null {
  const bundle = findBundle(db, scope, { column: "id", value: bundleId });
  if (bundle === null) return null;
  db.note({
    action: "upload.delete",
    target: toTarget(bundle),
    before: toFields(db, bundle),
  });
  db.run(
    `DELETE FROM artifact_bundle_projects
     WHERE bundle_id = :bundleId AND project_id IN (SELECT value FROM json_each(:projectIds))`,
    { bundleId, projectIds: JSON.stringify(scope.projectIds) },
  );
  const freed = db.get<{ checksum: string }>(
    `DELETE FROM artifact_bundles
     WHERE id = :bundleId AND NOT EXISTS (SELECT 1 FROM artifact_bundle_projects WHERE bundle_id = :bundleId)
     RETURNING checksum`,
    { bundleId },
  );
  noteArtifactChange(db);
  return { freedChecksum: freed?.checksum ?? null };
}

export function artifactVersion(db: SqliteConnection): number {
  return db.get<{ version: number }>("SELECT version FROM artifact_version WHERE id = 1")?.version ?? 0;
}

function noteArtifactChange(db: SqliteConnection): void {
  db.run("UPDATE artifact_version SET version = version + 1 WHERE id = 1");
}

/** Columns for `FROM artifact_files AS f`. */
export const FILE_COLUMNS = asFields("f.bundle_id, f.path, f.type, f.url, f.debug_id, f.source_map_url, f.bytes");
