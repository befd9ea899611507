import type { IssueOccurrence } from "../issues/occurrence.ts";
import { cleanReleaseVersion } from "../release-version.ts";
import { toDay } from "../time.ts";
import { FIRST_UNSAVED_RELEASE_ID, type OrderedRelease, toVersionKey } from "./release-order.ts";

/**
 * Releases that events and sessions may create, per project and day (UTC). Anyone with a DSN may send events that name releases, so the
 * number is bounded. Events of further releases keep the text only, and are counted (`listLeftOutReleases`). A large team that releases
 * each commit makes some hundred a day. Tools have a token and are not bounded.
 */
export const MAX_RELEASES_BY_EVENTS_PER_DAY = 1_000;

export interface KnownReleases {
  byVersion: ReadonlyMap<string, OrderedRelease>;
  versionsOfProject: ReadonlyMap<number, ReadonlySet<string>>;
  /** The number of releases that events have made, by `toDayKey`. Absent: none. */
  madeByDay: ReadonlyMap<string, number>;
}

/** A session that names a release. */
export type ReleaseSighting = Pick<IssueOccurrence, "sequence" | "projectId" | "occurredAt" | "receivedAt"> & {
  release: string;
};

/** The place and time at which a release is named. */
type Naming = Pick<IssueOccurrence, "projectId" | "occurredAt" | "receivedAt">;

/** The events of a batch that name one release of one project. */
export interface ReleaseCount {
  release: OrderedRelease;
  projectId: number;
  eventCount: number;
  firstEventAt: number;
  lastEventAt: number;
}

/** The change of a batch to a project's day of releases. */
export interface ReleaseDayChange {
  projectId: number;
  /** Whole days since 1970 (UTC). */
  day: number;
  madeCount: number;
  leftOutEventCount: number;
  lastLeftOut: string | null;
}

/** The releases that a batch's events and sessions name: each is looked up, or made, once, and its events are counted. */
export class NamedReleases {
  /** In the order in which they are created. `orderedAt` is the time. */
  readonly made: OrderedRelease[] = [];
  /** Releases that become those of a project. */
  readonly linked: Array<{ projectId: number; release: OrderedRelease }> = [];
  readonly #known: KnownReleases;
  readonly #onLink: (projectId: number, release: OrderedRelease) => void;
  readonly #madeByVersion = new Map<string, OrderedRelease>();
  readonly #days = new Map<string, ReleaseDayChange>();
  /** By project and the text in the event. `none`: the text names no release. `left-out`: there was no room for the release. */
  readonly #counts = new Map<number, Map<string, ReleaseCount | "none" | "left-out">>();

  /** `onLink` hears of every release that a project gets, at the event that brings it. */
  constructor(known: KnownReleases, onLink: (projectId: number, release: OrderedRelease) => void) {
    this.#known = known;
    this.#onLink = onLink;
  }

  find(version: string): OrderedRelease | null {
    return this.#known.byVersion.get(version) ?? this.#madeByVersion.get(version) ?? null;
  }

  /** Counts the event, and returns the release that it names. Null: it names none, or there was no room for it. */
  count(occurrence: IssueOccurrence): OrderedRelease | null {
    const { release: text } = occurrence;
    if (text === null) return null;
    const counted = this.#lookUp(occurrence, text);
    if (counted === "left-out") {
      const day = this.#dayOf(occurrence);
      day.leftOutEventCount++;
      day.lastLeftOut = text;
    }
    if (typeof counted === "string") return null;
    const occurredAt = Math.floor(occurrence.occurredAt);
    counted.eventCount++;
    if (occurredAt < counted.firstEventAt) counted.firstEventAt = occurredAt;
    if (occurredAt > counted.lastEventAt) counted.lastEventAt = occurredAt;
    return counted.release;
  }

  /** The release exists, though no event may ever name it: one without errors has sessions alone. */
  see(sighting: ReleaseSighting): void {
    this.#lookUp(sighting, sighting.release);
  }

  /** Counts of the releases that events name. */
  get counts(): ReleaseCount[] {
    return [...this.#counts.values()]
      .flatMap((counts) => [...counts.values()])
      .filter((count) => typeof count !== "string")
      .filter(({ eventCount }) => eventCount > 0);
  }

  get days(): ReleaseDayChange[] {
    return [...this.#days.values()];
  }

  #lookUp(naming: Naming, text: string): ReleaseCount | "none" | "left-out" {
    let counts = this.#counts.get(naming.projectId);
    if (counts === undefined) {
      counts = new Map();
      this.#counts.set(naming.projectId, counts);
    }
    let counted = counts.get(text);
    if (counted === undefined) {
      counted = this.#open(naming, text);
      counts.set(text, counted);
    }
    return counted;
  }

  #open(naming: Naming, text: string): ReleaseCount | "none" | "left-out" {
    const version = cleanReleaseVersion(text);
    if (version === null) return "none";
    const { projectId, occurredAt, receivedAt } = naming;
    let release = this.find(version);
    if (release === null) {
      const day = this.#dayOf(naming);
      const madeBefore = this.#known.madeByDay.get(toDayKey(naming)) ?? 0;
      if (madeBefore + day.madeCount >= MAX_RELEASES_BY_EVENTS_PER_DAY) return "left-out";
      day.madeCount++;
      // A device that was offline may be the first to name a release that is long out.
      release = this.#make(version, Math.floor(Math.min(occurredAt, receivedAt)));
    }
    const isLinked = this.#known.versionsOfProject.get(projectId)?.has(version) ?? false;
    if (!isLinked && !this.linked.some((link) => link.projectId === projectId && link.release === release)) {
      this.linked.push({ projectId, release });
      this.#onLink(projectId, release);
    }
    return {
      release,
      projectId,
      eventCount: 0,
      firstEventAt: Number.POSITIVE_INFINITY,
      lastEventAt: Number.NEGATIVE_INFINITY,
    };
  }

  #make(version: string, orderedAt: number): OrderedRelease {
    const id = FIRST_UNSAVED_RELEASE_ID + this.made.length;
    const release = { id, version, ...toVersionKey(version), orderedAt };
    this.made.push(release);
    this.#madeByVersion.set(version, release);
    return release;
  }

  #dayOf({ projectId, receivedAt }: Naming): ReleaseDayChange {
    const key = toDayKey({ projectId, receivedAt });
    let day = this.#days.get(key);
    if (day === undefined) {
      day = { projectId, day: toDay(receivedAt), madeCount: 0, leftOutEventCount: 0, lastLeftOut: null };
      this.#days.set(key, day);
    }
    return day;
  }
}

export function toDayKey({ projectId, receivedAt }: Pick<IssueOccurrence, "projectId" | "receivedAt">): string {
  return `${projectId} ${toDay(receivedAt)}`;
}
