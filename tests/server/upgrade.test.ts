import { readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  getJson,
  getLatestEvent,
  listIssues,
  sendEnvelope,
  toEventEnvelope,
  waitFor,
  waitForEvent,
} from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { readStoredRows, unpackOldFolder } from "../support/old-data-folder.ts";
import { runCommand } from "../support/run-command.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const OWNER = { email: "ada@example.com", password: "correct-horse" };
const PROJECT = "web-shop";
const id = (number: number) => number.toString(16).padStart(32, "0");

test("the data of commit 62382ff is opened: everything is shown, and nothing is lost", {
  timeout: 240_000,
}, async () => {
  using folder = makeTempFolder();
  const dataDir = join(folder.path, "data");
  unpackOldFolder("62382ff", dataDir);
  await using server = await startServer({
    dataDir,
    project: PROJECT,
    // As an operator's goes on.
    watchesItself: true,
    // The owner's password was hashed by that version.
    hasSlowPasswords: true,
    // The events get older than any other retention.
    env: { RETENTION_DAYS: "3650", CULPRIT_ADMIN: `${OWNER.email}:${OWNER.password}` },
  });
  for (let number = 1; number <= 25; number++) {
    const event = await waitForEvent(server, id(number), PROJECT);
    expect(event.eventID).toBe(id(number));
  }
  const issues = await waitFor("17 events of the first issue", async () => {
    const found = await listIssues(server, "", PROJECT);
    return found.some(({ count }) => count === "17") && found;
  });
  const inWords = issues.map(({ shortId, title, count, userCount, status }) =>
    [shortId, title, count, userCount, status].join(" | "),
  );
  expect(inWords.sort()).toEqual([
    "WEB-SHOP-1 | TypeError: undefined is not a function | 17 | 5 | unresolved",
    "WEB-SHOP-2 | RangeError: Invalid array length | 6 | 5 | resolved",
    "WEB-SHOP-3 | SyntaxError: Unexpected token \u202e \u{1f30d} | 1 | 1 | unresolved",
    "WEB-SHOP-4 | disk almost full | 1 | 0 | unresolved",
  ]);
  const first = issues.find(({ shortId }) => shortId === "WEB-SHOP-1");
  const latest = await getLatestEvent<{ entries: Array<{ type: string }> }>(server, first);
  expect(latest.entries.map(({ type }) => type)).toEqual(expect.arrayContaining(["exception", "breadcrumbs"]));

  const sums = await getJson<{ groups: Array<{ by: Record<string, string>; totals: { "sum(quantity)": number } }> }>(
    server,
    "/organizations/default/stats_v2/?field=sum(quantity)&groupBy=category&groupBy=outcome&interval=1d&start=2026-11-22T00:00:00&end=2026-11-24T00:00:00",
  );
  const ledger = sums.groups.map(({ by, totals }) => `${by.category} ${by.outcome} ${totals["sum(quantity)"]}`);
  expect(ledger.sort()).toEqual([
    "attachment accepted 1",
    "error accepted 25",
    "error invalid 1",
    "feedback accepted 1",
    "internal accepted 1",
    "log_item accepted 2",
    "monitor accepted 1",
    "session accepted 1",
    "transaction accepted 1",
    "transaction client_discard 3",
    "unknown invalid 1",
  ]);

  const visitor = await signIn({ url: server.url, owner: OWNER });
  const syntaxError = issues.find(({ title }) => title.startsWith("SyntaxError"));
  const page = await visitor.open(`/issues/${syntaxError?.id}`);
  expect(page.status).toBe(200);
  for (const text of ["notes.txt", "throwSyntaxError", "button 19"]) expect(page.html).toContain(text);
  expect((await visitor.open("/settings/storage")).html).toContain("Errors");

  // It goes on: the next event joins the issue, in a file of its signal beside the old one.
  const { eventId, envelope } = toEventEnvelope({
    exception: { values: [{ type: "Added", value: "after the upgrade" }] },
  });
  expect((await sendEnvelope(server, envelope)).status).toBe(200);
  await waitForEvent(server, eventId, PROJECT);
  const files = readdirSync(join(dataDir, "payloads"));
  expect(files).toContain("2026-11-22-0000.payloads");
  expect(files.some((name) => /-errors-0000\.payloads$/.test(name))).toBe(true);
  expect(readdirSync(join(dataDir, "snapshots")).length).toBeGreaterThan(0);

  // Its logs and its transaction are rows, and pages find them.
  await server.waitForLog(({ msg }) => msg === "all spans and logs are rows");
  const trace = id(77);
  expect(await findLines(server, "2026-11-22")).toEqual(["one", "two"]);
  expect(await findSpans(server, trace)).toEqual(["GET /cart"]);
  expect((await visitor.open(`/traces/${trace}`)).html).toContain("GET /cart");
  expect((await visitor.open("/logs?from=2026-11-22T00:00&to=2026-11-23T00:00&query=two")).html).toContain("two");

  // What a user said then is in the inbox.
  const inbox = await listInbox(server);
  expect(inbox).toMatchObject([
    { eventID: id(19), comments: "It broke", isRead: true, issue: { id: syntaxError?.id } },
  ]);
  expect((await visitor.open(`/feedback/${inbox[0]?.id}`)).html).toContain(inbox[0]?.comments);

  // Also what that version stored comes back when the event database is lost, and when a day of it is made again.
  await server.waitForLog(({ msg }) => msg === "rows of an earlier version are in the row log");
  expect(await server.stop()).toBe(0);
  const day = await runCommand("rebuild", dataDir, ["--day", "2026-11-22"]);
  expect([day.code, day.stderr]).toEqual([0, ""]);
  expect(day.stdout).toMatch(/^Done: [1-9]\d* rows\.$/m);
  await rm(join(dataDir, "events.duckdb"));
  await rm(join(dataDir, "events.duckdb.wal"), { force: true });
  await using again = await startServer({
    dataDir,
    project: PROJECT,
    watchesItself: true,
    hasSlowPasswords: true,
    env: { RETENTION_DAYS: "3650", CULPRIT_ADMIN: `${OWNER.email}:${OWNER.password}` },
  });
  await again.waitForLog(({ msg }) => msg === "the event store is rebuilt");
  for (const eventID of [...Array.from({ length: 25 }, (_, index) => id(index + 1)), eventId])
    expect(await waitForEvent(again, eventID, PROJECT)).toMatchObject({ eventID });
  expect(await findLines(again, "2026-11-22")).toEqual(["one", "two"]);
  expect(await findSpans(again, trace)).toEqual(["GET /cart"]);
  expect(await (await fetch(`${again.url}/readyz`)).json()).toEqual({ status: "ready" });
});

