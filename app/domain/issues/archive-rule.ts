import { DAY_MS, MINUTE_MS } from "../time.ts";
import { type Escalation, type EscalationBounds, EscalationCount } from "./escalation.ts";
import type { IssueOccurrence } from "./occurrence.ts";

/**
 * What brings an archived issue back by itself. Counting starts when the issue is archived. The event or user with number `count`
 * brings it back.
 */
export type ArchiveRule =
  /** Milliseconds since 1970. */
  | { kind: "until"; until: number }
  /** `count` events within `windowMinutes`. Null: `count` events, however long it takes. */
  | { kind: "events"; count: number; windowMinutes: number | null }
  /** With a window: different users within it. Without one: users that the issue did not have before. */
  | { kind: "users"; count: number; windowMinutes: number | null }
  /** More events within an hour or a day than the issue's own past suggests: see EscalationBounds. */
  | { kind: "escalates" };

/** A rule that counts up to a number. */
export type ArchiveCountRule = Extract<ArchiveRule, { count: number }>;

/** A year: an issue that rests for longer is archived for ever. */
const MAX_ARCHIVE_MS = 366 * DAY_MS;
const MAX_ARCHIVE_EVENTS = 1_000_000;
const MAX_ARCHIVE_USERS = 100_000;
/** Within a window, each of them is kept with the issue: some 20 KB. */
const MAX_ARCHIVE_USERS_IN_WINDOW = 1_000;
const MAX_ARCHIVE_WINDOW_MINUTES = 7 * 24 * 60;

/** The events and users that have come since the issue was archived. */
export interface ArchiveProgress {
  /** Events, or new users: of a rule without a window. */
  seen: number;
  /**
   * For rules with a window on events: the number of events by slot. On users: the slot of the latest event by user. For `escalates`:
   * the number of events by hour.
   */
  recent: ReadonlyArray<readonly [key: string | number, value: number]>;
}

export const NO_PROGRESS: ArchiveProgress = { seen: 0, recent: [] };

/** A stored rule of an archived issue, and what its store knows of users. */
export interface KnownArchive {
  rule: ArchiveRule;
  progress: ArchiveProgress;
  /** For `escalates`: the bounds of the day. */
  bounds?: EscalationBounds | undefined;
  /** True when the issue had an event of the user before the batch. */
  hasUser(userKey: string): boolean;
  /** Short, and the same for the same user. */
  toUserId(userKey: string): string;
}

type CountedOccurrence = Pick<IssueOccurrence, "occurredAt" | "receivedAt" | "userKey">;

/** A window moves by a sixtieth of itself: it is never longer than people said, and up to a sixtieth shorter. */
const SLOTS_OF_WINDOW = 60;

/** Counts the events of an archived issue until its rule brings it back. Time alone is the affair of a job. */
export class ArchiveCount {
  readonly rule: ArchiveRule;
  /** True when `progress` is another than it was. */
  hasChanged = false;
  readonly #known: KnownArchive;
  #seen: number;
  readonly #recent: Map<string | number, number>;
  readonly #newUsers = new Set<string>();
  readonly #escalation: EscalationCount | null;

  constructor(known: KnownArchive) {
    this.#known = known;
    this.rule = known.rule;
    this.#seen = known.progress.seen;
    this.#recent = new Map(known.progress.recent);
    const { bounds } = known;
    const hours = known.progress.recent as ReadonlyArray<readonly [hour: number, count: number]>;
    this.#escalation = known.rule.kind === "escalates" && bounds ? new EscalationCount(bounds, hours) : null;
  }

