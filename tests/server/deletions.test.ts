import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type ApiIssue,
  getJson,
  listIssues,
  send,
  sendEnvelope,
  sumOutcomes,
  toEventEnvelope,
  waitFor,
  waitForEvent,
} from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { filesWith } from "../support/files-with.ts";
import { runCommand } from "../support/run-command.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const ERASE_AT_ONCE = { ERASE_AFTER_HOURS: "0" };

/** An event of the issue that the word names, with a text that nothing else has. */
async function report(server: TestServer, word: string, marker: string): Promise<string> {
  const { eventId, envelope } = toEventEnvelope({
    exception: {
      values: [
        {
          type: `Error${word}`,
          value: marker,
          stacktrace: { frames: [{ function: `fail${word}`, filename: `${word}.js`, lineno: 1, in_app: true }] },
        },
      ],
    },
    tags: { marker },
    extra: { marker },
  });
  expect((await sendEnvelope(server, envelope)).status).toBe(200);
  await waitForEvent(server, eventId);
  return eventId;
}

async function issueOf(server: TestServer, word: string): Promise<ApiIssue | undefined> {
  return (await listIssues(server)).find(({ metadata }) => metadata.type === `Error${word}`);
}

/** So many deletions: on a busy machine, the first may be done before the second is asked for. */
function whenErased(server: TestServer, count = 1) {
  let left = count;
  return server.waitForLog(({ msg, deletions }) => {
    if (msg === "what was deleted is in no payload file, journal or log of a database any more")
      left -= Number(deletions);
    return left <= 0;
  });
}

test("an issue and an event are gone at once, soon from every file, and do not come back with a rebuild", async () => {
  using data = makeTempFolder();
  const server = await startServer({ dataDir: data.path, env: ERASE_AT_ONCE });
  await report(server, "Gone", "MARKERGONEONE");
  const second = await report(server, "Gone", "MARKERGONETWO");
  const first = await report(server, "Kept", "MARKERKEPTONE");
  const latest = await report(server, "Kept", "MARKERKEPTTWO");
  const [gone, kept] = [await issueOf(server, "Gone"), await issueOf(server, "Kept")];
  expect(kept?.metadata.value).toBe("MARKERKEPTTWO");
  expect(await filesWith(data.path, "MARKERGONETWO")).not.toEqual([]);

  expect((await send(server, "DELETE", `/organizations/default/issues/${gone?.id}/`)).status).toBe(202);
  expect((await send(server, "DELETE", `/projects/default/shop/events/${latest}/`)).status).toBe(202);
  expect(await issueOf(server, "Gone")).toBeUndefined();
  for (const path of [`/organizations/default/issues/${gone?.id}/`, `/projects/default/shop/events/${second}/`])
    await expect(getJson(server, path), path).rejects.toThrow("404");
  await expect(getJson(server, `/projects/default/shop/events/${latest}/`)).rejects.toThrow("404");
  expect((await send(server, "DELETE", `/projects/default/shop/events/${latest}/`)).status).toBe(404);
  // The issue says what the event that is left says, counts it alone, and remembers that the other was deleted.
  expect(await issueOf(server, "Kept")).toMatchObject({ count: "1", metadata: { value: "MARKERKEPTONE" } });
  expect(await sumOutcomes(server, { category: "error", outcome: "accepted" })).toBe(4);

  await whenErased(server, 2);
  for (const marker of ["MARKERGONEONE", "MARKERGONETWO", "MARKERKEPTTWO"])
    expect(await filesWith(data.path, marker), marker).toEqual([]);
  expect(await waitForEvent(server, first)).toMatchObject({ eventID: first });
  expect(await server.stop()).toBe(0);

  const rebuilt = await runCommand("rebuild", data.path, []);
  expect(rebuilt.stdout).toContain("Done: 1 rows.");
  await using again = await startServer({ dataDir: data.path });
  expect(await waitForEvent(again, first)).toMatchObject({ eventID: first });
  expect((await listIssues(again)).map(({ metadata }) => metadata.type)).toEqual(["ErrorKept"]);
  // The same error again is a new issue.
  await report(again, "Gone", "again");
  const made = await issueOf(again, "Gone");
  expect(made?.count).toBe("1");
  expect(made?.id).not.toBe(gone?.id);
});

