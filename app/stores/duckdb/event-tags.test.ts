import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { append, event, eventId } from "../event-store-contract/fixture.ts";
import { findSmallPieces } from "./event-tags.ts";
import { openTestEventStore } from "./fixtures/duckdb-event-database.ts";

test("what only deleted events said in their tags is no longer in the table", async () => {
  const folder = mkdtempSync(join(tmpdir(), "culprit-tags-"));
  const path = join(folder, "events.duckdb");
  try {
    const store = await openTestEventStore({ path, tempDir: folder });
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
      ["plan", "", 1],
      ["plan", "pro", 1],
      ["secret", "", 1],
      ["secret", "yours", 1],
      ["user", "id:yours", 1],
    ]);
    const users = await connection.runAndReadAll("SELECT count(*)::INTEGER FROM event_users");
    expect(users.getRows()).toEqual([[1]]);
    connection.closeSync();
    instance.closeSync();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("small pieces that are neighbours become one, once it is clear that no other will fit into it, or when they are very many", () => {
  const pieces = (...sizes: number[]) =>
    sizes.map((events, index) => ({ from: index * 100, to: (index + 1) * 100, events }));
  const many = (count: number) => Array.from({ length: count }, () => 10);
  expect(findSmallPieces([])).toBeNull();
  expect(findSmallPieces(pieces(20_000, 20_000, 3_000))).toBeNull();
  expect(findSmallPieces(pieces(20_000, 6_000, 6_000))).toBeNull();
  expect(findSmallPieces(pieces(20_000, 6_000, 6_000, 9_000))).toEqual({ from: 100, to: 300 });
  expect(findSmallPieces(pieces(20_000, 6, 6, 20_000))).toEqual({ from: 100, to: 300 });
  expect(findSmallPieces(pieces(500, 20_000, 500, 20_000))).toBeNull();
  expect(findSmallPieces(pieces(...many(59)))).toBeNull();
  expect(findSmallPieces(pieces(19_990, ...many(61)))).toEqual({ from: 100, to: 6_100 });
});
