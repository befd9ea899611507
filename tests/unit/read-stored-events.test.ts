import { expect, test } from "vitest";
import { waitForErrors, waitForEvents } from "../../app/access/open-workspace.server.ts";
import { commitBatch } from "../../app/digest/commit-batch.ts";
import { digestRecords } from "../../app/digest/digest-records.ts";
import { toMappedBatch } from "../../app/digest/mapped-batch.ts";
import { readStoredEvents } from "../../app/features/events/read-stored-events.server.ts";
import { encodeJournalEntry } from "../../app/journal/journal-entry.ts";
import { createDuckdbEventDatabase } from "../../app/stores/duckdb/fixtures/duckdb-event-database.ts";
import { projects } from "../../app/stores/event-store-contract/fixture.ts";
import type { EventRow } from "../../app/stores/events/error-events.ts";
import { readNumbers } from "../../app/stores/events/rows.ts";
import { createPayloadFileFolder } from "../../app/stores/files/payload-file-folder.ts";
import { createSqliteStateDatabase } from "../../app/stores/sqlite/sqlite-state-database.ts";
import { EVERYTHING } from "../../app/stores/state/contract/fixture.ts";

const JOURNAL = "journal-of-test";
const NOW = Date.UTC(2026, 5, 1, 12);

/** Real stores, of which the events are written only once they are let. */
async function openStores() {
  await using opened = new AsyncDisposableStack();
  const state = await opened.use(await createSqliteStateDatabase()).connect();
  const events = await opened.use(await createDuckdbEventDatabase()).open();
  const payloads = await opened.use(await createPayloadFileFolder()).open();
  const held = Promise.withResolvers<void>();
  const stored = Promise.withResolvers<number>();
  const eventId = "a".repeat(32);
  const event = { event_id: eventId, timestamp: NOW / 1000, platform: "node", message: "held" };
  const bytes = Buffer.concat(
    encodeJournalEntry({
      kind: "envelope",
      projectId: 1,
      keyId: 1,
      receivedAt: NOW,
      eventId,
      clientAddress: null,
      userAgent: null,
      client: null,
      dropped: [],
      body: Buffer.from(`{}\n{"type":"event"}\n${JSON.stringify(event)}\n`),
    }),
  );
  const heldEvents = {
    appliedSequence: events.appliedSequence.bind(events),
    findExisting: events.findExisting.bind(events),
    async append(batch: Parameters<typeof events.append>[0]) {
      stored.resolve(batch.rows[0] ? (readNumbers(batch.rows[0], "issue_id")[0] ?? 0) : 0);
      await held.promise;
      return events.append(batch);
    },
  };
  const committed = commitBatch(
    { state, events: heldEvents, payloads },
    toMappedBatch(digestRecords([{ sequence: 0, bytes }])),
    {
      journalId: JOURNAL,
      upTo: 1,
      applied: { state: 0, events: 0 },
    },
  );
  const issueId = await stored.promise;
  const moved = opened.move();
  return {
    state,
    events,
    journals: [{ id: JOURNAL, firstSequence: 0 }],
    issueId,
    eventId,
    release: () => held.resolve(),
    async [Symbol.asyncDispose]() {
      held.resolve();
      await committed;
      await moved.disposeAsync();
    },
  };
}

const isNull = (row: EventRow | null) => row === null;

test("the latest event of an issue that state knows is waited for", async () => {
  await using stores = await openStores();
  expect(await stores.state.issues.getIssue(EVERYTHING, stores.issueId)).toMatchObject({ eventCount: 1 });
  const read = () =>
    stores.events.findEdge({ projectIds: projects(1), issueId: stores.issueId, from: null, to: null }, "latest");
  expect(await read()).toBeNull();
  const found = readStoredEvents({ whenEventsStored: () => waitForEvents(stores) }, read, isNull);
  stores.release();
  expect(await found).toMatchObject({ eventId: stores.eventId });
});

test("what the events store will not write in time is answered as it is", async () => {
  await using stores = await openStores();
  const read = () =>
    stores.events.findEdge({ projectIds: projects(1), issueId: stores.issueId, from: null, to: null }, "latest");
  expect(await readStoredEvents({ whenEventsStored: () => waitForEvents(stores) }, read, isNull)).toBeNull();
});

test("where every event is written, nothing is waited for", async () => {
  await using stores = await openStores();
  stores.release();
  let positionsAsked = 0;
  const counting = {
    ...stores,
    events: {
      ...stores.events,
      appliedSequence: (journalId: string) => {
        positionsAsked++;
        return stores.events.appliedSequence(journalId);
      },
    },
  };
  await expect.poll(() => stores.events.appliedSequence(JOURNAL)).toBe(1);
  const dropped = () =>
    stores.events.findEdge({ projectIds: projects(1), issueId: 999, from: null, to: null }, "latest");
  expect(await readStoredEvents({ whenEventsStored: () => waitForEvents(counting) }, dropped, isNull)).toBeNull();
  expect(positionsAsked).toBe(1);
  const there = () => stores.events.findEdge({ projectIds: projects(1), from: null, to: null }, "latest");
  expect(await readStoredEvents({ whenEventsStored: () => waitForEvents(counting) }, there, isNull)).not.toBeNull();
  expect(positionsAsked).toBe(1);
});

test("spans and logs that are being written are not waited for by a search of errors", async () => {
  await using stores = await openStores();
  stores.release();
  await expect.poll(() => stores.events.appliedSequence(JOURNAL)).toBe(1);
  const bulk = { id: "ffffffffffffffff", firstSequence: 10 };
  const asked: string[] = [];
  const ahead = {
    ...stores,
    journals: [...stores.journals, bulk],
    state: {
      batches: {
        ...stores.state.batches,
        appliedSequence: async (id: string) => (id === bulk.id ? 11 : await stores.state.batches.appliedSequence(id)),
      },
    },
    events: {
      ...stores.events,
      appliedSequence: async (id: string) => {
        asked.push(id);
        return id === bulk.id ? 10 : await stores.events.appliedSequence(id);
      },
    },
  };
  await waitForErrors(ahead);
  expect(asked).toEqual([JOURNAL]);
});
