import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FIRST_EVENTS_KEPT, SPIKE_MIN_BOUND } from "../domain/volume/spike-bound.ts";
import { EVERYTHING_STORED, type VolumeSettings } from "../domain/volume/volume-settings.ts";
import { encodeJournalEntry } from "../journal/journal-entry.ts";
import { openTestEventStore } from "../stores/duckdb/fixtures/duckdb-event-database.ts";
import { projects } from "../stores/event-store-contract/fixture.ts";
import type { RowBatch } from "../stores/events/event-log.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import { decodeRowLogEntry, type LoggedRows } from "../stores/events/row-log.ts";
import { openPayloadFiles } from "../stores/files/open-payload-files.ts";
import { readLog } from "../stores/payload-store.contract.ts";
import type { PayloadStore } from "../stores/payload-store.ts";
import { openTestState } from "../stores/sqlite/sqlite-state-database.ts";
import { EVERYTHING } from "../stores/state/contract/fixture.ts";
import type { State } from "../stores/state/state.ts";
import { commitBatch, type DigestStores } from "./commit-batch.ts";
import { digestRecords } from "./digest-records.ts";
import { toMappedBatch } from "./mapped-batch.ts";
import { VolumeBook } from "./rules/volume-book.ts";

const JOURNAL = "journal-of-test";
const NOW = Date.UTC(2026, 5, 1, 12);
let clock = NOW;
const RANGE = { from: NOW - 3_600_000, to: NOW + 3_600_000, bucketMs: null };

let dir: string;
let state: State;
let events: EventStore;
let payloads: PayloadStore;

beforeEach(async () => {
  clock = NOW;
  dir = mkdtempSync(join(tmpdir(), "culprit-commit-"));
  state = await openTestState({ path: join(dir, "state.sqlite"), now: () => clock });
  events = await openTestEventStore({
    path: join(dir, "events.duckdb"),
    tempDir: join(dir, "tmp"),
    memoryLimitMb: 64,
    threads: 1,
  });
  payloads = await openPayloadFiles({ dir: join(dir, "payloads") });
  await state.people.setUp({
    organization: { slug: "default", name: "Default" },
    owner: { email: "a@example.com", name: "Ada", passwordHash: "x" },
    project: { slug: "shop", name: "Shop", platform: "node" },
    at: NOW,
  });
});
afterEach(async () => {
  await events.close();
  await state.close();
  await payloads.close();
  rmSync(dir, { recursive: true, force: true });
});

const id = (n: number) => n.toString(16).padStart(32, "0");

function record(
  sequence: number,
  eventNumber: number,
  { type = "TypeError", attachment = false, receivedAt = NOW } = {},
) {
  const event = {
    event_id: id(eventNumber),
    timestamp: receivedAt / 1000,
    platform: "node",
    exception: { values: [{ type, value: "x" }] },
    user: { id: eventNumber },
  };
  const rest = attachment ? `{"type":"attachment","length":2,"filename":"a.txt"}\nhi\n` : "";
  const parts = encodeJournalEntry({
    kind: "envelope",
    projectId: 1,
    keyId: 1,
    receivedAt,
    eventId: id(eventNumber),
    clientAddress: null,
    userAgent: null,
    client: null,
    dropped: [],
    body: Buffer.from(`{}\n{"type":"event"}\n${JSON.stringify(event)}\n${rest}`),
  });
  return { sequence, bytes: Buffer.concat(parts) };
}

/** A container with one span. */
function toSpanRecord(): Uint8Array {
  const span = { trace_id: id(7), span_id: "00000000000000aa", name: "GET /", status: "ok", attributes: {} };
  const items = [{ ...span, start_timestamp: NOW / 1000, end_timestamp: NOW / 1000 + 1 }];
  const header = { type: "span", item_count: 1, content_type: "application/vnd.sentry.items.span.v2+json" };
  return Buffer.concat(
    encodeJournalEntry({
      kind: "envelope",
      projectId: 1,
      keyId: 1,
      receivedAt: NOW,
      eventId: null,
      clientAddress: null,
      userAgent: null,
      client: null,
      dropped: [],
      body: Buffer.from(`{}\n${JSON.stringify(header)}\n${JSON.stringify({ items })}\n`),
    }),
  );
}

async function commit(
  records: Array<{ sequence: number; bytes: Uint8Array }>,
  stores: Partial<DigestStores> = {},
  onHanded?: () => void,
) {
  const applied = {
    state: await state.batches.appliedSequence(JOURNAL),
    events: await events.appliedSequence(JOURNAL),
  };
  const upTo = Math.max(...records.map(({ sequence }) => sequence)) + 1;
  const position = { journalId: JOURNAL, upTo, applied };
  return commitBatch({ state, events, payloads, ...stores }, toMappedBatch(digestRecords(records)), position, onHanded);
}

