import { expect, test } from "vitest";
import type { EventMoveRow } from "../events/error-events.ts";
import { append, type CreateEventDatabase, event, eventId, filter, listSequences, NOON, projects } from "./fixture.ts";

function move(sequence: number, change: Partial<EventMoveRow> = {}): EventMoveRow {
  return { projectId: 1, eventId: eventId(sequence), issueId: 2, title: "Error: mapped", ...change };
}

export function describeMoveEvents(createDatabase: CreateEventDatabase): void {
  test("gives events another issue and title, and leaves everything else as it was", async () => {
    await using database = await createDatabase();
    await using store = await openDisposable(database);
    const rows = [1, 2, 3].map((sequence) =>
      event(sequence, { at: NOON + sequence, release: "a@1", userKey: `id:${sequence}`, tags: [["k", "v"]] }),
    );
    await append(store, rows);
    expect(await store.moveEvents([move(1), move(3)])).toBe(2);
    expect(await listSequences(store, { issueId: 1 })).toEqual([2]);
    expect(await listSequences(store, { issueId: 2 })).toEqual([3, 1]);
    const moved = await store.getEvent(eventId(1), projects(1));
    expect(moved).toEqual({ ...rows[0], issueId: 2, title: "Error: mapped" });
  });

  test("is seen at once by whatever had counted or placed the events before", async () => {
    await using database = await createDatabase();
    await using store = await openDisposable(database);
    await append(
      store,
      [1, 2, 3, 4].map((sequence) =>
        event(sequence, { at: NOON + sequence, issueId: sequence < 4 ? 1 : 2, userKey: `id:${sequence}` }),
      ),
    );
    const range = { from: NOON, to: NOON + 10 };
    const look = async (issueId: number) => ({
      counts: await store.count(filter({ issueId })),
      graph: (await store.countOverTime({ ...filter({ issueId }), ...range }, 10))[0]?.events,
      latest: (await store.findEdge(filter({ issueId }), "latest"))?.sequence,
      place: (await store.findNeighbours(filter({ issueId }), eventId(2)))?.place ?? null,
      tagged: (await store.tagDistributions(filter({ issueId }), { valuesPerKey: 1 })).countedEvents,
    });
    expect(await look(1)).toEqual({ counts: { events: 3, users: 3 }, graph: 3, latest: 3, place: 2, tagged: 3 });
    expect(await look(2)).toEqual({ counts: { events: 1, users: 1 }, graph: 1, latest: 4, place: null, tagged: 1 });
    await store.moveEvents([move(2), move(3)]);
    expect(await look(1)).toEqual({ counts: { events: 1, users: 1 }, graph: 1, latest: 1, place: null, tagged: 1 });
    expect(await look(2)).toEqual({ counts: { events: 3, users: 3 }, graph: 3, latest: 4, place: 1, tagged: 3 });
  });

  test("passes over what is not there, and another project's event of the same id", async () => {
    await using database = await createDatabase();
    await using store = await openDisposable(database);
    await append(store, [event(1), event(2, { projectId: 2, eventId: eventId(1) })]);
    expect(await store.moveEvents([])).toBe(0);
    expect(await store.moveEvents([move(9), move(1, { projectId: 2, issueId: 7 })])).toBe(1);
    expect((await store.getEvent(eventId(1), projects(1)))?.issueId).toBe(1);
    expect((await store.getEvent(eventId(1), projects(2)))?.issueId).toBe(7);
    expect(await store.moveEvents([move(1, { issueId: 3 }), move(1, { issueId: 4 })])).toBe(1);
    expect((await store.getEvent(eventId(1), projects(1)))?.issueId).toBe(4);
  });

  test("takes titles as they come, and is there after opening again", async () => {
    await using database = await createDatabase();
    const titles = [`O'Neil "quotes" \\ \n\t ,`, "¡ünïcode! 💥", "null", "", "half \ud83d, nul \0"];
    {
      await using store = await openDisposable(database);
      await append(
        store,
        titles.map((_, index) => event(index + 1)),
      );
      await store.moveEvents(titles.map((title, index) => move(index + 1, { title })));
      // A row that comes later is found beside those that were moved.
      await append(store, [event(20, { issueId: 2 })]);
    }
    await using store = await openDisposable(database);
    const stored = await Promise.all(titles.map((_, index) => store.getEvent(eventId(index + 1), projects(1, 2, 3))));
    expect(stored.map((row) => row?.title)).toEqual([...titles.slice(0, -1), "half \ufffd, nul \ufffd"]);
    expect(await store.count(filter({ issueId: 2 }))).toMatchObject({ events: titles.length + 1 });
    expect(await append(store, [event(21), event(22, { eventId: eventId(1) })])).toEqual({ stored: 1, duplicates: 1 });
  });
}

async function openDisposable(database: Awaited<ReturnType<CreateEventDatabase>>) {
  const store = await database.open();
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() });
}
