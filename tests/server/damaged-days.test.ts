import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DAY_MS } from "../../app/domain/time.ts";
import { printTailPosition } from "../../app/features/logs/tail-position.ts";
import { getJson, type StatsGroup, sendEnvelope, waitFor } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { makeError } from "../support/make-event.ts";
import { makeLogEnvelope, makeTraceEnvelope } from "../support/make-trace-envelope.ts";
import { runCommand } from "../support/run-command.ts";
import { makeServerClock } from "../support/server-clock.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

// Days that are over lie in files of their own. What becomes of one whose bytes are flipped while the server runs?

const ORGANIZATION = "/organizations/default";
const EVENT = crypto.randomUUID().replaceAll("-", "");
const TRACE = crypto.randomUUID().replaceAll("-", "");
/** Fewer rows are not moved. */
const LINES = 2_100;
const LINES_AT_ONCE = 700;

test("a moved day that is damaged while the server runs is left out, counted and told, nothing fails, and it can be put back", {
  timeout: 240_000,
}, async () => {
  using folder = makeTempFolder();
  const dataDir = join(folder.path, "data");
  const clock = makeServerClock(folder.path);
  clock.setAhead(-2 * DAY_MS);
  const env = { ...clock.env, SENTRY_DSN: "off" };
  {
    await using earlier = await startServer({ dataDir, env });
    await sendDay(earlier, Date.now() - 2 * DAY_MS - 60_000);
    await waitFor("lines", async () => (await findLines(earlier)).length > 0);
    await earlier.stop();
  }
  clock.setAhead(0);
  await using server = await startServer({ dataDir, env });
  await server.waitForLog(({ msg }) => msg === "rows of a day were moved into a file", 90_000);
  const [name] = readdirSync(join(dataDir, "days"));
  expect(name).toMatch(/-logs-0000\.parquet$/);
  expect((await findLines(server)).length).toBeGreaterThan(0);
  expect(await readLedger(server)).toEqual({ "accepted none": LINES });

  const path = join(dataDir, "days", name ?? "");
  const whole = readFileSync(path);
  flipMiddle(path);
  const visitor = await signIn(server);
  const pages = [
    "/logs?range=7d",
    "/logs?range=7d&q=line",
    "/logs/lines?range=7d",
    `/traces/${TRACE}`,
    `/traces/${TRACE}.md`,
    `/traces/${TRACE}/rows`,
    "/traces?range=7d",
    "/performance?range=7d",
    "/settings/storage",
    "/issues",
    `/events/${EVENT}.md`,
    `/events/${EVENT}/json`,
    `/events/${EVENT}/logs`,
    `/events/${EVENT}/timeline`,
    `/events/${EVENT}/timeline.md`,
    `/events/${EVENT}/timeline/lanes`,
  ];
  const answered = await Promise.all(pages.map(async (path) => [path, (await visitor.open(path)).status]));
  expect(answered.filter(([, status]) => Number(status) !== 200)).toEqual([]);
  const from = printTailPosition({ journalId: "0a", sequences: [1, 1], at: Date.now() - DAY_MS });
  for (const path of ["/live", `/logs/tail?range=7d&from=${encodeURIComponent(from)}`])
    expect(await readStart(server.url + path, visitor.cookie)).toMatch(/^retry: \d+/);
  for (const path of [`/traces/${TRACE}.md`, `/events/${EVENT}/timeline.md`])
    expect((await visitor.open(path)).html).toMatch(/^- Logs of \w+ \d+ are missing: its file is damaged\.$/m);
  expect(await findLines(server)).toEqual([]);
  for (const path of ["events-stats/?dataset=logs", "events-stats/?dataset=spans", "events/?dataset=spans&field=id"])
    await getJson(server, `${ORGANIZATION}/${path}&statsPeriod=7d`);
  const day = String(name).slice(0, 10);
  for (const path of [
    `trace/${TRACE}/?statsPeriod=7d`,
    `trace-meta/${TRACE}/?statsPeriod=7d`,
    `trace-logs/?traceId=${TRACE}&statsPeriod=7d`,
    "trace-items/attributes/?itemType=logs&statsPeriod=7d",
    "events-timeseries/?dataset=logs&statsPeriod=7d",
  ]) {
    const answer = await fetch(`${server.url}/api/0${ORGANIZATION}/${path}`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    expect([path, answer.status, answer.headers.get("culprit-missing-days")]).toEqual([path, 200, `${day} logs`]);
  }
  // What the file does not have is found as before.
  const { data } = await search(server, `dataset=spans&query=trace:${TRACE}&field=id`);
  expect(data).toHaveLength(1);

  expect(readdirSync(join(dataDir, "damaged"))).toEqual([name]);
  await waitFor("the ledger", async () => "invalid row_lost" in (await readLedger(server)));
  expect(await readLedger(server)).toEqual({ "invalid row_lost": LINES });
  for (const path of ["/logs", "/issues"])
    expect((await visitor.open(path)).html).toMatch(/Logs of \w+ \d+ are missing: its file is damaged/);
  const storage = await visitor.open("/settings/storage");
  expect(storage.html).toContain(name);
  expect(storage.html).toContain("Put this file back into days/ from a backup");

  // A backup has the rest, and a check says what is missing.
  const backups = join(folder.path, "backups");
  const backup = await runCommand("backup", dataDir, [backups]);
  expect([backup.code, backup.stderr]).toEqual([0, ""]);

  const ofBackup = await runCommand("check", backups, []);
  expect([ofBackup.code, ofBackup.stdout]).toEqual([2, expect.stringContaining(String(name))]);

  await server.stop();
  const check = await runCommand("check", dataDir, []);
  expect([check.code, check.stdout]).toEqual([2, expect.stringContaining(String(name))]);
  writeFileSync(path, whole);
  await using again = await startServer({ dataDir, env });
  expect((await findLines(again)).length).toBeGreaterThan(0);
  await waitFor("the ledger", async () => "accepted none" in (await readLedger(again)));
  expect(await readLedger(again)).toEqual({ "accepted none": LINES });
  expect(readdirSync(join(dataDir, "damaged"))).toEqual([]);

  // The whole folder goes while the server runs.
  rmSync(join(dataDir, "days"), { recursive: true });
  expect(await findLines(again)).toEqual([]);
  await again.waitForLog(({ msg }) => String(msg).startsWith("the file of a day is damaged"));
});

async function sendDay(server: TestServer, at: number): Promise<void> {
  const lines = Array.from({ length: LINES }, (_, index) => [index, "info", `line ${index}`, "root"] as const);
  for (let from = 0; from < LINES; from += LINES_AT_ONCE)
    await sendEnvelope(server, makeLogEnvelope(TRACE, lines.slice(from, from + LINES_AT_ONCE), at));
  const trace = { trace_id: TRACE, span_id: TRACE.slice(0, 16) };
  const error = makeError("Old", { event_id: EVENT, timestamp: at / 1_000, contexts: { trace } });
  await sendEnvelope(server, `${JSON.stringify({ event_id: EVENT })}\n{"type":"event"}\n${JSON.stringify(error)}\n`);
  await sendEnvelope(
    server,
    makeTraceEnvelope(TRACE, [["root", null, "http.server", "GET /old", 0, 1_000]], { atMs: at }),
  );
}

/** Of a stream that does not end. */
async function readStart(url: string, cookie: string): Promise<string> {
  const { body } = await fetch(url, { headers: { cookie } });
  const reader = (body ?? new ReadableStream<Uint8Array>()).getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
}

function search(server: TestServer, query: string): Promise<{ data: unknown[] }> {
  return getJson(server, `${ORGANIZATION}/events/?statsPeriod=7d&${query}`);
}

async function findLines(server: TestServer): Promise<unknown[]> {
  return (await search(server, "dataset=logs&field=message")).data;
}

/** Of lines, by outcome and reason. What is damaged is `invalid` in words of Sentry. */
async function readLedger(server: TestServer): Promise<Record<string, number>> {
  const query = new URLSearchParams({
    field: "sum(quantity)",
    statsPeriod: "7d",
    interval: "1d",
    category: "log_item",
  });
  for (const group of ["outcome", "reason"]) query.append("groupBy", group);
  const { groups } = await getJson<{ groups: StatsGroup[] }>(server, `${ORGANIZATION}/stats_v2/?${query}`);
  const sums = groups.map(({ by, totals }) => [`${by.outcome} ${by.reason}`, totals["sum(quantity)"]] as const);
  return Object.fromEntries(sums.filter(([, sum]) => sum > 0));
}

function flipMiddle(path: string): void {
  const bytes = readFileSync(path);
  const from = Math.floor(bytes.length / 2);
  for (let at = from; at < from + 500; at++) bytes[at] = 0xff ^ (bytes[at] as number);
  writeFileSync(path, bytes);
}
