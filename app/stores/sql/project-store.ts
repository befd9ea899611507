import { randomBytes } from "node:crypto";
import type { AuditFields, AuditTarget } from "../../domain/audit/audit-entry.ts";
import { sortByName } from "../../domain/compare-names.ts";
import type { Project, ProjectKey } from "../../domain/project.ts";
import { renameInView } from "../../domain/rename-in-view.ts";
import { includesProject, type Scope } from "../../domain/scope.ts";
import { toSdkFeatures } from "../../domain/sdk-feature.ts";
import type { DirectoryStore } from "../state/directory-store.ts";
import type { ProjectStore } from "../state/project-store.ts";
import { insertRule } from "./alert-rules.ts";
import { asFields, type RowOf } from "./columns.ts";
import { all, get, type Query, type QueryRunner, run } from "./query.ts";

const MAX_LISTED = 10_000;

type ProjectRow = RowOf<
  Project,
  { allowedOrigins: string; sourceLinks: string | null; fetchesSourceMaps: number; serviceRules: string }
>;

const PROJECT_COLUMNS = asFields(
  "id, slug, name, platform, allowed_origins, source_links, fetches_source_maps, service_rules, apdex_ms, grouping_moved_at, created_at, first_event_at",
);

function toProject(row: ProjectRow): Project {
  return {
    ...row,
    allowedOrigins: JSON.parse(row.allowedOrigins),
    sourceLinks: row.sourceLinks && JSON.parse(row.sourceLinks),
    fetchesSourceMaps: row.fetchesSourceMaps === 1,
    serviceRules: JSON.parse(row.serviceRules),
  };
}

type KeyRow = RowOf<Omit<ProjectKey, "rateLimit">, { isEnabled: number; sdkFeatures: string }> & {
  rateLimitCount: number | null;
  rateLimitWindowSeconds: number | null;
};

const KEY_COLUMNS = asFields(
  "id, project_id, label, public_key, is_enabled, rate_limit_count, rate_limit_window_seconds, sdk_features, created_at",
);

function toProjectKey({ rateLimitCount: count, rateLimitWindowSeconds: windowSeconds, ...row }: KeyRow): ProjectKey {
  const rateLimit = count === null || windowSeconds === null ? null : { count, windowSeconds };
  return { ...row, isEnabled: row.isEnabled === 1, rateLimit, sdkFeatures: toSdkFeatures(row.sdkFeatures.split(",")) };
}

export function createProjectStore(db: QueryRunner): ProjectStore {
  return {
    listProjects: async (scope) =>
      sortByName((await db.read(listProjects)).filter(({ id }) => includesProject(scope, id))),
    getProject: (scope, projectId) => db.read(() => getScopedProject(scope, projectId)),
    async getProjectBySlug(scope, slug) {
      const project = await db.read(() => getProjectBySlug(slug));
      return project && includesProject(scope, project.id) ? project : null;
    },
    async createProject(input) {
      const project = await db.write(function* () {
        const made = yield* createProject(input);
        if (made === null) return null;
        const rule = input.draftRule?.(made) ?? null;
        if (rule) yield* insertRule(rule, input.at);
        const after = { ...projectFields(made), ...(rule && { alert: rule.name }) };
        yield* db.note({ action: "project.create", target: projectTarget(made), after });
        return made;
      });
      return project === null ? { ok: false, reason: "slug-taken" } : { ok: true, project };
    },
    changeProject: (scope, projectId, change) =>
      db.write(function* () {
        const before = yield* getScopedProject(scope, projectId);
        const result = yield* changeProject(scope, projectId, change);
        if (before && result.ok)
          yield* db.note({
            action: "project.edit",
            target: projectTarget(before),
            before: projectFields(before),
            after: projectFields(result.project),
          });
        return result;
      }),
    listKeys: (scope, projectId) => db.read(() => listProjectKeys(scope, projectId)),
    createKey: async (scope, input) =>
      includesProject(scope, input.projectId)
        ? db.write(function* () {
            const key = yield* createKey(input);
            yield* db.note({ action: "key.create", target: yield* keyTarget(key), after: keyFields(key) });
            return key;
          })
        : null,
    changeKey: (scope, keyId, change) =>
      db.write(function* () {
        const before = yield* getKeyRow(scope, keyId);
        const key = yield* changeKey(scope, keyId, change);
        if (before && key)
          yield* db.note({
            action: "key.edit",
            target: yield* keyTarget(key),
            before: keyFields(toProjectKey(before)),
            after: keyFields(key),
          });
        return key;
      }),
    deleteKey: (scope, keyId) =>
      db.write(function* () {
        const row = yield* getKeyRow(scope, keyId);
        if (row === null) return false;
        const key = toProjectKey(row);
        yield* db.note({ action: "key.delete", target: yield* keyTarget(key), before: keyFields(key) });
        return yield* deleteKey(scope, keyId);
      }),
  };
}

