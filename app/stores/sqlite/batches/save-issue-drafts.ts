import { hash } from "node:crypto";
import type { SqliteConnection } from "../connection.ts";
import { packGrouping } from "../issues/grouping-blob.ts";
import { toSearchText } from "../issues/issue-row.ts";
import { addActivity } from "../issues/issue-status.ts";
import { ShortIds } from "../issues/short-ids.ts";
import type { IssueDraft, StoredIssue } from "./issue-draft.ts";

/** Within a write transaction: writes what a batch did to its issues; gives their ids. */
export function saveIssueDrafts(db: SqliteConnection, drafts: IssueDraft[]): Map<IssueDraft, number> {
  const issueIds = new Map<IssueDraft, number>();
  const shortIds = new ShortIds(db);
  for (const draft of drafts) {
    const issueId =
      draft.stored === null
        ? insertIssue(db, draft, shortIds.next(draft.first.projectId))
        : updateIssue(db, draft, draft.stored);
    issueIds.set(draft, issueId);
    insertHashes(db, issueId, draft);
    insertKinKeys(db, issueId, draft);
    saveCounts(db, issueId, draft);
    for (const releaseId of draft.releaseIds) {
      // What the issue's latest event named, the issue has already.
      if (releaseId !== draft.stored?.last_release_id) noteRelease(db, issueId, releaseId);
    }
  }
  shortIds.save();
  return issueIds;
}

function insertIssue(db: SqliteConnection, draft: IssueDraft, shortId: string): number {
  const { status, substatus, statusChangedAt } = draft.status;
  const occurrence = draft.headline ?? draft.first;
  const searchText = toSearchText({ ...occurrence, shortId });
  const { insertedId: issueId } = db.run(
    `INSERT INTO issues (
       project_id, short_id, status, substatus, status_changed_at, first_seen_at, last_seen_at, event_count, user_count,
       level, is_unhandled, platform, logger, type, title, culprit, search_text, value, first_release_id, last_release_id)
     VALUES (
       :projectId, :shortId, :status, :substatus, :statusChangedAt, :firstSeenAt, :lastSeenAt, :eventCount, :userCount,
       :level, :isUnhandled, :platform, :logger, :type, :title, :culprit, :searchText, :value, :firstReleaseId, :lastReleaseId)`,
    {
      projectId: occurrence.projectId,
      shortId,
      status,
      substatus,
      statusChangedAt,
      firstSeenAt: draft.firstSeenAt,
      lastSeenAt: draft.lastSeenAt,
      eventCount: draft.eventCount,
      userCount: draft.userKeys.size,
      level: occurrence.level,
      isUnhandled: occurrence.isUnhandled ? 1 : 0,
      platform: occurrence.platform,
      logger: occurrence.logger,
      type: occurrence.type,
      title: occurrence.title,
      culprit: occurrence.culprit,
      searchText,
      value: occurrence.value,
      firstReleaseId: draft.firstReleaseId,
      lastReleaseId: draft.lastReleaseId,
    },
  );
  db.run("INSERT INTO issue_search (rowid, text) VALUES (:issueId, :searchText)", { issueId, searchText });
  insertUsers(db, issueId, draft.userKeys);
  addActivity(db, {
    issueId,
    at: Math.floor(draft.first.occurredAt),
    kind: "first_seen",
    userId: null,
    data: { eventId: draft.first.eventId },
  });
  return issueId;
}

function updateIssue(db: SqliteConnection, draft: IssueDraft, stored: StoredIssue): number {
  const issueId = stored.id;
  const newUserCount = insertUsers(db, issueId, draft.userKeys);
  const { eventCount, lastSeenAt, lastReleaseId } = draft;
  const counts = { issueId, eventCount, lastSeenAt, lastReleaseId };
  if (newUserCount === 0) {
    // Apart, because an index is written anew whenever one of its columns is set.
    db.run(
      `UPDATE issues SET event_count = event_count + :eventCount, last_seen_at = :lastSeenAt,
         last_release_id = :lastReleaseId
       WHERE id = :issueId`,
      counts,
    );
  } else {
    db.run(
      `UPDATE issues SET event_count = event_count + :eventCount, last_seen_at = :lastSeenAt,
         last_release_id = :lastReleaseId, user_count = user_count + :newUserCount
       WHERE id = :issueId`,
      { ...counts, newUserCount },
    );
  }
  if (draft.firstSeenAt < stored.first_seen_at) {
    db.run("UPDATE issues SET first_seen_at = :firstSeenAt WHERE id = :issueId", {
      issueId,
      firstSeenAt: draft.firstSeenAt,
    });
  }
  if (draft.firstReleaseId !== stored.first_release_id) {
    db.run("UPDATE issues SET first_release_id = :firstReleaseId WHERE id = :issueId", {
      issueId,
      firstReleaseId: draft.firstReleaseId,
    });
  }
  if (draft.headline !== null && draft.hasNewHeadline()) updateHeadline(db, stored, draft.headline);
  if (draft.regression !== null) {
    const { occurrence, release } = draft.regression;
    db.run("DELETE FROM issue_resolutions WHERE issue_id = :issueId", { issueId });
    db.run(
      `UPDATE issues SET status = :status, substatus = :substatus, status_changed_at = :statusChangedAt
       WHERE id = :issueId`,
      { issueId, ...draft.status },
    );
    addActivity(db, {
      issueId,
      at: draft.status.statusChangedAt,
      kind: "regressed",
      userId: null,
      data: { eventId: occurrence.eventId, ...(release === null ? {} : { release: release.version }) },
      releaseId: release?.id ?? null,
    });
  }
  return issueId;
}

