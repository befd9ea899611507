import { expect, test } from "vitest";
import { digestRecords } from "../../app/digest/digest-records.ts";
import { wrapInEnvelope } from "../../app/ingest/reframe-envelope.ts";
import { type EnvelopeEntry, encodeJournalEntry } from "../../app/journal/journal-entry.ts";
import { splitDigested } from "../support/split-digested.ts";
import { EVENT_CORPUS, EVENT_ID } from "./fuzz-corpus.ts";
import { type Chance, createFuzzRun } from "./fuzz-run.ts";
import { mutateBytes } from "./mutate-bytes.ts";
import { mutateJson } from "./mutate-json.ts";

const run = createFuzzRun("digest", 0.05);

const ENTRY: Omit<EnvelopeEntry, "body"> = {
  kind: "envelope",
  projectId: 1,
  keyId: 1,
  receivedAt: 1_767_000_000_000,
  eventId: EVENT_ID,
  clientAddress: "192.0.2.1",
  userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  client: "sentry.javascript.browser/9.0.0",
  dropped: [],
};

const TYPES = [
  "event",
  "event",
  "event",
  "event",
  "transaction",
  "feedback",
  "session",
  "log",
  "client_report",
  "raw_security",
  "check_in",
];

/** What items other than events look like; events come as these as well. */
const OTHER_PAYLOADS: Record<string, object> = {
  client_report: {
    timestamp: 1_767_000_000,
    discarded_events: [{ reason: "send_error", category: "error", quantity: 2 }],
  },
  session: { sid: EVENT_ID, seq: 1, started: 1_767_000_000, status: "ok", attrs: { release: "a@1", environment: "e" } },
  check_in: { check_in_id: EVENT_ID, monitor_slug: "nightly", status: "ok", environment: "e", release: "a@1" },
  log: {
    items: [{ timestamp: 1_767_000_000, body: "x", attributes: { "sentry.release": { type: "string", value: "a" } } }],
  },
  raw_security: { "csp-report": { "effective-directive": "img-src", "blocked-uri": "https://a.example/x" } },
};

function makePayload(type: string, chance: Chance): Buffer {
  const other = chance.oneIn(2) ? OTHER_PAYLOADS[type] : undefined;
  const json = other ? JSON.stringify(other) : chance.pick(EVENT_CORPUS);
  if (chance.oneIn(3)) return mutateBytes(Buffer.from(json), chance);
  return Buffer.from(JSON.stringify(mutateJson(JSON.parse(json), chance)));
}

/** Headers are read as plain JSON on their way here: they may hold anything. */
function makeHeader(type: string, chance: Chance): Record<string, unknown> & { type: string } {
  const header = { filename: "a.txt", sentry_release: "a@1", sentry_environment: "e" };
  return chance.oneIn(4) ? { ...mutateJson(header, chance), type } : { type };
}

/** A store gives back what is not well-formed as another text: then what is looked up is not what was written. */
function requireStorable(value: unknown): void {
  if (typeof value === "string") {
    if (!value.isWellFormed() || value.includes("\0"))
      throw new Error(`no store keeps ${JSON.stringify(value.slice(-50))} as it is`);
  } else if (typeof value === "object" && value !== null) {
    for (const item of Object.values(value)) requireStorable(item);
  }
}

test("mutated events come to one end each, the same at every reading", async () => {
  let storedCount = 0;
  await run.each((chance, caseNumber) => {
    const type = chance.pick(TYPES);
    const payload = makePayload(type, chance);
    const body = wrapInEnvelope(EVENT_ID, makeHeader(type, chance), payload);
    const record = { sequence: caseNumber, bytes: Buffer.concat(encodeJournalEntry({ ...ENTRY, body })) };
    const digested = digestRecords([record]);
    const { events, items, outcomes, setAside } = splitDigested(digested);
    if (setAside.length > 0) throw new Error(`set aside: ${setAside[0]?.reason}\n${payload.subarray(0, 4000)}`);
    const malformed = outcomes.filter((outcome) => outcome.outcome === "malformed");
    const endCount = events.length + items.length + malformed.length;
    if (endCount < 1) throw new Error("the item is in no bucket");
    if (endCount > 1 && type !== "raw_security") throw new Error("the item is in several buckets");
    requireStorable(outcomes);
    for (const { row, checkIn } of items) requireStorable([row, checkIn]);
    for (const { payload: stored, occurrence, row } of events) {
      requireStorable([row, occurrence]);
      JSON.parse(Buffer.from(stored ?? []).toString());
      if (occurrence.hashes.length === 0 || !occurrence.hashes.every((hash) => /^[0-9a-f]{32}$/.test(hash))) {
        throw new Error(`the keys are ${JSON.stringify(occurrence.hashes)}`);
      }
      if (!Number.isSafeInteger(occurrence.occurredAt)) throw new Error(`it occurred at ${occurrence.occurredAt}`);
      if (occurrence.title === "") throw new Error("the title is empty");
    }
    for (const key in {}) throw new Error(`${key} was added to the prototype of every object`);
    storedCount += events.length + items.length;
    if (caseNumber % 10 === 0 && !isSame(digestRecords([record]), digested))
      throw new Error("a second reading gives something else");
  });
  if (process.env.FUZZ_CASE === undefined) expect(storedCount).toBeGreaterThan(run.count / 4);
});

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
