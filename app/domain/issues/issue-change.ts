import type { IssueStatus, IssueSubstatus } from "../issue.ts";
import type { OrderedRelease } from "../releases/release-order.ts";
import { toHour } from "../time.ts";
import { ArchiveCount, type KnownArchive } from "./archive-rule.ts";
import type { KnownIssue } from "./known-issue.ts";
import { addMissingSourceMaps, type MissingSourceMapSum } from "./missing-source-maps.ts";
import type { IssueOccurrence } from "./occurrence.ts";

/** True when an event of the release leaves the issue, which was resolved at that instant, as it is. */
export type IsOldNews = (issueId: number, resolvedAt: number, release: OrderedRelease) => boolean;

/** The effect of an event on its issue. `regressed`: it came back, after it was resolved or archived for a while. */
export type Transition = "new" | "regressed" | null;

/** Indexes of environments stay below this, so no two hours and environments share a key. */
const MAX_ENVIRONMENTS = 2 ** 26;

/**
 * The changes of a batch to one issue, collected before anything is written: one row each instead of one for each event. What
 * it decides depends only on the stored issue and on the occurrences in their order.
 */
export class IssueChange {
  /** The stored issue. Null: the batch creates the issue. */
  readonly known: KnownIssue | null;
  /** The first occurrence of the batch. */
  readonly first: IssueOccurrence;
  /** The occurrence whose texts the issue shows: the latest by the event's clock. Null: a stored event is later. */
  headline: IssueOccurrence | null = null;
  /** The event with which the issue came back after it was resolved. Null: it did not come back. */
  regression: { occurrence: IssueOccurrence; release: OrderedRelease | null } | null = null;
  /** The event with which the rule of the archived issue brought it back. Null: it did not. */
  archiveEnd: { occurrence: IssueOccurrence } | null = null;
  /** The counter for the archive rule. Null: the issue is not archived, or nothing brings it back. */
  readonly archiveCount: ArchiveCount | null;
  /** The releases of the earliest and of the latest event, including those before the batch. */
  firstReleaseId: number | null;
  lastReleaseId: number | null;
  /** True when an event may bring the issue back. */
  mayComeBack = true;
  /** All releases that the batch's events name. */
  readonly releaseIds = new Set<number>();
  firstSeenAt: number;
  lastSeenAt: number;
  eventCount = 0;
  readonly userKeys = new Set<string>();
  readonly newHashes: Array<{
    hash: string;
    occurrence: IssueOccurrence;
    isFoundByAlias: boolean;
    isRegrouped?: boolean;
  }> = [];
  /** Alias fingerprints that no other issue of the batch leaves in the project; a stored issue may have left one before. */
  readonly newAliases: string[] = [];
  /** By index of the environment. */
  readonly lastSeenByEnvironment = new Map<number, number>();
  readonly missingSourceMaps = new Map<string, MissingSourceMapSum>();
  readonly #eventsByHour = new Map<number, number>();
  #status: IssueStatus;
  #statusChangedAt: number;
  readonly #isOldNews: IsOldNews;

  /** `archive`: where the issue is archived with a rule. Without it, archived issues stay archived. */
  constructor(
    known: KnownIssue | null,
    first: IssueOccurrence,
    { isOldNews, archive }: { isOldNews: IsOldNews; archive?: KnownArchive | undefined },
  ) {
    this.known = known;
    this.first = first;
    this.#isOldNews = isOldNews;
    this.archiveCount = archive === undefined ? null : new ArchiveCount(archive);
    this.firstReleaseId = known?.firstReleaseId ?? null;
    this.lastReleaseId = known?.lastReleaseId ?? null;
    this.firstSeenAt = known?.firstSeenAt ?? Number.POSITIVE_INFINITY;
    this.lastSeenAt = known?.lastSeenAt ?? Number.NEGATIVE_INFINITY;
    this.#status = known?.status ?? "unresolved";
    this.#statusChangedAt = known?.statusChangedAt ?? Math.floor(first.receivedAt);
  }

