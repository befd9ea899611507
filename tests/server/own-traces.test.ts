import { expect, test } from "vitest";
import { sendEnvelope, toEventEnvelope } from "../support/api.ts";
import { recordEnvelopes } from "../support/record-envelopes.ts";
import { startServer } from "../support/start-server.ts";

test("what the server does behind its pages is traced: batches of the digest with their parts", async () => {
  await using recorder = await recordEnvelopes();
  const env = { SENTRY_DSN: recorder.dsn, SENTRY_TRACES_SAMPLE_RATE: "0", SENTRY_WORK_TRACE_SECONDS: "1" };
  await using server = await startServer({ env });
  await sendEnvelope(server, toEventEnvelope({ message: "somebody else's" }).envelope);
  const { payload } = await recorder.waitForItem(
    "the trace of a batch",
    ({ type, payload }) => type === "transaction" && payload.contexts.trace.op === "digest.batch",
  );
  expect(payload.transaction).toBe("digest a batch");
  expect(payload.contexts.trace.data).toMatchObject({ "digest.records": expect.any(Number) });
  // Nobody sends a parent: with one, the page would call the trace incomplete.
  expect(payload.contexts.trace.parent_span_id).toBeUndefined();
  const parts = payload.spans as Array<{
    op: string;
    start_timestamp: number;
    timestamp: number;
    parent_span_id: string;
  }>;
  expect(parts.map(({ op }) => op)).toEqual(["digest.map", "digest.commit"]);
  for (const part of parts) {
    expect(part.parent_span_id).toBe(payload.contexts.trace.span_id);
    expect(part.start_timestamp).toBeGreaterThanOrEqual(payload.start_timestamp);
    expect(part.timestamp).toBeLessThanOrEqual(payload.timestamp);
    expect(part.timestamp).toBeGreaterThanOrEqual(part.start_timestamp);
  }
});

test("links that act for somebody are in no trace", async () => {
  await using recorder = await recordEnvelopes();
  const env = { SENTRY_DSN: recorder.dsn, SENTRY_TRACES_SAMPLE_RATE: "1" };
  await using server = await startServer({ env });
  expect((await fetch(`${server.url}/reset-password/the-secret-of-a-link?from=mail`)).status).toBe(404);
  const { payload } = await recorder.waitForItem(
    "the trace of the page",
    ({ type, payload }) => type === "transaction" && JSON.stringify(payload).includes("reset-password"),
  );
  expect(JSON.stringify(payload)).toContain("/reset-password/[hidden]");
  expect(JSON.stringify(payload)).not.toContain("the-secret-of-a-link");
});
