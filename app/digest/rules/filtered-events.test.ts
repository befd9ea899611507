import { expect, test } from "vitest";
import { NO_FILTERS } from "../../domain/filters/filter-settings.ts";
import { NO_RULES } from "../../domain/project-rules.ts";
import { encodeJournalEntry } from "../../journal/journal-entry.ts";
import { digestRecord, joinParts } from "../digest-records.ts";
import { toMappedBatch } from "../mapped-batch.ts";
import { RuleBook } from "./rule-book.ts";
import { takeFiltered } from "./take-filtered.ts";

const NOON = Date.UTC(2026, 5, 1, 12);
const id = (digit: number) => String(digit).padStart(32, "0");

function record(sequence: number, { message = "Load failed", receivedAt = NOON, projectId = 1 } = {}) {
  const event = {
    event_id: id(sequence),
    platform: "javascript",
    exception: { values: [{ type: "TypeError", value: message }] },
    extra: { password: "hunter2" },
  };
  const parts = encodeJournalEntry({
    kind: "envelope",
    projectId,
    keyId: 1,
    receivedAt,
    eventId: id(sequence),
    clientAddress: "192.0.2.7",
    userAgent: null,
    client: null,
    dropped: [],
    body: Buffer.from(
      `{}\n{"type":"attachment","length":2,"filename":"a.txt"}\nhi\n{"type":"event"}\n${JSON.stringify(event)}\n`,
    ),
  });
  return { sequence, bytes: Buffer.concat(parts) };
}

/** A book of project 1 whose rules can be changed. */
function openBook(errorMessages: string[]) {
  const rules = { ...NO_RULES, filters: { ...NO_FILTERS, errorMessages } };
  let version = 1;
  let reads = 0;
  const book = new RuleBook({
    version: async () => version,
    listRules: async () => {
      reads++;
      return new Map([[1, rules]]);
    },
  });
  return {
    book,
    change: (messages: string[]) => {
      rules.filters = { ...rules.filters, errorMessages: messages };
      version++;
    },
    reads: () => reads,
  };
}

async function digest(records: ReturnType<typeof record>[], book: RuleBook | null) {
  const rules = book && (await book.current());
  return toMappedBatch(await joinParts(records.flatMap((each) => [...digestRecord(each, { rules })])));
}

const NEVER_READ = { listLastFiltered: async () => new Set<string>() };
const FRESH = { journalId: "j", applied: { state: 0 } };

test("an event that a filter takes is counted, with its reason, and is no item; its attachments go with it", async () => {
  const { book } = openBook(["Load failed"]);
  const batch = await digest([record(1), record(2, { message: "x is undefined" }), record(3, { projectId: 2 })], book);
  expect(batch.outcomes.map(({ outcome, reason, category }) => [outcome, reason, category])).toEqual([
    ["filtered", "error-message", "error"],
  ]);
  const { reasons, events } = await takeFiltered(NEVER_READ, batch, FRESH);
  expect(events.map(({ eventId, reason }) => [eventId, reason])).toEqual([[id(1), "error-message"]]);
  const left = batch.items.filter((item) => !reasons.has(item));
  expect(left.map(({ sequence, outcome }) => [sequence, outcome.category])).toEqual([
    [2, "attachment"],
    [2, "error"],
    [3, "attachment"],
    [3, "error"],
  ]);
  expect([...reasons.values()]).toEqual(["error-message"]);
});

test("the example is masked as stored events are, and there is a new one every ten minutes", async () => {
  const { book } = openBook(["*"]);
  const minutes = [0, 9, 10, 11].map((minute, at) => record(at, { receivedAt: NOON + minute * 60_000 }));
  const { filtered = [] } = await digest(minutes, book);
  expect(filtered.map(({ example }) => example !== null)).toEqual([true, false, true, false]);
  expect(filtered[0]?.example?.title).toBe("TypeError: Load failed");
  expect(filtered[0]?.example?.payload).not.toContain("hunter2");
  expect(filtered[0]?.example?.payload).toContain("[Filtered]");
});

test("rules are read once a change, and hold from the next batch", async () => {
  const { book, change, reads } = openBook(["Load failed"]);
  expect((await digest([record(1)], book)).filtered).toHaveLength(1);
  expect((await digest([record(2)], book)).filtered).toHaveLength(1);
  expect(reads()).toBe(1);
  change([]);
  expect((await digest([record(3)], book)).filtered).toBeUndefined();
  expect(reads()).toBe(2);
});

test("after a crash, the events are left out that were left out before, whatever the rules are now", async () => {
  const batch = await digest([record(1), record(2), record(7)], null);
  const listLastFiltered = async () => new Set([`1 ${id(1)}`, `7 ${id(7)}`]);
  const again = await takeFiltered({ listLastFiltered }, batch, { journalId: "j", applied: { state: 5 } });
  // Record 7 is new: what is known of a record of that number is not about it.
  expect(again.events.map(({ sequence }) => sequence)).toEqual([1]);
  expect([...again.reasons.keys()].map(({ sequence, outcome }) => [sequence, outcome.category])).toEqual([
    [1, "error"],
    [1, "attachment"],
  ]);
});
