import { describe, expect, test } from "vitest";
import type { OutcomeCount } from "../domain/outcome.ts";
import type { JournalRecord } from "../journal/journal.ts";
import { type EnvelopeEntry, encodeJournalEntry, type JournalEntry } from "../journal/journal-entry.ts";
import { createDuckdbEventDatabase } from "../stores/duckdb/fixtures/duckdb-event-database.ts";
import { createPayloadFileFolder } from "../stores/files/payload-file-folder.ts";
import { createSqliteStateDatabase } from "../stores/sqlite/sqlite-state-database.ts";
import { EVERYTHING } from "../stores/state/contract/fixture.ts";
import { commitBatch } from "./commit-batch.ts";
import { digestRecords } from "./digest-records.ts";
import { toMappedBatch } from "./mapped-batch.ts";

const NOW = Date.UTC(2026, 5, 1, 12);
const JOURNAL = "refused-and-reported";
const TOO_LARGE: OutcomeCount = {
  projectId: 1,
  category: "error",
  outcome: "too_large",
  reason: "event_bytes",
  quantity: 1,
  receivedAt: NOW,
  canBeReported: true,
};

function toRecord(sequence: number, entry: JournalEntry): JournalRecord {
  return { sequence, bytes: Buffer.concat(encodeJournalEntry(entry)) };
}

function refusals(sequence: number, ...outcomes: OutcomeCount[]): JournalRecord {
  return toRecord(sequence, { kind: "outcomes", receivedAt: NOW, outcomes });
}

function envelope(sequence: number, items: string[], change: Partial<EnvelopeEntry> = {}): JournalRecord {
  const eventId = sequence.toString(16).padStart(32, "0");
  return toRecord(sequence, {
    kind: "envelope",
    projectId: 1,
    keyId: 1,
    receivedAt: NOW,
    eventId,
    clientAddress: null,
    userAgent: null,
    client: null,
    dropped: [],
    body: Buffer.from(`{"event_id":"${eventId}"}\n${items.join("\n")}\n`),
    ...change,
  });
}

const EVENT = `{"type":"event"}\n{"message":"hi","platform":"node","timestamp":${NOW / 1000}}`;
const SESSION = `{"type":"session"}\n{"sid":"7c7b6585-f901-4351-bf8d-02711b721929","started":"${new Date(NOW).toISOString()}","status":"ok","attrs":{"release":"a@1"}}`;

function report(discarded: Array<{ reason: string; category: string; quantity: number }>, list = "discarded_events") {
  return `{"type":"client_report"}\n${JSON.stringify({ [list]: discarded })}`;
}

/** Of all batches together, as `category outcome reason` → quantity. */
async function ledgerAfter(...batches: JournalRecord[][]): Promise<Record<string, number>> {
  await using stateDatabase = await createSqliteStateDatabase();
  await using eventDatabase = await createDuckdbEventDatabase();
  await using payloadFolder = await createPayloadFileFolder();
  const state = await stateDatabase.connect();
  const events = await eventDatabase.open();
  const payloads = await payloadFolder.open();
  for (const records of batches) {
    const applied = {
      state: await state.batches.appliedSequence(JOURNAL),
      events: await events.appliedSequence(JOURNAL),
    };
    const upTo = Math.max(...records.map(({ sequence }) => sequence)) + 1;
    await commitBatch({ state, events, payloads }, toMappedBatch(digestRecords(records)), {
      journalId: JOURNAL,
      upTo,
      applied,
    });
  }
  const sums = await state.outcomes.sumOutcomes(EVERYTHING, {
    from: NOW,
    to: NOW + 1,
    bucketMs: null,
    groupBy: ["category", "outcome", "reason"],
  });
  return Object.fromEntries(sums.map((sum) => [`${sum.category} ${sum.outcome} ${sum.reason}`, sum.quantity]));
}

describe("a client report about what was refused", () => {
  const sendError = { reason: "send_error", category: "error", quantity: 1 };

  test("adds nothing to the ledger but itself, in one batch, in two, and when they are read again", async () => {
    const refused = refusals(0, TOO_LARGE);
    const reported = envelope(1, [report([sendError])]);
    const once = { "error too_large event_bytes": 1, "internal accepted ": 1 };
    expect(await ledgerAfter([refused, reported])).toEqual(once);
    expect(await ledgerAfter([refused], [reported])).toEqual(once);
    expect(await ledgerAfter([refused], [refused, reported], [refused, reported])).toEqual(once);
  });

  test("of Python counts attachments by their bytes, and of others by their number", async () => {
    const lost = report([{ reason: "ratelimit_backoff", category: "attachment", quantity: 5_000 }]);
    const python = envelope(0, [lost], { client: "sentry.python/2.75.0" });
    expect(await ledgerAfter([python, envelope(1, [lost])])).toEqual({
      "attachment_byte client_discard ratelimit_backoff": 5_000,
      "attachment client_discard ratelimit_backoff": 5_000,
      "internal accepted ": 2,
    });
  });

  test("counts what goes beyond it, and losses for other reasons", async () => {
    const reported = [
      { ...sendError, quantity: 3 },
      { reason: "sample_rate", category: "error", quantity: 5 },
    ];
    expect(await ledgerAfter([refusals(0, TOO_LARGE), envelope(1, [report(reported)])])).toEqual({
      "error too_large event_bytes": 1,
      "error client_discard send_error": 2,
      "error client_discard sample_rate": 5,
      "internal accepted ": 1,
    });
  });

  test("counts what a proxy says that it refused itself", async () => {
    const list = report([sendError], "filtered_events");
    expect(await ledgerAfter([refusals(0, TOO_LARGE), envelope(1, [list])])).toEqual({
      "error too_large event_bytes": 1,
      "error filtered send_error": 1,
      "internal accepted ": 1,
    });
  });

  test("counts what was left out of an accepted envelope: no SDK hears of that", async () => {
    const { canBeReported: _, ...dropped } = TOO_LARGE;
    const accepted = envelope(0, [EVENT], { dropped: [dropped] });
    expect(await ledgerAfter([accepted, envelope(1, [report([sendError])])])).toEqual({
      "error too_large event_bytes": 1,
      "error accepted ": 1,
      "error client_discard send_error": 1,
      "internal accepted ": 1,
    });
  });

  test("knows that a request was refused after a part of it was taken", async () => {
    const refused = envelope(0, [EVENT, SESSION], {
      canBeReported: true,
      dropped: [{ ...TOO_LARGE, category: "feedback" }],
    });
    const reported = ["feedback", "error", "session"].map((category) => ({ ...sendError, category }));
    const once = {
      "feedback too_large event_bytes": 1,
      "error accepted ": 1,
      "session accepted ": 1,
      "internal accepted ": 1,
    };
    expect(await ledgerAfter([refused, envelope(1, [report(reported)])])).toEqual(once);
    expect(await ledgerAfter([refused], [envelope(1, [report(reported)])])).toEqual(once);
  });
});

test("words of a report that are cut inside a character are counted batch after batch", async () => {
  const words = { reason: `${"r".repeat(63)}😀`, category: "error", quantity: 1 };
  const ledger = await ledgerAfter([envelope(0, [report([words])])], [envelope(1, [report([words])])]);
  expect(ledger[`error client_discard ${"r".repeat(63)}\ufffd`]).toBe(2);
});