function projectTarget({ id, slug }: Project): AuditTarget {
  return { kind: "project", id, name: slug };
}

/** What the audit log says of a project. */
function projectFields(project: Project): AuditFields {
  const { name, slug, platform, allowedOrigins, sourceLinks, fetchesSourceMaps, serviceRules, apdexMs } = project;
  return {
    name,
    slug,
    platform,
    "allowed origins": allowedOrigins,
    "source links": sourceLinks && JSON.stringify(sourceLinks),
    "fetches source maps": fetchesSourceMaps,
    "service rules": JSON.stringify(serviceRules),
    "Apdex threshold in ms": apdexMs,
  };
}

function* keyTarget({ id, label, projectId }: ProjectKey): Query<AuditTarget> {
  const project = yield* getProject(projectId);
  return { kind: "key", id, name: `${label} of ${project?.slug ?? projectId}` };
}

/** What the audit log says of a key. The public key is in every page that reports, and no secret. */
function keyFields({ label, publicKey, isEnabled, rateLimit, sdkFeatures }: ProjectKey): AuditFields {
  return {
    label,
    "public key": publicKey,
    enabled: isEnabled,
    "rate limit": rateLimit && `${rateLimit.count} in ${rateLimit.windowSeconds} s`,
    "SDK features": sdkFeatures,
  };
}

export function createDirectoryStore(db: QueryRunner): DirectoryStore {
  return {
    listProjects: () => db.read(listProjects),
    listProjectIds: () => db.read(listProjectIds),
    getProject: (projectId) => db.read(() => getProject(projectId)),
    getProjectBySlug: (slug) => db.read(() => getProjectBySlug(slug)),
    listKeys: () => db.read(listKeys),
    version: () => db.read(configurationVersion),
  };
}

function* listProjects(): Query<Project[]> {
  const rows = yield* all<ProjectRow>(`SELECT ${PROJECT_COLUMNS} FROM projects ORDER BY id LIMIT ${MAX_LISTED}`);
  return rows.map(toProject);
}

function* listProjectIds(): Query<number[]> {
  const rows = yield* all<{ id: number }>(`SELECT id FROM projects ORDER BY id LIMIT ${MAX_LISTED}`);
  return rows.map(({ id }) => id);
}

/** Null as well when the scope does not have it. */
function* getScopedProject(scope: Scope, projectId: number): Query<Project | null> {
  return includesProject(scope, projectId) ? yield* getProject(projectId) : null;
}

function* getProject(projectId: number): Query<Project | null> {
  const row = yield* get<ProjectRow>(`SELECT ${PROJECT_COLUMNS} FROM projects WHERE id = :projectId`, { projectId });
  return row ? toProject(row) : null;
}

export function* getProjectBySlug(slug: string): Query<Project | null> {
  const row = yield* get<ProjectRow>(`SELECT ${PROJECT_COLUMNS} FROM projects WHERE slug = :slug`, { slug });
  return row ? toProject(row) : null;
}

