import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { readStoredItems } from "../crash/read-stored-items.ts";
import { getJson, projectIdOf, type StatsGroup, sendEnvelope, toEventEnvelope, waitFor } from "../support/api.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const newId = () => randomBytes(16).toString("hex");

function toEnvelope(eventId: string, ...items: Array<[header: object, payload: string | object]>): string {
  const lines = items.flatMap(([header, payload]) => {
    const text = typeof payload === "string" ? payload : JSON.stringify(payload);
    return [JSON.stringify({ ...header, length: Buffer.byteLength(text) }), text];
  });
  return [JSON.stringify({ event_id: eventId, sent_at: new Date().toISOString() }), ...lines, ""].join("\n");
}

function makeTransaction(eventId: string): string {
  const seconds = Date.now() / 1000;
  const profileId = newId();
  const trace = { trace_id: newId(), span_id: "b0e6f15b45c36b12", op: "http.server" };
  return toEnvelope(
    eventId,
    [
      { type: "transaction" },
      {
        type: "transaction",
        event_id: eventId,
        transaction: "GET /cart",
        start_timestamp: seconds - 1,
        timestamp: seconds,
        contexts: { trace, profile: { profile_id: profileId } },
      },
    ],
    [{ type: "profile" }, { event_id: profileId, platform: "python", profile: { samples: [1], frames: [1] } }],
  );
}

function makeFeedback(eventId: string): string {
  const feedback = { message: "The cart is empty.", contact_email: "ada@example.com" };
  return toEnvelope(
    eventId,
    [{ type: "feedback" }, { event_id: eventId, timestamp: Date.now() / 1000, contexts: { feedback } }],
    [{ type: "attachment", filename: "screenshot.png" }, "\x89PNG"],
  );
}

function makeReplaySegment(replayId: string, segment: number): string {
  const event = { type: "replay_event", replay_id: replayId, event_id: replayId, segment_id: segment };
  return toEnvelope(
    replayId,
    [{ type: "replay_event" }, { ...event, timestamp: Date.now() / 1000 }],
    [{ type: "replay_recording" }, `{"segment_id":${segment}}\n[]`],
  );
}

/** Sums of the project's ledger: `transaction accepted none` → 1. */
async function readLedger(server: TestServer): Promise<Record<string, number>> {
  const query = new URLSearchParams({ field: "sum(quantity)", statsPeriod: "1d", interval: "1h" });
  query.set("project", projectIdOf(server));
  for (const by of ["category", "outcome", "reason"]) query.append("groupBy", by);
  const { groups } = await getJson<{ groups: StatsGroup[] }>(server, `/organizations/default/stats_v2/?${query}`);
  return Object.fromEntries(
    groups.map(({ by, totals }) => [`${by.category} ${by.outcome} ${by.reason}`, totals["sum(quantity)"]]),
  );
}

test("what is sent again is stored once and counted as a duplicate: in one burst, later, and after a restart", async () => {
  using data = makeTempFolder();
  const [transactionId, feedbackId, replayId] = [newId(), newId(), newId()];
  const envelopes = [
    makeTransaction(transactionId),
    makeFeedback(feedbackId),
    makeReplaySegment(replayId, 0),
    makeReplaySegment(replayId, 1),
  ];
  // Nothing but this test is to be in the ledger.
  const env = { SENTRY_DSN: "off" };
  const sendAll = async (server: TestServer) => {
    const answers = await Promise.all(
      envelopes.map(async (envelope) => (await sendEnvelope(server, envelope)).json() as Promise<{ id: string }>),
    );
    expect(answers.map(({ id }) => id)).toEqual([transactionId, feedbackId, replayId, replayId]);
  };
  /** What is in the ledger when each envelope has come so often. */
  const ledgerOf = (times: number) => ({
    "transaction accepted none": 1,
    "profile accepted none": 1,
    "feedback accepted none": 1,
    "attachment accepted none": 1,
    "replay accepted none": 4,
    "transaction invalid event_id_seen": times - 1,
    "profile invalid event_id_seen": times - 1,
    "feedback invalid event_id_seen": times - 1,
    "attachment invalid event_id_seen": times - 1,
    "replay invalid event_id_seen": 4 * (times - 1),
  });
  const sum = (ledger: Record<string, number>) =>
    Object.values(ledger).reduce((total, quantity) => total + quantity, 0);
  const waitForLedger = async (server: TestServer, times: number) => {
    const ledger = await waitFor(`${times} sendings in the ledger`, async () => {
      const found = await readLedger(server);
      return sum(found) >= sum(ledgerOf(times)) && found;
    });
    expect(ledger).toEqual(ledgerOf(times));
  };

  const first = await startServer({ dataDir: data.path, env });
  await Promise.all([sendAll(first), sendAll(first)]);
  await waitForLedger(first, 2);
  await sendAll(first);
  await waitForLedger(first, 3);
  await first.stop();

  const second = await startServer({ dataDir: data.path, env });
  await sendAll(second);
  await waitForLedger(second, 4);
  await second.kill9();

  const third = await startServer({ dataDir: data.path, env });
  await sendAll(third);
  // An error with the id of the transaction: the one that came first counts.
  const { envelope } = toEventEnvelope({ message: "late" }, transactionId);
  await sendEnvelope(third, envelope);
  const ledger = await waitFor("the error in the ledger", async () => {
    const found = await readLedger(third);
    return sum(found) >= sum(ledgerOf(5)) + 1 && found;
  });
  expect(ledger).toEqual({ ...ledgerOf(5), "error invalid event_id_seen": 1 });
  const projectId = Number(projectIdOf(third));
  await third.stop();

  const items = await readStoredItems(data.path, projectId);
  expect(items.map(({ type, eventId, name }) => [type, eventId, name]).sort()).toEqual(
    [
      ["attachment", feedbackId, "screenshot.png"],
      ["feedback", feedbackId, "The cart is empty."],
      ["profile", expect.any(String), null],
      ["replay_event", replayId, "segment 0"],
      ["replay_event", replayId, "segment 1"],
      ["replay_recording", replayId, "segment 0"],
      ["replay_recording", replayId, "segment 1"],
      ["transaction", transactionId, "GET /cart"],
    ].sort(),
  );
});