test("the last event of an issue takes the issue with it, and lists of issues are deleted by id or query", async () => {
  await using server = await startServer();
  const only = await report(server, "Only", "alone");
  expect((await send(server, "DELETE", `/projects/default/shop/events/${only}/`)).status).toBe(202);
  expect(await issueOf(server, "Only")).toBeUndefined();

  for (const word of ["One", "Two", "Three", "Four"]) await report(server, word, `text of ${word}`);
  const [one, two] = [await issueOf(server, "One"), await issueOf(server, "Two")];
  expect((await send(server, "DELETE", "/projects/default/shop/issues/")).status).toBe(400);
  const named = await send(server, "DELETE", `/projects/default/shop/issues/?id=${one?.id}&id=${two?.id}`);
  expect(named.status).toBe(204);
  expect((await listIssues(server)).map(({ metadata }) => metadata.type).sort()).toEqual(["ErrorFour", "ErrorThree"]);
  expect((await send(server, "DELETE", "/organizations/default/issues/?query=ErrorFour")).status).toBe(204);
  expect((await listIssues(server)).map(({ metadata }) => metadata.type)).toEqual(["ErrorThree"]);
});

test("a project is gone with everything in it, and its DSN is an unknown one", async () => {
  using data = makeTempFolder();
  await using server = await startServer({ dataDir: data.path, env: ERASE_AT_ONCE });
  await report(server, "Project", "MARKERPROJECT");
  const { envelope } = toEventEnvelope({ message: "MARKERPROJECT late" });
  expect((await send(server, "DELETE", "/projects/default/culprit/")).status).toBe(409);
  expect((await send(server, "DELETE", "/projects/default/shop/")).status).toBe(204);
  await expect(getJson(server, "/projects/default/shop/")).rejects.toThrow("404");
  expect([401, 403]).toContain((await sendEnvelope(server, envelope)).status);
  await whenErased(server);
  expect(await filesWith(data.path, "MARKERPROJECT")).toEqual([]);
});

test("a deletion that is killed anywhere is done after the next start", async () => {
  using data = makeTempFolder();
  let server = await startServer({ dataDir: data.path });
  for (let number = 0; number < 20; number++) await report(server, "Killed", `MARKERKILLED${number}.`);
  await report(server, "Kept", "kept");
  const issue = await issueOf(server, "Killed");
  const asked = send(server, "DELETE", `/organizations/default/issues/${issue?.id}/`).catch(() => undefined);
  for (let kill = 0; kill < 3; kill++) {
    // The first one as early as it may come, the others in the job.
    if (kill === 0) await asked;
    await server.kill9();
    server = await startServer({ dataDir: data.path, env: ERASE_AT_ONCE });
  }
  await whenErased(server);
  expect(await filesWith(data.path, "MARKERKILLED")).toEqual([]);
  expect((await listIssues(server)).map(({ metadata }) => metadata.type)).toEqual(["ErrorKept"]);
  await server.stop();
});

const ANN = { id: "ann-7", email: "ann@example.com", ip_address: "203.0.113.7" };
const USER_DATA = "/organizations/default/user-data/";

interface ApiDeletion {
  id: string;
  kind: string;
  phase: string;
  label: string;
  eventCount: number;
  itemCount: number;
}

