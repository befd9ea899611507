import type { IssueOccurrence } from "../../../domain/issues/occurrence.ts";
import { cleanReleaseVersion } from "../../../domain/release-version.ts";
import type { SqliteConnection } from "../connection.ts";
import { getResolution, isOldNews } from "../issues/resolutions.ts";
import { BatchReleaseDays } from "../releases/release-days.ts";
import { findOrderedRelease, type OrderedRelease } from "../releases/release-order.ts";
import { insertRelease, linkRelease } from "../releases/releases.ts";

interface CountedRelease {
  release: OrderedRelease;
  projectId: number;
  eventCount: number;
  firstEventAt: number;
  lastEventAt: number;
}

/** The releases that a batch's events name: each looked up, or made, once, and counted in memory. */
export class BatchReleases {
  readonly #db: SqliteConnection;
  readonly #days: BatchReleaseDays;
  /** By project and the text of the event; `none` names no release, for `left-out` there was no room. */
  readonly #releases = new Map<string, CountedRelease | "none" | "left-out">();
  /** By issue and release: an issue that is resolved may go on getting events of an old release in any number. */
  readonly #oldNews = new Map<string, boolean>();

  constructor(db: SqliteConnection) {
    this.#db = db;
    this.#days = new BatchReleaseDays(db);
  }

  /** Counts the event, and gives the release that it names. */
  count(occurrence: IssueOccurrence): OrderedRelease | null {
    if (occurrence.release === null) return null;
    const key = `${occurrence.projectId} ${occurrence.release}`;
    let counted = this.#releases.get(key);
    if (counted === undefined) {
      counted = this.#open(occurrence, occurrence.release);
      this.#releases.set(key, counted);
    }
    if (counted === "left-out")
      this.#days.countLeftOut(occurrence.projectId, occurrence.receivedAt, occurrence.release);
    if (typeof counted === "string") return null;
    const occurredAt = Math.floor(occurrence.occurredAt);
    counted.eventCount++;
    if (occurredAt < counted.firstEventAt) counted.firstEventAt = occurredAt;
    if (occurredAt > counted.lastEventAt) counted.lastEventAt = occurredAt;
    return counted.release;
  }

  /** Whether an event of the release leaves the issue resolved. */
  isOldNews(issueId: number, resolvedAt: number, release: OrderedRelease): boolean {
    const key = `${issueId} ${release.id}`;
    let isOld = this.#oldNews.get(key);
    if (isOld === undefined) {
      const resolution = getResolution(this.#db, issueId);
      isOld = resolution !== null && isOldNews(this.#db, { resolution, resolvedAt }, release);
      this.#oldNews.set(key, isOld);
    }
    return isOld;
  }

  save(): void {
    this.#days.save();
    for (const counted of this.#releases.values()) {
      if (typeof counted === "string") continue;
      const { release, projectId, eventCount, firstEventAt, lastEventAt } = counted;
      this.#db.run(
        `UPDATE release_projects SET event_count = event_count + :eventCount,
           first_event_at = min(coalesce(first_event_at, :firstEventAt), :firstEventAt),
           last_event_at = max(coalesce(last_event_at, :lastEventAt), :lastEventAt)
         WHERE project_id = :projectId AND release_id = :releaseId`,
        { releaseId: release.id, projectId, eventCount, firstEventAt, lastEventAt },
      );
    }
  }

  #open({ projectId, occurredAt, receivedAt }: IssueOccurrence, text: string): CountedRelease | "none" | "left-out" {
    const version = cleanReleaseVersion(text);
    if (version === null) return "none";
    let release = findOrderedRelease(this.#db, version);
    if (release === null) {
      if (!this.#days.takePlace(projectId, receivedAt)) return "left-out";
      // A device that was offline may be the first to name a release that is long out.
      release = insertRelease(this.#db, version, Math.min(occurredAt, receivedAt));
    }
    linkRelease(this.#db, projectId, release);
    // What an issue waited for may have been made just now.
    this.#oldNews.clear();
    return {
      release,
      projectId,
      eventCount: 0,
      firstEventAt: Number.POSITIVE_INFINITY,
      lastEventAt: Number.NEGATIVE_INFINITY,
    };
  }
}
