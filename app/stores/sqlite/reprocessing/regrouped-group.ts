import { type IsOldNews, IssueChange } from "../../../domain/issues/issue-change.ts";
import type { KnownIssue } from "../../../domain/issues/known-issue.ts";
import type { IssueOccurrence } from "../../../domain/issues/occurrence.ts";
import { isOldNews } from "../../../domain/issues/resolutions.ts";
import type { RegroupedEvents, RegroupingResult } from "../../state/reprocessing-store.ts";
import { saveMissingSourceMaps } from "../artifacts/wanted-source-maps.ts";
import { saveIssueChanges } from "../batches/save-issue-changes.ts";
import { takeCounts } from "../batches/take-counts.ts";
import type { SqliteConnection } from "../connection.ts";
import { requireEnvironmentId } from "../issues/environments.ts";
import { findIssueByHash, findIssueByKinKey } from "../issues/grouping-keys.ts";
import { loadIssue } from "../issues/load-issues.ts";
import { loadResolutions } from "../issues/resolutions.ts";
import { findOrderedRelease } from "../releases/release-order.ts";
import { noteEventMoves } from "./event-moves.ts";
import { noteMove } from "./move-activity.ts";

/** The issue that has the first known of the hashes, else the one whose kin keys are sought. */
export function findTarget(
  db: SqliteConnection,
  projectId: number,
  { hashes, kin }: RegroupedEvents,
): { issueId: number; isFoundByKin: boolean } | null {
  for (const hash of hashes) {
    const issueId = findIssueByHash(db, projectId, hash);
    if (issueId !== null) return { issueId, isFoundByKin: false };
  }
  for (const key of kin?.seek ?? []) {
    const issueId = findIssueByKinKey(db, projectId, key);
    if (issueId !== null) return { issueId, isFoundByKin: true };
  }
  return null;
}

/** The events of a group as they would have come with its keys and texts, in the order of their times. */
export function toOccurrences(
  { headline, events, hashes, grouping }: RegroupedEvents,
  { projectId, receivedAt }: Pick<IssueOccurrence, "projectId" | "receivedAt">,
): IssueOccurrence[] {
  return events
    .toSorted((a, b) => a.occurredAt - b.occurredAt)
    .map((event) => ({ ...headline, ...event, sequence: 0, projectId, hashes, grouping, receivedAt }));
}

/** Counts the occurrences; gives the names that its indexes of environments stand for. */
export function addAll(db: SqliteConnection, change: IssueChange, occurrences: readonly IssueOccurrence[]): string[] {
  const environments = [...new Set(occurrences.map(({ environment }) => environment ?? ""))];
  for (const occurrence of occurrences) {
    const release = occurrence.release === null ? null : findOrderedRelease(db, occurrence.release);
    change.add(occurrence, environments.indexOf(occurrence.environment ?? ""), release);
  }
  return environments;
}

export function toIsOldNews(db: SqliteConnection): IsOldNews {
  return (issueId, resolvedAt, release) => {
    const resolution = loadResolutions(db, [issueId]).get(issueId);
    if (resolution === undefined) return false;
    return isOldNews({ resolution, resolvedAt }, release, (version) => findOrderedRelease(db, version));
  };
}

/** One of the groups, whose events are all still counted with the from-issue. */
export class RegroupedGroup {
  readonly #db: SqliteConnection;
  readonly #from: KnownIssue;
  readonly #group: RegroupedEvents;
  readonly #at: number;
  readonly #occurrences: IssueOccurrence[];

  constructor(db: SqliteConnection, { from, group, at }: { from: KnownIssue; group: RegroupedEvents; at: number }) {
    this.#db = db;
    this.#from = from;
    this.#group = group;
    this.#at = at;
    // When they were received nobody knows here; that it is now never decides before the time of the event.
    this.#occurrences = toOccurrences(group, { projectId: from.projectId, receivedAt: at });
  }

