import type { IssueChange } from "../../../domain/issues/issue-change.ts";
import type { KnownIssue } from "../../../domain/issues/known-issue.ts";
import type { SqliteConnection } from "../connection.ts";
import { deleteArchive, saveArchiveProgress } from "../issues/archives.ts";
import { EnvironmentsOfProjects, OVERFLOW_ENVIRONMENT_ID } from "../issues/environments.ts";
import { packGrouping } from "../issues/grouping-blob.ts";
import { toSearchText } from "../issues/issue-row.ts";
import { addActivity } from "../issues/issue-status.ts";
import { ShortIds } from "../issues/short-ids.ts";
import { toUserHash } from "../issues/user-hash.ts";

/** What the numbers in changes stand for. */
interface ChangeContext {
  /** The names of environments by their index in the changes. */
  environments: readonly string[];
  /** If given, it counts events whose project has no room for their environment. */
  ofProjects?: EnvironmentsOfProjects;
  /** Ids of releases that this batch made, by their provisional ids. */
  madeReleaseIds?: ReadonlyMap<number, number>;
}

/** Writes the changes of a batch to its issues, within a write transaction. Returns the issue ids. */
export function saveIssueChanges(
  db: SqliteConnection,
  changes: readonly IssueChange[],
  { environments, ofProjects, madeReleaseIds = new Map() }: ChangeContext,
): Map<IssueChange, number> {
  const issueIds = new Map<IssueChange, number>();
  const shortIds = new ShortIds(db);
  const toReleaseId = (id: number | null) => (id === null ? null : (madeReleaseIds.get(id) ?? id));
  for (const change of changes) {
    const releaseIds = { first: toReleaseId(change.firstReleaseId), last: toReleaseId(change.lastReleaseId) };
    const issueId =
      change.known === null
        ? insertIssue(db, change, { shortId: shortIds.next(change.first.projectId), releaseIds })
        : updateIssue(db, change, { known: change.known, releaseIds, toReleaseId });
    issueIds.set(change, issueId);
    insertHashes(db, issueId, change);
    insertAliases(db, issueId, change);
  }
  shortIds.save();
  saveCounts(db, issueIds, { environments, ofProjects });
  saveReleases(db, issueIds, toReleaseId);
  return issueIds;
}

interface ReleaseIds {
  first: number | null;
  last: number | null;
}

function insertIssue(
  db: SqliteConnection,
  change: IssueChange,
  { shortId, releaseIds }: { shortId: string; releaseIds: ReleaseIds },
): number {
  const { status, substatus, statusChangedAt } = change.status;
  const occurrence = change.headline ?? change.first;
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
      firstSeenAt: change.firstSeenAt,
      lastSeenAt: change.lastSeenAt,
      eventCount: change.eventCount,
      userCount: change.userKeys.size,
      level: occurrence.level,
      isUnhandled: occurrence.isUnhandled ? 1 : 0,
      platform: occurrence.platform,
      logger: occurrence.logger,
      type: occurrence.type,
      title: occurrence.title,
      culprit: occurrence.culprit,
      searchText,
      value: occurrence.value,
      firstReleaseId: releaseIds.first,
      lastReleaseId: releaseIds.last,
    },
  );
  db.run("INSERT INTO issue_search (rowid, text) VALUES (:issueId, :searchText)", { issueId, searchText });
  insertUsers(db, issueId, change.userKeys);
  addActivity(db, {
    issueId,
    at: Math.floor(change.first.occurredAt),
    kind: "first_seen",
    userId: null,
    data: { eventId: change.first.eventId },
  });
  return issueId;
}

