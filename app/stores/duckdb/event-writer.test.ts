import { expect, test, vi } from "vitest";
import { toRowBatch } from "../event-store-contract/fixture.ts";
import { span } from "../event-store-contract/span-fixture.ts";
import { EnvironmentLog } from "./environment-log.ts";
import { EventWriter } from "./event-writer.ts";
import { createDuckdbEventDatabase } from "./fixtures/duckdb-event-database.ts";
import { openTestEventDatabase } from "./fixtures/open-test-database.ts";
import { LostIdentities } from "./lost-identities.ts";

test("rows that a transaction adds are counted once it is committed, and after one that failed as if it had not begun", async () => {
  await using files = await createDuckdbEventDatabase();
  const database = await openTestEventDatabase(files);
  const environments = await EnvironmentLog.open(database);
  const lost = await LostIdentities.open(database);
  const writer = await EventWriter.open({ database, indexes: new Map(), environments, lost });
  // Two journals make two batches.
  const batches = ["0000000000000000", "ffffffffffffffff"].map((journalId) => ({
    ...toRowBatch({ journalId, upTo: 2, spans: [span(0), span(1)] }),
    environments: [{ projectId: 1, environment: "staging", seenAt: 0 }],
  }));
  const commit = database.transaction.bind(database);
  vi.spyOn(database, "transaction").mockImplementationOnce((action) =>
    commit(async (connection) => {
      await action(connection);
      // Others read up to here meanwhile.
      expect(writer.nextOrdinal("spans")).toBe(0);
      throw new Error("the disk is full");
    }),
  );
  const add = () =>
    writer.addRows(
      async () => batches,
      () => undefined,
    );
  await expect(add()).rejects.toThrow("the disk is full");
  expect(writer.nextOrdinal("spans")).toBe(0);
  expect(environments.list([1])).toEqual([]);
  await add();
  expect(writer.nextOrdinal("spans")).toBe(4);
  expect(environments.list([1])).toEqual(["staging"]);
  const stored = await database.read("SELECT ordinal::DOUBLE AS ordinal FROM spans ORDER BY ordinal");
  expect(stored.map(({ ordinal }) => ordinal)).toEqual([0, 1, 2, 3]);
  await writer.close();
  await database.close();
});
