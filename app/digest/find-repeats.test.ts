import { describe, expect, test } from "vitest";
import { type DigestFolder, openDigestFolder } from "../../tests/support/digest-folder.ts";
import { encodeJournalEntry } from "../journal/journal-entry.ts";
import { projects } from "../stores/event-store-contract/fixture.ts";
import { type CommittedBatch, commitBatch, type DigestStores } from "./commit-batch.ts";
import { digestRecords } from "./digest-records.ts";
import { toMappedBatch } from "./mapped-batch.ts";

const JOURNAL = "journal-of-test";
const seconds = Date.now() / 1000;
const id = (number: number) => number.toString(16).padStart(32, "0");

type Part = [header: Record<string, unknown>, payload: unknown];

const error: Part = [{ type: "event" }, { timestamp: seconds, message: "x" }];
const transaction: Part = [
  { type: "transaction" },
  {
    type: "transaction",
    start_timestamp: seconds - 1,
    timestamp: seconds,
    contexts: { trace: { trace_id: id(9), span_id: "a".repeat(16) } },
  },
];
const profile = (number: number): Part => [{ type: "profile" }, { event_id: id(number), profile: { samples: [1] } }];
const attachment: Part = [{ type: "attachment", length: 2, filename: "a.txt" }, "hi"];
const feedback = (number: number): Part => [
  { type: "feedback" },
  { event_id: id(number), timestamp: seconds, contexts: { feedback: { message: "help" } } },
];

/** An envelope of that id. */
function record(sequence: number, eventNumber: number, ...parts: Part[]) {
  const lines = parts.flatMap(([header, payload]) => [
    JSON.stringify(header),
    typeof payload === "string" ? payload : JSON.stringify(payload),
  ]);
  const entry = encodeJournalEntry({
    kind: "envelope",
    projectId: 1,
    keyId: 1,
    receivedAt: Date.now(),
    eventId: id(eventNumber),
    clientAddress: null,
    userAgent: null,
    client: null,
    dropped: [],
    body: Buffer.from(["{}", ...lines, ""].join("\n")),
  });
  return { sequence, bytes: Buffer.concat(entry) };
}

async function commit(
  { stores, events }: DigestFolder,
  records: Array<ReturnType<typeof record>>,
  broken: Partial<DigestStores> = {},
): Promise<CommittedBatch> {
  const applied = {
    state: await stores.state.batches.appliedSequence(JOURNAL),
    events: await events.appliedSequence(JOURNAL),
  };
  const upTo = Math.max(...records.map(({ sequence }) => sequence)) + 1;
  const { state, payloads } = stores;
  return commitBatch({ state, payloads, events, ...broken }, toMappedBatch(digestRecords(records)), {
    journalId: JOURNAL,
    upTo,
    applied,
  });
}

async function storedItems({ events, projectId }: DigestFolder): Promise<Record<string, number>> {
  const counts = await events.countItems({ projectIds: projects(projectId), from: null, to: null });
  return Object.fromEntries(counts.map(({ type, quantity }) => [type, quantity]));
}