function updateIssue(
  db: SqliteConnection,
  change: IssueChange,
  context: { known: KnownIssue; releaseIds: ReleaseIds; toReleaseId: (id: number) => number | null },
): number {
  const { known, releaseIds } = context;
  const issueId = known.id;
  const newUserCount = insertUsers(db, issueId, change.userKeys);
  const { eventCount, lastSeenAt } = change;
  const counts = { issueId, eventCount, lastSeenAt, lastReleaseId: releaseIds.last };
  if (newUserCount === 0) {
    // A statement of its own, because SQLite rewrites an index whenever one of its columns is set.
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
  if (change.firstSeenAt < known.firstSeenAt) {
    db.run("UPDATE issues SET first_seen_at = :firstSeenAt WHERE id = :issueId", {
      issueId,
      firstSeenAt: change.firstSeenAt,
    });
  }
  if (releaseIds.first !== known.firstReleaseId) {
    db.run("UPDATE issues SET first_release_id = :firstReleaseId WHERE id = :issueId", {
      issueId,
      firstReleaseId: releaseIds.first,
    });
  }
  if (change.headline !== null && change.hasNewHeadline()) updateHeadline(db, known, change.headline);
  saveReturn(db, issueId, change, context);
  return issueId;
}

/** The event with which the issue came back, or what the rule of an archived one has counted. */
function saveReturn(
  db: SqliteConnection,
  issueId: number,
  { regression, archiveEnd, archiveCount, status }: IssueChange,
  { toReleaseId }: { toReleaseId: (id: number) => number | null },
): void {
  if (regression === null && archiveEnd === null) {
    if (archiveCount?.hasChanged) saveArchiveProgress(db, issueId, archiveCount);
    return;
  }
  db.run(
    `UPDATE issues SET status = :status, substatus = :substatus, status_changed_at = :statusChangedAt
     WHERE id = :issueId`,
    { issueId, ...status },
  );
  const at = status.statusChangedAt;
  if (archiveEnd !== null) {
    const escalation = archiveCount?.escalation;
    const data = {
      eventId: archiveEnd.occurrence.eventId,
      archive: archiveCount?.rule,
      ...(escalation ? { escalation } : {}),
    };
    deleteArchive(db, issueId);
    addActivity(db, { issueId, at, kind: "reopened", userId: null, data });
  }
  if (regression !== null) {
    const { occurrence, release } = regression;
    db.run("DELETE FROM issue_resolutions WHERE issue_id = :issueId", { issueId });
    addActivity(db, {
      issueId,
      at,
      kind: "regressed",
      userId: null,
      data: { eventId: occurrence.eventId, ...(release === null ? {} : { release: release.version }) },
      releaseId: release && toReleaseId(release.id),
    });
  }
}

/** Within a write transaction: the texts of the issue's latest event. */
export function updateHeadline(
  db: SqliteConnection,
  known: KnownIssue,
  headline: Pick<KnownIssue, "title" | "type" | "value" | "culprit" | "level" | "platform" | "logger" | "isUnhandled">,
): void {
  const searchText = toSearchText({ ...headline, shortId: known.shortId });
  db.run(
    `UPDATE issues SET level = :level, is_unhandled = :isUnhandled, platform = :platform, logger = :logger,
       type = :type, title = :title, culprit = :culprit, search_text = :searchText, value = :value
     WHERE id = :issueId`,
    {
      issueId: known.id,
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
  if (searchText !== toSearchText(known)) {
    db.run("INSERT OR REPLACE INTO issue_search (rowid, text) VALUES (:issueId, :searchText)", {
      issueId: known.id,
      searchText,
    });
  }
}

function insertHashes(db: SqliteConnection, issueId: number, change: IssueChange): void {
  for (const { hash, occurrence, isFoundByAlias, isRegrouped } of change.newHashes) {
    db.run(
      `INSERT INTO issue_hashes (project_id, hash, issue_id, first_seen_at, grouping, is_found_by_kin, is_regrouped, split_id)
       VALUES (:projectId, :hash, :issueId, :firstSeenAt, :grouping, :isFoundByAlias, :isRegrouped, :splitId)`,
      {
        projectId: occurrence.projectId,
        hash,
        issueId,
        firstSeenAt: Math.floor(occurrence.occurredAt),
        grouping: packGrouping(occurrence.grouping),
        isFoundByAlias: isFoundByAlias ? 1 : 0,
        isRegrouped: isRegrouped ? 1 : 0,
        // The key of all frames, which is not the main one, never makes a split issue.
        splitId: hash === occurrence.grouping.hash ? (occurrence.grouping.ruling?.split?.id ?? null) : null,
      },
    );
  }
}

function insertAliases(db: SqliteConnection, issueId: number, { first, newAliases }: IssueChange): void {
  if (newAliases.length === 0) return;
  db.run(
    `INSERT OR IGNORE INTO issue_kin_keys (project_id, key, issue_id)
     SELECT :projectId, value, :issueId FROM json_each(:keys)`,
    { projectId: first.projectId, issueId, keys: JSON.stringify(newAliases) },
  );
}

/** A few statements for all issues, because each issue of a batch has at least one row in each of the tables. */
function saveCounts(
  db: SqliteConnection,
  issueIds: ReadonlyMap<IssueChange, number>,
  { environments: names, ofProjects }: Pick<ChangeContext, "environments" | "ofProjects">,
): void {
  const ids = ofProjects ?? new EnvironmentsOfProjects(db);
  const hours: number[][] = [];
  const environments: number[][] = [];
  for (const [change, issueId] of issueIds) {
    const { projectId } = change.first;
    const seenAt = change.lastSeenByEnvironment;
    const idOf = (environment: number) =>
      ids.require(projectId, names[environment] ?? "", seenAt.get(environment) ?? 0);
    for (const { hour, environment, count } of change.eventsByHour()) {
      const id = idOf(environment);
      hours.push([issueId, hour, id, count]);
      if (id !== OVERFLOW_ENVIRONMENT_ID) continue;
      const overflow = { eventCount: count, lastName: names[environment] ?? "", lastAt: seenAt.get(environment) ?? 0 };
      ids.countOverflow({ projectId, ...overflow });
    }
    for (const [environment, lastSeenAt] of seenAt) environments.push([idOf(environment), issueId, lastSeenAt]);
  }
  const rows = JSON.stringify(hours);
  db.run(
    `INSERT INTO issue_hours (issue_id, hour, environment_id, event_count)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(:rows) WHERE true
     ON CONFLICT DO UPDATE SET event_count = event_count + excluded.event_count`,
    { rows },
  );
  db.run(
    `INSERT INTO issue_days (issue_id, day, environment_id, event_count)
     SELECT value ->> 0, (value ->> 1) / 24, value ->> 2, value ->> 3 FROM json_each(:rows) WHERE true
     ON CONFLICT DO UPDATE SET event_count = event_count + excluded.event_count`,
    { rows },
  );
  db.run(
    `INSERT INTO issue_environments (environment_id, issue_id, last_seen_at)
     SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(:rows) WHERE true
     ON CONFLICT DO UPDATE SET last_seen_at = max(last_seen_at, excluded.last_seen_at)`,
    { rows: JSON.stringify(environments) },
  );
}

function saveReleases(
  db: SqliteConnection,
  issueIds: ReadonlyMap<IssueChange, number>,
  toReleaseId: (id: number) => number | null,
): void {
  const rows: Array<[releaseId: number | null, issueId: number]> = [];
  for (const [change, issueId] of issueIds) {
    for (const id of change.releaseIds) {
      // The issue has the release of its latest event already.
      if (id !== change.known?.lastReleaseId) rows.push([toReleaseId(id), issueId]);
    }
  }
  if (rows.length === 0) return;
  db.run(
    `INSERT OR IGNORE INTO issue_releases (release_id, issue_id)
     SELECT value ->> 0, value ->> 1 FROM json_each(:rows)`,
    { rows: JSON.stringify(rows) },
  );
}

/** Adds users to the issue. Returns how many of them are new. */
function insertUsers(db: SqliteConnection, issueId: number, userKeys: Set<string>): number {
  if (userKeys.size === 0) return 0;
  const hashes = Array.from(userKeys, toUserHash);
  return db.run(
    "INSERT OR IGNORE INTO issue_users (issue_id, user_hash) SELECT :issueId, value FROM json_each(:hashes)",
    // The JSON is written by hand, because JSON.stringify does not accept a bigint.
    { issueId, hashes: `[${hashes.join(",")}]` },
  ).changedRows;
}
