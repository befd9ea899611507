import { expect, test } from "vitest";
import { MINUTE_MS } from "../../../domain/time.ts";
import { MAX_OUTBOX_ENTRIES } from "../outbox-store.ts";
import {
  apply,
  type CreateStateDatabase,
  createProject,
  EVERYTHING,
  JOURNAL,
  NOON,
  occurrence,
  openStore,
  query,
} from "./fixture.ts";

const READER = "reader";

export function describeOutbox(createDatabase: CreateStateDatabase): void {
  test("a batch writes what it did to issues, in the order of its events", async () => {
    await using database = await createDatabase();
    const { outbox, issues, batches } = await database.connect({ now: () => NOON });
    await outbox.addReader(READER);
    const state = { issues, batches };
    await batches.applyBatch({
      journalId: JOURNAL,
      upTo: 3,
      occurrences: [
        occurrence(0, "a", { release: "shop@1" }),
        occurrence(1, "a"),
        occurrence(2, "b", { projectId: 7, at: NOON + 5.5 }),
      ],
      outcomes: [],
    });
    const entries = await outbox.readOutbox(READER, 10);
    expect(entries).toMatchObject([
      { transition: "new", projectId: 1, eventId: "0".repeat(32), at: NOON, release: "shop@1" },
      { transition: "new", projectId: 7, eventId: "2".padStart(32, "0"), at: NOON + 5, release: null },
    ]);
    expect(entries[0]?.position).toBeLessThan(entries[1]?.position ?? 0);
    expect(await outbox.readOutbox(READER, 1)).toEqual(entries.slice(0, 1));

    const [issueId = 0] = (await state.issues.listIssues(...query({ projectIds: [1] }))).issues.map(({ id }) => id);
    expect(entries[0]?.issueId).toBe(issueId);
    await state.issues.changeIssueStatus(EVERYTHING, {
      issueIds: [issueId],
      status: "resolved",
      userId: null,
      at: NOON,
    });
    await state.batches.applyBatch({
      journalId: JOURNAL,
      upTo: 5,
      occurrences: [occurrence(3, "a", { at: NOON + MINUTE_MS }), occurrence(4, "a", { at: NOON + MINUTE_MS })],
      outcomes: [],
    });
    expect((await outbox.readOutbox(READER, 10)).slice(3)).toMatchObject([{ transition: "regressed", issueId }]);
  });

  test("a batch that is applied again, whole or cut differently, writes nothing twice", async () => {
    await using store = await openStore(createDatabase);
    await store.outbox.addReader(READER);
    const batch = [occurrence(0, "a"), occurrence(1, "b")];
    await apply(store, batch);
    await apply(store, batch);
    await apply(store, [...batch.slice(1), occurrence(2, "c")]);
    expect((await store.outbox.readOutbox(READER, 10)).map(({ eventId }) => Number.parseInt(eventId, 16))).toEqual([
      0, 1, 2,
    ]);
  });

  test("a batch that fails leaves nothing", async () => {
    await using store = await openStore(createDatabase);
    await store.outbox.addReader(READER);
    const broken = { ...occurrence(1, "b"), hashes: [] };
    await expect(apply(store, [occurrence(0, "a"), broken])).rejects.toThrow();
    expect(await store.outbox.readOutbox(READER, 10)).toEqual([]);
  });

  test("each reader goes at its own pace, and an entry stays until all have passed it", async () => {
    await using store = await openStore(createDatabase);
    const { outbox } = store;
    await outbox.addReader("one");
    await apply(store, [occurrence(0, "a")]);
    // A reader begins with what comes from now on, and stays where it is when it is made known again.
    await outbox.addReader("two");
    await outbox.addReader("one");
    await apply(store, [occurrence(1, "b")]);
    const [first, second] = await outbox.readOutbox("one", 10);
    expect((await outbox.readOutbox("two", 10)).map(({ position }) => position)).toEqual([second?.position]);
    await outbox.passOutbox("one", second?.position ?? 0);
    expect(await outbox.readOutbox("one", 10)).toEqual([]);
    expect((await outbox.countOutbox()).entries).toBe(1);
    await outbox.passOutbox("one", first?.position ?? 0);
    expect(await outbox.readOutbox("one", 10)).toEqual([]);
    await outbox.passOutbox("two", second?.position ?? 0);
    expect(await outbox.countOutbox()).toEqual({ entries: 0, lost: 0 });
    await apply(store, [occurrence(2, "c")]);
    expect((await outbox.readOutbox("one", 10))[0]?.position).toBeGreaterThan(second?.position ?? 0);
  });

  test("of a reader that does not come, the oldest entries are deleted and counted", async () => {
    await using store = await openStore(createDatabase);
    const projectId = await createProject(store, "shop");
    await store.outbox.addReader(READER);
    const chunk = 1_000;
    for (let from = 0; from < MAX_OUTBOX_ENTRIES + 500; from += chunk) {
      const count = Math.min(chunk, MAX_OUTBOX_ENTRIES + 500 - from);
      await apply(
        store,
        Array.from({ length: count }, (_, index) => occurrence(from + index, `${from + index}`, { projectId })),
      );
    }
    expect(await store.outbox.countOutbox()).toEqual({ entries: MAX_OUTBOX_ENTRIES, lost: 500 });
    expect((await store.outbox.readOutbox(READER, 1))[0]?.eventId).toBe((500).toString(16).padStart(32, "0"));
  });
}
