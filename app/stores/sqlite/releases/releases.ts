import type { AuditFields } from "../../../domain/audit/audit-entry.ts";
import type { Release } from "../../../domain/release.ts";
import { cleanReleaseVersion } from "../../../domain/release-version.ts";
import { type OrderedRelease, toVersionKey } from "../../../domain/releases/release-order.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import type { ReleaseStore } from "../../state/release-store.ts";
import { nameProjects } from "../audit/names.ts";
import type { SqliteConnection } from "../connection.ts";
import { settleWaiting } from "../issues/resolutions.ts";
import { readReleases } from "./read-releases.ts";
import {
  findLatestRelease,
  findNextRelease,
  findOrderedRelease,
  findPreviousReleases,
  findScopedRelease,
} from "./release-order.ts";

/** Within a write transaction. */
export function saveRelease(
  db: SqliteConnection,
  scope: Scope,
  input: Parameters<ReleaseStore["saveRelease"]>[1],
): { release: Release; isNew: boolean } {
  // An existing release keeps its name, even if the name is no longer allowed.
  const known = findOrderedRelease(db, input.version.trim());
  const version = known?.version ?? cleanReleaseVersion(input.version);
  if (version === null) throw new RangeError("the release has no name that a release may have");
  const isOwn = input.projectIds.some((projectId) => includesProject(scope, projectId));
  if (known !== null && !isOwn && findScopedRelease(db, scope, version) === null)
    throw new RangeError("the release is of projects outside of the scope only");
  const before = known && toFields(db, requireRelease(db, scope, known.id));
  const release = known ?? insertRelease(db, version, input.at);
  setFields(db, release.id, {
    ref: input.ref,
    url: input.url,
    status: input.status,
    started_at: input.startedAt,
    released_at: input.releasedAt,
  });
  // Read again for its date, which is compared by issues that wait for a release.
  const current = findOrderedRelease(db, version) ?? release;
  for (const projectId of new Set(input.projectIds)) {
    if (includesProject(scope, projectId)) linkRelease(db, projectId, current);
  }
  const saved = requireRelease(db, scope, release.id);
  db.note({
    action: before ? "release.edit" : "release.create",
    target: { kind: "release", id: release.id, name: version },
    ...(before && { before }),
    after: toFields(db, saved),
  });
  return { release: saved, isNew: known === null };
}

/** The fields of a release in the audit log. */
function toFields(db: SqliteConnection, { status, ref, url, releasedAt, projects }: Release): AuditFields {
  return {
    projects: nameProjects(
      db,
      projects.map(({ projectId }) => projectId),
    ),
    status,
    ref,
    url,
    released: releasedAt === null ? null : new Date(releasedAt).toISOString(),
  };
}

/** Within a write transaction: the release must be new. */
export function insertRelease(db: SqliteConnection, version: string, at: number): OrderedRelease {
  const createdAt = Math.floor(at);
  const key = toVersionKey(version);
  const { insertedId: id } = db.run(
    `INSERT INTO releases (version, search_text, package, sort_key, created_at)
     VALUES (:version, :searchText, :package, :sortKey, :createdAt)`,
    { version, searchText: version.toLowerCase(), ...key, createdAt },
  );
  return { id, version, ...key, orderedAt: createdAt };
}

/** Adds the release to the project, within a write transaction. */
function linkRelease(db: SqliteConnection, projectId: number, release: OrderedRelease): void {
  const { changedRows } = db.run(
    "INSERT OR IGNORE INTO release_projects (project_id, release_id) VALUES (:projectId, :releaseId)",
    { projectId, releaseId: release.id },
  );
  if (changedRows > 0) settleWaiting(db, { projectId, release });
}

type ReleaseField = "ref" | "url" | "status" | "started_at" | "released_at";

function setFields(
  db: SqliteConnection,
  releaseId: number,
  fields: Record<ReleaseField, string | number | null | undefined>,
): void {
  for (const [column, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    db.run(`UPDATE releases SET ${column} = :value WHERE id = :releaseId`, {
      releaseId,
      value: typeof value === "number" ? Math.floor(value) : value,
    });
  }
}

export function getRelease(db: SqliteConnection, scope: Scope, version: string): Release | null {
  const found = findScopedRelease(db, scope, version);
  return found === null ? null : requireRelease(db, scope, found.id);
}

function requireRelease(db: SqliteConnection, scope: Scope, releaseId: number): Release {
  const [release] = readReleases(db, scope, [releaseId]);
  if (release === undefined) throw new Error(`release ${releaseId} is gone`);
  return release;
}

/** Within a write transaction. */
export function deleteRelease(
  db: SqliteConnection,
  scope: Scope,
  version: string,
): "deleted" | "not-found" | "has-events" {
  const release = findScopedRelease(db, scope, version);
  if (release === null) return "not-found";
  const counted = db.get<{ count: number }>(
    "SELECT count(*) AS count FROM release_projects WHERE release_id = :releaseId AND event_count > 0",
    { releaseId: release.id },
  );
  if (counted !== undefined && counted.count > 0) return "has-events";
  db.note({ action: "release.delete", target: { kind: "release", id: release.id, name: version } });
  db.run(
    `DELETE FROM release_projects
     WHERE release_id = :releaseId AND project_id IN (SELECT value FROM json_each(:projectIds))`,
    { releaseId: release.id, projectIds: JSON.stringify(scope.projectIds) },
  );
  db.run(
    `DELETE FROM releases
     WHERE id = :releaseId AND NOT EXISTS (SELECT 1 FROM release_projects WHERE release_id = :releaseId)`,
    { releaseId: release.id },
  );
  return "deleted";
}

export function getPreviousRelease(
  db: SqliteConnection,
  scope: Scope,
  version: string,
  options: { withCommits?: boolean } = {},
): Release | null {
  const release = findScopedRelease(db, scope, version);
  if (release === null) return null;
  const [previous] = findPreviousReleases(db, scope, release, { withCommits: options.withCommits ?? false, limit: 1 });
  return previous === undefined ? null : requireRelease(db, scope, previous.id);
}

export function getNextRelease(db: SqliteConnection, scope: Scope, version: string): Release | null {
  const release = findScopedRelease(db, scope, version);
  const next = release && findNextRelease(db, scope, release);
  return next ? requireRelease(db, scope, next.id) : null;
}

export function getLatestRelease(db: SqliteConnection, scope: Scope, projectId: number): Release | null {
  const latest = includesProject(scope, projectId) ? findLatestRelease(db, projectId) : null;
  return latest === null ? null : requireRelease(db, scope, latest.id);
}
