import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { sendEnvelope, toEventEnvelope, waitFor, waitForEvent } from "../support/api.ts";
import { makeTraceEnvelope, type SentSpan } from "../support/make-trace-envelope.ts";
import { runCommand } from "../support/run-command.ts";
import { makeServerClock } from "../support/server-clock.ts";
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

  const check = async () => (await runCommand("check", dir, [])).stdout;
  expect(await check()).not.toContain("rebuild");
  // As a rebuild leaves it that was killed.
  await inEventStore(dir, "INSERT INTO rebuild (state) VALUES ('{}')");
  expect(await check()).toMatch(/is whole\na rebuild of its event database has not ended: rows are missing until/);
  await inEventStore(dir, "DELETE FROM rebuild");

  for (const wrong of ["yesterday", "2026-2-3", "2026-02-31"]) {
    const refused = await rebuild("--day", wrong);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`not a day: ${wrong}`)]);
  }
});

test("payload files of days that were moved are not written again", async () => {
  using folder = makeTempFolder();
  const dir = join(folder.path, "data");
  const clock = makeServerClock(folder.path);
  clock.setAhead(-2 * DAY_MS);
  const env = { ...clock.env, SENTRY_DSN: "off" };
  const readFiles = async () => {
    const names = (await readdir(join(dir, "payloads"))).filter((name) => name.includes("-transactions-"));
    return Promise.all(names.map(async (name) => (await readFile(join(dir, "payloads", name))).toString("base64")));
  };
  {
    await using earlier = await startServer({ dataDir: dir, env });
    // Fewer rows of a day are not moved.
    const envelopes = [1, 2, 3].map((trace) => {
      const spans = Array.from({ length: 800 }, (_, at): SentSpan => [`${at}`, at ? "0" : null, "db", "SELECT", at, 1]);
      return makeTraceEnvelope(`${trace}`.padStart(32, "a"), spans, { atMs: Date.now() - 2 * DAY_MS - 60_000 });
    });
    for (const envelope of envelopes) await sendEnvelope(earlier, envelope);
    const { eventId, envelope } = toEventEnvelope({ message: "sent last" });
    await sendEnvelope(earlier, envelope);
    await waitForEvent(earlier, eventId);
    await waitFor("transactions in a file", async () => (await readFiles()).length > 0);
    await earlier.stop();
  }
  const whole = await readFiles();
  clock.setAhead(0);
  {
    await using server = await startServer({ dataDir: dir, env });
    await server.waitForLog(({ msg }) => msg === "rows of a day were moved into a file", 90_000);
    await waitFor("rows out of the row log", async () => (await readFiles()).join() !== whole.join());
    await server.stop();
  }
  const before = await readFiles();
  const { code, stdout } = await runCommand("rebuild", dir, []);
  expect(code).toBe(0);
  expect(stdout).not.toContain("earlier version");
  expect(await readFiles()).toEqual(before);
});
