import type { IssueChange } from "../../../domain/issues/issue-change.ts";
import type { MissingSourceMapSum } from "../../../domain/issues/missing-source-maps.ts";
import { asFields, type RowOf } from "../../sql/columns.ts";
import type { ArtifactIndex } from "../../state/artifact-index.ts";
import type { MissingSourceMap } from "../../state/artifact-store.ts";
import { MAX_MISSING_OF_PROJECT, type MissingSourceMapKey } from "../../state/artifact-store.ts";
import type { SqliteConnection } from "../connection.ts";

const MAX_LISTED = 1_000;
/** Dropping goes this far below the bound, so that the next batch need not drop again. */
const KEPT_OF_FULL_PROJECT = MAX_MISSING_OF_PROJECT * 0.9;

const COLUMNS =
  "project_id, issue_id, debug_id, release, dist, event_count, first_seen_at, last_seen_at, sample_url, is_foreign, type";

const ADD_TO_KNOWN = `
  ON CONFLICT DO UPDATE SET event_count = event_count + excluded.event_count,
    first_seen_at = min(first_seen_at, excluded.first_seen_at),
    last_seen_at = max(last_seen_at, excluded.last_seen_at),
    sample_url = iif(is_foreign > excluded.is_foreign, excluded.sample_url, sample_url),
    is_foreign = min(is_foreign, excluded.is_foreign)`;

/** Saves which source maps the events of the changes miss, one row for each issue and key. Within a write transaction. */
export function saveMissingSourceMaps(
  db: SqliteConnection,
  changes: readonly IssueChange[],
  issueIds: ReadonlyMap<IssueChange, number>,
): void {
  const rows: Array<[projectId: number, issueId: number, ...ReturnType<typeof toValues>]> = [];
  for (const change of changes) {
    const issueId = issueIds.get(change);
    if (issueId === undefined) continue;
    for (const sum of change.missingSourceMaps.values()) rows.push([change.first.projectId, issueId, ...toValues(sum)]);
  }
  if (rows.length === 0) return;
  // A single statement, because there are as many rows as events if no map of an application was uploaded.
  db.run(
    `INSERT INTO wanted_source_maps (${COLUMNS})
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
       value ->> 8, value ->> 9, value ->> 10
     FROM json_each(:rows) WHERE true ${ADD_TO_KNOWN}`,
    { rows: JSON.stringify(rows) },
  );
  const projectIds = new Set(rows.map(([projectId]) => projectId));
  for (const projectId of projectIds) dropOldest(db, projectId);
}

function toValues({ isForeign, ...sum }: MissingSourceMapSum) {
  const { type, debugId, release, dist, eventCount, firstSeenAt, lastSeenAt, sampleUrl } = sum;
  return [debugId, release, dist, eventCount, firstSeenAt, lastSeenAt, sampleUrl, isForeign ? 1 : 0, type] as const;
}

/** Moves the missing source maps of one issue to another, within a write transaction. */
export function moveMissingSourceMaps(
  db: SqliteConnection,
  move: { projectId: number; issueId: number; targetId: number },
): void {
  db.run(
    `INSERT INTO wanted_source_maps (${COLUMNS})
     SELECT ${COLUMNS.replace("issue_id", ":targetId")} FROM wanted_source_maps
     WHERE project_id = :projectId AND issue_id = :issueId ${ADD_TO_KNOWN}`,
    { ...move },
  );
}

function dropOldest(db: SqliteConnection, projectId: number): void {
  const counted = db.get<{ count: number }>(
    "SELECT count(*) AS count FROM wanted_source_maps WHERE project_id = :projectId",
    { projectId },
  );
  if (counted === undefined || counted.count <= MAX_MISSING_OF_PROJECT) return;
  db.run(
    `DELETE FROM wanted_source_maps WHERE (project_id, issue_id, debug_id, release, dist) IN (
       SELECT project_id, issue_id, debug_id, release, dist FROM wanted_source_maps
       WHERE project_id = :projectId ORDER BY is_foreign DESC, last_seen_at LIMIT :excess)`,
    { projectId, excess: counted.count - KEPT_OF_FULL_PROJECT },
  );
}

/** Debug id, release and dist are empty texts if they are missing. */
type MissingRow = RowOf<MissingSourceMap, { debugId: string; release: string; dist: string; isForeign: number }>;

const KEY_COLUMNS = asFields("w.project_id, w.issue_id, w.debug_id, w.release, w.dist");