function updateHeadline(
  db: SqliteConnection,
  stored: StoredIssue,
  headline: NonNullable<IssueDraft["headline"]>,
): void {
  const searchText = toSearchText({ ...headline, shortId: stored.short_id });
  db.run(
    `UPDATE issues SET level = :level, is_unhandled = :isUnhandled, platform = :platform, logger = :logger,
       type = :type, title = :title, culprit = :culprit, search_text = :searchText, value = :value
     WHERE id = :issueId`,
    {
      issueId: stored.id,
      level: headline.level,
      isUnhandled: headline.isUnhandled ? 1 : 0,
      platform: headline.platform,
      logger: headline.logger,
      type: headline.type,
      title: headline.title,
      culprit: headline.culprit,
      searchText,
      value: headline.value,
    },
  );
  if (searchText !== stored.search_text) {
    db.run("INSERT OR REPLACE INTO issue_search (rowid, text) VALUES (:issueId, :searchText)", {
      issueId: stored.id,
      searchText,
    });
  }
}

function insertHashes(db: SqliteConnection, issueId: number, draft: IssueDraft): void {
  for (const { hash, occurrence, isFoundByKin, isRegrouped } of draft.newHashes) {
    db.run(
      `INSERT INTO issue_hashes (project_id, hash, issue_id, first_seen_at, grouping, is_found_by_kin, is_regrouped)
       VALUES (:projectId, :hash, :issueId, :firstSeenAt, :grouping, :isFoundByKin, :isRegrouped)`,
      {
        projectId: occurrence.projectId,
        hash,
        issueId,
        firstSeenAt: Math.floor(occurrence.occurredAt),
        grouping: packGrouping(occurrence.grouping),
        isFoundByKin: isFoundByKin ? 1 : 0,
        isRegrouped: isRegrouped ? 1 : 0,
      },
    );
  }
}

function insertKinKeys(db: SqliteConnection, issueId: number, { first, newKinKeys }: IssueDraft): void {
  if (newKinKeys.length === 0) return;
  db.run(
    `INSERT OR IGNORE INTO issue_kin_keys (project_id, key, issue_id)
     SELECT :projectId, value, :issueId FROM json_each(:keys)`,
    { projectId: first.projectId, issueId, keys: JSON.stringify(newKinKeys) },
  );
}

function saveCounts(db: SqliteConnection, issueId: number, draft: IssueDraft): void {
  for (const { hour, environmentId, count } of draft.eventsByHour()) {
    const row = { issueId, environmentId, count };
    db.run(
      `INSERT INTO issue_hours (issue_id, hour, environment_id, event_count)
       VALUES (:issueId, :hour, :environmentId, :count)
       ON CONFLICT DO UPDATE SET event_count = event_count + excluded.event_count`,
      { ...row, hour },
    );
    db.run(
      `INSERT INTO issue_days (issue_id, day, environment_id, event_count)
       VALUES (:issueId, :day, :environmentId, :count)
       ON CONFLICT DO UPDATE SET event_count = event_count + excluded.event_count`,
      { ...row, day: Math.floor(hour / 24) },
    );
  }
  for (const [environmentId, lastSeenAt] of draft.lastSeenByEnvironment) {
    db.run(
      `INSERT INTO issue_environments (environment_id, issue_id, last_seen_at)
       VALUES (:environmentId, :issueId, :lastSeenAt)
       ON CONFLICT DO UPDATE SET last_seen_at = max(last_seen_at, excluded.last_seen_at)`,
      { issueId, environmentId, lastSeenAt },
    );
  }
}

function noteRelease(db: SqliteConnection, issueId: number, releaseId: number): void {
  db.run("INSERT OR IGNORE INTO issue_releases (release_id, issue_id) VALUES (:releaseId, :issueId)", {
    issueId,
    releaseId,
  });
}

/** Gives how many of them the issue did not have yet. */
function insertUsers(db: SqliteConnection, issueId: number, userKeys: Set<string>): number {
  if (userKeys.size === 0) return 0;
  const hashes = Array.from(userKeys, toUserHash);
  return db.run(
    "INSERT OR IGNORE INTO issue_users (issue_id, user_hash) SELECT :issueId, value FROM json_each(:hashes)",
    // By hand, because JSON.stringify takes no bigint.
    { issueId, hashes: `[${hashes.join(",")}]` },
  ).changedRows;
}

/** Not secret, only short and evenly spread: who could find two keys with one hash would only hide a user of theirs. */
function toUserHash(userKey: string): bigint {
  return (hash("sha1", userKey, "buffer").readBigInt64BE() >> 1n) & 0x7fffffffffffffffn;
}
