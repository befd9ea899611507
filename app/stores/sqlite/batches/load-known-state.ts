import type { IssueIdsByKey, KnownState } from "../../../domain/issues/apply-occurrences.ts";
import type { KnownIssue } from "../../../domain/issues/known-issue.ts";
import type { IssueOccurrence } from "../../../domain/issues/occurrence.ts";
import { toComparedVersion, type WaitingIssue } from "../../../domain/issues/resolutions.ts";
import { cleanReleaseVersion } from "../../../domain/release-version.ts";
import { type ReleaseSighting, toDayKey } from "../../../domain/releases/name-releases.ts";
import { toDay } from "../../../domain/time.ts";
import type { SqliteConnection } from "../connection.ts";
import { findDeletedIssues } from "../deletions/find-deleted-issues.ts";
import { countSplitIssues } from "../grouping/issue-splits.ts";
import { loadArchives } from "../issues/archives.ts";
import { findIssueIds } from "../issues/grouping-keys.ts";
import { loadIssues } from "../issues/load-issues.ts";
import { loadResolutions, loadWaitingIssues } from "../issues/resolutions.ts";
import { loadCommitsOfReleases, toCommitKey } from "../releases/awaited-commits.ts";
import { loadMadeCount } from "../releases/release-days.ts";
import { loadLinkedVersions, loadOrderedReleases } from "../releases/release-order.ts";
import { EarlierAssignments } from "./last-assignments.ts";

/** Reads everything that decides what the occurrences change, with a few statements for all of them. */
export function loadKnownState(
  db: SqliteConnection,
  { journalId, appliedSequence }: { journalId: string; appliedSequence: number },
  occurrences: readonly IssueOccurrence[],
  sightings: readonly ReleaseSighting[],
): KnownState {
  const earlier = new EarlierAssignments(db, journalId);
  const earlierIssueIds = new Map<IssueOccurrence, number>();
  const hashes = new KeysByProject();
  for (const occurrence of occurrences) {
    for (const hash of occurrence.hashes) hashes.add(occurrence.projectId, hash);
    for (const hash of occurrence.earlier?.hashes ?? []) hashes.add(occurrence.projectId, hash);
    const rest = occurrence.grouping.ruling?.split?.rest;
    if (rest !== undefined) hashes.add(occurrence.projectId, rest);
    if (occurrence.sequence >= appliedSequence) continue;
    const issueId = earlier.find(occurrence);
    if (issueId !== null) earlierIssueIds.set(occurrence, issueId);
  }
  const issueIdsByHash = hashes.load((projectId, keys) => findIssueIds(db, "issue_hashes", projectId, keys));

  const aliases = new KeysByProject();
  if (countKeys(issueIdsByHash) < hashes.count) {
    for (const { projectId, hashes: own, kin } of occurrences) {
      const known = issueIdsByHash.get(projectId);
      if (!kin || own.some((hash) => known?.has(hash))) continue;
      for (const key of kin.seek) aliases.add(projectId, key);
    }
  }
  const issueIdsByAlias = aliases.load((projectId, keys) => findIssueIds(db, "issue_kin_keys", projectId, keys));

  const issueIds = new Set<number>();
  for (const byKey of [issueIdsByHash, issueIdsByAlias]) {
    for (const ids of byKey.values()) for (const id of ids.values()) issueIds.add(id);
  }
  const issues = loadIssues(db, [...issueIds]);
  const resolved = [...issues.values()].filter(({ status }) => status === "resolved").map(({ id }) => id);
  const resolutions = loadResolutions(db, resolved);
  return {
    appliedSequence,
    earlierIssueIds,
    issueIdsByHash,
    issueIdsByAlias,
    deletedIssuesByHash: hashes.load((projectId, keys) => findDeletedIssues(db, projectId, keys)),
    splitCounts: countSplitIssues(db, occurrences),
    issues,
    resolutions,
    archives: loadKnownArchives(db, issues, occurrences),
    ...loadReleases(
      db,
      [...occurrences, ...sightings],
      [...resolutions.values()].flatMap((one) => toComparedVersion(one) ?? []),
    ),
  };
}

