import type { EventFilter, EventRow, TagDistribution } from "../events/error-events.ts";
import type { FactsColumn } from "./batch-facts.ts";
import { findFactsPlace, type IssueFacts } from "./held-facts.ts";

type CountedText = TagDistribution["values"][number];

type FactsFilter = Pick<EventFilter, "from" | "to" | "environments">;

/** The events of an issue that a filter selects: those at places from `start` to before `end` that have a wanted environment. */
interface Selection {
  start: number;
  end: number;
  isWanted: readonly boolean[] | null;
}

function select(facts: IssueFacts, { from, to, environments }: FactsFilter): Selection {
  const start = from === null ? 0 : findFactsPlace(facts, from, 0);
  const end = to === null ? facts.length : findFactsPlace(facts, to, 0);
  if (!environments?.length) return { start, end, isWanted: null };
  const wanted = new Set<string | null>(environments);
  return { start, end, isWanted: facts.texts.environment.names.map((name) => wanted.has(name)) };
}

function matches({ texts }: IssueFacts, { isWanted }: Selection, place: number): boolean {
  return isWanted === null || isWanted[texts.environment.codes.at(place)] === true;
}

export function countFacts(facts: IssueFacts, filter: FactsFilter): { events: number; users: number } {
  const [counted] = countByBucket(facts, filter, 1, () => 0);
  return counted ?? { events: 0, users: 0 };
}

export function countFactsOverTime(
  facts: IssueFacts,
  filter: FactsFilter & { from: number },
  bucketMs: number,
  bucketCount: number,
): Array<{ events: number; users: number }> {
  return countByBucket(facts, filter, bucketCount, (occurredAt) => Math.floor((occurredAt - filter.from) / bucketMs));
}

function countByBucket(
  facts: IssueFacts,
  filter: FactsFilter,
  bucketCount: number,
  bucketOf: (occurredAt: number) => number,
): Array<{ events: number; users: number }> {
  const counted = Array.from({ length: bucketCount }, () => ({ events: 0, users: 0 }));
  const selection = select(facts, filter);
  // Events are in the order of their buckets, so the last bucket in which a user was counted is enough.
  const lastBuckets = createLastBuckets(facts, selection);
  for (let place = selection.start; place < selection.end; place++) {
    if (!matches(facts, selection, place)) continue;
    const bucket = bucketOf(facts.occurredAt.at(place));
    const sums = counted[bucket];
    if (sums === undefined) continue;
    sums.events++;
    const user = facts.users.at(place);
    if (user === 0 || lastBuckets.get(user) === bucket) continue;
    lastBuckets.set(user, bucket);
    sums.users++;
  }
  return counted;
}

interface LastBuckets {
  get(user: number): number | undefined;
  set(user: number, bucket: number): unknown;
}

/** An array is five times as fast as a map, but has an element for each user of all issues. */
function createLastBuckets({ userCount }: IssueFacts, { start, end }: Selection): LastBuckets {
  if (end - start < userCount / 16) return new Map<number, number>();
  const buckets = new Int32Array(userCount + 1).fill(-1);
  return {
    get: (user) => buckets[user],
    set: (user, bucket) => {
      buckets[user] = bucket;
    },
  };
}

/** The ordinal of the oldest or newest event that the filter selects; null: it selects none. */
export function findFactsEdge(facts: IssueFacts, filter: FactsFilter, edge: "first" | "latest"): number | null {
  const place = findEdgePlace(facts, select(facts, filter), edge);
  return place === null ? null : facts.ordinals.at(place);
}

function findEdgePlace(facts: IssueFacts, selection: Selection, edge: "first" | "latest"): number | null {
  if (edge === "first") return findMatch(facts, selection, selection.start, 1);
  return findMatch(facts, selection, selection.end - 1, -1);
}

/** The first selected place from `from` on, in steps of `step`. */
function findMatch(facts: IssueFacts, selection: Selection, from: number, step: 1 | -1): number | null {
  for (let place = from; place >= selection.start && place < selection.end; place += step) {
    if (matches(facts, selection, place)) return place;
  }
  return null;
}

export interface FactsSample {
  /** The number of matching events. */
  events: number;
  /** The places of the newest of them, newest first. */
  places: number[];
  /** The oldest of `places`; null: these are all matching events. */
  oldest: { occurredAt: number; ordinal: number } | null;
}

