import type { OrderedRelease } from "../../../domain/releases/release-order.ts";
import type { Scope } from "../../../domain/scope.ts";
import { asFields } from "../../sql/columns.ts";
import type { SqliteConnection } from "../connection.ts";

/** Columns for `FROM releases AS r`. */
const COLUMNS = asFields("r.id, r.version, r.package, r.sort_key, r.ordered_at");

export function findOrderedRelease(db: SqliteConnection, version: string): OrderedRelease | null {
  const row = db.get<OrderedRelease>(`SELECT ${COLUMNS} FROM releases AS r WHERE r.version = :version`, {
    version,
  });
  return row ?? null;
}

/** The existing releases, by version. */
export function loadOrderedReleases(db: SqliteConnection, versions: readonly string[]): Map<string, OrderedRelease> {
  if (versions.length === 0) return new Map();
  const rows = db.all<OrderedRelease>(
    `SELECT ${COLUMNS} FROM json_each(:versions) AS asked CROSS JOIN releases AS r ON r.version = asked.value`,
    { versions: JSON.stringify(versions) },
  );
  return new Map(rows.map((row) => [row.version, row]));
}

/** The versions that are releases of the project. */
export function loadLinkedVersions(db: SqliteConnection, projectId: number, versions: readonly string[]): Set<string> {
  const rows = db.all<{ version: string }>(
    `SELECT r.version FROM json_each(:versions) AS asked
     CROSS JOIN releases AS r ON r.version = asked.value
     CROSS JOIN release_projects AS p ON p.project_id = :projectId AND p.release_id = r.id`,
    { projectId, versions: JSON.stringify(versions) },
  );
  return new Set(rows.map((row) => row.version));
}

/**
 * The release. Null: it does not exist, or none of its projects is in the scope. A release without projects belongs to the whole
 * organization.
 */
export function findScopedRelease(db: SqliteConnection, scope: Scope, version: string): OrderedRelease | null {
  const row = db.get<OrderedRelease>(
    `SELECT ${COLUMNS} FROM releases AS r WHERE r.version = :version AND ${RELEASE_IN_SCOPE}`,
    { version, projectIds: JSON.stringify(scope.projectIds) },
  );
  return row ?? null;
}

/** A condition on `releases AS r`. Takes `:projectIds`, a JSON array. The plus keeps SQLite from turning it into a join. */
export const RELEASE_IN_SCOPE = `+(
  EXISTS (SELECT 1 FROM json_each(:projectIds) AS asked
          CROSS JOIN release_projects AS p ON p.project_id = asked.value AND p.release_id = r.id)
  OR NOT EXISTS (SELECT 1 FROM release_projects WHERE release_id = r.id))`;

/**
 * The latest release of a project. The newest one by date shows how the project names its releases: if its version is semantic, the highest
 * version of its package is the latest, whichever came last.
 */
export function findLatestRelease(db: SqliteConnection, projectId: number): OrderedRelease | null {
  const inProject = "EXISTS (SELECT 1 FROM release_projects WHERE project_id = :projectId AND release_id = r.id)";
  const newest = db.get<OrderedRelease>(
    `SELECT ${COLUMNS} FROM releases AS r INDEXED BY releases_by_date
     WHERE +${inProject} ORDER BY r.ordered_at DESC, r.id DESC LIMIT 1`,
    { projectId },
  );
  if (newest === undefined) return null;
  if (newest.sortKey === "") return newest;
  const highest = db.get<OrderedRelease>(
    `SELECT ${COLUMNS} FROM releases AS r INDEXED BY releases_by_package
     WHERE r.package = :package AND r.sort_key <> '' AND +${inProject}
     ORDER BY r.package DESC, r.sort_key DESC, r.ordered_at DESC, r.id DESC LIMIT 1`,
    { projectId, package: newest.package },
  );
  return highest ?? newest;
}

export function findReleasesWithCommit(
  db: SqliteConnection,
  projectId: number,
  { commitId, repository }: { commitId: string; repository: string },
): OrderedRelease[] {
  return db.all<OrderedRelease>(
    `SELECT DISTINCT ${COLUMNS}
     FROM release_commits AS c
     CROSS JOIN releases AS r ON r.id = c.release_id
     CROSS JOIN release_projects AS p ON p.project_id = :projectId AND p.release_id = r.id
     WHERE c.commit_id = :commitId AND c.repository = :repository`,
    { projectId, commitId, repository },
  );
}

/**
 * The nearest releases of the same kind on one side, nearest first, among the releases of its projects in the scope. For a release without
 * projects, among all releases.
 */
function findNeighbours(
  db: SqliteConnection,
  scope: Scope,
  release: OrderedRelease,
  { side, withCommits, limit }: { side: "older" | "newer"; withCommits: boolean; limit: number },
): OrderedRelease[] {
  const [sign, direction] = side === "older" ? ["<", "DESC"] : [">", "ASC"];
  const kind =
    release.sortKey === ""
      ? {
          index: "releases_by_date",
          order: ["r.ordered_at", "r.id"],
          isThere: `(r.ordered_at, r.id) ${sign} (:orderedAt, :id)`,
        }
      : {
          index: "releases_by_package",
          order: ["r.sort_key", "r.ordered_at", "r.id"],
          isThere: `r.package = :package AND r.sort_key <> ''
            AND (r.sort_key, r.ordered_at, r.id) ${sign} (:sortKey, :orderedAt, :id)`,
        };
  return db.all<OrderedRelease>(
    `SELECT ${COLUMNS} FROM releases AS r INDEXED BY ${kind.index}
     WHERE ${kind.isThere} ${withCommits ? "AND r.commit_count > 0" : ""}
       AND (
         (NOT EXISTS (SELECT 1 FROM release_projects WHERE release_id = :id) AND ${RELEASE_IN_SCOPE})
         OR EXISTS (
           SELECT 1 FROM release_projects AS own
           CROSS JOIN release_projects AS other ON other.project_id = own.project_id AND other.release_id = r.id
           WHERE own.release_id = :id AND own.project_id IN (SELECT value FROM json_each(:projectIds))))
     ORDER BY ${kind.order.map((column) => `${column} ${direction}`).join(", ")}
     LIMIT :limit`,
    { ...release, limit, projectIds: JSON.stringify(scope.projectIds) },
  );
}

/** The nearest older releases of the same kind, nearest first. */
export function findPreviousReleases(
  db: SqliteConnection,
  scope: Scope,
  release: OrderedRelease,
  options: { withCommits: boolean; limit: number },
): OrderedRelease[] {
  return findNeighbours(db, scope, release, { side: "older", ...options });
}

export function findNextRelease(db: SqliteConnection, scope: Scope, release: OrderedRelease): OrderedRelease | null {
  return findNeighbours(db, scope, release, { side: "newer", withCommits: false, limit: 1 })[0] ?? null;
}