/** The rules of the archived issues, with the users of the occurrences that those issues have had. */
function loadKnownArchives(
  db: SqliteConnection,
  issues: ReadonlyMap<number, KnownIssue>,
  occurrences: readonly IssueOccurrence[],
): KnownState["archives"] {
  const archived = [...issues.values()].filter(({ status }) => status === "archived").map(({ id }) => id);
  return loadArchives(db, archived, {
    listUserKeys: () => occurrences.flatMap(({ userKey }) => userKey ?? []),
    toToday: () => toDay(occurrences.reduce((latest, { receivedAt }) => Math.max(latest, receivedAt), 0)),
  });
}

/** The releases that occurrences and sessions name, and what may change when one of them becomes a release of its project. */
function loadReleases(
  db: SqliteConnection,
  namings: ReadonlyArray<Pick<IssueOccurrence, "projectId" | "release" | "receivedAt">>,
  comparedVersions: readonly string[],
): Pick<KnownState, "releases" | "waiting" | "hasCommit"> {
  const named = new KeysByProject();
  for (const { projectId, release } of namings) if (release !== null) named.add(projectId, release);
  const cleaned = new KeysByProject();
  for (const [projectId, texts] of named.keys) {
    for (const text of texts) {
      const version = cleanReleaseVersion(text);
      if (version !== null) cleaned.add(projectId, version);
    }
  }
  const byVersion = loadOrderedReleases(db, [...new Set([...cleaned.all(), ...comparedVersions])]);
  const versionsOfProject = new Map<number, Set<string>>();
  const waiting = new Map<number, WaitingIssue[]>();
  for (const [projectId, versions] of cleaned.keys) {
    const linked = loadLinkedVersions(db, projectId, [...versions]);
    versionsOfProject.set(projectId, linked);
    if (linked.size < versions.size) waiting.set(projectId, loadWaitingIssues(db, projectId));
  }
  const waitingIssues = [...waiting.values()].flat();
  const waitedFor = waitingIssues.flatMap(({ resolution }) => toComparedVersion(resolution) ?? []);
  const namedIds = [...byVersion.values()].map(({ id }) => id);
  const commits = loadCommitsOfReleases(db, namedIds, waitingIssues);
  for (const [version, release] of loadOrderedReleases(db, waitedFor)) byVersion.set(version, release);

  const madeByDay = new Map<string, number>();
  if (cleaned.all().some((version) => !byVersion.has(version))) {
    for (const naming of namings) {
      const key = toDayKey(naming);
      if (naming.release !== null && !madeByDay.has(key)) madeByDay.set(key, loadMadeCount(db, naming));
    }
  }
  return {
    releases: { byVersion, versionsOfProject, madeByDay },
    waiting,
    hasCommit: (release, commit) => commits.has(toCommitKey(release.id, commit)),
  };
}

function countKeys(byProject: IssueIdsByKey): number {
  let count = 0;
  for (const keys of byProject.values()) count += keys.size;
  return count;
}

/** Texts by project, without repeats. */
class KeysByProject {
  readonly keys = new Map<number, Set<string>>();
  count = 0;

  add(projectId: number, key: string): void {
    let keys = this.keys.get(projectId);
    if (keys === undefined) {
      keys = new Set();
      this.keys.set(projectId, keys);
    }
    if (keys.has(key)) return;
    keys.add(key);
    this.count++;
  }

  all(): string[] {
    return [...this.keys.values()].flatMap((keys) => [...keys]);
  }

  load<Value>(find: (projectId: number, keys: string[]) => Map<string, Value>): Map<number, Map<string, Value>> {
    return new Map(Array.from(this.keys, ([projectId, keys]) => [projectId, find(projectId, [...keys])]));
  }
}
