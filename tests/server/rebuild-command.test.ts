import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { sendEnvelope, toEventEnvelope, waitForEvent } from "../support/api.ts";
import { runCommand } from "../support/run-command.ts";
import { startServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const DAY_MS = 86_400_000;

async function inEventStore(dataDir: string, sql: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(join(dataDir, "events.duckdb"));
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRows();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

test("rows of a day, and all rows, are rebuilt by command on a stopped server", async () => {
  using data = makeTempFolder();
  const dir = data.path;
  const rebuild = (...args: string[]) => runCommand("rebuild", dir, args);
  const ids: string[] = [];
  {
    await using server = await startServer({ dataDir: dir, env: { SENTRY_DSN: "off" } });
    for (let index = 0; index < 3; index++) {
      const { eventId, envelope } = toEventEnvelope({ message: `kept ${index}` });
      await sendEnvelope(server, envelope);
      await waitForEvent(server, eventId);
      ids.push(eventId);
    }
    const refused = await rebuild();
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toContain("another Culprit runs on the data");
    await server.stop();
  }
  const rows = () =>
    inEventStore(dir, "SELECT replace(event_id::VARCHAR, '-', ''), title, issue_id FROM events ORDER BY title");
  const stored = await rows();
  expect(stored.map(([id]) => id)).toEqual(ids);
  const [[receivedAt]] = (await inEventStore(dir, "SELECT min(received_at)::DOUBLE FROM events")) as [[number]];
  const toDay = (instant: number) => new Date(instant).toISOString().slice(0, 10);

  // One is lost, one is not what it was: the day makes both good, another day leaves them alone.
  await inEventStore(dir, "DELETE FROM events WHERE title = 'kept 1'");
  await inEventStore(dir, "UPDATE events SET title = 'spoilt' WHERE title = 'kept 2'");
  const other = await rebuild("--day", toDay(receivedAt - 3 * DAY_MS));
  expect([other.code, other.stderr]).toEqual([0, ""]);
  expect(other.stdout).toMatch(/^Done: 0 rows\.$/m);
  expect((await rows()).map(([, title]) => title)).toEqual(["kept 0", "spoilt"]);
  const day = await rebuild("--day", toDay(receivedAt));
  expect([day.code, day.stderr]).toEqual([0, ""]);
  expect(day.stdout).toMatch(/^Done: 3 rows\.$/m);
  expect(await rows()).toEqual(stored);
  expect(await readdir(dir)).not.toContain("damaged");

  await inEventStore(dir, "DELETE FROM events");
  const all = await rebuild();
  expect([all.code, all.stderr]).toEqual([0, ""]);
  expect(all.stdout).toMatch(/^The old database is kept at .*damaged/);
  expect(all.stdout).toMatch(/^Done: 3 rows\.$/m);
  expect(await rows()).toEqual(stored);

  for (const wrong of ["yesterday", "2026-2-3", "2026-02-31"]) {
    const refused = await rebuild("--day", wrong);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`not a day: ${wrong}`)]);
  }
});
