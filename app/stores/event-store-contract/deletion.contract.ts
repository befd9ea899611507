import { expect, test } from "vitest";
import type { EventSelection } from "../events/event-deletion.ts";
import type { EventStore } from "../events/event-store.ts";
import {
  append,
  type CreateEventDatabase,
  event,
  eventId,
  filter,
  item,
  listSequences,
  NOON,
  projects,
} from "./fixture.ts";

const ISSUE_2: EventSelection = { kind: "issues", projectId: 1, issueIds: [2] };

async function deleteSelected(store: EventStore, selection: EventSelection, limit = 100): Promise<number> {
  let deleted = 0;
  for (;;) {
    const events = await store.deletion.listSelected(selection, limit);
    if (events.length === 0) return deleted;
    await store.deletion.deleteEvents(events);
    deleted += events.length;
  }
}

export function describeDeletion(createDatabase: CreateEventDatabase): void {
  test("deletes the events of an issue with what belongs to them, some at a time", async () => {
    await using database = await createDatabase();
    const store = await database.open();
    const events = [1, 2, 3, 4, 5].map((sequence) =>
      event(sequence, { issueId: sequence % 2 === 0 ? 2 : 1, release: "web@1" }),
    );
    const attachment = item(2, { eventId: eventId(2), at: NOON + 5, quantity: 3 });
    const other = item(3, { eventId: eventId(3) });
    await append(store, events, [attachment, other]);
    expect(await store.deletion.listSelected(ISSUE_2, 1)).toHaveLength(1);
    const selected = await store.deletion.listSelected(ISSUE_2, 10);
    expect(selected.find((one) => one.eventId === eventId(2))).toEqual({
      projectId: 1,
      eventId: eventId(2),
      occurrence: { issueId: 2, occurredAt: NOON, environment: null, release: "web@1", userKey: null },
      items: [
        { category: "error", quantity: 1, receivedAt: NOON },
        { category: "attachment", quantity: 3, receivedAt: NOON + 5 },
      ],
    });
    expect(await store.listItems({ projectIds: projects(1), eventId: eventId(2) })).toHaveLength(1);

    expect(await deleteSelected(store, ISSUE_2, 1)).toBe(2);
    expect(await listSequences(store)).toEqual([5, 3, 1]);
    expect(await store.getEvent(eventId(2), projects(1))).toBeNull();
    expect(await store.count(filter({ issueId: 2 }))).toEqual({ events: 0, users: 0 });
    expect(await store.listItems({ projectIds: projects(1), eventId: eventId(2) })).toEqual([]);
    expect(await store.listItems({ projectIds: projects(1), eventId: eventId(3) })).toHaveLength(1);
    expect(await deleteSelected(store, ISSUE_2)).toBe(0);
  });

  test("an event is counted as what the ledger counts it as", async () => {
    await using database = await createDatabase();
    const store = await database.open();
    await append(store, [event(1, { issueId: 2 }), event(2, { issueId: 2, category: "security" })]);
    const selected = await store.deletion.listSelected(ISSUE_2, 10);
    expect(selected.flatMap(({ items }) => items.map(({ category }) => category)).sort()).toEqual([
      "error",
      "security",
    ]);
    expect((await store.sumStored()).map(({ signal, rows }) => [signal, rows])).toEqual([["errors", 2]]);
  });

  test("deletes events by id, of one project alone", async () => {
    await using database = await createDatabase();
    const store = await database.open();
    await append(store, [event(1), event(2), event(3, { projectId: 2, eventId: eventId(1), issueId: 9 })]);
    await store.getEvent(eventId(1), projects(1));
    expect(await deleteSelected(store, { kind: "events", projectId: 1, eventIds: [eventId(1), eventId(8)] })).toBe(1);
    expect(await listSequences(store)).toEqual([2]);
    expect(await store.getEvent(eventId(1), projects(1, 2))).toMatchObject({ projectId: 2 });
    expect(await deleteSelected(store, { kind: "events", projectId: 1, eventIds: [] })).toBe(0);
  });

  test("deletes all rows of a project, and nothing of another", async () => {
    await using database = await createDatabase();
    const store = await database.open();
    await append(store, [event(1), event(2, { projectId: 2, issueId: 9 })], [item(3), item(4, { projectId: 2 })]);
    expect(await store.deletion.deleteProject(1)).toBe(2);
    expect(await store.deletion.deleteProject(1)).toBe(0);
    expect(await listSequences(store, { projectIds: projects(1, 2) })).toEqual([2]);
    expect(await store.countItems({ projectIds: projects(1, 2), from: null, to: null })).toEqual([
      { type: "attachment", quantity: 1 },
    ]);
  });

  test("what was deleted can come again, also after the store was opened again", async () => {
    await using database = await createDatabase();
    const first = await database.open();
    await append(first, [event(1), event(2)]);
    await deleteSelected(first, { kind: "events", projectId: 1, eventIds: [eventId(1), eventId(2)] });
    await first.checkpoint();
    await first.close();
    const store = await database.open();
    expect(await append(store, [event(3), event(4, { eventId: eventId(2) })])).toEqual({ stored: 2, duplicates: 0 });
    expect(await append(store, [event(5, { eventId: eventId(2) })])).toEqual({ stored: 0, duplicates: 1 });
  });

  test("finds and counts the events of a user by key, in large and small letters where asked", async () => {
    await using database = await createDatabase();
    const store = await database.open();
    const ofAnn = { userKey: "email:Ann@Example.com" };
    await append(
      store,
      [event(1, ofAnn), event(2, { userKey: "email:bob" }), event(3, { ...ofAnn, projectId: 2, issueId: 9 }), event(4)],
      [item(1, { eventId: eventId(1) })],
    );
    await append(store, [event(5, { ...ofAnn, at: NOON + 10 })]);
    const users = { projectIds: [1, 2], userKeys: ["email:ann@example.com"], upTo: NOON };
    expect(await store.deletion.listSelected({ kind: "users", ...users, ignoresCase: false }, 10)).toEqual([]);
    const counted = await store.deletion.countOfUser({
      ...users,
      ignoresCase: true,
      sessionUserIds: [],
      named: { field: "id", values: ["nobody"] },
    });
    expect(counted.sort((a, b) => a.projectId - b.projectId)).toEqual([
      { projectId: 1, events: 1, items: 1 },
      { projectId: 2, events: 1, items: 0 },
    ]);
    expect(await deleteSelected(store, { kind: "users", ...users, projectIds: [1], ignoresCase: true })).toBe(1);
    expect(await listSequences(store, { projectIds: projects(1, 2) })).toEqual([5, 4, 3, 2]);
  });

  test("looks through rows in the order in which they came, those of one millisecond together", async () => {
    await using database = await createDatabase();
    const store = await database.open();
    const at = [0, 5, 5, 5, 9, 20];
    await append(
      store,
      at.map((offset, sequence) => event(sequence, { at: NOON + offset, userKey: `id:${sequence}` })),
      [item(6, { at: NOON + 3, eventId: eventId(1) }), item(7, { at: NOON + 3, projectId: 2 })],
    );
    const scan = { projectIds: [1], after: -1, upTo: NOON + 9, sequences: null, limit: 2 };
    const seen: string[][] = [];
    for (let after: number | null = -1; after !== null; ) {
      const step = await store.deletion.scanEvents({ ...scan, after });
      if (step.rows.length > 0) seen.push(step.rows.map(({ userKey }) => userKey ?? "").sort());
      after = step.upTo;
    }
    expect(seen).toEqual([["id:0", "id:1", "id:2", "id:3"], ["id:4"]]);
    const late = await store.deletion.scanEvents({ ...scan, sequences: [{ from: 3, to: null }], limit: 9 });
    expect(late.rows.map(({ userKey }) => userKey).sort()).toEqual(["id:3", "id:4"]);
    expect(await store.deletion.countRows(scan)).toEqual({ events: 5, items: 1 });
    const items = await store.deletion.scanItems({ ...scan, limit: 9 });
    expect(items.rows).toMatchObject([{ key: `item 6 1 ${NOON + 3}`, eventId: eventId(1), type: "attachment" }]);
    expect(await store.deletion.listItemsOf([{ projectId: 1, eventId: eventId(1) }], NOON + 2)).toEqual([]);
    const found = await store.deletion.listItemsOf([{ projectId: 1, eventId: eventId(1) }], NOON + 9);
    expect(found).toEqual(items.rows);
    await store.deletion.deleteItems(found);
    expect(await store.deletion.countRows({ ...scan, projectIds: [1, 2] })).toEqual({ events: 5, items: 1 });
  });

  test("knows which users have an event left in an issue", async () => {
    await using database = await createDatabase();
    const store = await database.open();
    await append(store, [event(1, { userKey: "id:1" }), event(2, { userKey: "id:2", issueId: 2 })]);
    const left = (issueIds: number[]) =>
      store.deletion.findLeft({ projectId: 1, issueIds, userKeys: ["id:1", "id:2", "id:3"] });
    expect(await left([1])).toEqual({ events: 1, userKeys: ["id:1"] });
    expect(await left([2, 3])).toEqual({ events: 1, userKeys: ["id:2"] });
    expect(await left([3])).toEqual({ events: 0, userKeys: [] });
  });

  test("finds the rows of payloads, by block or by place in it", async () => {
    await using database = await createDatabase();
    const store = await database.open();
    const at = (index: number) => ({ payload: { fileId: 7, offset: 100, index } });
    await append(
      store,
      [event(1, at(0)), event(2, { ...at(1), category: "security" }), event(3)],
      [item(4, { ...at(2), quantity: 3 })],
    );
    const block = await store.findPayloads([{ fileId: 7, offset: 100, index: null }]);
    expect(block.map(({ key, category, quantity }) => [key, category, quantity])).toEqual([
      [eventId(1), "error", 1],
      [eventId(2), "security", 1],
      [`item 4 1 ${NOON}`, "attachment", 3],
    ]);
    expect(await store.findPayloads([{ fileId: 7, offset: 100, index: 1 }])).toMatchObject([{ key: eventId(2) }]);
    expect(await store.findPayloads([{ fileId: 8, offset: 100, index: null }])).toEqual([]);
    expect(await store.findPayloads([])).toEqual([]);
  });
}