  /** The events stay; the issue gets their hashes, and their texts when it is named after them, or they are its latest. */
  keep(isNamedAfter: boolean): RegroupingResult["issues"][number] {
    const stored = loadIssue(this.#db, this.#from.id) ?? this.#from;
    const draft = this.#createDraft(stored);
    this.#addKeys(draft, false);
    const latest = this.#occurrences.at(-1) ?? null;
    if (isNamedAfter || (latest !== null && latest.occurredAt >= stored.lastSeenAt)) draft.headline = latest;
    saveIssueChanges(this.#db, [draft], { environments: [] });
    return { issueId: stored.id, outcome: "kept", transition: null, eventCount: this.#occurrences.length };
  }

  move(known: { issueId: number; isFoundByKin: boolean } | null): RegroupingResult["issues"][number] {
    const stored = known === null ? null : loadIssue(this.#db, known.issueId);
    const draft = this.#createDraft(stored);
    draft.mayComeBack = this.#from.status === "unresolved";
    this.#addKeys(draft, known?.isFoundByKin ?? false);
    const environments = addAll(this.#db, draft, this.#occurrences);
    const issueIds = saveIssueChanges(this.#db, [draft], { environments });
    saveMissingSourceMaps(this.#db, [draft], issueIds);
    const issueId = issueIds.get(draft);
    if (issueId === undefined) throw new Error("an issue that events moved to was not saved");
    takeCounts(
      this.#db,
      this.#from.id,
      draft,
      environments.map((name) => requireEnvironmentId(this.#db, name)),
      {
        earliestAt: Math.floor(draft.first.occurredAt),
        latestAt: Math.floor(this.#occurrences.at(-1)?.occurredAt ?? draft.first.occurredAt),
      },
    );
    noteEventMoves(this.#db, {
      projectId: this.#from.projectId,
      fromIssueId: this.#from.id,
      toIssueId: issueId,
      eventIds: this.#occurrences.map(({ eventId }) => eventId),
    });
    if (stored === null) this.#inheritStatus(issueId);
    noteMove(this.#db, {
      from: this.#from,
      target: { issueId, shortId: loadIssue(this.#db, issueId)?.shortId ?? "" },
      kind: stored === null ? "split_off" : "joined",
      eventCount: draft.eventCount,
      at: this.#at,
    });
    return {
      issueId,
      outcome: stored === null ? "split_off" : "joined",
      transition: stored === null ? "new" : draft.regression === null ? null : "regressed",
      eventCount: draft.eventCount,
    };
  }

  #createDraft(stored: KnownIssue | null): IssueChange {
    const first = this.#occurrences[0];
    if (first === undefined) throw new TypeError("a group without events was to be moved");
    return new IssueChange(stored, first, toIsOldNews(this.#db));
  }

  #addKeys(draft: IssueChange, isFoundByKin: boolean): void {
    const { hashes, kin } = this.#group;
    const unknown = [...new Set(hashes)].filter(
      (hash) => findIssueByHash(this.#db, this.#from.projectId, hash) === null,
    );
    for (const hash of unknown) {
      draft.newHashes.push({ hash, occurrence: draft.first, isFoundByKin, isRegrouped: true });
    }
    if (kin && unknown[0] === hashes[0]) draft.newKinKeys.push(...kin.leave);
  }

  /** Who resolved or archived the whole did so for its parts. */
  #inheritStatus(issueId: number): void {
    if (this.#from.status === "unresolved") return;
    this.#db.run("UPDATE issues SET status = :status, status_changed_at = :statusChangedAt WHERE id = :issueId", {
      issueId,
      status: this.#from.status,
      statusChangedAt: this.#from.statusChangedAt,
    });
    this.#db.run(
      `INSERT OR REPLACE INTO issue_resolutions (issue_id, project_id, kind, version, commit_id, repository)
       SELECT :issueId, project_id, kind, version, commit_id, repository FROM issue_resolutions
       WHERE issue_id = :fromIssueId`,
      { issueId, fromIssueId: this.#from.id },
    );
  }
}
