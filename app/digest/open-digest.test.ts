import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { type DigestFolder, openDigestFolder } from "../../tests/support/digest-folder.ts";
import { KILLING_STORES_MODULE, KILLING_TEXT } from "../../tests/support/killing-digest-stores.ts";
import type { LiveMessage } from "../domain/live-message.ts";
import type { StoredEvent } from "../domain/stored-event.ts";
import { DIGEST_STORES_MODULE } from "../server/open-digest-stores.ts";

import { projects } from "../stores/event-store-contract/fixture.ts";
import { type Digest, type DigestOptions, openDigest } from "./open-digest.ts";

interface RunningDigest extends AsyncDisposable {
  digest: Digest;
  messages: LiveMessage[];
}

function startDigest(
  folder: DigestFolder,
  { applied = 0, ...options }: Partial<DigestOptions> & { applied?: number } = {},
): RunningDigest {
  const { journal, paths, events, log } = folder;
  const messages: LiveMessage[] = [];
  const digest = openDigest({
    journals: [{ journal, dir: paths.journal, applied }],
    setAsideDir: paths.setAside,
    storesModule: DIGEST_STORES_MODULE,
    storesOptions: { statePath: paths.state, payloadDir: paths.payloads },
    events: {
      appliedSequence: events.appliedSequence,
      appliedAhead: events.appliedAhead,
      findExisting: events.findExisting,
      append: events.append,
    },
    feed: { publish: (message) => void messages.push(message) },
    log,
    minRestartMs: 10,
    ...options,
    limits: { steadyAfterMs: 0, ...options.limits },
  });
  return { digest, messages, [Symbol.asyncDispose]: () => digest.close() };
}

const WAIT = { interval: 20 };

test("an accepted event is pending until it can be read from the stores", async () => {
  await using folder = await openDigestFolder();
  await using running = startDigest(folder);
  const { digest, messages } = running;
  const eventId = await folder.appendError({ value: "found again" });
  digest.accepted(eventId, 0, 1);
  expect(digest.isPending(eventId, [1])).toBe(true);
  expect(digest.isPending("f".repeat(32), [1])).toBe(false);
  expect([digest.hasAccepted(eventId, [1]), digest.hasAccepted(eventId, [2])]).toEqual([true, false]);
  await expect.poll(() => digest.isPending(eventId, [1]), WAIT).toBe(false);

  const row = await folder.events.getEvent(eventId, projects(1, 2, 3));
  expect(row).toMatchObject({ projectId: folder.projectId, title: "TypeError: found again" });
  if (row === null) throw new Error("unreachable");
  const payload = await folder.stores.payloads.read(row.payload);
  const stored: StoredEvent = JSON.parse(Buffer.from(payload ?? []).toString());
  expect(stored.event.event_id).toBe(eventId);
  expect(stored.grouping?.hash).toMatch(/^[0-9a-f]{32}$/);

  await expect.poll(() => messages.map(({ kind }) => kind).sort(), WAIT).toEqual(["first-event", "issues"]);
  expect(messages.find(({ kind }) => kind === "issues")).toMatchObject({
    changes: [{ issueId: row.issueId, projectId: folder.projectId, transition: "new", events: 1 }],
  });
  expect(messages.find(({ kind }) => kind === "first-event")).toMatchObject({ eventId, issueId: row.issueId });
  expect(digest.stats()).toMatchObject({
    backlogRecords: 0,
    recordCount: 1,
    setAsideCount: 0,
    restartCount: 0,
  });
  // A thread that gets no processor for seconds is not dead.
  await expect.poll(() => digest.ping(), WAIT).toBeUndefined();
});

test("while records of an earlier process wait, every id may be one of them", async () => {
  await using folder = await openDigestFolder();
  const eventId = await folder.appendError();
  await using running = startDigest(folder);
  expect(running.digest.isPending(eventId, [1])).toBe(true);
  // Nobody can say yet that this id was accepted.
  expect(running.digest.hasAccepted(eventId, [1])).toBe(false);
  await expect.poll(() => running.digest.isPending(eventId, [1]), WAIT).toBe(false);
  expect(await folder.eventIds()).toEqual([eventId]);
});

test("no id is pending where nothing waits, also before the thread has started", async () => {
  await using folder = await openDigestFolder();
  const { journal, events } = folder;
  const eventId = await folder.appendError();
  {
    await using running = startDigest(folder);
    await expect.poll(() => running.digest.stats().backlogRecords, WAIT).toBe(0);
  }
  const applied = await events.appliedSequence(journal.id);
  expect(applied).toBe(journal.durable.sequence);
  await using running = startDigest(folder, { applied });
  for (const id of [eventId, "f".repeat(32)]) expect(running.digest.isPending(id, [1])).toBe(false);
});

