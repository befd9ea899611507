import { describe, expect, test } from "vitest";
import type { JournalRecord } from "../journal/journal.ts";
import { encodeJournalEntry } from "../journal/journal-entry.ts";
import { digestRecord, digestRecords, emptyDigested } from "./digest-records.ts";
import type { Digested } from "./digested.ts";
import { DividedWork, type WorkDivision } from "./divided-work.ts";
import type { DigestHelper, HelperResult } from "./helper-thread.ts";

function makeRecords(count: number, { paddingBytes = 0 } = {}): JournalRecord[] {
  return Array.from({ length: count }, (_, sequence) => {
    const eventId = (sequence + 1).toString(16).padStart(32, "0");
    const event = JSON.stringify({ message: `number ${sequence % 7}`, extra: { padding: "x".repeat(paddingBytes) } });
    const log = sequence % 5 === 0 ? `{"type":"log","item_count":1}\n{"items":[{"body":"x"}]}\n` : "";
    const body = Buffer.from(`{"event_id":"${eventId}"}\n{"type":"event"}\n${event}\n${log}`);
    const entry = { kind: "envelope", projectId: (sequence % 2) + 1, keyId: 1, receivedAt: 1_790_000_000_000 } as const;
    const rest = { eventId, clientAddress: null, userAgent: null, client: null, dropped: [], body };
    return { sequence, bytes: Buffer.concat(encodeJournalEntry({ ...entry, ...rest })) };
  });
}

/** Does at once what it is given, and says so when the test wants it to. */
class FakeHelper implements DigestHelper {
  readonly given: JournalRecord[][] = [];
  readonly #done: HelperResult[] = [];
  readonly #isLeft: (record: JournalRecord) => boolean;
  #nextId = 0;
  answers: "at once" | "when waited for" | "never" = "at once";

  constructor(isLeft: (record: JournalRecord) => boolean = () => false) {
    this.#isLeft = isLeft;
  }

  get inFlight(): number {
    return this.#done.length;
  }

  give(records: readonly JournalRecord[]): number {
    const id = this.#nextId++;
    this.given.push([...records]);
    const digested = digestRecords(records.filter((record) => !this.#isLeft(record)));
    this.#done.push({ id, digested, left: records.filter(this.#isLeft).map(({ sequence }) => sequence) });
    return id;
  }

  collect(): HelperResult[] {
    return this.answers === "at once" ? this.#done.splice(0) : [];
  }

  async whenBack(): Promise<void> {
    if (this.answers === "when waited for") this.answers = "at once";
  }
}

async function divide(
  records: JournalRecord[],
  helper: DigestHelper | null,
): Promise<{ digested: Digested; here: number; division: WorkDivision }> {
  const work = new DividedWork(records, { helper, projectsWithoutUploads: null });
  const digested = emptyDigested();
  let here = 0;
  const digest = (piece: readonly JournalRecord[]) => {
    here += piece.length;
    for (const record of piece) digestRecord(record, digested);
  };
  for (let piece = work.next(); piece !== null; piece = work.next()) digest(piece);
  digest(await work.rest());
  work.mergeInto(digested);
  return { digested, here, division: work.division };
}

describe("the facts of divided work are those of undivided work", () => {
  const records = makeRecords(300);
  const whole = digestRecords(records);

  test("alone", async () => {
    const { digested, here, division } = await divide(records, null);
    expect(digested).toEqual(whole);
    expect(here).toBe(300);
    expect(division).toEqual({ given: 0, back: 0, left: 0 });
  });

  test.each(["at once", "when waited for"] as const)("with a helper that answers %s", async (answers) => {
    const helper = new FakeHelper();
    helper.answers = answers;
    const { digested, here, division } = await divide(records, helper);
    expect(digested).toEqual(whole);
    expect(division.back).toBeGreaterThan(0);
    expect(here + division.back).toBe(300);
    expect(division.given).toBe(division.back);
  });

  test("with one that never answers, and one whose answers come a batch later", async () => {
    const helper = new FakeHelper();
    helper.answers = "never";
    const { digested, here, division } = await divide(records, helper);
    expect(digested).toEqual(whole);
    expect(here).toBe(300);
    expect(division.given).toBeGreaterThan(0);
    expect(division.back).toBe(0);
    helper.answers = "at once";
    const later = makeRecords(90);
    expect((await divide(later, helper)).digested).toEqual(digestRecords(later));
  });

  test("with one that gives records back", async () => {
    const helper = new FakeHelper(({ sequence }) => sequence % 3 === 0);
    const { digested, division } = await divide(records, helper);
    expect(digested).toEqual(whole);
    expect(division.left).toBeGreaterThan(0);
  });
});

test("what fits into one piece, and what is large, is not given away", async () => {
  const helper = new FakeHelper();
  await divide(makeRecords(20), helper);
  expect(helper.given).toEqual([]);
  const large = makeRecords(6, { paddingBytes: 600 * 1024 });
  await divide(large, helper);
  expect(helper.given).toEqual([]);
});
