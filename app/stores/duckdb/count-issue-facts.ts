import type { EventFilter, TagDistribution } from "../event-store.ts";
import type { FactsColumn, IssueFacts } from "./issue-facts.ts";
import { selectNth } from "./select-nth.ts";

type CountedText = TagDistribution["values"][number];

type FactsFilter = Pick<EventFilter, "from" | "to" | "environments">;

/** Calls back with the place of each event that the filter takes, in the order of their ordinals. */
function forEachMatch(facts: IssueFacts, filter: FactsFilter, use: (place: number) => void): void {
  const { occurredAt, length } = facts;
  const { codes, names } = facts.texts.environment;
  const from = filter.from ?? Number.NEGATIVE_INFINITY;
  const to = filter.to ?? Number.POSITIVE_INFINITY;
  const wanted = filter.environments?.length ? new Set<string | null>(filter.environments) : null;
  const isWanted = names.map((name) => wanted === null || wanted.has(name));
  for (let place = 0; place < length; place++) {
    const at = occurredAt[place] as number;
    if (at >= from && at < to && isWanted[codes[place] as number]) use(place);
  }
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

/** Beyond so many pairs of bucket and user, a bit for each would take more memory than the users that are there. */
const MAX_PAIR_BITS = 2 ** 25;

function countByBucket(
  facts: IssueFacts,
  filter: FactsFilter,
  bucketCount: number,
  bucketOf: (occurredAt: number) => number,
): Array<{ events: number; users: number }> {
  const counted = Array.from({ length: bucketCount }, () => ({ events: 0, users: 0 }));
  const userNumbers = facts.userCount + 1;
  const pairCount = bucketCount * userNumbers;
  const bits = pairCount <= MAX_PAIR_BITS ? new Uint8Array((pairCount >>> 3) + 1) : null;
  const pairs = new Set<number>();
  forEachMatch(facts, filter, (place) => {
    const bucket = bucketOf(facts.occurredAt[place] as number);
    const sums = counted[bucket];
    if (sums === undefined) return;
    sums.events++;
    const user = facts.users[place] as number;
    if (user === 0) return;
    const pair = bucket * userNumbers + user;
    if (bits === null) {
      if (!pairs.has(pair)) sums.users++;
      pairs.add(pair);
    } else {
      const byte = bits[pair >>> 3] as number;
      const bit = 1 << (pair & 7);
      if ((byte & bit) === 0) sums.users++;
      bits[pair >>> 3] = byte | bit;
    }
  });
  return counted;
}

/** Ordinal of the oldest or newest; null when the filter takes none. */
export function findFactsEdge(facts: IssueFacts, filter: FactsFilter, edge: "first" | "latest"): number | null {
  const sign = edge === "first" ? -1 : 1;
  let found = -1;
  forEachMatch(facts, filter, (place) => {
    if (found < 0 || sign * compare(facts, place, found) > 0) found = place;
  });
  return found < 0 ? null : (facts.ordinals[found] as number);
}

export interface FactsSample {
  /** How many match. */
  events: number;
  /** Places of the newest of them, in no order. */
  places: number[];
  /** The oldest of these, where they are not all. */
  oldest: { occurredAt: number; ordinal: number } | null;
}

/** The newest events that match, at most `count`. */
export function findFactsSample(facts: IssueFacts, filter: FactsFilter, count: number): FactsSample {
  const times = new Float64Array(facts.length);
  let events = 0;
  forEachMatch(facts, filter, (place) => {
    times[events++] = facts.occurredAt[place] as number;
  });
  const occurredAt = events > count ? selectNth(times.subarray(0, events), events - count) : Number.NEGATIVE_INFINITY;
  const places: number[] = [];
  const atThatTime: number[] = [];
  forEachMatch(facts, filter, (place) => {
    const at = facts.occurredAt[place] as number;
    if (at > occurredAt) places.push(place);
    else if (at === occurredAt) atThatTime.push(place);
  });
  if (events <= count) return { events, places, oldest: null };
  const left = count - places.length;
  for (const place of atThatTime.slice(-left)) places.push(place);
  const oldest = atThatTime[atThatTime.length - left] as number;
  return { events, places, oldest: { occurredAt, ordinal: facts.ordinals[oldest] as number } };
}

/** How often each text of a column occurs at these places. */
export function countFactsTexts(facts: IssueFacts, column: FactsColumn, places: readonly number[]): CountedText[] {
  const { codes, names } = facts.texts[column];
  const counts = new Uint32Array(names.length);
  const lastSeenAts = new Float64Array(names.length).fill(Number.NEGATIVE_INFINITY);
  for (const place of places) {
    const code = codes[place] as number;
    const at = facts.occurredAt[place] as number;
    counts[code] = (counts[code] as number) + 1;
    if (at > (lastSeenAts[code] as number)) lastSeenAts[code] = at;
  }
  return names.flatMap((value, code) => {
    const count = counts[code] as number;
    return value === null || count === 0 ? [] : [{ value, count, lastSeenAt: lastSeenAts[code] as number }];
  });
}

export interface FactsNeighbours {
  place: number;
  total: number;
  /** Ordinals. */
  first: number;
  latest: number;
  previous: number | null;
  next: number | null;
}

/** Null when the filter leaves the event out. */
export function findFactsNeighbours(facts: IssueFacts, filter: FactsFilter, ordinal: number): FactsNeighbours | null {
  const here = findPlace(facts, ordinal);
  if (here === null) return null;
  let isTaken = false;
  let total = 0;
  let earlier = 0;
  let [first, latest] = [here, here];
  let [previous, next] = [-1, -1];
  forEachMatch(facts, filter, (place) => {
    total++;
    const order = compare(facts, place, here);
    if (order === 0) {
      isTaken = true;
    } else if (order < 0) {
      earlier++;
      if (compare(facts, place, first) < 0) first = place;
      if (previous < 0 || compare(facts, place, previous) > 0) previous = place;
    } else {
      if (compare(facts, place, latest) > 0) latest = place;
      if (next < 0 || compare(facts, place, next) < 0) next = place;
    }
  });
  if (!isTaken) return null;
  const ordinalAt = (place: number) => facts.ordinals[place] as number;
  return {
    place: earlier + 1,
    total,
    first: ordinalAt(first),
    latest: ordinalAt(latest),
    previous: previous < 0 ? null : ordinalAt(previous),
    next: next < 0 ? null : ordinalAt(next),
  };
}

function findPlace({ ordinals, length }: IssueFacts, ordinal: number): number | null {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ordinals[middle] as number) < ordinal) low = middle + 1;
    else high = middle;
  }
  return low < length && ordinals[low] === ordinal ? low : null;
}

/** In the order of (occurredAt, ordinal): places are in that of the ordinals. */
function compare(facts: IssueFacts, a: number, b: number): number {
  return (facts.occurredAt[a] as number) - (facts.occurredAt[b] as number) || a - b;
}
