import { randomBytes } from "node:crypto";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { StoredSignal } from "../../app/domain/stored-signal.ts";
import { DAY_MS } from "../../app/domain/time.ts";
import { openDuckdbEventStore } from "../../app/stores/duckdb/open-duckdb-event-store.ts";
import { event, item, toRowBatch } from "../../app/stores/event-store-contract/fixture.ts";
import { openPayloadFiles } from "../../app/stores/files/open-payload-files.ts";
import { sendEnvelope, toEventEnvelope, waitFor, waitForEvent } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { makeError } from "../support/make-event.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const MIB = 1024 * 1024;
const LIMITS = { MAX_DISK_BYTES: "64MiB", MAX_ENVELOPE_BYTES: "20MiB" };

/** Stores payloads of so many days ago, with a row each, as a server of that day would have. */
async function furnish(dataDir: string, days: ReadonlyArray<[ago: number, signal: StoredSignal, megabytes: number]>) {
  const payloads = await openPayloadFiles({ dir: join(dataDir, "payloads") });
  const events = await openDuckdbEventStore({ path: join(dataDir, "events.duckdb"), tempDir: join(dataDir, "tmp") });
  for (const [sequence, [ago, signal, megabytes]] of days.entries()) {
    const at = Date.now() - ago * DAY_MS;
    const [payload] = await payloads.append([randomBytes(megabytes * MIB)], { receivedAt: at, signal });
    const row = { at, ...(payload && { payload }) };
    await events.append(
      toRowBatch({
        journalId: "earlier",
        upTo: sequence + 1,
        ...(signal === "errors"
          ? { events: [event(sequence, row)] }
          : { items: [item(sequence, { ...row, category: "replay" })] }),
      }),
    );
  }
  await payloads.close();
  await events.close();
}

const sendError = (server: TestServer) => sendEnvelope(server, toEventEnvelope(makeError("Now")).envelope);

test("near its limit the folder loses its oldest days, says so, and goes on accepting", {
  timeout: 240_000,
}, async () => {
  using folder = makeTempFolder();
  const dataDir = join(folder.path, "data");
  const earlier = await startServer({ dataDir });
  const { eventId: firstId, envelope } = toEventEnvelope(makeError("First"));
  await sendEnvelope(earlier, envelope);
  await waitForEvent(earlier, firstId);
  await earlier.stop();
  await furnish(dataDir, [
    [6, "replays", 5],
    [6, "errors", 20],
    [5, "replays", 5],
    [5, "errors", 20],
    [1, "errors", 5],
  ]);
  await using server = await startServer({ dataDir, env: { ...LIMITS, SIGNAL_RETENTION_DAYS: "logs=31" } });
  await server.waitForLog(({ msg }) => msg === "the data folder is nearly full: its oldest days are deleted");
  const fileNames = () =>
    readdirSync(join(dataDir, "payloads")).map((name) => name.replace(/^.{11}|-\d{4}\.payloads$/g, ""));
  await waitFor("room", async () => fileNames().filter((name) => name === "replays").length === 1);
  const answer = await sendError(server);
  expect(answer.status).toBe(200);

  // Of the oldest day, replays go before errors.
  const oldest = new Date(Date.now() - 6 * DAY_MS).toISOString().slice(0, 10);
  const left = readdirSync(join(dataDir, "payloads")).filter((name) => name.startsWith(oldest));
  expect(left).toEqual([`${oldest}-errors-0000.payloads`]);

  const visitor = await signIn(server);
  const arrived = await visitor.open("/arrived");
  expect(arrived.html).toContain("To make room on the disk");
  const page = await visitor.open("/settings/storage");
  expect(page.status).toBe(200);
  for (const text of ["the limit that MAX_DISK_BYTES sets", "Replays", "to make room"])
    expect(page.html).toContain(text);
  expect(page.html).toMatch(/Logs<\/td>.{0,200}31 days/s);
  // Every page announces the days that go next.
  expect((await visitor.open("/issues")).html).toMatch(/On \w+ \d+, this will be deleted/);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toContain(`culprit_data_folder_limit_bytes ${64 * MIB}`);
  expect(metrics).toMatch(/culprit_data_folder_growth_bytes [1-9]/);
  expect(metrics).toMatch(/culprit_data_folder_early_deletions [1-9]/);
});

test("at its limit the folder takes nothing, until there is room again", { timeout: 240_000 }, async () => {
  using folder = makeTempFolder();
  const dataDir = join(folder.path, "data");
  await using server = await startServer({ dataDir, env: LIMITS });
  expect((await sendError(server)).status).toBe(200);
  const large = join(dataDir, "somebody's file");
  writeFileSync(large, randomBytes(64 * MIB));
  const refused = await waitFor("a refusal", async () => {
    const answer = await sendError(server);
    return answer.status === 200 ? null : answer;
  });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  rmSync(large);
  await waitFor("room", async () => (await sendError(server)).status === 200);
});
