import { expect, test } from "vitest";
import { EVERYTHING, NOON } from "../../state/contract/fixture.ts";
import { SqliteConnection } from "../connection.ts";
import { createSqliteStateDatabase } from "../sqlite-state-database.ts";
import { insertRelease } from "./releases.ts";

test("a release whose name would not be allowed any more can still be changed", async () => {
  await using database = await createSqliteStateDatabase();
  const store = await database.connect();
  const version = "x".repeat(250);
  const raw = await SqliteConnection.open({ path: database.path, isReadOnly: false });
  await raw.write(() => insertRelease(raw, version, NOON));
  raw.close();
  const { release, isNew } = await store.releases.saveRelease(EVERYTHING, {
    version,
    projectIds: [1],
    at: NOON,
    status: "archived",
  });
  expect([isNew, release.status, release.version]).toEqual([false, "archived", version]);
  await expect(
    store.releases.saveRelease(EVERYTHING, { version: `${version}y`, projectIds: [], at: NOON }),
  ).rejects.toThrow(RangeError);
});
