import type { Resolution } from "../release.ts";
import { type KnownReleases, NamedReleases, type ReleaseSighting } from "../releases/name-releases.ts";
import type { OrderedRelease } from "../releases/release-order.ts";
import type { KnownArchive } from "./archive-rule.ts";
import { IssueChange, type Transition } from "./issue-change.ts";
import type { KnownIssue } from "./known-issue.ts";
import type { IssueOccurrence } from "./occurrence.ts";
import { isOldNews, settleOnRelease, type WaitingIssue } from "./resolutions.ts";
import { SplitLimit } from "./split-limit.ts";

/** Ids of issues by project and key. */
export type IssueIdsByKey = ReadonlyMap<number, ReadonlyMap<string, number>>;

/** Deleted issues by project and hash. */
export type DeletedIssuesByHash = ReadonlyMap<number, ReadonlyMap<string, { issueId: number; askedAt: number }>>;

/** Everything stored that decides what a batch of occurrences does. */
export interface KnownState {
  /** Records below this sequence were applied before. */
  appliedSequence: number;
  /** The issues of occurrences that were applied before, as the journal's last batch gave them. */
  earlierIssueIds: ReadonlyMap<IssueOccurrence, number>;
  issueIdsByHash: IssueIdsByKey;
  /** The issues of the alias fingerprints that occurrences without a known hash seek. */
  issueIdsByAlias: IssueIdsByKey;
  /** The deleted issues that had hashes of the occurrences, while events from before the deletion may still come. */
  deletedIssuesByHash: DeletedIssuesByHash;
  /** Issues that came of each split that occurrences name, by its id. */
  splitCounts: ReadonlyMap<number, number>;
  /** Every issue that one of the two names. */
  issues: ReadonlyMap<number, KnownIssue>;
  /** The resolutions of those of these issues that are resolved and wait for something. */
  resolutions: ReadonlyMap<number, Resolution>;
  /** The archived ones among these issues that something brings back. */
  archives: ReadonlyMap<number, KnownArchive>;
  /** The releases that the occurrences name, and those that `resolutions` and `waiting` are compared with. */
  releases: KnownReleases;
  /** The issues that wait for a release, by project. It has the projects that may get one of these releases. */
  waiting: ReadonlyMap<number, readonly WaitingIssue[]>;
  /** True when the release has a commit that one of `waiting` waits for. */
  hasCommit(release: OrderedRelease, commit: { commitId: string; repository: string }): boolean;
}

/** The issue of an occurrence: one that stays as it is, or one that the batch changes. */
export type FoundIssue = { issueId: number } | { change: IssueChange };

/** Events that the version of the grouping before would have given to one issue go to another. Instants: milliseconds since 1970. */
export interface GroupingMove {
  fromIssueId: number;
  to: IssueChange;
  at: number;
}

export interface AppliedOccurrences {
  /** In the order in which the issues first occur in the batch. New issues get their ids in this order. */
  changes: readonly IssueChange[];
  /** The names of environments, by the indexes in `changes`. */
  environments: readonly string[];
  releases: NamedReleases;
  /** Issues that wait for a release from now on. They have to be written before `changes`: an issue that comes back no longer waits. */
  settled: readonly WaitingIssue[];
  /** When the batch's first event of each project was received. */
  firstEventByProject: ReadonlyMap<number, number>;
  /** Each pair of issues appears once. */
  groupingMoves: readonly GroupingMove[];
  /** One entry for each occurrence, in order. */
  assigned: ReadonlyArray<{ found: FoundIssue; transition: Transition }>;
}

/** Decides what a batch of occurrences does to issues and releases, in the order of the occurrences; `sightings` may make releases, too. */
export function applyOccurrences(
  known: KnownState,
  occurrences: readonly IssueOccurrence[],
  sightings: readonly ReleaseSighting[] = [],
): AppliedOccurrences {
  const batch = new OccurrenceBatch(known);
  const assigned = occurrences.map((occurrence) => batch.apply(occurrence));
  for (const sighting of sightings) batch.see(sighting);
  return { ...batch.result(), assigned };
}

class OccurrenceBatch {
  readonly #known: KnownState;
  readonly #changes: IssueChange[] = [];
  readonly #changeByIssueId = new Map<number, IssueChange>();
  /** Changes by hashes that are new to the store. Their issues are new, too, or were found by other keys. */
  readonly #changeByNewHash = new Map<string, IssueChange>();
  /** Changes by the alias fingerprints of the batch. Stored aliases are older, and take precedence. */
  readonly #changeByAlias = new Map<string, IssueChange>();
  readonly #environments = new Map<string, number>();
  readonly #firstEventByProject = new Map<number, number>();
  readonly #releases: NamedReleases;
  readonly #settled = new Map<number, WaitingIssue>();
  readonly #groupingMoves: GroupingMove[] = [];
  readonly #splitLimit: SplitLimit;
  /** Results by issue and release. They are kept because a resolved issue may get any number of events of an old release. */
  readonly #oldNews = new Map<string, boolean>();

