import type { IssueStatus, IssueSubstatus } from "../../../domain/issue.ts";
import type { IssueOccurrence } from "../../../domain/issues/occurrence.ts";
import { toHour } from "../../../domain/time.ts";
import type { IssueAssignment } from "../../state/batch-store.ts";
import type { IssueRow } from "../issues/issue-row.ts";
import type { OrderedRelease } from "../releases/release-order.ts";

/** What of an issue's row a batch has to know. */
export type StoredIssue = Omit<
  IssueRow,
  "event_count" | "user_count" | "first_release" | "last_release" | "resolution"
> & {
  search_text: string;
  first_release_id: number | null;
  last_release_id: number | null;
};

/** Whether an event of the release leaves the issue, resolved at that instant, as it is. */
export type IsOldNews = (issueId: number, resolvedAt: number, release: OrderedRelease) => boolean;

/** Environments get ids one by one, so no two hours and environments share a key below this many. */
const MAX_ENVIRONMENTS = 2 ** 26;

/**
 * What a batch does to one issue, collected before anything is written: one row each instead of one for each event.
 * Knows no SQL; what it decides depends only on the stored issue and on the occurrences in their order.
 */
export class IssueDraft {
  /** As it is in the database; null for one that the batch makes. */
  readonly stored: StoredIssue | null;
  /** The first that the batch holds of it. */
  readonly first: IssueOccurrence;
  /** Whose title and texts the issue shows: the latest by the event's clock; null when the stored one is later. */
  headline: IssueOccurrence | null = null;
  /** The event with which the issue came back; null when it did not. */
  regression: { occurrence: IssueOccurrence; release: OrderedRelease | null } | null = null;
  /** Of the earliest and of the latest event, those before the batch included. */
  firstReleaseId: number | null;
  lastReleaseId: number | null;
  /** Whether an event may bring the issue back. */
  mayComeBack = true;
  /** All that the batch's events name. */
  readonly releaseIds = new Set<number>();
  firstSeenAt: number;
  lastSeenAt: number;
  eventCount = 0;
  readonly userKeys = new Set<string>();
  readonly newHashes: Array<{
    hash: string;
    occurrence: IssueOccurrence;
    isFoundByKin: boolean;
    isRegrouped?: boolean;
  }> = [];
  /** In the project, no other issue of the batch leaves them; one in the database may have done so before. */
  readonly newKinKeys: string[] = [];
  readonly lastSeenByEnvironment = new Map<number, number>();
  readonly #eventsByHour = new Map<number, number>();
  #status: IssueStatus;
  #statusChangedAt: number;
  readonly #isOldNews: IsOldNews;

  constructor(stored: StoredIssue | null, first: IssueOccurrence, isOldNews: IsOldNews) {
    this.stored = stored;
    this.first = first;
    this.#isOldNews = isOldNews;
    this.firstReleaseId = stored?.first_release_id ?? null;
    this.lastReleaseId = stored?.last_release_id ?? null;
    this.firstSeenAt = stored?.first_seen_at ?? Number.POSITIVE_INFINITY;
    this.lastSeenAt = stored?.last_seen_at ?? Number.NEGATIVE_INFINITY;
    this.#status = stored?.status ?? "unresolved";
    this.#statusChangedAt = stored?.status_changed_at ?? Math.floor(first.receivedAt);
  }

  /** Counts an occurrence, and gives what it did to the issue. */
  add(
    occurrence: IssueOccurrence,
    environmentId: number,
    release: OrderedRelease | null,
  ): IssueAssignment["transition"] {
    const isNew = this.stored === null && this.eventCount === 0;
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
    const key = toHour(occurredAt) * MAX_ENVIRONMENTS + environmentId;
    this.#eventsByHour.set(key, (this.#eventsByHour.get(key) ?? 0) + 1);
    const environmentSeenAt = this.lastSeenByEnvironment.get(environmentId);
    if (environmentSeenAt === undefined || environmentSeenAt < occurredAt) {
      this.lastSeenByEnvironment.set(environmentId, occurredAt);
    }
    if (isNew) return "new";
    return this.#comesBackWith(occurrence, release) ? "regressed" : null;
  }

  /**
   * Only an event from after the resolve shows that the problem is still there: not one that was late in arriving, and
   * not one whose clock is ahead, and not one of a release that is known not to have the fix. What people archived stays
   * where it is until they reopen it.
   */
  #comesBackWith(occurrence: IssueOccurrence, release: OrderedRelease | null): boolean {
    if (this.#status !== "resolved" || !this.mayComeBack) return false;
    if (Math.min(occurrence.occurredAt, occurrence.receivedAt) <= this.#statusChangedAt) return false;
    if (this.stored !== null && release !== null && this.#isOldNews(this.stored.id, this.#statusChangedAt, release)) {
      return false;
    }
    this.#status = "unresolved";
    this.#statusChangedAt = Math.floor(occurrence.receivedAt);
    this.regression = { occurrence, release };
    return true;
  }

  *eventsByHour(): Generator<{ hour: number; environmentId: number; count: number }> {
    for (const [key, count] of this.#eventsByHour) {
      const hour = Math.floor(key / MAX_ENVIRONMENTS);
      yield { hour, environmentId: key - hour * MAX_ENVIRONMENTS, count };
    }
  }

  get status(): { status: IssueStatus; substatus: IssueSubstatus; statusChangedAt: number } {
    const substatus = this.regression === null ? (this.stored?.substatus ?? "new") : "regressed";
    return { status: this.#status, substatus, statusChangedAt: this.#statusChangedAt };
  }

  /** Whether the latest event would show other texts than the issue has. */
  hasNewHeadline(): boolean {
    const { stored, headline } = this;
    if (headline === null) return false;
    return (
      stored === null ||
      stored.title !== headline.title ||
      stored.value !== headline.value ||
      stored.culprit !== headline.culprit ||
      stored.type !== headline.type ||
      stored.level !== headline.level ||
      stored.platform !== headline.platform ||
      stored.logger !== headline.logger ||
      (stored.is_unhandled === 1) !== headline.isUnhandled
    );
  }
}
