import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { append, event, eventId } from "../event-store-contract/fixture.ts";
import { openDuckdbEventStore } from "./open-duckdb-event-store.ts";

test("what only deleted events said in their tags is no longer in the table", async () => {
  const folder = mkdtempSync(join(tmpdir(), "culprit-tags-"));
  const path = join(folder, "events.duckdb");
  try {
    const store = await openDuckdbEventStore({ path, tempDir: folder });
    const tagged = (sequence: number, secret: string) =>
      event(sequence, {
        userKey: `id:${secret}`,
        tags: [
          ["plan", "pro"],
          ["secret", secret],
        ],
      });
    await append(store, [tagged(1, "mine"), tagged(2, "yours")]);
    while (await store.rollUp(Number.POSITIVE_INFINITY));
    await append(store, [tagged(3, "mine")]);
    while (await store.rollUp(Number.POSITIVE_INFINITY));
    const eventIds = [eventId(1), eventId(3)];
    await store.deletion.deleteEvents(
      await store.deletion.listSelected({ kind: "events", projectId: 1, eventIds }, 10),
    );
    await store.close();

    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    const read = await connection.runAndReadAll(
      "SELECT key, value, events::INTEGER FROM event_tags ORDER BY key, value",
    );
    expect(read.getRows()).toEqual([
      ["level", "error", 1],
      ["plan", "pro", 1],
      ["secret", "yours", 1],
      ["user", "id:yours", 1],
    ]);
    connection.closeSync();
    instance.closeSync();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