test("after it was closed in the middle of a backlog, the next one does the rest", async () => {
  await using folder = await openDigestFolder();
  const ids: string[] = [];
  for (let at = 0; at < 200; at++) ids.push(await folder.appendError({ type: `Error${at % 7}` }));
  {
    await using running = startDigest(folder, { limits: { maxRecords: 10 } });
    await expect.poll(() => running.digest.stats().recordCount, { ...WAIT, interval: 1 }).toBeGreaterThan(0);
  }
  await using running = startDigest(folder);
  await expect.poll(() => running.digest.stats().backlogRecords, WAIT).toBe(0);
  expect(await folder.eventIds()).toEqual(ids.sort());
  expect(await folder.ledger()).toEqual({ "error accepted": 200 });
});

test("lets the journal delete what every store has applied", async () => {
  await using folder = await openDigestFolder();
  for (let at = 0; at < 200; at++) await folder.appendError();
  const before = folder.journal.stats().segmentCount;
  expect(before).toBeGreaterThan(2);
  await using running = startDigest(folder);
  await expect.poll(() => running.digest.stats().backlogRecords, WAIT).toBe(0);
  await expect.poll(() => folder.journal.stats().segmentCount, WAIT).toBe(1);
});

test.each([1, 3])("with %i map threads, what waits is stored once", async (mapThreads) => {
  await using folder = await openDigestFolder();
  const ids: string[] = [];
  for (let at = 0; at < 300; at++) ids.push(await folder.appendError({ type: `Error${at % 7}` }));
  await using running = startDigest(folder, { mapThreads, limits: { maxRecords: 20 } });
  await expect.poll(() => running.digest.stats().backlogRecords, WAIT).toBe(0);
  expect(await folder.eventIds()).toEqual(ids.sort());
  expect(await folder.ledger()).toEqual({ "error accepted": 300 });
});

test("when a map thread dies, what it had is mapped and stored once by the next", async () => {
  await using folder = await openDigestFolder();
  const ids: string[] = [];
  for (let at = 0; at < 60; at++) ids.push(await folder.appendError());
  await using running = startDigest(folder, {
    mapThreads: 2,
    limits: { maxRecords: 20 },
    storesModule: KILLING_STORES_MODULE,
    symbolicator: { addClient: () => () => {} },
  });
  await expect.poll(() => running.digest.stats().backlogRecords, WAIT).toBe(0);
  expect(await folder.eventIds()).toEqual(ids.sort());
  expect(await folder.ledger()).toEqual({ "error accepted": 60 });
  expect(running.digest.stats()).toMatchObject({ setAsideCount: 0, restartCount: 1 });
});

test("a record that kills the thread is found and set aside; everything else is stored once", async () => {
  await using folder = await openDigestFolder();
  const ids = [await folder.appendError({ type: "A" }), await folder.appendError({ type: "B" })];
  await folder.appendError({ type: KILLING_TEXT });
  ids.push(await folder.appendError({ type: "A" }));
  await using running = startDigest(folder, { storesModule: KILLING_STORES_MODULE });
  await expect.poll(() => running.digest.stats().backlogRecords, WAIT).toBe(0);
  expect(await folder.eventIds()).toEqual(ids.sort());
  expect(await folder.ledger()).toEqual({ "error accepted": 3, "unknown malformed digest_error": 1 });
  const files = readdirSync(folder.paths.setAside).filter((name) => name.endsWith(".bytes"));
  expect(files).toEqual([`${folder.journal.id}-2.bytes`]);
  expect(running.digest.stats()).toMatchObject({ setAsideCount: 1 });
  expect(running.digest.stats().restartCount).toBeGreaterThan(1);
  expect(folder.logged).toContain("the digest thread died; it is started again");
});

test("waits for stores that cannot be opened, and then works the backlog off", async () => {
  await using folder = await openDigestFolder();
  const eventId = await folder.appendError();
  let failures = 2;
  await using running = startDigest(folder, {
    events: {
      appliedAhead: folder.events.appliedAhead,
      appliedSequence: async (journalId) => {
        if (failures-- > 0) throw new Error("not now");
        return folder.events.appliedSequence(journalId);
      },
      findExisting: folder.events.findExisting,
      append: folder.events.append,
    },
    limits: { minRetryMs: 1 },
  });
  await expect.poll(() => running.digest.stats().backlogRecords, WAIT).toBe(0);
  expect(await folder.eventIds()).toEqual([eventId]);
});