/** What every store holds, as numbers that must agree. */
async function totals() {
  const { issues } = await state.issues.listIssues(EVERYTHING, {
    from: null,
    to: null,
    sort: "first_seen",
    cursor: null,
    limit: 100,
  });
  const outcomes = await state.outcomes.sumOutcomes(EVERYTHING, { ...RANGE, groupBy: ["outcome"] });
  return {
    issues: issues.length,
    eventsOfIssues: issues.reduce((sum, issue) => sum + issue.eventCount, 0),
    usersOfIssues: issues.reduce((sum, issue) => sum + issue.userCount, 0),
    rows: (await events.count({ projectIds: projects(1), from: null, to: null })).events,
    accepted: outcomes.find(({ outcome }) => outcome === "accepted")?.quantity ?? 0,
    duplicate: outcomes.find(({ outcome }) => outcome === "duplicate")?.quantity ?? 0,
  };
}

const failing = () => Promise.reject(new Error("the power is cut"));

describe("committing a batch", () => {
  test("puts an event into every store, and its payload can be read back", async () => {
    const committed = await commit([record(0, 1)]);
    expect(committed.changes).toEqual([
      { issueId: expect.any(Number), projectId: 1, eventId: id(1), transition: "new" },
    ]);
    expect([...committed.stored]).toEqual([["error", 1]]);
    expect(await totals()).toEqual({
      issues: 1,
      eventsOfIssues: 1,
      usersOfIssues: 1,
      rows: 1,
      accepted: 1,
      duplicate: 0,
    });
    const row = await events.getEvent(id(1), projects(1));
    const payload = row && (await payloads.read(row.payload));
    expect(JSON.parse(Buffer.from(payload ?? []).toString()).event.event_id).toBe(id(1));
  });

  test("an id that comes twice is one event, within a batch and later, and what came with it is a duplicate too", async () => {
    await commit([record(0, 1, { attachment: true }), record(1, 1, { attachment: true })]);
    await commit([record(2, 1, { attachment: true })]);
    expect(await totals()).toMatchObject({ eventsOfIssues: 1, rows: 1, accepted: 2, duplicate: 4 });
    expect(await events.listItems({ projectIds: projects(1), eventId: id(1), types: ["attachment"] })).toHaveLength(1);
  });

  const wanted = { issues: 2, eventsOfIssues: 3, usersOfIssues: 3, rows: 3, accepted: 3, duplicate: 1 };
  const records = () => [record(0, 1), record(1, 2), record(2, 1), record(3, 3, { type: "OtherError" })];

  test("after a stop before the state nothing was done, and again does all", async () => {
    const broken = { batches: { ...state.batches, applyBatch: failing } };
    await expect(commit(records(), { state: broken })).rejects.toThrow("power");
    expect(await totals()).toMatchObject({ eventsOfIssues: 0, rows: 0 });
    expect(await payloads.bytesOnDisk()).toBeLessThan(100);
    await commit(records());
    expect(await totals()).toEqual(wanted);
  });

  test("after a stop between state and payloads, again adds each once", async () => {
    await expect(commit(records(), { payloads: { append: failing } })).rejects.toThrow("power");
    expect(await totals()).toMatchObject({ eventsOfIssues: 3, rows: 0 });
    await commit(records());
    expect(await totals()).toEqual(wanted);
  });

  test("spans are inserted while their log is written, and stored after it or not at all", async () => {
    const spans = [{ sequence: 4, bytes: toSpanRecord() }];
    const count = async () => (await events.listSpans({ projectIds: projects(1), traceId: id(7), limit: 10 })).length;
    await expect(commit(spans, { payloads: { append: failing } })).rejects.toThrow("power");
    expect(await count()).toBe(0);
    const asked = Promise.withResolvers<void>();
    const goesOn = Promise.withResolvers<void>();
    const committed = commit(spans, {
      events: {
        findExisting: events.findExisting.bind(events),
        append: (batch, logged) => {
          asked.resolve();
          return events.append(batch, logged);
        },
      },
      payloads: {
        append: async (...args) => {
          await goesOn.promise;
          return payloads.append(...args);
        },
      },
    });
    await asked.promise;
    expect(await count()).toBe(0);
    goesOn.resolve();
    await committed;
    expect(await count()).toBe(1);
    const [log] = await payloads.listFiles();
    expect(log?.signal).toBe("spans");
  });

  test("the next batch may begin once the event store has the rows and all else is written, and not before", async () => {
    const steps: string[] = [];
    await commit(
      [record(0, 1)],
      {
        payloads: {
          append: async (...args) => {
            const refs = await payloads.append(...args);
            steps.push("payloads");
            return refs;
          },
        },
        events: {
          findExisting: events.findExisting.bind(events),
          append: async (batch) => {
            const appended = await events.append(batch);
            steps.push("events");
            return appended;
          },
        },
      },
      () => steps.push("handed"),
    );
    expect(steps).toEqual(["payloads", "handed", "events"]);
  });

  test("the rows lie beside their payloads as they were written", async () => {
    const appended: RowBatch[] = [];
    const watched = {
      appliedSequence: events.appliedSequence.bind(events),
      findExisting: events.findExisting.bind(events),
      append: (batch: RowBatch) => {
        appended.push(structuredClone(batch));
        return events.append(batch);
      },
    };
    await commit([...records(), record(4, 5, { attachment: true })], { events: watched });
    const [batch] = appended;
    const entries: LoggedRows[] = [];
    const files = await payloads.listFiles();
    expect(files.map(({ signal }) => signal)).toEqual(["errors", "attachments"]);
    for (const { fileId } of files) {
      const [part, ...others] = await readLog(payloads, fileId, 0);
      if (part?.kind !== "entry" || others.length > 0) throw new Error("not one entry");
      const logged = decodeRowLogEntry(part.bytes, part.refOf);
      if (logged.kind === "rows") entries.push(logged);
    }
    // The attachments of records 0 and 4.
    expect(entries).toMatchObject([
      { kind: "rows", journalId: JOURNAL, from: 0, upTo: 5, leftOut: [2] },
      { kind: "rows", journalId: JOURNAL, upTo: 5 },
    ]);
    expect(entries.flatMap(({ rows }) => rows.map(({ items: _, ...rest }) => rest))).toEqual(
      batch?.rows.map(({ items: _, ...rest }) => rest),
    );
    expect(entries[0]?.environments).toEqual(batch?.environments);
  });

  test("after a stop between payloads and events, again writes the rows and counts nothing twice", async () => {
    const broken = {
      appliedSequence: events.appliedSequence.bind(events),
      findExisting: events.findExisting.bind(events),
      append: failing,
    };
    await expect(commit(records(), { events: broken })).rejects.toThrow("power");
    expect(await totals()).toMatchObject({ eventsOfIssues: 3, rows: 0 });
    const again = await commit(records());
    expect(await totals()).toEqual(wanted);
    expect(again.changes).toEqual([]);
  });

  test("after such a stop the records may come in other batches", async () => {
    const broken = {
      appliedSequence: events.appliedSequence.bind(events),
      findExisting: events.findExisting.bind(events),
      append: failing,
    };
    await expect(commit(records(), { events: broken })).rejects.toThrow("power");
    await commit(records().slice(0, 2));
    await commit([...records().slice(2), record(4, 4)]);
    expect(await totals()).toEqual({ ...wanted, eventsOfIssues: 4, usersOfIssues: 4, rows: 4, accepted: 4 });
  });

  test("a batch that was applied whole changes nothing when it comes again", async () => {
    await commit(records());
    await commit(records());
    expect(await totals()).toEqual(wanted);
  });
});

