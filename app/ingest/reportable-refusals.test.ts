import { describe, expect, test } from "vitest";
import { type IngestServer, KEYS, startIngestServer } from "../../tests/support/ingest-server.ts";
import type { OutcomeCount } from "../domain/outcome.ts";

const ID = "9ec79c33ec9942ab8353589fcb2e04dc";
const EVENT_ITEM = '{"type":"event"}\n{"message":"hi"}\n';
const LARGE_EVENT_ITEM = `{"type":"event"}\n{"message":"${"x".repeat(1024 * 1024)}"}\n`;
const LARGE_REPORT_ITEM = `{"type":"client_report"}\n{"x":"${"x".repeat(100 * 1024)}"}\n`;
const SESSION_ITEM = '{"type":"session"}\n{"sid":"1"}\n';
const REPORT_ITEM = '{"type":"client_report"}\n{"discarded_events":[]}\n';
const PYTHON = "sentry.python/2.75.0";
const NODE = "sentry.javascript.node/10.75.2";

const envelope = (...items: string[]) => `{"event_id":"${ID}"}\n${items.join("")}`;

async function send(
  server: IngestServer,
  body: string,
  { path = "envelope", client = PYTHON, key = KEYS.open as string, headers = {} } = {},
): Promise<number> {
  const query = new URLSearchParams({ sentry_key: key, sentry_client: client });
  const response = await fetch(`${server.url}/api/1/${path}/?${query}`, { method: "POST", body, headers });
  await response.text();
  return response.status;
}

/** `category outcome` of what is journaled, with a star where its SDK may report it. */
async function countsOf(server: IngestServer): Promise<string[]> {
  await server.ingest.close();
  const say = ({ category, outcome, canBeReported }: OutcomeCount) =>
    `${category} ${outcome}${canBeReported ? " *" : ""}`;
  const { entries } = server.journal;
  // Counts without an envelope are written at intervals: one that falls between two requests makes two entries of theirs.
  return [
    ...entries.flatMap((entry) => (entry.kind === "envelope" ? entry.dropped.map(say) : [])),
    ...new Set(entries.flatMap((entry) => (entry.kind === "envelope" ? [] : entry.outcomes.map(say)))),
  ];
}

describe("a refusal that SDKs report again is marked", () => {
  test("for an event that is too large, with all that came with it", async () => {
    await using server = await startIngestServer();
    const attachment = '{"type":"attachment","length":2}\nhi\n';
    for (const client of [PYTHON, NODE]) {
      expect(await send(server, envelope(LARGE_EVENT_ITEM, attachment), { client })).toBe(413);
    }
    expect(await countsOf(server)).toEqual(["error too_large *", "attachment too_large *"]);
  });

  test("for what is kept of an envelope whose event was too large", async () => {
    await using server = await startIngestServer();
    expect(await send(server, envelope(LARGE_EVENT_ITEM, SESSION_ITEM), { client: NODE })).toBe(413);
    expect(server.journal.envelopes).toMatchObject([{ canBeReported: true, dropped: [{ category: "error" }] }]);
    expect(await countsOf(server)).toEqual(["error too_large *"]);
  });

  test("and a report that its SDK will send again is not taken with it", async () => {
    await using server = await startIngestServer();
    for (const client of [PYTHON, "sentry.java.android/8.2.0"]) {
      expect(await send(server, envelope(LARGE_EVENT_ITEM, SESSION_ITEM, REPORT_ITEM), { client })).toBe(413);
    }
    const [python, java] = server.journal.envelopes.map(({ body }) => Buffer.from(body).toString());
    expect(python).toContain("client_report");
    expect(java).toContain("session");
    expect(java).not.toContain("client_report");
    expect(await countsOf(server)).toEqual(["error too_large *", "error too_large *", "internal too_large *"]);
  });

  test("for an envelope that cannot be read, or may not be sent: JavaScript says nothing of these", async () => {
    await using server = await startIngestServer();
    for (const client of [PYTHON, NODE]) {
      expect(await send(server, "no envelope", { client })).toBe(400);
      expect(await send(server, envelope(EVENT_ITEM), { client, key: KEYS.disabled })).toBe(403);
    }
    expect((await countsOf(server)).sort()).toEqual([
      "default filtered",
      "default filtered *",
      "default malformed",
      "default malformed *",
    ]);
  });

  test("not when the envelope is accepted without an item", async () => {
    await using server = await startIngestServer();
    expect(await send(server, envelope(EVENT_ITEM, LARGE_REPORT_ITEM))).toBe(200);
    expect(server.journal.envelopes[0]).not.toHaveProperty("canBeReported");
    expect(await countsOf(server)).toEqual(["internal too_large"]);
  });

  test("not when the sender is asked to wait", async () => {
    await using server = await startIngestServer();
    for (let at = 0; at < 3; at++) await send(server, envelope(EVENT_ITEM), { key: KEYS.limited });
    expect(await send(server, envelope(EVENT_ITEM), { key: KEYS.limited })).toBe(429);
    expect(await countsOf(server)).toEqual(["error rate_limited"]);
  });

  test("not for requests of senders that write no client reports", async () => {
    await using server = await startIngestServer();
    expect(await send(server, "no event", { path: "store" })).toBe(400);
    expect(await send(server, "no report", { path: "security" })).toBe(400);
    expect(await send(server, "x", { path: "playstation" })).toBe(404);
    expect((await countsOf(server)).sort()).toEqual(["error malformed", "error unsupported", "security malformed"]);
  });
});

test("a report that follows a refusal at once stands after it in the journal", async () => {
  await using server = await startIngestServer();
  expect(await send(server, envelope(LARGE_EVENT_ITEM))).toBe(413);
  expect(await send(server, envelope(EVENT_ITEM))).toBe(200);
  expect(await send(server, envelope(REPORT_ITEM))).toBe(200);
  expect(await send(server, envelope(REPORT_ITEM))).toBe(200);
  expect(server.journal.entries.map(({ kind }) => kind)).toEqual(["envelope", "outcomes", "envelope", "envelope"]);
});

test("a report is answered though the counts before it cannot be journaled", async () => {
  await using server = await startIngestServer();
  expect(await send(server, envelope(LARGE_EVENT_ITEM))).toBe(413);
  server.journal.failWith(new Error("broken disk"));
  expect(await send(server, envelope(REPORT_ITEM))).toBe(503);
  server.journal.failWith(null);
  expect(await send(server, envelope(REPORT_ITEM))).toBe(200);
  expect(await countsOf(server)).toContain("error too_large *");
});
