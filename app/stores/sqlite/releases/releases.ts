import type { Release } from "../../../domain/release.ts";
import { cleanReleaseVersion } from "../../../domain/release-version.ts";
import { type OrderedRelease, toVersionKey } from "../../../domain/releases/release-order.ts";
import type { ReleaseStore } from "../../state/release-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { settleWaiting } from "../issues/resolutions.ts";
import { readReleases } from "./read-releases.ts";
import { findLatestRelease, findNextRelease, findOrderedRelease, findPreviousReleases } from "./release-order.ts";

/** Within a write transaction. */
export function saveRelease(
  db: SqliteConnection,
  input: Parameters<ReleaseStore["saveRelease"]>[0],
): { release: Release; isNew: boolean } {
  // One that is there keeps its name, whatever names were allowed when it was made.
  const known = findOrderedRelease(db, input.version.trim());
  const version = known?.version ?? cleanReleaseVersion(input.version);
  if (version === null) throw new RangeError("the release has no name that a release may have");
  const release = known ?? insertRelease(db, version, input.at);
  setFields(db, release.id, {
    ref: input.ref,
    url: input.url,
    status: input.status,
    started_at: input.startedAt,
    released_at: input.releasedAt,
  });
  // Read again for the date, by which issues that wait for a release compare it.
  const current = findOrderedRelease(db, version) ?? release;
  for (const projectId of new Set(input.projectIds)) linkRelease(db, projectId, current);
  return { release: requireRelease(db, release.id), isNew: known === null };
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

/** Within a write transaction: makes it a release of the project too. */
export function linkRelease(db: SqliteConnection, projectId: number, release: OrderedRelease): void {
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

export function getRelease(db: SqliteConnection, version: string): Release | null {
  const found = findOrderedRelease(db, version);
  return found === null ? null : requireRelease(db, found.id);
}

function requireRelease(db: SqliteConnection, releaseId: number): Release {
  const [release] = readReleases(db, [releaseId], null);
  if (release === undefined) throw new Error(`release ${releaseId} is gone`);
  return release;
}

/** Within a write transaction. */
export function deleteRelease(db: SqliteConnection, version: string): "deleted" | "not-found" | "has-events" {
  const release = findOrderedRelease(db, version);
  if (release === null) return "not-found";
  const counted = db.get<{ count: number }>(
    "SELECT count(*) AS count FROM release_projects WHERE release_id = :releaseId AND event_count > 0",
    { releaseId: release.id },
  );
  if (counted !== undefined && counted.count > 0) return "has-events";
  db.run("DELETE FROM releases WHERE id = :releaseId", { releaseId: release.id });
  return "deleted";
}

export function getPreviousRelease(
  db: SqliteConnection,
  version: string,
  options: { withCommits?: boolean } = {},
): Release | null {
  const release = findOrderedRelease(db, version);
  if (release === null) return null;
  const [previous] = findPreviousReleases(db, release, { withCommits: options.withCommits ?? false, limit: 1 });
  return previous === undefined ? null : requireRelease(db, previous.id);
}

export function getNextRelease(db: SqliteConnection, version: string): Release | null {
  const release = findOrderedRelease(db, version);
  const next = release && findNextRelease(db, release);
  return next ? requireRelease(db, next.id) : null;
}

export function getLatestRelease(db: SqliteConnection, projectId: number): Release | null {
  const latest = findLatestRelease(db, projectId);
  return latest === null ? null : requireRelease(db, latest.id);
}
