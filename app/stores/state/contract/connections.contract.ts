import { expect, test } from "vitest";
import {
  apply,
  type CreateStateDatabase,
  createProject,
  EVERYTHING,
  JOURNAL,
  NOON,
  occurrence,
  openStore,
  outcome,
  query,
} from "./fixture.ts";

export function describeConnections(createDatabase: CreateStateDatabase): void {
  test("what one connection has written, another reads", async () => {
    await using database = await createDatabase();
    const writer = await database.connect();
    const reader = await database.connect();
    const [assignment] = await apply(writer, [occurrence(0, "a")]);
    expect(await reader.issues.getIssue(EVERYTHING, assignment?.issueId ?? 0)).not.toBeNull();
    expect(await reader.batches.appliedSequence(JOURNAL)).toBe(1);
  });

  test("what was written is there after closing and opening again", async () => {
    await using database = await createDatabase();
    const store = await database.connect();
    await apply(store, [occurrence(0, "a")]);
    await store.close();
    const again = await database.connect();
    expect((await again.issues.listIssues(...query())).issues).toHaveLength(1);
    expect((await apply(again, [occurrence(1, "a")]))[0]?.transition).toBeNull();
  });

  test("many connections can open an empty database at once", async () => {
    await using database = await createDatabase();
    const stores = await Promise.all(Array.from({ length: 6 }, () => database.connect()));
    await Promise.all(stores.map((store) => store.ping()));
    await createProject(stores[0] ?? (await database.connect()), "web");
    expect(
      await Promise.all(stores.map(async (store) => (await store.projects.listProjects(EVERYTHING)).length)),
    ).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test("batches and people's changes from two connections at once are all there", async () => {
    await using database = await createDatabase();
    const digest = await database.connect();
    const pages = await database.connect();
    const batches = async () => {
      for (let batch = 0; batch < 40; batch++) {
        await digest.batches.applyBatch({
          journalId: JOURNAL,
          upTo: (batch + 1) * 5,
          occurrences: Array.from({ length: 5 }, (_, index) => occurrence(batch * 5 + index, `h${index}`)),
          outcomes: [{ ...outcome({ quantity: 5 }), sequence: batch * 5 }],
        });
      }
    };
    const changes = async () => {
      for (let change = 0; change < 40; change++) {
        await createProject(pages, `project-${change}`);
        await pages.issues.listIssues(...query());
      }
    };
    await Promise.all([batches(), changes()]);
    const { issues } = await pages.issues.listIssues(...query());
    expect(issues.map((issue) => issue.eventCount)).toEqual([40, 40, 40, 40, 40]);
    expect(await digest.projects.listProjects(EVERYTHING)).toHaveLength(40);
    expect(await pages.batches.appliedSequence(JOURNAL)).toBe(200);
  });

  test("a store knows its size, and closes once or twice", async () => {
    await using store = await openStore(createDatabase);
    await apply(store, [occurrence(0, "a", { at: NOON })]);
    expect(await store.bytesOnDisk()).toBeGreaterThan(0);
    await store.close();
    await store.close();
    await expect(store.ping()).rejects.toThrow();
  });
}
