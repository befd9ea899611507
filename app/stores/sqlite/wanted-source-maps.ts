import type { WantedSourceMap } from "../artifact-store.ts";
import type { IssueOccurrence } from "../state-store.ts";
import { MAX_WANTED_OF_EVENT, MAX_WANTED_OF_PROJECT, type WantedSourceMapKey } from "../wanted-source-map-store.ts";
import type { SqliteConnection } from "./connection.ts";
import type { IssueDraft } from "./issue-draft.ts";

const MAX_LISTED = 1_000;
/** Dropping goes this far below the bound, so that it is not done again with the next batch. */
const KEPT_OF_FULL_PROJECT = MAX_WANTED_OF_PROJECT * 0.9;

interface WantedSum {
  debugId: string;
  release: string;
  dist: string;
  eventCount: number;
  firstSeenAt: number;
  lastSeenAt: number;
  sampleUrl: string;
}

/** What the events of a batch could not be mapped by, one row for each issue and key instead of one for each event. */
export class BatchWantedSourceMaps {
  readonly #sums = new Map<IssueDraft, Map<string, WantedSum>>();

  add(draft: IssueDraft, { wantedSourceMaps, occurredAt }: IssueOccurrence): void {
    if (wantedSourceMaps === undefined || wantedSourceMaps.length === 0) return;
    let sums = this.#sums.get(draft);
    if (sums === undefined) {
      sums = new Map();
      this.#sums.set(draft, sums);
    }
    const at = Math.floor(occurredAt);
    const seen = new Set<string>();
    for (const wanted of wantedSourceMaps.slice(0, MAX_WANTED_OF_EVENT)) {
      const debugId = wanted.debugId ?? "";
      const release = wanted.release ?? "";
      const dist = wanted.dist ?? "";
      const key = `${debugId}\n${release}\n${dist}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const sum = sums.get(key);
      if (sum === undefined) {
        const { sampleUrl } = wanted;
        sums.set(key, { debugId, release, dist, eventCount: 1, firstSeenAt: at, lastSeenAt: at, sampleUrl });
      } else {
        sum.eventCount++;
        sum.firstSeenAt = Math.min(sum.firstSeenAt, at);
        sum.lastSeenAt = Math.max(sum.lastSeenAt, at);
      }
    }
  }

  save(db: SqliteConnection, issueIds: ReadonlyMap<IssueDraft, number>): void {
    const rows: Array<[projectId: number, issueId: number, ...ReturnType<typeof toValues>]> = [];
    for (const [draft, sums] of this.#sums) {
      const issueId = issueIds.get(draft);
      if (issueId === undefined) continue;
      for (const sum of sums.values()) rows.push([draft.first.projectId, issueId, ...toValues(sum)]);
    }
    if (rows.length === 0) return;
    // In one statement: there may be as many rows as events, where none of an application's maps were uploaded.
    db.run(
      `INSERT INTO wanted_source_maps (
         project_id, issue_id, debug_id, release, dist, event_count, first_seen_at, last_seen_at, sample_url)
       SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
         value ->> 8
       FROM json_each(:rows) WHERE true
       ON CONFLICT DO UPDATE SET event_count = event_count + excluded.event_count,
         first_seen_at = min(first_seen_at, excluded.first_seen_at),
         last_seen_at = max(last_seen_at, excluded.last_seen_at)`,
      { rows: JSON.stringify(rows) },
    );
    const projectIds = new Set(rows.map(([projectId]) => projectId));
    for (const projectId of projectIds) dropOldest(db, projectId);
  }
}

function toValues({ debugId, release, dist, eventCount, firstSeenAt, lastSeenAt, sampleUrl }: WantedSum) {
  return [debugId, release, dist, eventCount, firstSeenAt, lastSeenAt, sampleUrl] as const;
}

function dropOldest(db: SqliteConnection, projectId: number): void {
  const counted = db.get<{ count: number }>(
    "SELECT count(*) AS count FROM wanted_source_maps WHERE project_id = :projectId",
    { projectId },
  );
  if (counted === undefined || counted.count <= MAX_WANTED_OF_PROJECT) return;
  db.run(
    `DELETE FROM wanted_source_maps WHERE (project_id, issue_id, debug_id, release, dist) IN (
       SELECT project_id, issue_id, debug_id, release, dist FROM wanted_source_maps
       WHERE project_id = :projectId ORDER BY last_seen_at LIMIT :excess)`,
    { projectId, excess: counted.count - KEPT_OF_FULL_PROJECT },
  );
}

interface WantedRow {
  project_id: number;
  issue_id: number;
  debug_id: string;
  release: string;
  dist: string;
  event_count: number;
  first_seen_at: number;
  last_seen_at: number;
  sample_url: string;
}

const KEY_COLUMNS = "w.project_id, w.issue_id, w.debug_id, w.release, w.dist";

function toKey(row: Pick<WantedRow, "project_id" | "issue_id" | "debug_id" | "release" | "dist">): WantedSourceMapKey {
  return {
    projectId: row.project_id,
    issueId: row.issue_id,
    debugId: row.debug_id === "" ? null : row.debug_id,
    release: row.release === "" ? null : row.release,
    dist: row.dist === "" ? null : row.dist,
  };
}

export function listWantedSourceMaps(
  db: SqliteConnection,
  query: { projectIds: number[]; release?: string; issueId?: number },
): WantedSourceMap[] {
  const { projectIds, release, issueId } = query;
  const rows = db.all<WantedRow>(
    `SELECT ${KEY_COLUMNS}, w.event_count, w.first_seen_at, w.last_seen_at, w.sample_url
     FROM json_each(:projectIds) AS asked CROSS JOIN wanted_source_maps AS w ON w.project_id = asked.value
     WHERE true ${release === undefined ? "" : "AND w.release = :release"}
       ${issueId === undefined ? "" : "AND w.issue_id = :issueId"}
     ORDER BY w.event_count DESC, w.last_seen_at DESC, w.issue_id, w.debug_id, w.release, w.dist
     LIMIT ${MAX_LISTED}`,
    {
      projectIds: JSON.stringify([...new Set(projectIds)]),
      ...(release === undefined ? {} : { release }),
      ...(issueId === undefined ? {} : { issueId }),
    },
  );
  return rows.map((row) => ({
    ...toKey(row),
    eventCount: row.event_count,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    sampleUrl: row.sample_url,
  }));
}

export function findIssuesWantingSourceMaps(
  db: SqliteConnection,
  uploaded: {
    projectIds: number[];
    debugIds: readonly string[];
    releases: ReadonlyArray<{ version: string; dist: string | null }>;
  },
): Array<{ issueId: number; keys: Array<WantedSourceMapKey & { eventCount: number }> }> {
  const rows = db.all<WantedRow>(
    `SELECT ${KEY_COLUMNS}, w.event_count
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
  const keysByIssue = new Map<number, Array<WantedSourceMapKey & { eventCount: number }>>();
  for (const row of rows) {
    const key = { ...toKey(row), eventCount: row.event_count };
    const keys = keysByIssue.get(row.issue_id);
    if (keys) keys.push(key);
    else keysByIssue.set(row.issue_id, [key]);
  }
  return Array.from(keysByIssue, ([issueId, keys]) => ({ issueId, keys }));
}

/** Within a write transaction. */
export function forgetWantedSourceMaps(
  db: SqliteConnection,
  keys: ReadonlyArray<WantedSourceMapKey & { eventCount?: number }>,
): number {
  let forgotten = 0;
  for (const { projectId, issueId, debugId, release, dist, eventCount } of keys) {
    forgotten += db.run(
      `DELETE FROM wanted_source_maps
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
  return forgotten;
}

/** Within a write transaction: what the events of before the instant wanted, which are gone themselves. */
export function dropWantedBefore(db: SqliteConnection, instantMs: number): number {
  return db.run("DELETE FROM wanted_source_maps WHERE last_seen_at < :instantMs", { instantMs }).changedRows;
}
