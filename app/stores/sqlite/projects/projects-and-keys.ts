import { randomBytes } from "node:crypto";
import type { Project, ProjectKey } from "../../../domain/project.ts";
import type { SqliteConnection } from "../connection.ts";

const MAX_LISTED = 10_000;

interface ProjectRow {
  id: number;
  slug: string;
  name: string;
  platform: string;
  allowed_origins: string;
  source_links: string | null;
  fetches_source_maps: number;
  created_at: number;
  first_event_at: number | null;
}

const PROJECT_COLUMNS =
  "id, slug, name, platform, allowed_origins, source_links, fetches_source_maps, created_at, first_event_at";

function toProject(row: ProjectRow): Project {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    platform: row.platform,
    allowedOrigins: JSON.parse(row.allowed_origins),
    sourceLinks: row.source_links === null ? null : JSON.parse(row.source_links),
    fetchesSourceMaps: row.fetches_source_maps === 1,
    createdAt: row.created_at,
    firstEventAt: row.first_event_at,
  };
}

interface KeyRow {
  id: number;
  project_id: number;
  label: string;
  public_key: string;
  is_enabled: number;
  rate_limit_count: number | null;
  rate_limit_window_seconds: number | null;
  created_at: number;
}

const KEY_COLUMNS =
  "id, project_id, label, public_key, is_enabled, rate_limit_count, rate_limit_window_seconds, created_at";

function toProjectKey(row: KeyRow): ProjectKey {
  const { rate_limit_count: count, rate_limit_window_seconds: windowSeconds } = row;
  return {
    id: row.id,
    projectId: row.project_id,
    label: row.label,
    publicKey: row.public_key,
    isEnabled: row.is_enabled === 1,
    rateLimit: count === null || windowSeconds === null ? null : { count, windowSeconds },
    createdAt: row.created_at,
  };
}

export function listProjects(db: SqliteConnection): Project[] {
  return db.all<ProjectRow>(`SELECT ${PROJECT_COLUMNS} FROM projects ORDER BY id LIMIT ${MAX_LISTED}`).map(toProject);
}

export function getProject(db: SqliteConnection, projectId: number): Project | null {
  const row = db.get<ProjectRow>(`SELECT ${PROJECT_COLUMNS} FROM projects WHERE id = :projectId`, { projectId });
  return row ? toProject(row) : null;
}

export function getProjectBySlug(db: SqliteConnection, slug: string): Project | null {
  const row = db.get<ProjectRow>(`SELECT ${PROJECT_COLUMNS} FROM projects WHERE slug = :slug`, { slug });
  return row ? toProject(row) : null;
}

/** Within a write transaction; null when the slug is taken. */
export function createProject(
  db: SqliteConnection,
  input: { slug: string; name: string; platform: string; at: number },
): Project | null {
  const row = db.get<ProjectRow>(
    `INSERT INTO projects (slug, name, platform, created_at) VALUES (:slug, :name, :platform, :at)
     ON CONFLICT DO NOTHING RETURNING ${PROJECT_COLUMNS}`,
    input,
  );
  if (row === undefined) return null;
  const publicKey = randomBytes(16).toString("hex");
  createKey(db, { projectId: row.id, label: "Default", publicKey, at: input.at });
  return toProject(row);
}

/** Within a write transaction. */
export function changeProject(
  db: SqliteConnection,
  projectId: number,
  change: Partial<Pick<Project, "name" | "slug" | "platform" | "allowedOrigins" | "sourceLinks" | "fetchesSourceMaps">>,
): { ok: true; project: Project } | { ok: false; reason: "slug-taken" | "not-found" } {
  const current = getProject(db, projectId);
  if (current === null) return { ok: false, reason: "not-found" };
  if (change.slug !== undefined && change.slug !== current.slug && getProjectBySlug(db, change.slug) !== null) {
    return { ok: false, reason: "slug-taken" };
  }
  const project: Project = {
    ...current,
    name: change.name ?? current.name,
    slug: change.slug ?? current.slug,
    platform: change.platform ?? current.platform,
    allowedOrigins: change.allowedOrigins ?? current.allowedOrigins,
    sourceLinks: change.sourceLinks === undefined ? current.sourceLinks : change.sourceLinks,
    fetchesSourceMaps: change.fetchesSourceMaps ?? current.fetchesSourceMaps,
  };
  db.run(
    `UPDATE projects SET name = :name, slug = :slug, platform = :platform, allowed_origins = :allowedOrigins,
       source_links = :sourceLinks, fetches_source_maps = :fetchesSourceMaps
     WHERE id = :projectId`,
    {
      projectId,
      name: project.name,
      slug: project.slug,
      platform: project.platform,
      allowedOrigins: JSON.stringify(project.allowedOrigins),
      sourceLinks: project.sourceLinks === null ? null : JSON.stringify(project.sourceLinks),
      fetchesSourceMaps: project.fetchesSourceMaps ? 1 : 0,
    },
  );
  noteConfigurationChange(db);
  return { ok: true, project };
}