/** One of each signal that names its user, with a text that nothing else has. */
async function reportAs(server: TestServer, user: typeof ANN, marker: string): Promise<void> {
  const now = Date.now() / 1000;
  const id = () => crypto.randomUUID().replaceAll("-", "");
  const error = toEventEnvelope({ user, message: `${marker} alone`, fingerprint: [marker], extra: { marker } });
  const shared = toEventEnvelope({ user, message: `${marker} shared`, fingerprint: ["shared"], tags: { marker } });
  const attachment = { type: "attachment", filename: `${marker}.txt`, length: marker.length };
  const withAttachment = `${error.envelope}\n${JSON.stringify(attachment)}\n${marker}\n`;
  const [replayId, traceId] = [id(), id()];
  const items: Array<[header: Record<string, unknown>, item: Record<string, unknown>, payload: unknown]> = [
    [
      { event_id: id() },
      { type: "transaction" },
      {
        type: "transaction",
        transaction: marker,
        user,
        start_timestamp: now - 1,
        timestamp: now,
        contexts: { trace: { trace_id: traceId, span_id: "a".repeat(16) } },
        spans: [
          {
            trace_id: traceId,
            span_id: "b".repeat(16),
            parent_span_id: "a".repeat(16),
            description: marker,
            start_timestamp: now - 1,
            timestamp: now,
          },
        ],
      },
    ],
    [
      { event_id: id() },
      { type: "feedback" },
      { timestamp: now, contexts: { feedback: { message: marker, contact_email: user.email } } },
    ],
    [
      {},
      { type: "log", item_count: 1, content_type: "application/vnd.sentry.items.log+json" },
      {
        items: [{ timestamp: now, body: marker, attributes: { "user.email": { value: user.email, type: "string" } } }],
      },
    ],
    [
      { event_id: replayId },
      { type: "replay_event" },
      { replay_id: replayId, segment_id: 0, timestamp: now, user, urls: [marker] },
    ],
    [{ event_id: replayId }, { type: "replay_recording" }, `{"segment_id":0}\n[{"data":"${marker}"}]`],
    [
      {},
      { type: "session" },
      {
        sid: crypto.randomUUID(),
        did: user.email,
        init: true,
        started: new Date().toISOString(),
        status: "exited",
        attrs: { release: "shop@1" },
      },
    ],
  ];
  const envelopes = items.map(([header, item, payload]) => {
    const body = typeof payload === "string" ? payload : JSON.stringify(payload);
    return `${JSON.stringify(header)}\n${JSON.stringify({ ...item, length: Buffer.byteLength(body) })}\n${body}\n`;
  });
  for (const envelope of [withAttachment, shared.envelope, ...envelopes])
    expect((await sendEnvelope(server, envelope)).status, envelope).toBe(200);
  for (const { eventId } of [error, shared]) await waitForEvent(server, eventId);
}

const listDeletions = (server: TestServer) => getJson<ApiDeletion[]>(server, "/organizations/default/deletions/");

test("all that one user sent is counted before, gone from every file, and does not come back with a rebuild", async () => {
  using data = makeTempFolder();
  const server = await startServer({ dataDir: data.path, env: ERASE_AT_ONCE });
  const bob = { ...ANN, id: "bob-8", email: "bob@example.com" };
  await reportAs(server, ANN, "MARKERANN");
  await reportAs(server, bob, "MARKERBOB");
  const before = await listIssues(server);
  expect(before.map(({ count, userCount }) => [count, userCount]).sort()).toEqual([
    ["1", 1],
    ["1", 1],
    ["2", 2],
  ]);
  expect(await filesWith(data.path, "MARKERANN")).not.toEqual([]);
  for (const query of ["", "?id=1&email=ann@example.com", "?email=ann", "?address=ann@example.com"])
    expect((await send(server, "DELETE", USER_DATA + query)).status, query).toBe(400);
  expect((await send(server, "DELETE", `${USER_DATA}?email=ann@example.com&project=nowhere`)).status).toBe(404);
  const query = "?email=ANN@example.com&project=shop";
  // Attachment, transaction, feedback, logs, replay in two items, session. Some have a journal of their own: the errors may be there before them.
  const whole = { projects: [{ slug: "shop", events: 2, items: 7 }], isWhole: true };
  await expect.poll(() => getJson(server, USER_DATA + query)).toMatchObject(whole);

  const begun = await send(server, "DELETE", USER_DATA + query);
  expect(begun.status).toBe(202);
  await whenErased(server);
  expect(await filesWith(data.path, "MARKERANN")).toEqual([]);
  expect(await filesWith(data.path, "ann@example.com")).toEqual([]);
  expect(await filesWith(data.path, "MARKERBOB")).not.toEqual([]);
  const after = await listIssues(server);
  expect(after.map(({ count, userCount }) => [count, userCount]).sort()).toEqual([
    ["1", 1],
    ["1", 1],
  ]);
  expect(await getJson(server, USER_DATA + query)).toMatchObject({ projects: [], isWhole: true });
  expect(await listDeletions(server)).toMatchObject([
    { kind: "issue" },
    {
      id: ((await begun.json()) as { id: string }).id,
      kind: "user",
      label: "shop",
      phase: "done",
      eventCount: 2,
      itemCount: 7,
    },
  ]);
  for (const category of ["error", "transaction", "feedback", "log_item", "session"]) {
    const deleted = category === "error" ? 2 : 1;
    expect(await sumOutcomes(server, { category, outcome: "accepted" }), category).toBe(2 * deleted);
  }
  const shared = after.find(({ title }) => title.includes("shared"));
  const { activity } = await getJson<{ activity: Array<{ type: string; data: object }> }>(
    server,
    `/organizations/default/issues/${shared?.id}/activities/`,
  );
  expect(activity.filter(({ type }) => type === "events_deleted")).toMatchObject([
    { data: { events: 1, isOfUser: true } },
  ]);
  expect(await server.stop()).toBe(0);

  const rebuilt = await runCommand("rebuild", data.path, []);
  expect(rebuilt.stdout).toContain("Done: 11 rows.");
  await using again = await startServer({ dataDir: data.path });
  expect(await getJson(again, USER_DATA + query)).toMatchObject({ projects: [] });
  expect(await getJson(again, `${USER_DATA}?id=bob-8`)).toMatchObject({ projects: [{ slug: "shop", events: 2 }] });
});