describe("events that are counted and not stored", () => {
  async function openVolume(settings: Partial<VolumeSettings>) {
    await state.rules.saveRules(EVERYTHING, 1, "volume", { ...EVERYTHING_STORED, ...settings });
    return { volume: new VolumeBook(state.ruleIndex) };
  }
  const filtered = async () =>
    (
      await state.outcomes.sumOutcomes(EVERYTHING, {
        ...RANGE,
        groupBy: ["reason", "category"],
        outcomes: ["filtered"],
      })
    )
      .map(({ reason, category, quantity }) => `${reason} ${category} ${quantity}`)
      .sort();

  test("a sample keeps one of so many; the issue, its users and the ledger count all of them", async () => {
    const stores = await openVolume({ sampleAbove: 2, keepOneIn: 3 });
    const records = Array.from({ length: 6 }, (_, at) => record(at, at + 1, { attachment: at === 2 || at === 4 }));
    const committed = await commit(records.slice(0, 4), stores);
    expect([...committed.stored]).toEqual([["error", 2]]);
    await commit(records.slice(4), stores);
    expect(await totals()).toEqual({
      issues: 1,
      eventsOfIssues: 6,
      usersOfIssues: 6,
      rows: 3,
      // Two events, the fifth one with its attachment.
      accepted: 4,
      duplicate: 0,
    });
    expect(await filtered()).toEqual(["issue-sample attachment 1", "issue-sample error 3"]);
    expect(await events.getEvent(id(5), projects(1))).not.toBeNull();
    expect(await events.getEvent(id(3), projects(1))).toBeNull();
    const query = { projectId: 1, reason: "issue-sample", since: 0 };
    const example = await state.rules.getExample(EVERYTHING, query);
    expect([example?.eventId, JSON.parse(example?.payload ?? "{}").event.event_id]).toEqual([id(3), id(3)]);
    expect(await state.volumes.sumIssue(EVERYTHING, { projectId: 1, issueId: 1, since: 0 })).toEqual({
      arrived: 6,
      leftOut: 3,
    });
    const leftOut = async (since: number, until?: number) =>
      await state.volumes.listLeftOut(EVERYTHING, { since, until, limit: 10 }).then((found) => [...found]);
    expect(await leftOut(NOW - 60_000)).toEqual([[1, 3]]);
    expect(await leftOut(NOW + 60_000)).toEqual([]);
    expect(await leftOut(NOW - 120_000, NOW - 60_000)).toEqual([]);
    // Two days later only the hour is known: a third of it has a third of its events.
    clock = NOW + 48 * 3_600_000;
    expect(await leftOut(NOW - 60_000)).toEqual([[1, 3]]);
    expect(await leftOut(NOW - 3_600_000, NOW + 20 * 60_000)).toEqual([[1, 1]]);
    expect(await leftOut(NOW + 3_600_000)).toEqual([]);
  });

  test("other projects, and a project that stores everything, are as they were", async () => {
    const stores = await openVolume({});
    await commit([record(0, 1), record(1, 2)], stores);
    expect([(await totals()).rows, await filtered()]).toEqual([2, []]);
    expect(await state.volumes.getProjectHour(EVERYTHING, { projectId: 1, at: NOW })).toBeNull();
  });

  test("after a crash the same events are left out, whatever the settings are by then", async () => {
    const stores = await openVolume({ sampleAbove: 1, keepOneIn: 2 });
    const records = [record(0, 1), record(1, 2, { attachment: true }), record(2, 3)];
    await expect(commit(records, { ...stores, events: { ...events, append: failing } as never })).rejects.toThrow();
    await openVolume({});
    await commit(records, { volume: new VolumeBook(state.ruleIndex) });
    const after = await totals();
    expect(after).toMatchObject({ eventsOfIssues: 3, rows: 2, accepted: 2 });
    expect(await filtered()).toEqual(["issue-sample attachment 1", "issue-sample error 1"]);
  });

  test("a flood is left out, except for the first events of a new issue", async () => {
    const stores = await openVolume({ isSpikeProtected: true });
    // Two days ago the project had its first event, and since then nothing: its bound is the least there is.
    const past = { projectId: 1, category: "error", outcome: "accepted", reason: "" } as const;
    await commit([record(0, 1)], {});
    const later = NOW + 48 * 3_600_000;
    await state.outcomes.addOutcomes([{ ...past, quantity: 5, receivedAt: NOW }]);
    const flood = Array.from({ length: SPIKE_MIN_BOUND + 50 }, (_, at) =>
      record(at + 1, at + 2, { receivedAt: later }),
    );
    await commit(flood, stores);
    const next = SPIKE_MIN_BOUND + 60;
    const fresh = Array.from({ length: FIRST_EVENTS_KEPT + 1 }, (_, at) =>
      record(next + at, next + at, { receivedAt: later, type: "RangeError" }),
    );
    await commit(fresh, stores);
    expect(await filtered()).toEqual([]);
    const hour = await state.volumes.getProjectHour(EVERYTHING, { projectId: 1, at: later });
    expect(hour).toEqual({
      spike: { bound: SPIKE_MIN_BOUND, usual: 0 },
      arrived: flood.length + fresh.length,
      stored: SPIKE_MIN_BOUND + FIRST_EVENTS_KEPT,
      spared: FIRST_EVENTS_KEPT,
    });
    const counts = await state.outcomes.sumOutcomes(EVERYTHING, {
      from: later,
      to: later + 1,
      bucketMs: null,
      groupBy: ["reason"],
      outcomes: ["filtered"],
    });
    expect(counts).toMatchObject([{ reason: "spike-protection", quantity: 51 }]);
    expect((await totals()).eventsOfIssues).toBe(1 + flood.length + fresh.length);
  });
});