function withoutEmpty<Row extends Pick<MissingRow, "debugId" | "release" | "dist">>(row: Row) {
  return { ...row, debugId: row.debugId || null, release: row.release || null, dist: row.dist || null };
}

export function listMissingSourceMaps(
  db: SqliteConnection,
  query: Parameters<ArtifactIndex["listMissingSourceMaps"]>[0],
): MissingSourceMap[] {
  const { projectIds, release, issueId, isForeign } = query;
  const rows = db.all<MissingRow>(
    `SELECT ${KEY_COLUMNS}, ${asFields("w.event_count, w.first_seen_at, w.last_seen_at, w.sample_url, w.is_foreign, w.type")}
     FROM json_each(:projectIds) AS asked CROSS JOIN wanted_source_maps AS w ON w.project_id = asked.value
     WHERE true ${release === undefined ? "" : "AND w.release = :release"}
       ${issueId === undefined ? "" : "AND w.issue_id = :issueId"}
       ${isForeign === undefined ? "" : `AND w.is_foreign = ${isForeign ? 1 : 0}`}
     ORDER BY w.event_count DESC, w.last_seen_at DESC, w.issue_id, w.debug_id, w.release, w.dist
     LIMIT ${MAX_LISTED}`,
    {
      projectIds: JSON.stringify([...new Set(projectIds)]),
      ...(release === undefined ? {} : { release }),
      ...(issueId === undefined ? {} : { issueId }),
    },
  );
  return rows.map((row) => ({ ...withoutEmpty(row), isForeign: row.isForeign === 1 }));
}

export function findIssuesMissingSourceMaps(
  db: SqliteConnection,
  uploaded: {
    projectIds: number[];
    debugIds: readonly string[];
    releases: ReadonlyArray<{ version: string; dist: string | null }>;
  },
): Array<{ issueId: number; keys: Array<MissingSourceMapKey & { eventCount: number }> }> {
  const rows = db.all<Pick<MissingRow, "projectId" | "issueId" | "debugId" | "release" | "dist" | "eventCount">>(
    `SELECT ${KEY_COLUMNS}, w.event_count AS eventCount
     FROM json_each(:projectIds) AS asked CROSS JOIN wanted_source_maps AS w ON w.project_id = asked.value
     WHERE (w.debug_id <> '' AND w.debug_id IN (SELECT value FROM json_each(:debugIds)))
       OR (w.release <> '' AND (w.release, w.dist) IN (
         SELECT value ->> 'version', coalesce(value ->> 'dist', '') FROM json_each(:releases)))
     ORDER BY w.issue_id, w.debug_id, w.release, w.dist`,
    {
      projectIds: JSON.stringify([...new Set(uploaded.projectIds)]),
      debugIds: JSON.stringify(uploaded.debugIds),
      releases: JSON.stringify(uploaded.releases),
    },
  );
  return Array.from(
    Map.groupBy(rows.map(withoutEmpty), ({ issueId }) => issueId),
    ([issueId, keys]) => ({ issueId, keys }),
  );
}

type ExpectedKey = MissingSourceMapKey & { eventCount?: number };

/** Within a write transaction. */
export function forgetMissingSourceMaps(db: SqliteConnection, keys: readonly ExpectedKey[]): number {
  return changeEach(db, keys, "DELETE FROM wanted_source_maps");
}

/** Within a write transaction. */
export function markMissingForeign(db: SqliteConnection, keys: readonly ExpectedKey[]): number {
  return changeEach(db, keys, "UPDATE wanted_source_maps SET is_foreign = 1");
}

function changeEach(db: SqliteConnection, keys: readonly ExpectedKey[], statement: string): number {
  let changed = 0;
  for (const { projectId, issueId, debugId, release, dist, eventCount } of keys) {
    changed += db.run(
      `${statement}
       WHERE project_id = :projectId AND issue_id = :issueId AND debug_id = :debugId AND release = :release AND dist = :dist
         AND event_count <= :eventCount`,
      {
        projectId,
        issueId,
        debugId: debugId ?? "",
        release: release ?? "",
        dist: dist ?? "",
        eventCount: eventCount ?? Number.MAX_SAFE_INTEGER,
      },
    ).changedRows;
  }
  return changed;
}

/** Drops missing source maps that only events from before the instant had: those events were dropped. Within a write transaction. */
export function dropMissingBefore(db: SqliteConnection, instantMs: number): number {
  return db.run("DELETE FROM wanted_source_maps WHERE last_seen_at < :instantMs", { instantMs }).changedRows;
}
