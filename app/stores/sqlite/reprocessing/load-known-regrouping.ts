import type { KnownIssue } from "../../../domain/issues/known-issue.ts";
import type { KnownRegressions, KnownRegrouping } from "../../../domain/issues/regroup-events.ts";
import { toComparedVersion } from "../../../domain/issues/resolutions.ts";
import type { Regrouping } from "../../state/reprocessing-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { countSplitIssues } from "../grouping/issue-splits.ts";
import { findIssueIds } from "../issues/grouping-keys.ts";
import { loadIssues } from "../issues/load-issues.ts";
import { loadResolutions } from "../issues/resolutions.ts";
import { loadOrderedReleases } from "../releases/release-order.ts";
import { readEventMoves } from "./event-moves.ts";
import { toCurrentIssueIds } from "./merged-issues.ts";
import { listMoveTargets } from "./move-activity.ts";

/** Reads everything that decides where the events of an issue go. */
export function loadKnownRegrouping(db: SqliteConnection, from: KnownIssue, change: Regrouping): KnownRegrouping {
  const { groups } = change;
  const find = (table: "issue_hashes" | "issue_kin_keys", keys: string[]) =>
    findIssueIds(db, table, from.projectId, [...new Set(keys)]);
  const issueIdByHash = find(
    "issue_hashes",
    groups.flatMap(({ hashes, earlier, grouping }) => [
      ...hashes,
      ...(earlier?.hashes ?? []),
      ...(grouping.ruling?.split === undefined ? [] : [grouping.ruling.split.rest]),
    ]),
  );
  const issueIdByAlias = find(
    "issue_kin_keys",
    groups.flatMap(({ kin }) => kin?.seek ?? []),
  );
  const issues = loadIssues(db, [...new Set([...issueIdByHash.values(), ...issueIdByAlias.values()])]);
  const counted = db.get<{ eventCount: number; hasRegroupedHash: number }>(
    `SELECT event_count AS eventCount,
       EXISTS (SELECT 1 FROM issue_hashes WHERE issue_id = :issueId AND is_regrouped = 1) AS hasRegroupedHash
     FROM issues WHERE id = :issueId`,
    { issueId: from.id },
  );
  return {
    from,
    eventCount: counted?.eventCount ?? 0,
    hasRegroupedHash: counted?.hasRegroupedHash === 1,
    movedEvents: readEventMoves(db, from.projectId, change),
    issueIdByHash,
    issueIdByAlias,
    splitCounts: countSplitIssues(db, groups),
    issues,
    earlierMoves: listCurrentMoveTargets(db, from.id),
    ...loadKnownRegressions(db, [...issues.keys()], change),
  };
}

/** The releases that the events name, and those that the issues wait for. */
export function loadKnownRegressions(
  db: SqliteConnection,
  issueIds: readonly number[],
  { groups }: Pick<Regrouping, "groups">,
): KnownRegressions {
  const resolutions = loadResolutions(db, issueIds);
  const named = groups.flatMap(({ events }) => events.flatMap(({ release }) => release ?? []));
  const compared = [...resolutions.values()].flatMap((resolution) => toComparedVersion(resolution) ?? []);
  return { resolutions, releases: loadOrderedReleases(db, [...new Set([...named, ...compared])]) };
}

/** Issues that are gone are left out. */
function listCurrentMoveTargets(db: SqliteConnection, issueId: number): KnownRegrouping["earlierMoves"] {
  const targets = listMoveTargets(db, issueId).map((target) => ({
    issueId: toCurrentIssueIds(db, [target.issueId])[0] ?? target.issueId,
    eventCount: target.eventCount,
  }));
  const known = loadIssues(
    db,
    targets.map((target) => target.issueId),
  );
  return targets.filter((target) => known.has(target.issueId));
}