  /** Counts an occurrence, and returns what it changed in the issue. `environment` is an index. */
  add(occurrence: IssueOccurrence, environment: number, release: OrderedRelease | null): Transition {
    const isNew = this.known === null && this.eventCount === 0;
    const occurredAt = Math.floor(occurrence.occurredAt);
    this.eventCount++;
    if (occurredAt >= this.lastSeenAt) {
      this.lastSeenAt = occurredAt;
      this.headline = occurrence;
      this.lastReleaseId = release?.id ?? null;
    }
    if (occurredAt < this.firstSeenAt) {
      this.firstSeenAt = occurredAt;
      this.firstReleaseId = release?.id ?? null;
    }
    if (release !== null) this.releaseIds.add(release.id);
    if (occurrence.userKey !== null) this.userKeys.add(occurrence.userKey);
    const key = toHour(occurredAt) * MAX_ENVIRONMENTS + environment;
    this.#eventsByHour.set(key, (this.#eventsByHour.get(key) ?? 0) + 1);
    const environmentSeenAt = this.lastSeenByEnvironment.get(environment);
    if (environmentSeenAt === undefined || environmentSeenAt < occurredAt) {
      this.lastSeenByEnvironment.set(environment, occurredAt);
    }
    if (occurrence.missingSourceMaps?.length) addMissingSourceMaps(this.missingSourceMaps, occurrence);
    if (isNew) return "new";
    return this.#comesBackWith(occurrence, release) ? "regressed" : null;
  }

  /**
   * Whether an event brings the issue back. A resolved issue comes back with an event from after the resolve. Events that arrived late,
   * or whose clock is ahead, or of a release that is known to lack the fix, do not count. An archived issue stays archived until
   * somebody reopens it, or until its archive rule is met. The rule counts only events from after the archive.
   */
  #comesBackWith(occurrence: IssueOccurrence, release: OrderedRelease | null): boolean {
    if (this.archiveEnd !== null) this.archiveCount?.addLater(occurrence);
    if (this.#status === "unresolved" || !this.mayComeBack) return false;
    if (Math.min(occurrence.occurredAt, occurrence.receivedAt) <= this.#statusChangedAt) return false;
    if (this.#status === "archived") {
      if (this.archiveCount?.add(occurrence) !== true) return false;
      this.#reopen(occurrence);
      this.archiveEnd = { occurrence };
      return true;
    }
    if (this.known !== null && release !== null && this.#isOldNews(this.known.id, this.#statusChangedAt, release)) {
      return false;
    }
    this.#reopen(occurrence);
    this.regression = { occurrence, release };
    return true;
  }

  #reopen({ receivedAt }: IssueOccurrence): void {
    this.#status = "unresolved";
    this.#statusChangedAt = Math.floor(receivedAt);
  }

  /** Gives an issue that is split off another one the status of that one. */
  inheritStatus({ status, statusChangedAt }: KnownIssue): void {
    if (status === "unresolved") return;
    this.#status = status;
    this.#statusChangedAt = statusChangedAt;
  }

  *eventsByHour(): Generator<{ hour: number; environment: number; count: number }> {
    for (const [key, count] of this.#eventsByHour) {
      const hour = Math.floor(key / MAX_ENVIRONMENTS);
      yield { hour, environment: key - hour * MAX_ENVIRONMENTS, count };
    }
  }

  get status(): { status: IssueStatus; substatus: IssueSubstatus; statusChangedAt: number } {
    return { status: this.#status, substatus: this.#substatus(), statusChangedAt: this.#statusChangedAt };
  }

  /** Somebody who archived an issue has seen it: it is not new when it comes back. */
  #substatus(): IssueSubstatus {
    if (this.regression !== null) return "regressed";
    if (this.archiveEnd === null) return this.known?.substatus ?? "new";
    return this.archiveCount?.rule.kind === "escalates" ? "escalating" : "ongoing";
  }

  /** True when the latest event shows other texts than the stored issue has. */
  hasNewHeadline(): boolean {
    const { known, headline } = this;
    if (headline === null) return false;
    return (
      known === null ||
      known.title !== headline.title ||
      known.value !== headline.value ||
      known.culprit !== headline.culprit ||
      known.type !== headline.type ||
      known.level !== headline.level ||
      known.platform !== headline.platform ||
      known.logger !== headline.logger ||
      known.isUnhandled !== headline.isUnhandled
    );
  }
}
