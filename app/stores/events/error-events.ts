import type { Level } from "../../domain/level.ts";
import type { ScopedProjectIds } from "../../domain/scope.ts";
import type { Condition } from "../../domain/search/condition.ts";
import type { PayloadRef } from "../payload-store.ts";

/** An error event as the store keeps it beside its payload. Instants are milliseconds since 1970. */
export interface EventRow {
  /** Sequence of the journal record it came in. */
  sequence: number;
  projectId: number;
  issueId: number;
  /** 32 lower-case hex characters. */
  eventId: string;
  occurredAt: number;
  receivedAt: number;
  level: Level;
  platform: string;
  environment: string | null;
  release: string | null;
  dist: string | null;
  transaction: string | null;
  title: string;
  /** First of id, email, username, IP address, prefixed by which it is (`id:42`); null when the event names no user. */
  userKey: string | null;
  /**
   * The name of the user, if `userKey` does not say it: e-mail address, else name, else user name. Empty: no more is known. Null: there
   * is no user, or the event is from a version that did not store this.
   */
  userName: string | null;
  traceId: string | null;
  spanId: string | null;
  replayId: string | null;
  sdkName: string | null;
  isUnhandled: boolean;
  tags: Array<[key: string, value: string]>;
  payload: PayloadRef;
  /** Size of the payload before compression. */
  payloadBytes: number;
}

/** An event that belongs to another issue than it was stored with, or has another title there. */
export interface EventMoveRow {
  projectId: number;
  /** 32 lower-case hex characters. */
  eventId: string;
  issueId: number;
  title: string;
}

export interface EventFilter {
  projectIds: ScopedProjectIds;
  issueId?: number;
  /** Inclusive and exclusive bound of `occurredAt`; null: open. */
  from: number | null;
  to: number | null;
  environments?: string[];
  /** All must match exactly. `release`, `environment`, `level`, `user`, `transaction` and tag keys. A user is also found by `email:` or `username:` with `userName`. */
  tags?: Array<{ key: string; value: string; isNegated?: boolean }>;
  /** All must match: the tag has one of the values. Keys as in `tags`. */
  anyOfTags?: Array<{ key: string; values: readonly string[] }>;
  /** Events of this trace. */
  traceId?: string;
  /**
   * Words that must all occur, in any case, in the title, transaction, user or the value of a tag. Eight or more hexadecimal digits may
   * also be the beginning of the event's id.
   */
  words?: readonly string[];
  /** Of these issues. */
  issueIds?: readonly number[];
  /** The search on events, in the fields of `readSearchedEvent`. */
  where?: Condition;
}

export interface EventPage {
  events: EventRow[];
  /** Opaque; null at the end. */
  nextCursor: string | null;
  previousCursor: string | null;
}

export interface EventNeighbours {
  firstEventId: string;
  latestEventId: string;
  /** Next older; null at the oldest. */
  previousEventId: string | null;
  /** Next newer; null at the newest. */
  nextEventId: string | null;
  /** 1-based place counted from the oldest, and how many there are. */
  place: number;
  total: number;
}

export interface TagDistribution {
  key: string;
  /** Events (of those counted) that carry the key. */
  total: number;
  distinctCount: number;
  /** Most frequent first. The times are those of the first and the last event of these that carry it. */
  values: Array<{ value: string; count: number; firstSeenAt: number; lastSeenAt: number }>;
}

/** Events that a search for issues looks at: the newest ones of the store. A million tag texts are read in about a second. */
export const SEARCHED_EVENTS = 1_000_000;

/** A field of a search of events, or a tag by its key. Groups also have the field `userDisplay`: what people know the user by. */
export interface EventKey {
  name: string;
  isTag: boolean;
}

export interface EventSumOptions {
  by: readonly EventKey[];
  /** Milliseconds of a bucket; the first begins with the filter. Null: one sum for the whole range. */
  bucketMs: number | null;
  /** The number of groups, at most 100. */
  limit: number;
  /** How the groups are chosen. */
  largest: "events" | "users" | "issues" | "newest";
  /** Counts what `largest` names and nothing else, at a fraction of the cost: all other figures are NaN. Without buckets alone. */
  onlyLargest?: boolean;
}