/** Null when the slug is taken. */
export function* createProject({
  seenBy = null,
  draftRule: _,
  ...input
}: Parameters<ProjectStore["createProject"]>[0]): Query<Project | null> {
  const row = yield* get<ProjectRow>(
    `INSERT INTO projects (slug, name, platform, created_at) VALUES (:slug, :name, :platform, :at)
     ON CONFLICT DO NOTHING RETURNING ${PROJECT_COLUMNS}`,
    input,
  );
  if (row === undefined) return null;
  const publicKey = randomBytes(16).toString("hex");
  yield* createKey({ projectId: row.id, label: "Default", publicKey, at: input.at });
  if (seenBy) {
    const [table, column, id] =
      "teamId" in seenBy ? ["team_projects", "team_id", seenBy.teamId] : ["member_projects", "user_id", seenBy.userId];
    yield* run(`INSERT INTO ${table} (${column}, project_id) VALUES (:id, :projectId)`, { id, projectId: row.id });
  }
  return toProject(row);
}

function* changeProject(
  scope: Scope,
  projectId: number,
  change: Parameters<ProjectStore["changeProject"]>[2],
): Query<Awaited<ReturnType<ProjectStore["changeProject"]>>> {
  const current = yield* getScopedProject(scope, projectId);
  if (current === null) return { ok: false, reason: "not-found" };
  const isRenamed = change.slug !== undefined && change.slug !== current.slug;
  if (isRenamed && (yield* getProjectBySlug(change.slug ?? "")) !== null) return { ok: false, reason: "slug-taken" };
  const project: Project = {
    ...current,
    name: change.name ?? current.name,
    slug: change.slug ?? current.slug,
    platform: change.platform ?? current.platform,
    allowedOrigins: change.allowedOrigins ?? current.allowedOrigins,
    sourceLinks: change.sourceLinks === undefined ? current.sourceLinks : change.sourceLinks,
    fetchesSourceMaps: change.fetchesSourceMaps ?? current.fetchesSourceMaps,
    serviceRules: change.serviceRules ?? current.serviceRules,
    apdexMs: change.apdexMs ?? current.apdexMs,
  };
  yield* run(
    `UPDATE projects SET name = :name, slug = :slug, platform = :platform, allowed_origins = :allowedOrigins,
       source_links = :sourceLinks, fetches_source_maps = :fetchesSourceMaps, service_rules = :serviceRules,
       apdex_ms = :apdexMs
     WHERE id = :projectId`,
    {
      projectId,
      name: project.name,
      slug: project.slug,
      platform: project.platform,
      allowedOrigins: JSON.stringify(project.allowedOrigins),
      sourceLinks: project.sourceLinks === null ? null : JSON.stringify(project.sourceLinks),
      fetchesSourceMaps: project.fetchesSourceMaps ? 1 : 0,
      serviceRules: JSON.stringify(project.serviceRules),
      apdexMs: project.apdexMs,
    },
  );
  if (isRenamed) yield* renameInViews(projectId, { from: current.slug, to: project.slug });
  yield* noteConfigurationChange();
  return { ok: true, project };
}

/** Saved views name projects by their slugs, as addresses do. */
function* renameInViews(projectId: number, slugs: { from: string; to: string }): Query<void> {
  const views = yield* all<{ id: number; query: string; projectIds: string }>(
    `SELECT id, query, project_ids AS "projectIds" FROM saved_views WHERE project_ids LIKE :like`,
    { like: `%${projectId}%` },
  );
  for (const { id, query, projectIds } of views) {
    if (!(JSON.parse(projectIds) as number[]).includes(projectId)) continue;
    const renamed = renameInView(query, slugs);
    if (renamed !== query) yield* run("UPDATE saved_views SET query = :renamed WHERE id = :id", { id, renamed });
  }
}