  /** Counts an event; true when it brings the issue back. */
  add({ occurredAt, receivedAt, userKey }: CountedOccurrence): boolean {
    const { rule } = this;
    if (rule.kind === "escalates") {
      this.hasChanged = true;
      return this.#escalation?.add({ occurredAt, receivedAt }) ?? false;
    }
    if (rule.kind === "until" || (rule.kind === "users" && userKey === null)) return false;
    if (rule.windowMinutes !== null) return this.#addRecent(rule, rule.windowMinutes, { receivedAt, userKey });
    if (userKey !== null && rule.kind === "users") {
      if (this.#newUsers.has(userKey) || this.#known.hasUser(userKey)) return false;
      this.#newUsers.add(userKey);
    }
    this.#seen++;
    this.hasChanged = true;
    return this.#seen >= rule.count;
  }

  /** Adds an event of the batch that came after the one that brought the issue back: the message to people counts it, too. */
  addLater(occurrence: CountedOccurrence): void {
    if (this.#escalation?.escalation) this.#escalation.add(occurrence);
  }

  get progress(): ArchiveProgress {
    return { seen: this.#seen, recent: this.#escalation?.hours ?? [...this.#recent] };
  }

  get bounds(): EscalationBounds | undefined {
    return this.#known.bounds;
  }

  /** Why it came back, if that was its own past. */
  get escalation(): Escalation | null {
    return this.#escalation?.escalation ?? null;
  }

  #addRecent(
    { kind, count }: ArchiveCountRule,
    windowMinutes: number,
    { receivedAt, userKey }: Omit<CountedOccurrence, "occurredAt">,
  ): boolean {
    const slot = Math.floor(receivedAt / ((windowMinutes * MINUTE_MS) / SLOTS_OF_WINDOW));
    if (kind === "events") {
      this.#recent.set(slot, (this.#recent.get(slot) ?? 0) + 1);
      this.#forget(([known]) => Number(known), slot);
    } else {
      const user = this.#known.toUserId(userKey ?? "");
      // Most events are of a user and a time that are known: they change nothing.
      if ((this.#recent.get(user) ?? Number.NEGATIVE_INFINITY) >= slot) return false;
      this.#recent.set(user, slot);
      this.#forget(([, known]) => known, slot);
    }
    this.hasChanged = true;
    const total = kind === "users" ? this.#recent.size : [...this.#recent.values()].reduce((sum, n) => sum + n, 0);
    return total >= count;
  }

  /** A clock that was set back leaves slots of the future, which count for nothing. */
  #forget(slotOf: (entry: [string | number, number]) => number, now: number): void {
    for (const entry of this.#recent) {
      const slot = slotOf(entry);
      if (slot <= now - SLOTS_OF_WINDOW || slot > now + SLOTS_OF_WINDOW) this.#recent.delete(entry[0]);
    }
  }
}

export function isSameArchiveRule(a: ArchiveRule | null, b: ArchiveRule | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind === "escalates" || b.kind === "escalates") return a.kind === b.kind;
  if (a.kind === "until" || b.kind === "until") return a.kind === "until" && b.kind === "until" && a.until === b.until;
  return a.kind === b.kind && a.count === b.count && a.windowMinutes === b.windowMinutes;
}

/** Says why the numbers of a requested rule are refused. Null: they are accepted. */
export function findArchiveRuleProblem(
  rule: ArchiveRule,
  now: number,
): { field: "until" | "count" | "windowMinutes"; message: string } | null {
  if (rule.kind === "escalates") return null;
  if (rule.kind === "until") {
    if (!(rule.until > now)) return { field: "until", message: "must be in the future" };
    return rule.until > now + MAX_ARCHIVE_MS ? { field: "until", message: "must be within a year" } : null;
  }
  const { kind, count, windowMinutes } = rule;
  const max =
    kind === "events" ? MAX_ARCHIVE_EVENTS : windowMinutes === null ? MAX_ARCHIVE_USERS : MAX_ARCHIVE_USERS_IN_WINDOW;
  if (!isWhole(count, max)) return { field: "count", message: toRangeText(max) };
  if (windowMinutes === null || isWhole(windowMinutes, MAX_ARCHIVE_WINDOW_MINUTES)) return null;
  return { field: "windowMinutes", message: toRangeText(MAX_ARCHIVE_WINDOW_MINUTES) };
}

function isWhole(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= max;
}

function toRangeText(max: number): string {
  return `must be a whole number from 1 to ${max.toLocaleString("en")}`;
}
