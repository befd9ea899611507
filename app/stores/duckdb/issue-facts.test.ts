import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { event, eventId, filter, JOURNAL, NOON, projects, toRowBatch } from "../event-store-contract/fixture.ts";
import type { EventFilter, EventRow, TagDistribution } from "../events/error-events.ts";
import type { EventStore } from "../events/event-store.ts";
import { createDuckdbEventDatabase } from "./fixtures/duckdb-event-database.ts";
import { FACTS_LIMITS, type FactsLimits } from "./issue-facts.ts";

const ISSUES = 5;
const BATCH = 40;
const BATCHES = 12;
const BUCKET_MS = 1_000;
const BUCKETS = 10;

function storedEvent(sequence: number): EventRow {
  return event(sequence, {
    issueId: 1 + (sequence % ISSUES),
    // Every seventh comes late, some long before all others.
    at: NOON + (sequence % 7 === 0 ? (sequence * 13) % 500 : 5 * sequence),
    userKey: sequence % 3 === 0 ? null : `id:${sequence % 50}`,
    environment: ["production", "dev", null][sequence % 3] as string | null,
    release: `web@${sequence % 11}`,
    transaction: sequence % 4 === 0 ? null : `/page/${sequence % 23}`,
    isUnhandled: sequence % 2 === 0,
    title: ["TypeError: ünïcödé 🦊", "", ",\n\0\x1f"][sequence % 3] as string,
    tags: sequence % 2 === 0 ? [["browser.name", `Browser ${sequence % 6}`]] : [],
  });
}

const FILTERS: EventFilter[] = [
  filter({ issueId: 2 }),
  filter({ issueId: 3, environments: ["dev"] }),
  filter({ issueId: 2, environments: ["dev", "production"], from: NOON + 300, to: NOON + 1_200 }),
  filter({ issueId: 4, from: NOON + 100.5 }),
  filter({ issueId: 4, projectIds: projects(2) }),
];

/** What the store says of a filter, with the event after the middle as the one that is looked at. */
async function ask(store: EventStore, one: EventFilter, eventIdInMiddle: string) {
  return {
    counts: await store.count(one),
    overTime: await store.countOverTime({ ...one, from: NOON, to: NOON + BUCKETS * BUCKET_MS }, BUCKET_MS),
    first: await store.findEdge(one, "first"),
    latest: await store.findEdge(one, "latest"),
    neighbours: await store.findNeighbours(one, eventIdInMiddle),
    tags: (await store.tagDistributions(one, { keys: ["release", "browser.name"], valuesPerKey: 100 })).tags,
  };
}

/** The same of a list of events. */
function expectOf(events: readonly EventRow[], one: EventFilter) {
  const taken = events
    .filter((row) => row.issueId === one.issueId && one.projectIds.includes(row.projectId))
    .filter((row) => !one.environments?.length || one.environments.includes(row.environment ?? ""))
    .sort((a, b) => a.occurredAt - b.occurredAt || a.sequence - b.sequence);
  const inRange = taken.filter(
    ({ occurredAt }) => occurredAt >= (one.from ?? 0) && occurredAt < (one.to ?? Number.POSITIVE_INFINITY),
  );
  const here = inRange[inRange.length >> 1];
  const place = here ? inRange.indexOf(here) : -1;
  const idAt = (index: number) => inRange[index]?.eventId ?? null;
  return {
    eventIdInMiddle: here?.eventId ?? eventId(0),
    answer: {
      counts: count(inRange),
      overTime: Array.from({ length: BUCKETS }, (_, bucket) => {
        const at = NOON + bucket * BUCKET_MS;
        const ofBucket = taken.filter(({ occurredAt }) => occurredAt >= at && occurredAt < at + BUCKET_MS);
        return { at, ...count(ofBucket) };
      }),
      first: inRange[0] ?? null,
      latest: inRange.at(-1) ?? null,
      neighbours: here
        ? {
            firstEventId: idAt(0),
            latestEventId: idAt(inRange.length - 1),
            previousEventId: idAt(place - 1),
            nextEventId: idAt(place + 1),
            place: place + 1,
            total: inRange.length,
          }
        : null,
      tags: [
        distribute("browser.name", inRange, (row) => row.tags[0]?.[1] ?? null),
        distribute("release", inRange, (row) => row.release),
      ].filter(({ values }) => values.length > 0),
    },
  };
}

function count(events: readonly EventRow[]) {
  const users = new Set(events.map(({ userKey }) => userKey).filter((key) => key !== null));
  return { events: events.length, users: users.size };
}