describe("an item that comes twice", () => {
  test("is stored and accepted once, within a batch and later, and so is what came with it", async () => {
    await using folder = await openDigestFolder();
    const parts = [profile(2), transaction, attachment];
    const first = await commit(folder, [record(0, 1, ...parts), record(1, 1, ...parts)]);
    expect(first.duplicates).toBe(3);
    expect((await commit(folder, [record(2, 1, ...parts)])).duplicates).toBe(3);
    expect(await storedItems(folder)).toEqual({ transaction: 1, profile: 1, attachment: 1 });
    expect(await folder.ledger()).toEqual({
      "transaction accepted": 1,
      "profile accepted": 1,
      "attachment accepted": 1,
      "transaction duplicate event_id_seen": 2,
      "profile duplicate event_id_seen": 2,
      "attachment duplicate event_id_seen": 2,
    });
  });

  test("takes what came with it along only when it is what the envelope is about", async () => {
    await using folder = await openDigestFolder();
    await commit(folder, [record(0, 1, feedback(1), attachment), record(1, 2, transaction, profile(5))]);
    await commit(folder, [
      record(2, 1, feedback(1), attachment),
      // A profile that came before, with a transaction that did not.
      record(3, 3, transaction, profile(5), attachment),
    ]);
    expect(await storedItems(folder)).toEqual({ feedback: 1, transaction: 2, profile: 1, attachment: 2 });
    expect(await folder.ledger()).toMatchObject({
      "feedback duplicate event_id_seen": 1,
      "attachment duplicate event_id_seen": 1,
      "profile duplicate event_id_seen": 1,
      "transaction accepted": 2,
    });
  });

  test("leaves what came with it to the event of the envelope", async () => {
    await using folder = await openDigestFolder();
    await commit(folder, [record(0, 1, error, feedback(5)), record(1, 2, error, feedback(5), attachment)]);
    expect(await storedItems(folder)).toEqual({ feedback: 1, attachment: 1 });
  });

  test("is not mistaken for what was left out before it", async () => {
    await using folder = await openDigestFolder();
    await commit(folder, [record(0, 1, transaction)]);
    // The first profile went with its transaction, which is a duplicate: the second one is the first to be stored.
    await commit(folder, [record(1, 1, transaction, profile(5)), record(2, 2, transaction, profile(5))]);
    expect(await storedItems(folder)).toEqual({ transaction: 2, profile: 1 });
  });

  test("is a duplicate of an error with its id, and the error of it: the first counts", async () => {
    await using folder = await openDigestFolder();
    await commit(folder, [
      record(0, 1, error),
      record(1, 1, transaction),
      record(2, 2, transaction),
      record(3, 2, error, attachment),
    ]);
    await commit(folder, [record(4, 2, error), record(5, 1, feedback(1))]);
    expect(await storedItems(folder)).toEqual({ transaction: 1 });
    expect((await folder.eventIds()).length).toBe(1);
    expect(await folder.ledger()).toEqual({
      "error accepted": 1,
      "transaction accepted": 1,
      "transaction duplicate event_id_seen": 1,
      "error duplicate event_id_seen": 2,
      "attachment duplicate event_id_seen": 1,
      "feedback duplicate event_id_seen": 1,
    });
  });

  test("counts as new in each project", async () => {
    await using folder = await openDigestFolder();
    const other = digestRecords([record(1, 1, transaction)]);
    for (const item of other.items) item.projectId = 2;
    await commit(folder, [record(0, 1, transaction)]);
    const applied = { state: 1, events: 1 };
    const { state, payloads } = folder.stores;
    const options = { journalId: JOURNAL, upTo: 2, applied };
    expect(
      (await commitBatch({ state, payloads, events: folder.events }, toMappedBatch(other), options)).duplicates,
    ).toBe(0);
  });

  test("counts once after a stop between state and events, also when the records come in other batches", async () => {
    await using folder = await openDigestFolder();
    const records = [
      record(0, 1, transaction, attachment),
      record(1, 1, transaction, attachment),
      record(2, 2, error),
      record(3, 2, transaction),
    ];
    const broken = {
      appliedSequence: folder.events.appliedSequence,
      findExisting: folder.events.findExisting,
      append: () => Promise.reject(new Error("the power is cut")),
    };
    await expect(commit(folder, records, { events: broken })).rejects.toThrow("power");
    expect(await storedItems(folder)).toEqual({});
    await commit(folder, records.slice(0, 1));
    await commit(folder, records.slice(1));
    // Records that are applied are no duplicates of themselves, only of each other.
    expect((await commit(folder, records)).duplicates).toBe(3);
    expect((await commit(folder, [...records, record(4, 1, transaction)])).duplicates).toBe(4);
    expect(await storedItems(folder)).toEqual({ transaction: 1, attachment: 1 });
    expect(await folder.ledger()).toEqual({
      "transaction accepted": 1,
      "attachment accepted": 1,
      "error accepted": 1,
      "transaction duplicate event_id_seen": 3,
      "attachment duplicate event_id_seen": 1,
    });
  });
});
