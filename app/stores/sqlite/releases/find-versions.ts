import { parseReleaseVersion, toSemverSortKey } from "../../../domain/release-version.ts";
import type { Scope } from "../../../domain/scope.ts";
import type { CompareSign } from "../../../domain/search/search-tree.ts";
import type { SqliteConnection } from "../connection.ts";
import { RELEASE_IN_SCOPE } from "./release-order.ts";

export function findVersions(
  db: SqliteConnection,
  scope: Scope,
  { sign, version }: { sign: CompareSign; version: string },
  limit: number,
): string[] {
  const asked = parseReleaseVersion(version);
  if (asked.semver === null) return [];
  const rows = db.all<{ version: string }>(
    `SELECT r.version FROM releases AS r
     WHERE r.sort_key <> '' AND r.sort_key ${sign} :sortKey AND ${RELEASE_IN_SCOPE}
       ${asked.package === null ? "" : "AND r.package = :package"}
     ORDER BY r.sort_key ${sign.startsWith(">") ? "ASC" : "DESC"}, r.id LIMIT :limit`,
    {
      sortKey: toSemverSortKey(asked.semver),
      projectIds: JSON.stringify(scope.projectIds),
      ...(asked.package === null ? {} : { package: asked.package }),
      limit,
    },
  );
  return rows.map((row) => row.version);
}