/** Sets when the first event was stored, once. */
export function* noteFirstEvent(projectId: number, at: number): Query<void> {
  const changedRows = yield* run(
    "UPDATE projects SET first_event_at = :at WHERE id = :projectId AND first_event_at IS NULL",
    { projectId, at },
  );
  if (changedRows > 0) yield* noteConfigurationChange();
}

function* listKeys(): Query<ProjectKey[]> {
  return (yield* all<KeyRow>(`SELECT ${KEY_COLUMNS} FROM project_keys ORDER BY id`)).map(toProjectKey);
}

function* listProjectKeys(scope: Scope, projectId: number): Query<ProjectKey[]> {
  if (!includesProject(scope, projectId)) return [];
  const rows = yield* all<KeyRow>(`SELECT ${KEY_COLUMNS} FROM project_keys WHERE project_id = :projectId ORDER BY id`, {
    projectId,
  });
  return rows.map(toProjectKey);
}

/** @throws when the project does not exist or the public key is taken. */
function* createKey({ rateLimit, ...input }: Parameters<ProjectStore["createKey"]>[1]): Query<ProjectKey> {
  const row = yield* get<KeyRow>(
    `INSERT INTO project_keys (project_id, label, public_key, created_at, rate_limit_count, rate_limit_window_seconds)
     VALUES (:projectId, :label, :publicKey, :at, :count, :windowSeconds)
     RETURNING ${KEY_COLUMNS}`,
    { ...input, count: rateLimit?.count ?? null, windowSeconds: rateLimit?.windowSeconds ?? null },
  );
  if (row === undefined) throw new Error("the database gave no row for the key that was inserted");
  yield* noteConfigurationChange();
  return toProjectKey(row);
}

/** Null when there is no such key. */
function* changeKey(
  scope: Scope,
  keyId: number,
  change: Parameters<ProjectStore["changeKey"]>[2],
): Query<ProjectKey | null> {
  const row = yield* getKeyRow(scope, keyId);
  if (row === null) return null;
  const current = toProjectKey(row);
  const key: ProjectKey = {
    ...current,
    label: change.label ?? current.label,
    isEnabled: change.isEnabled ?? current.isEnabled,
    rateLimit: change.rateLimit === undefined ? current.rateLimit : change.rateLimit,
    sdkFeatures: change.sdkFeatures ?? current.sdkFeatures,
  };
  yield* run(
    `UPDATE project_keys SET label = :label, is_enabled = :isEnabled,
       rate_limit_count = :count, rate_limit_window_seconds = :windowSeconds, sdk_features = :sdkFeatures
     WHERE id = :keyId`,
    {
      keyId,
      label: key.label,
      isEnabled: key.isEnabled ? 1 : 0,
      count: key.rateLimit?.count ?? null,
      windowSeconds: key.rateLimit?.windowSeconds ?? null,
      sdkFeatures: key.sdkFeatures.join(","),
    },
  );
  yield* noteConfigurationChange();
  return key;
}

function* deleteKey(scope: Scope, keyId: number): Query<boolean> {
  if ((yield* getKeyRow(scope, keyId)) === null) return false;
  yield* run("DELETE FROM project_keys WHERE id = :keyId", { keyId });
  yield* noteConfigurationChange();
  return true;
}

function* getKeyRow(scope: Scope, keyId: number): Query<KeyRow | null> {
  const row = yield* get<KeyRow>(`SELECT ${KEY_COLUMNS} FROM project_keys WHERE id = :keyId`, { keyId });
  return row !== undefined && includesProject(scope, row.projectId) ? row : null;
}

function* configurationVersion(): Query<number> {
  const row = yield* get<{ version: number }>("SELECT version FROM configuration WHERE id = 1");
  return row?.version ?? 0;
}

function* noteConfigurationChange(): Query<void> {
  yield* run("UPDATE configuration SET version = version + 1 WHERE id = 1");
}