test("spans, logs and transactions that commit b53d02e stored whole are found after the upgrade", {
  timeout: 240_000,
}, async () => {
  using folder = makeTempFolder();
  const dataDir = join(folder.path, "data");
  unpackOldFolder("b53d02e", dataDir);
  const traceOf = (number: number) => `a${number.toString(16).padStart(31, "0")}`;
  const lines = ["a card was refused", "a cart was filled", "accepted just before the end"];
  const ofTransaction = ["GET /cart/1", "SELECT 1 FROM carts", "SELECT 2 FROM carts", "SELECT 4 FROM carts"];
  await using server = await startServer({
    dataDir,
    project: PROJECT,
    watchesItself: true,
    env: { RETENTION_DAYS: "3650" },
  });
  await server.waitForLog(({ msg }) => msg === "all spans and logs are rows");
  await waitFor("lines", async () => (await findLines(server, "2026-11-23")).length === lines.length);
  expect(await findLines(server, "2026-11-23")).toEqual(lines);
  expect(await findSpans(server, traceOf(1))).toEqual(ofTransaction);
  expect(await findSpans(server, traceOf(4))).toEqual(["streamed 0", "streamed 1", "streamed 2"]);
  expect(await findSpans(server, traceOf(5))).toEqual(["alone"]);
  // What counted as one of many counts as before: only the line that came last is new.
  const sums = await getJson<{ groups: Array<{ by: Record<string, string>; totals: { "sum(quantity)": number } }> }>(
    server,
    "/organizations/default/stats_v2/?field=sum(quantity)&groupBy=category&groupBy=outcome&interval=1d&start=2026-11-23T00:00:00&end=2026-11-24T00:00:00",
  );
  const ledger = sums.groups.map(({ by, totals }) => `${by.category} ${by.outcome} ${totals["sum(quantity)"]}`);
  for (const each of ["log_item accepted 5", "span accepted 5", "transaction accepted 3"])
    expect(ledger).toContain(each);
});

test("the rebuild by command makes rows of what was stored whole, too", async () => {
  using folder = makeTempFolder();
  const dataDir = join(folder.path, "data");
  unpackOldFolder("b53d02e", dataDir);
  const day = await runCommand("rebuild", dataDir, ["--day", "2026-11-23"]);
  expect([day.code, day.stderr]).toEqual([0, ""]);
  expect(day.stdout).toContain(
    "The spans and logs of an earlier version are rows now: 3 payload files were written again.",
  );
  const counts = () =>
    readStoredRows(
      dataDir,
      "SELECT (SELECT count(*) FROM spans)::INTEGER AS spans, (SELECT count(*) FROM logs)::INTEGER AS logs",
    );
  expect(await counts()).toEqual([{ spans: 9, logs: 2 }]);
  const all = await runCommand("rebuild", dataDir, []);
  expect([all.code, all.stderr]).toEqual([0, ""]);
  expect(await counts()).toEqual([{ spans: 9, logs: 2 }]);
});

/** What users said, once all of it that is stored was looked through. */
async function listInbox(server: TestServer) {
  await server.waitForLog(({ msg }) => msg === "feedback of an earlier version is in the inbox");
  return await getJson<Array<{ id: string; comments: string }>>(
    server,
    `/projects/default/${PROJECT}/user-feedback/?status=`,
  );
}

/** Texts of all lines of a day, in order. */
async function findLines(server: TestServer, day: string): Promise<string[]> {
  const { data } = await getJson<{ data: Array<{ message: string }> }>(
    server,
    `/organizations/default/events/?dataset=logs&field=message&start=${day}T00:00:00&end=${day}T23:59:59`,
  );
  return data.map(({ message }) => message).sort();
}

/** Names of the spans of a trace, in order. */
async function findSpans(server: TestServer, traceId: string): Promise<string[]> {
  const { data } = await getJson<{ data: Array<Record<string, string>> }>(
    server,
    `/organizations/default/events/?dataset=spans&field=span.description&query=trace:${traceId}&start=2026-11-22T00:00:00&end=2026-11-24T00:00:00`,
  );
  return data.map((row) => row["span.description"] ?? "").sort();
}
