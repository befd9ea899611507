import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { type ApiIssue, listIssues, sendEnvelope, toEventEnvelope, waitFor } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

/** Takes the place of the one writer that SQLite allows: what is accepted waits for its digest, and reads go on. */
function holdDigest({ dataDir }: Pick<TestServer, "dataDir">): Disposable {
  const database = new DatabaseSync(join(dataDir, "state.sqlite"), { timeout: 5_000 });
  database.exec("BEGIN IMMEDIATE");
  return {
    [Symbol.dispose]() {
      if (!database.isOpen) return;
      database.exec("ROLLBACK");
      database.close();
    },
  };
}

async function send(server: TestServer, message: string): Promise<string> {
  const { eventId, envelope } = toEventEnvelope({ message });
  const response = await sendEnvelope(server, envelope);
  expect([response.status, await response.json()]).toEqual([200, { id: eventId }]);
  return eventId;
}

const hyphenated = (id: string) => id.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5").toUpperCase();

test("the id in the 200 opens at once: received, being processed, and then the event itself", async () => {
  await using server = await startServer();
  const visitor = await signIn(server);
  let eventId: string;
  {
    using _held = holdDigest(server);
    eventId = await send(server, "read at once");
    for (const path of [`/events/${eventId}`, `/events/${hyphenated(eventId)}`]) {
      const page = await visitor.open(path);
      expect([page.status, page.url], path).toEqual([202, server.url + path]);
      expect(page.html).toContain("Received, being processed");
      // Without JavaScript there is a link to look again.
      expect(page.html).toMatch(/<noscript>.*Look again/s);
    }
    const unknown = await visitor.open(`/events/${"0".repeat(32)}`);
    expect(unknown.status).toBe(404);
    expect(unknown.html).not.toContain("being processed");
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toMatch(/^culprit_journal_backlog_records [1-9]/m);
  }
  const page = await waitFor("the event's page", async () => {
    const opened = await visitor.open(`/events/${eventId}`);
    return opened.status !== 202 && opened;
  });
  expect([page.status, page.url]).toEqual([200, expect.stringMatching(`/issues/\\d+/events/${eventId}$`)]);
  expect(page.html).toContain("read at once");
});

test("what an earlier process accepted is not said to be missing while it waits", async () => {
  using data = makeTempFolder();
  const first = await startServer({ dataDir: data.path, port: await findFreePort() });
  const visitor = await signIn(first);
  using held = holdDigest(first);
  const eventId = await send(first, "from before");
  await first.kill9();

  await using _second = await startServer({ dataDir: data.path, port: first.port });
  expect((await visitor.open(`/events/${eventId}`)).status).toBe(202);
  held[Symbol.dispose]();
  const page = await waitFor("the event's page", async () => {
    const opened = await visitor.open(`/events/${eventId}`);
    return opened.status === 200 && opened;
  });
  expect(page.html).toContain("from before");
  expect((await visitor.open(`/events/${"0".repeat(32)}`)).status).toBe(404);
});

test("an issue that a list shows can be opened at once", async () => {
  await using server = await startServer();
  const visitor = await signIn(server);
  const unreadable: string[] = [];
  for (let round = 0; round < 24; round++) {
    const title = `${String.fromCharCode(97 + round)} is new`;
    await send(server, title);
    // Without the pauses of `waitFor`: what is asked for is the moment at which the list has it.
    let issue: ApiIssue | undefined;
    while (issue === undefined) issue = (await listIssues(server)).find((listed) => listed.title === title);
    const paths = ["events/latest/", "events/oldest/", "events/"];
    const { url, token } = server;
    const path = `/api/0/issues/${issue.id}/${paths[round % paths.length]}`;
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
    const found = JSON.stringify(await response.json());
    if (response.status !== 200 || !found.includes(title)) unreadable.push(`${path}: ${response.status} ${found}`);
    if (round % 4 !== 3) continue;
    const page = await visitor.open(`/issues/${issue.id}`);
    if (page.status !== 200 || page.html.includes("The event is being stored")) unreadable.push(`page ${issue.id}`);
  }
  expect(unreadable).toEqual([]);
});