export interface EventGroupSum {
  /** Values of the keys, in their order; null: the events have none. */
  group: ReadonlyArray<string | null>;
  /** Beginning of the bucket, milliseconds since 1970; null: the whole range. */
  at: number | null;
  events: number;
  users: number;
  issues: number;
  /** Milliseconds since 1970. */
  firstAt: number;
  lastAt: number;
}

export interface TagValueFilter {
  projectIds: ScopedProjectIds;
  /** Key of a tag. `user`: users as `userKey` names them. */
  key: string;
  /** Occurs in the value, in whatever case. */
  part?: string;
  /** Only these. */
  values?: readonly string[];
}

/** Error events, as pages read them. */
export interface ErrorEvents {
  /**
   * Atomic, and durable when it resolves: gives stored events another issue and title; everything else of them stays, also
   * their place among others. Gives how many there were; the others are passed over. At most some hundred at once.
   */
  moveEvents(moves: readonly EventMoveRow[]): Promise<number>;

  /** The event with this id. If several projects have it, the one that came last. */
  getEvent(eventId: string, projectIds: ScopedProjectIds): Promise<EventRow | null>;
  /**
   * When the oldest of the newest `count` events of the filter happened. Null: there are no more than `count`. A search for words can
   * be limited to these events.
   */
  findBound(filter: EventFilter, count: number): Promise<number | null>;
  /** Newest first unless told otherwise; `limit` at most 100. An invalid cursor returns the first page. */
  listEvents(
    filter: EventFilter,
    page: { cursor: string | null; limit: number; order?: "newest" | "oldest" },
  ): Promise<EventPage>;
  /** Null when the event is not in the filter. Order: occurredAt, then sequence. */
  findNeighbours(filter: EventFilter, eventId: string): Promise<EventNeighbours | null>;
  /** First (oldest) or latest event of the filter; null when there is none. */
  findEdge(filter: EventFilter, edge: "first" | "latest"): Promise<EventRow | null>;
  /**
   * Issues with an event of the filter among the newest `SEARCHED_EVENTS` of the store, newest event first. `isComplete`: there are no
   * others, because nothing older is stored and fewer than `limit` were found. `storedFrom`: search only events that were stored since
   * an answer with this `storedUpTo`.
   */
  findIssues(
    filter: EventFilter,
    limit: number,
    storedFrom?: number,
  ): Promise<{ issueIds: number[]; isComplete: boolean; storedUpTo: number }>;
  /** Figures of groups of events; with `bucketMs`, one for each bucket in which there is something. */
  sumEvents(filter: EventFilter, options: EventSumOptions): Promise<EventGroupSum[]>;
  /** Whether one of the newest `SEARCHED_EVENTS` carries the tag, with whatever value. */
  hasTag(projectIds: ScopedProjectIds, key: string): Promise<boolean>;
  /** Keys of tags with the stored events that have them, the most frequent first, at most `limit`. */
  listTagKeys(projectIds: ScopedProjectIds, limit: number): Promise<Array<{ key: string; count: number }>>;
  /**
   * Values of a tag with the number of their stored events. Values that begin with `part` come first, then the most frequent. For users
   * and other columns with very many values: the values that were frequent in some 20,000 events.
   */
  listTagValues(filter: TagValueFilter, limit: number): Promise<Array<{ value: string; count: number }>>;
  /**
   * Events and distinct users per bucket. The first bucket begins at `from`; buckets without events are present with
   * zeros. Users are exact up to 250,000 matching events, and may be estimated beyond (a few per cent off).
   * @throws {RangeError} when that would be more than 10,000 buckets.
   */
  countOverTime(
    filter: EventFilter & { from: number; to: number },
    bucketMs: number,
  ): Promise<Array<{ at: number; events: number; users: number }>>;
  /** Users as in `countOverTime`. */
  count(filter: EventFilter): Promise<{ events: number; users: number }>;
  /**
   * The most frequent values of tags, at most `valuesPerKey` for each key. All keys (at most 200, those of most events first), or only
   * the named ones. Counted in the newest 10,000 events of the filter, or in `newest` if that is less.
   */
  tagDistributions(
    filter: EventFilter,
    options: { keys?: string[]; valuesPerKey: number; newest?: number },
  ): Promise<{ countedEvents: number; isSampled: boolean; tags: TagDistribution[] }>;
  /** `userName` of the newest event of each of these users that has one, by `userKey`. At most 100 keys. */
  nameUsers(filter: EventFilter, userKeys: readonly string[]): Promise<Map<string, string>>;
}