  constructor(known: KnownState) {
    this.#known = known;
    this.#splitLimit = new SplitLimit(known.splitCounts);
    this.#releases = new NamedReleases(known.releases, (projectId, release) => this.#settle(projectId, release));
  }

  apply(occurrence: IssueOccurrence): AppliedOccurrences["assigned"][number] {
    const deletedId = this.#findDeleted(occurrence);
    if (occurrence.sequence < this.#known.appliedSequence) {
      const issueId = this.#known.earlierIssueIds.get(occurrence) ?? deletedId ?? this.#findByHash(occurrence);
      if (issueId !== undefined) return { found: { issueId }, transition: null };
      // Its issue was deleted meanwhile; the event is still to be stored somewhere.
      return { found: { change: this.#add(occurrence).change }, transition: null };
    }
    // The event came before its issue was deleted. Its row gets the id of the deleted issue, and is deleted with the others. Until
    // then, its release counts it.
    if (deletedId !== undefined) {
      this.#releases.count(occurrence);
      return { found: { issueId: deletedId }, transition: null };
    }
    const { change, transition } = this.#add(occurrence);
    return { found: { change }, transition };
  }

  see(sighting: ReleaseSighting): void {
    this.#releases.see(sighting);
  }

  result(): Omit<AppliedOccurrences, "assigned"> {
    return {
      changes: this.#changes,
      environments: [...this.#environments.keys()],
      releases: this.#releases,
      settled: [...this.#settled.values()],
      firstEventByProject: this.#firstEventByProject,
      groupingMoves: this.#groupingMoves,
    };
  }

  #add(occurrence: IssueOccurrence): { change: IssueChange; transition: Transition } {
    const { projectId, receivedAt } = occurrence;
    const change = this.#changeFor(occurrence);
    this.#noteGroupingMove(occurrence, change);
    const release = this.#releases.count(occurrence);
    const transition = change.add(occurrence, this.#indexOf(occurrence.environment ?? ""), release);
    if (!this.#firstEventByProject.has(projectId)) this.#firstEventByProject.set(projectId, Math.floor(receivedAt));
    return { change, transition };
  }

  #findDeleted(occurrence: IssueOccurrence): number | undefined {
    const { projectId, receivedAt } = occurrence;
    const deleted = this.#known.deletedIssuesByHash.get(projectId);
    if (deleted === undefined) return undefined;
    for (const hash of keysOf(occurrence)) {
      const issue = deleted.get(hash);
      if (issue !== undefined && receivedAt <= issue.askedAt) return issue.issueId;
    }
    return undefined;
  }

  #findByHash(occurrence: IssueOccurrence, hashes = keysOf(occurrence)): number | undefined {
    const known = this.#known.issueIdsByHash.get(occurrence.projectId);
    for (const hash of hashes) {
      const issueId = known?.get(hash);
      if (issueId !== undefined) return issueId;
    }
    return undefined;
  }

  /** Records the issue where the previous version of the grouping would have put the event, if it is another one. */
  #noteGroupingMove(occurrence: IssueOccurrence, to: IssueChange): void {
    const { earlier, receivedAt } = occurrence;
    if (!earlier) return;
    const fromIssueId = this.#findByHash(occurrence, earlier.hashes);
    if (fromIssueId === undefined || fromIssueId === to.known?.id) return;
    if (this.#groupingMoves.some((move) => move.fromIssueId === fromIssueId && move.to === to)) return;
    this.#groupingMoves.push({ fromIssueId, to, at: Math.floor(receivedAt) });
  }

  /**
   * Finds the issue by a key of the previous version. The key is not stored: keys of the present version bring later events to the
   * issue.
   */
  #findByEarlierKey(occurrence: IssueOccurrence): IssueChange | undefined {
    const { earlier } = occurrence;
    if (!earlier || earlier.isVague) return undefined;
    const issueId = this.#findByHash(occurrence, earlier.hashes);
    return issueId === undefined ? undefined : this.#changeOf(issueId, occurrence);
  }

  /**
   * Finds the issue by the first known hash, otherwise by a hash of the previous version, otherwise by an alias fingerprint from
   * another engine's report of the error. Unknown hashes are added to the issue, so that each keeps its issue for ever.
   */
  #changeFor(occurrence: IssueOccurrence): IssueChange {
    const { projectId, kin } = occurrence;
    const known = this.#known.issueIdsByHash.get(projectId);
    const hashes = this.#splitLimit.keysOf(
      occurrence,
      (hash) => (known?.has(hash) ?? false) || this.#changeByNewHash.has(toKey(projectId, hash)),
    );
    let change: IssueChange | undefined;
    let isFoundByAlias = false;
    let unknownHashes: string[] | undefined;
    for (const hash of hashes) {
      const issueId = known?.get(hash);
      if (issueId !== undefined) change ??= this.#changeOf(issueId, occurrence);
      else {
        const made = this.#changeByNewHash.get(toKey(projectId, hash));
        if (made) change ??= made;
        else if (unknownHashes === undefined) unknownHashes = [hash];
        else unknownHashes.push(hash);
      }
    }
    if (change === undefined) {
      if (unknownHashes === undefined) throw new TypeError(`event ${occurrence.eventId} has no grouping hash`);
      change = this.#findByEarlierKey(occurrence);
      if (change === undefined) {
        change = this.#findByAlias(occurrence);
        isFoundByAlias = change !== undefined;
      }
      change ??= this.#open(null, occurrence);
    }
    if (unknownHashes === undefined) return change;
    for (const hash of new Set(unknownHashes)) {
      change.newHashes.push({ hash, occurrence, isFoundByAlias });
      this.#changeByNewHash.set(toKey(projectId, hash), change);
    }
    if (kin && unknownHashes[0] === hashes[0]) this.#recordAliases(change, projectId, kin.leave);
    return change;
  }