/** The newest events that match, at most `count`. */
export function findFactsSample(facts: IssueFacts, filter: FactsFilter, count: number): FactsSample {
  const selection = select(facts, filter);
  const places: number[] = [];
  let events = 0;
  for (let place = selection.end - 1; place >= selection.start; place--) {
    if (!matches(facts, selection, place)) continue;
    events++;
    if (events <= count) places.push(place);
  }
  const last = places.at(-1);
  if (events <= count || last === undefined) return { events, places, oldest: null };
  return { events, places, oldest: { occurredAt: facts.occurredAt.at(last), ordinal: facts.ordinals.at(last) } };
}

/** How often each text of a column occurs at these places. */
export function countFactsTexts(facts: IssueFacts, column: FactsColumn, places: readonly number[]): CountedText[] {
  const { codes, names } = facts.texts[column];
  const counts = new Uint32Array(names.length);
  const firstSeenAts = new Float64Array(names.length).fill(Number.POSITIVE_INFINITY);
  const lastSeenAts = new Float64Array(names.length).fill(Number.NEGATIVE_INFINITY);
  for (const place of places) {
    const code = codes.at(place);
    const at = facts.occurredAt.at(place);
    counts[code] = (counts[code] as number) + 1;
    if (at < (firstSeenAts[code] as number)) firstSeenAts[code] = at;
    if (at > (lastSeenAts[code] as number)) lastSeenAts[code] = at;
  }
  return names.flatMap((value, code) => {
    const count = counts[code] as number;
    if (value === null || count === 0) return [];
    return [{ value, count, firstSeenAt: firstSeenAts[code] as number, lastSeenAt: lastSeenAts[code] as number }];
  });
}

export interface FactsNeighbours {
  place: number;
  total: number;
  /** The ordinal; null: the event itself, which has none yet. */
  first: number | null;
  latest: number | null;
  previous: number | null;
  next: number | null;
}

/** Null when the filter leaves the event out. */
export function findFactsNeighbours(
  facts: IssueFacts,
  filter: FactsFilter,
  event: { occurredAt: number; ordinal: number },
): FactsNeighbours | null {
  const selection = select(facts, filter);
  const here = findFactsPlace(facts, event.occurredAt, event.ordinal);
  const isHere = here >= selection.start && here < selection.end && facts.ordinals.at(here) === event.ordinal;
  if (!isHere || !matches(facts, selection, here)) return null;
  const [total, earlier] = countAround(facts, selection, here);
  const ordinalAt = (place: number | null) => (place === null ? null : facts.ordinals.at(place));
  return {
    place: earlier + 1,
    total,
    first: ordinalAt(findEdgePlace(facts, selection, "first")) ?? event.ordinal,
    latest: ordinalAt(findEdgePlace(facts, selection, "latest")) ?? event.ordinal,
    previous: ordinalAt(findMatch(facts, selection, here - 1, -1)),
    next: ordinalAt(findMatch(facts, selection, here + 1, 1)),
  };
}

/** The neighbours of an event that is not among the facts yet, and has no ordinal. Null when the filter leaves it out. */
export function findNeighboursOfNew(
  facts: IssueFacts,
  filter: FactsFilter,
  { occurredAt, environment }: Pick<EventRow, "occurredAt" | "environment">,
): FactsNeighbours | null {
  const { from, to, environments } = filter;
  if (occurredAt < (from ?? occurredAt) || (to !== null && occurredAt >= to)) return null;
  if (environments?.length && !new Set<string | null>(environments).has(environment)) return null;
  const selection = select(facts, filter);
  // Events with the same time are in the order of their arrival, so a new event comes last.
  const here = findFactsPlace(facts, occurredAt, Number.POSITIVE_INFINITY);
  const [total, earlier] = countAround(facts, selection, here);
  const ordinalAt = (place: number | null) => (place === null ? null : facts.ordinals.at(place));
  const previous = ordinalAt(findMatch(facts, selection, here - 1, -1));
  const next = ordinalAt(findMatch(facts, selection, here, 1));
  return {
    place: earlier + 1,
    total: total + 1,
    first: previous === null ? null : ordinalAt(findEdgePlace(facts, selection, "first")),
    latest: next === null ? null : ordinalAt(findEdgePlace(facts, selection, "latest")),
    previous,
    next,
  };
}

function countAround(facts: IssueFacts, selection: Selection, here: number): [total: number, earlier: number] {
  const { start, end, isWanted } = selection;
  if (isWanted === null) return [end - start, here - start];
  let [total, earlier] = [0, 0];
  for (let place = start; place < end; place++) {
    if (!matches(facts, selection, place)) continue;
    total++;
    if (place < here) earlier++;
  }
  return [total, earlier];
}
