import { expect, test } from "vitest";
import { append, type CreateEventDatabase, event, eventId, filter, NOON, openStore, projects } from "./fixture.ts";

export function describeNeighbours(createDatabase: CreateEventDatabase): void {
  test("the only event is first, latest and without neighbours", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(1)]);
    expect(await store.findNeighbours(filter(), eventId(1))).toEqual({
      firstEventId: eventId(1),
      latestEventId: eventId(1),
      previousEventId: null,
      nextEventId: null,
      place: 1,
      total: 1,
    });
  });

  test("walks from the oldest to the newest, by instant and then by sequence", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [
      event(1, { at: NOON }),
      event(2, { at: NOON }),
      event(3, { at: NOON - 10 }),
      event(4, { at: NOON + 10 }),
    ]);
    const edges = { firstEventId: eventId(3), latestEventId: eventId(4), total: 4 };
    const at = (number: number) => store.findNeighbours(filter(), eventId(number));
    expect(await at(3)).toEqual({ ...edges, previousEventId: null, nextEventId: eventId(1), place: 1 });
    expect(await at(1)).toEqual({ ...edges, previousEventId: eventId(3), nextEventId: eventId(2), place: 2 });
    expect(await at(2)).toEqual({ ...edges, previousEventId: eventId(1), nextEventId: eventId(4), place: 3 });
    expect(await at(4)).toEqual({ ...edges, previousEventId: eventId(2), nextEventId: null, place: 4 });
  });

  test("looks only at events of the filter", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [
      event(1, { at: NOON + 1, environment: "production" }),
      event(2, { at: NOON + 2, environment: "dev" }),
      event(3, { at: NOON + 3, environment: "production" }),
      event(4, { at: NOON + 4, environment: "production", issueId: 2 }),
      event(5, { at: NOON + 5, environment: "production", projectId: 2 }),
    ]);
    expect(await store.findNeighbours(filter({ issueId: 1, environments: ["production"] }), eventId(3))).toEqual({
      firstEventId: eventId(1),
      latestEventId: eventId(3),
      previousEventId: eventId(1),
      nextEventId: null,
      place: 2,
      total: 2,
    });
  });

  test("gives null for an event that is not in the filter", async () => {
    await using store = await openStore(createDatabase);
    await append(store, [event(1), event(2, { issueId: 2 }), event(3, { at: NOON - 10 })]);
    expect(await store.findNeighbours(filter({ issueId: 1 }), eventId(2))).toBeNull();
    expect(await store.findNeighbours(filter({ from: NOON }), eventId(3))).toBeNull();
    expect(await store.findNeighbours(filter({ projectIds: projects(2) }), eventId(1))).toBeNull();
    expect(await store.findNeighbours(filter({ projectIds: projects() }), eventId(1))).toBeNull();
    expect(await store.findNeighbours(filter(), eventId(99))).toBeNull();
    expect(await store.findNeighbours(filter(), "latest")).toBeNull();
  });
}