test("a user's deletion that is killed anywhere is done after the next start, counted once", async () => {
  using data = makeTempFolder();
  let server = await startServer({ dataDir: data.path });
  for (let number = 0; number < 5; number++)
    await reportAs(server, { ...ANN, id: `ann-${number}` }, `MARKERKILLED${number}.`);
  await send(server, "DELETE", `${USER_DATA}?email=ann@example.com`);
  for (let kill = 0; kill < 3; kill++) {
    await server.kill9();
    server = await startServer({ dataDir: data.path, env: ERASE_AT_ONCE });
  }
  await whenErased(server);
  expect(await filesWith(data.path, "MARKERKILLED")).toEqual([]);
  expect(await listIssues(server)).toEqual([]);
  const ofUser = (await listDeletions(server)).find(({ kind }) => kind === "user");
  expect(ofUser).toMatchObject({ eventCount: 10, phase: "done" });
  await server.stop();
});

test("a damaged payload answers 404 and is counted as damaged once, also after a restart", async () => {
  using data = makeTempFolder();
  let server = await startServer({ dataDir: data.path });
  const eventId = await report(server, "Damaged", "text ".repeat(1_000));
  expect(await server.stop()).toBe(0);
  const folder = join(data.path, "payloads");
  for (const name of await readdir(folder)) {
    const bytes = await readFile(join(folder, name));
    if (bytes.length < 100) continue;
    // In the body of the only block, behind its header.
    bytes.fill(0xff, bytes.length - 40, bytes.length - 20);
    await writeFile(join(folder, name), bytes);
  }
  for (const _ of ["first", "again"]) {
    server = await startServer({ dataDir: data.path });
    await expect(getJson(server, `/projects/default/shop/events/${eventId}/`)).rejects.toThrow(
      /404.*The payload of the event is damaged/,
    );
    await waitFor("the damage to be counted", async () => {
      return (await sumOutcomes(server, { category: "error", outcome: "invalid" })) === 1;
    });
    expect(await sumOutcomes(server, { category: "error", outcome: "accepted" })).toBe(0);
    const { cookie } = await signIn(server);
    const { id } = (await issueOf(server, "Damaged")) ?? {};
    for (const path of [`/issues/${id}.md`, `/issues/${id}/events/${eventId}.md`]) {
      const markdown = await (await fetch(server.url + path, { headers: { cookie } })).text();
      expect(markdown).toMatch(/The details of (its latest|this) event are damaged\./);
    }
    await server.stop();
  }
});