function distribute(key: string, events: readonly EventRow[], get: (row: EventRow) => string | null): TagDistribution {
  const values = new Map<string, { value: string; count: number; firstSeenAt: number; lastSeenAt: number }>();
  for (const row of events) {
    const value = get(row);
    if (value === null) continue;
    const { occurredAt: at } = row;
    const known = values.get(value) ?? { value, count: 0, firstSeenAt: at, lastSeenAt: at };
    values.set(value, {
      value,
      count: known.count + 1,
      firstSeenAt: Math.min(known.firstSeenAt, at),
      lastSeenAt: Math.max(known.lastSeenAt, at),
    });
  }
  const sorted = [...values.values()].sort(byCount);
  return {
    key,
    total: sorted.reduce((sum, { count }) => sum + count, 0),
    distinctCount: sorted.length,
    values: sorted,
  };
}

function byCount(a: { value: string; count: number }, b: { value: string; count: number }): number {
  return b.count - a.count || (a.value < b.value ? -1 : 1);
}

function inOrder(tags: TagDistribution[]): TagDistribution[] {
  const sorted = tags.map((tag) => ({ ...tag, values: [...tag.values].sort(byCount) }));
  return sorted.sort((a, b) => (a.key < b.key ? -1 : 1));
}

describe.each<[string, Partial<FactsLimits>]>([
  ["while all are held", {}],
  ["while hardly any text is known", { texts: 2 }],
  ["while one issue at a time is held", { issues: 1 }],
  ["while hardly any user has a number", { users: 3 }],
  ["while there is room for none", { bytes: 100 }],
  ["once issues are too large to be held", { events: 40 }],
])("what is counted of an issue %s", (_, limits) => {
  test("is what its events come to, whenever they come", async () => {
    await using database = await createDuckdbEventDatabase({ factsLimits: { ...FACTS_LIMITS, ...limits } });
    const store = await database.open();
    const events: EventRow[] = [];
    for (let batch = 0; batch < BATCHES; batch++) {
      const from = batch * BATCH;
      const fresh = Array.from({ length: BATCH }, (_, index) => storedEvent(from + index));
      // Two that are there already: their places stay empty.
      const again = events.slice(-2).map((row, index) => ({ ...row, sequence: from + index, issueId: 2 }));
      await store.append(
        toRowBatch({ journalId: JOURNAL, upTo: from + BATCH, events: [...again, ...fresh], items: [] }),
      );
      events.push(...fresh);
      const expected = FILTERS.map((one) => expectOf(events, one));
      // All at once: what one of them looks up must not be taken from another.
      const asked = await Promise.all(
        FILTERS.map((one, index) => ask(store, one, expected[index]?.eventIdInMiddle ?? "")),
      );
      for (const [index, { tags, ...rest }] of asked.entries()) {
        const which = `batch ${batch}: ${JSON.stringify(FILTERS[index])}`;
        expect({ ...rest, tags: inOrder(tags) }, which).toEqual(expected[index]?.answer);
      }
    }
    await store.close();
  });
});

test("what is written while an issue is read is counted once", async () => {
  await using database = await createDuckdbEventDatabase();
  const store = await database.open();
  const one = filter({ issueId: 1 });
  for (let sequence = 0; sequence < 60; sequence++) {
    // Nothing is held any more, so that the next to ask reads the rows.
    await store.moveEvents([{ eventId: eventId(0), projectId: 1, issueId: 1, title: "again" }]);
    const appended = store.append(
      toRowBatch({ journalId: JOURNAL, upTo: sequence + 1, events: [event(sequence)], items: [] }),
    );
    // Now before the commit, now after it, now at the same time.
    await sleep(sequence % 8);
    const { events } = await store.count(one);
    expect([sequence, sequence + 1]).toContain(events);
    await appended;
    expect((await store.count(one)).events).toBe(sequence + 1);
  }
  await store.close();
});

test("an event that got another issue is counted there, and shown as its event", async () => {
  await using database = await createDuckdbEventDatabase();
  const store = await database.open();
  await store.append(
    toRowBatch({
      journalId: JOURNAL,
      upTo: 4,
      events: [0, 1, 2, 3].map((id) => event(id, { at: NOON + id })),
      items: [],
    }),
  );
  expect(await store.findEdge(filter({ issueId: 1 }), "latest")).toMatchObject({ eventId: eventId(3), issueId: 1 });
  await store.moveEvents([{ eventId: eventId(3), projectId: 1, issueId: 9, title: "moved" }]);
  expect(await store.count(filter({ issueId: 1 }))).toMatchObject({ events: 3 });
  expect(await store.findEdge(filter({ issueId: 1 }), "latest")).toMatchObject({ eventId: eventId(2) });
  expect(await store.findEdge(filter({ issueId: 9 }), "latest")).toMatchObject({ eventId: eventId(3), title: "moved" });
  expect(await store.getEvent(eventId(3), projects(1))).toMatchObject({ issueId: 9, title: "moved" });
  await store.close();
});
