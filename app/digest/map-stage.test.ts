import { describe, expect, test, vi } from "vitest";
import { encodeJournalEntry } from "../journal/journal-entry.ts";
import { type MapOptions, mapOnThisThread } from "./map-stage.ts";

/** How many records were mapped. They are no entries, so each is set aside. */
async function mapRecords(options: MapOptions): Promise<number> {
  const records = Array.from({ length: 3 }, (_, sequence) => ({ sequence, bytes: Buffer.from("no entry") }));
  let count = 0;
  for await (const { mapped, recordCount } of mapOnThisThread().map(records, options)) {
    expect(mapped.setAside).toHaveLength(recordCount);
    count += recordCount;
  }
  return count;
}

test("a batch stands back as long as others are waited for", async () => {
  // Time stands still: on a busy machine one wait may take as long as a batch may stand back altogether.
  using _ = vi.spyOn(performance, "now").mockReturnValue(1);
  let looks = 0;
  expect(await mapRecords({ standsBack: () => ++looks < 4 })).toBe(3);
  expect(looks).toBe(4);
});

test("a batch goes on although others are waited for without end", async () => {
  expect(await mapRecords({ standsBack: () => true })).toBe(3);
});

describe("while a burst is accepted", () => {
  const item = `{"type":"event"}\n${JSON.stringify({ message: "x", platform: "node" })}\n`;

  function toRecord(sequence: number, receivedAt: number) {
    const entry = encodeJournalEntry({
      kind: "envelope",
      projectId: 1,
      keyId: 1,
      receivedAt,
      eventId: null,
      clientAddress: null,
      userAgent: null,
      client: null,
      dropped: [],
      body: Buffer.from(`{"event_id":"${String(sequence).padStart(32, "0")}"}\n${item}`),
    });
    return { sequence, bytes: Buffer.concat(entry) };
  }

  /** Maps three events. Each takes longer than a turn. Gives the number of pauses. */
  async function countPauses(busyShare: number, { ageMs = 0, isBacklog = true } = {}): Promise<number> {
    let now = 0;
    using _ = vi.spyOn(performance, "now").mockImplementation(() => (now += 5));
    let pauses = 0;
    const pause = async () => void pauses++;
    const stage = mapOnThisThread(undefined, undefined, { intake: { busyShare }, pause });
    const records = [1, 2, 3].map((sequence) => toRecord(sequence, Date.now() - ageMs));
    let items = 0;
    for await (const { mapped } of stage.map(records, { isBacklog })) items += mapped.items.length;
    expect(items).toBe(3);
    return pauses;
  }

  test("a backlog leaves the processor to the thread that accepts", async () => {
    expect(await countPauses(0.9)).toBe(3);
  });

  test("a backlog does not pause for a thread that has time left", async () => {
    expect(await countPauses(0.5)).toBe(0);
  });

  test("what was accepted ten seconds ago waits no longer", async () => {
    expect(await countPauses(0.9, { ageMs: 11_000 })).toBe(0);
  });

  test("few events wait for nobody", async () => {
    expect(await countPauses(0.9, { isBacklog: false })).toBe(0);
  });
});