  #findByAlias(occurrence: IssueOccurrence): IssueChange | undefined {
    const { projectId, kin } = occurrence;
    for (const key of kin?.seek ?? []) {
      const issueId = this.#known.issueIdsByAlias.get(projectId)?.get(key);
      if (issueId !== undefined) return this.#changeOf(issueId, occurrence);
      const change = this.#changeByAlias.get(toKey(projectId, key));
      if (change) return change;
    }
    return undefined;
  }

  #recordAliases(change: IssueChange, projectId: number, keys: readonly string[]): void {
    for (const key of keys) {
      const projectKey = toKey(projectId, key);
      // Decided here, because changes are saved in another order than that of their events.
      if (this.#changeByAlias.has(projectKey)) continue;
      this.#changeByAlias.set(projectKey, change);
      change.newAliases.push(key);
    }
  }

  #changeOf(issueId: number, occurrence: IssueOccurrence): IssueChange {
    const change = this.#changeByIssueId.get(issueId);
    if (change) return change;
    const issue = this.#known.issues.get(issueId);
    if (issue === undefined) throw new Error(`a key of the grouping names issue ${issueId}, which does not exist`);
    const opened = this.#open(issue, occurrence);
    this.#changeByIssueId.set(issueId, opened);
    return opened;
  }

  #open(known: KnownIssue | null, first: IssueOccurrence): IssueChange {
    const change = new IssueChange(known, first, {
      isOldNews: (issueId, resolvedAt, release) => this.#isOldNews(issueId, resolvedAt, release),
      archive: known === null ? undefined : this.#known.archives.get(known.id),
    });
    this.#changes.push(change);
    return change;
  }

  #isOldNews(issueId: number, resolvedAt: number, release: OrderedRelease): boolean {
    const key = `${issueId} ${release.id}`;
    let isOld = this.#oldNews.get(key);
    if (isOld === undefined) {
      const resolution = this.#settled.get(issueId)?.resolution ?? this.#known.resolutions.get(issueId) ?? null;
      const find = (version: string) => this.#releases.find(version);
      isOld = resolution !== null && isOldNews({ resolution, resolvedAt }, release, find);
      this.#oldNews.set(key, isOld);
    }
    return isOld;
  }

  /** A project got a release: issues that waited for one like it now name it. */
  #settle(projectId: number, release: OrderedRelease): void {
    const waiting = (this.#known.waiting.get(projectId) ?? []).filter(({ issueId }) => !this.#settled.has(issueId));
    const settled = settleOnRelease(waiting, release, {
      findRelease: (version) => this.#releases.find(version),
      hasCommit: (commit) => this.#known.hasCommit(release, commit),
    });
    for (const issue of settled) this.#settled.set(issue.issueId, issue);
    // An issue may have waited for this release, which the batch has just made.
    this.#oldNews.clear();
  }

  #indexOf(environment: string): number {
    const known = this.#environments.get(environment);
    if (known !== undefined) return known;
    const index = this.#environments.size;
    this.#environments.set(environment, index);
    return index;
  }
}

function toKey(projectId: number, key: string): string {
  return `${projectId} ${key}`;
}

/** Keys in the order in which they decide. */
function keysOf({ hashes, earlier }: IssueOccurrence): readonly string[] {
  return earlier && !earlier.isVague ? [...hashes, ...earlier.hashes] : hashes;
}