/** Within a write transaction: sets when the first event was stored, once. */
export function noteFirstEvent(db: SqliteConnection, projectId: number, at: number): void {
  const { changedRows } = db.run(
    "UPDATE projects SET first_event_at = :at WHERE id = :projectId AND first_event_at IS NULL",
    { projectId, at },
  );
  if (changedRows > 0) noteConfigurationChange(db);
}

export function listKeys(db: SqliteConnection, projectId: number | null): ProjectKey[] {
  const rows =
    projectId === null
      ? db.all<KeyRow>(`SELECT ${KEY_COLUMNS} FROM project_keys ORDER BY id`)
      : db.all<KeyRow>(`SELECT ${KEY_COLUMNS} FROM project_keys WHERE project_id = :projectId ORDER BY id`, {
          projectId,
        });
  return rows.map(toProjectKey);
}

/** Within a write transaction. @throws when the project does not exist or the public key is taken. */
export function createKey(
  db: SqliteConnection,
  input: { projectId: number; label: string; publicKey: string; at: number },
): ProjectKey {
  const row = db.get<KeyRow>(
    `INSERT INTO project_keys (project_id, label, public_key, created_at) VALUES (:projectId, :label, :publicKey, :at)
     RETURNING ${KEY_COLUMNS}`,
    input,
  );
  if (row === undefined) throw new Error("SQLite gave no row for the key that was inserted");
  noteConfigurationChange(db);
  return toProjectKey(row);
}

/** Within a write transaction; null when there is no such key. */
export function changeKey(
  db: SqliteConnection,
  keyId: number,
  change: { label?: string; isEnabled?: boolean; rateLimit?: ProjectKey["rateLimit"] },
): ProjectKey | null {
  const row = db.get<KeyRow>(`SELECT ${KEY_COLUMNS} FROM project_keys WHERE id = :keyId`, { keyId });
  if (row === undefined) return null;
  const current = toProjectKey(row);
  const key: ProjectKey = {
    ...current,
    label: change.label ?? current.label,
    isEnabled: change.isEnabled ?? current.isEnabled,
    rateLimit: change.rateLimit === undefined ? current.rateLimit : change.rateLimit,
  };
  db.run(
    `UPDATE project_keys SET label = :label, is_enabled = :isEnabled,
       rate_limit_count = :count, rate_limit_window_seconds = :windowSeconds
     WHERE id = :keyId`,
    {
      keyId,
      label: key.label,
      isEnabled: key.isEnabled ? 1 : 0,
      count: key.rateLimit?.count ?? null,
      windowSeconds: key.rateLimit?.windowSeconds ?? null,
    },
  );
  noteConfigurationChange(db);
  return key;
}

/** Within a write transaction. */
export function deleteKey(db: SqliteConnection, keyId: number): boolean {
  const isDeleted = db.run("DELETE FROM project_keys WHERE id = :keyId", { keyId }).changedRows > 0;
  if (isDeleted) noteConfigurationChange(db);
  return isDeleted;
}

export function configurationVersion(db: SqliteConnection): number {
  return db.get<{ version: number }>("SELECT version FROM configuration WHERE id = 1")?.version ?? 0;
}

function noteConfigurationChange(db: SqliteConnection): void {
  db.run("UPDATE configuration SET version = version + 1 WHERE id = 1");
}
