import { expect, test } from "vitest";
import type { IssueOccurrence } from "../../../domain/issues/occurrence.ts";
import { HOUR_MS } from "../../../domain/time.ts";
import type { State } from "../state.ts";
import {
  apply,
  type CreateStateDatabase,
  EVERYTHING,
  groupingOf,
  NOON,
  occurrence,
  openStore,
  query,
} from "./fixture.ts";

const ROUNDS = 25;
const EVENTS = 80;

/** Numbers from 0 up to the bound, the same for the same seed (mulberry32). */
function createRandom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

/** Stands for an event store: the issue of each event, which may lag behind. */
class KnownEvents {
  readonly issueIds = new Map<IssueOccurrence, number>();

  of(issueId: number): IssueOccurrence[] {
    return [...this.issueIds].filter(([, known]) => known === issueId).map(([event]) => event);
  }

  async catchUp(store: State): Promise<void> {
    const moves = await store.reprocessing.listEventMoves(EVENTS);
    for (const { eventId, toIssueId } of moves) {
      for (const event of this.issueIds.keys()) if (event.eventId === eventId) this.issueIds.set(event, toIssueId);
    }
    await store.reprocessing.confirmEventMoves(moves);
  }
}

async function regroupSome(store: State, known: KnownEvents, random: (bound: number) => number): Promise<void> {
  const issueIds = [...new Set(known.issueIds.values())];
  const fromIssueId = issueIds[random(issueIds.length)] ?? 0;
  const all = known.of(fromIssueId);
  const taken = random(2) === 0 ? all : all.filter(() => random(2) === 0);
  const byHash = Map.groupBy(taken, () => `mapped-${random(12)}`);
  await store.reprocessing.regroupEvents({
    fromIssueId,
    at: NOON,
    isComplete: taken.length === all.length && random(2) === 0,
    groups: Array.from(byHash, ([hash, events]) => {
      const [first] = events;
      if (first === undefined) throw new Error("a group without events");
      return { hashes: [hash], grouping: groupingOf(hash), headline: first, events };
    }),
  });
}

export function describeRegroupSums(createDatabase: CreateStateDatabase): void {
  test.each([1, 2, 3, 4, 5])("whatever is moved where, and given twice, the sums stay true (seed %i)", async (seed) => {
    await using store = await openStore(createDatabase);
    const random = createRandom(seed);
    const occurrences = Array.from({ length: EVENTS }, (_, index) =>
      occurrence(index, `raw-${random(4)}`, {
        at: NOON + random(6 * HOUR_MS),
        environment: random(2) === 0 ? "staging" : "production",
        userKey: `id:${random(20)}`,
      }),
    );
    const known = new KnownEvents();
    const assignments = await apply(store, occurrences);
    occurrences.forEach((event, index) => {
      known.issueIds.set(event, assignments[index]?.issueId ?? 0);
    });
    for (let round = 0; round < ROUNDS; round++) {
      await regroupSome(store, known, random);
      if (random(6) === 0) await known.catchUp(store);
    }
    await known.catchUp(store);

    const range = { from: NOON, to: NOON + 6 * HOUR_MS, bucketMs: HOUR_MS };
    const { issues } = await store.issues.listIssues(...query({ limit: 100 }));
    expect(issues.reduce((sum, issue) => sum + issue.eventCount, 0)).toBe(EVENTS);
    for (const issue of issues) {
      const events = known.of(issue.id);
      const hours = Array.from(
        { length: 6 },
        (_, hour) => (event: IssueOccurrence) => Math.floor((event.occurredAt - NOON) / HOUR_MS) === hour,
      );
      expect(issue.eventCount).toBe(events.length);
      expect(issue.userCount).toBeGreaterThanOrEqual(new Set(events.map(({ userKey }) => userKey)).size);
      for (const environment of ["staging", "production"]) {
        const own = events.filter((event) => event.environment === environment);
        const trends = await store.issues.listTrends(EVERYTHING, [issue.id], { ...range, environments: [environment] });
        expect(trends.get(issue.id)).toEqual(hours.map((isIn) => own.filter(isIn).length));
      }
      const times = events.map(({ occurredAt }) => occurredAt);
      expect(Math.floor(issue.firstSeenAt / HOUR_MS)).toBe(Math.floor(Math.min(...times) / HOUR_MS));
      expect(Math.floor(issue.lastSeenAt / HOUR_MS)).toBe(Math.floor(Math.max(...times) / HOUR_MS));
    }
  });
}
