import { expect, test } from "vitest";
import { getJson, sendEnvelope, waitFor } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { startServer } from "../support/start-server.ts";

const newId = () => crypto.randomUUID().replaceAll("-", "");
/** None of its samples has a time. */
const STACKS = { samples: [{ stack_id: 0, thread_id: "0" }], stacks: [[0]], frames: [{ function: "slow" }] };
const toItem = (header: object, payload: string) =>
  `${JSON.stringify({ ...header, length: payload.length })}\n${payload}\n`;

test("a transaction, its profile, chunks and files are found by the ids that their SDK gave them", async () => {
  await using server = await startServer();
  const browser = await signIn(server);
  const [plain, withFile, traceId, profileId, profilerId] = [newId(), newId(), newId(), newId(), newId()];
  const now = Date.now() / 1000;
  const toTransaction = (eventId: string, spanId: string) => ({
    event_id: eventId,
    transaction: "GET /cart",
    start_timestamp: now - 1,
    timestamp: now,
    contexts: {
      trace: { trace_id: traceId, span_id: spanId },
      profile: { profile_id: profileId, profiler_id: profilerId },
    },
  });
  const transaction = { type: "transaction" };
  const profile = { version: "1", event_id: profileId, transaction: { name: "GET /cart" }, profile: STACKS };
  await sendEnvelope(
    server,
    `{"event_id":"${plain}"}\n${toItem(transaction, JSON.stringify(toTransaction(plain, "a".repeat(16))))}` +
      toItem({ type: "profile" }, JSON.stringify(profile)),
  );
  await sendEnvelope(
    server,
    `{"event_id":"${withFile}"}\n${toItem(transaction, JSON.stringify(toTransaction(withFile, "b".repeat(16))))}` +
      toItem({ type: "attachment", filename: "cart.txt" }, "three shoes"),
  );
  for (const chunkId of [newId(), newId()]) {
    const chunk = { version: "2", chunk_id: chunkId, profiler_id: profilerId, platform: "node", profile: STACKS };
    await sendEnvelope(server, `{}\n${toItem({ type: "profile_chunk", platform: "node" }, JSON.stringify(chunk))}`);
  }
  const list = (id: string) => `/projects/default/shop/events/${id}/attachments/`;
  await waitFor("both chunks", async () => (await getJson<unknown[]>(server, list(profilerId))).length === 2);

  expect((await browser.open(`/events/${plain}`)).url).toBe(`${server.url}/traces/${traceId}?span=${"a".repeat(16)}`);
  const ofTransaction = await browser.open(`/events/${withFile}`);
  expect(ofTransaction.status).toBe(200);
  expect(ofTransaction.html).toContain("cart.txt");
  expect(ofTransaction.html).toContain(`href="/traces/${traceId}?span=${"b".repeat(16)}"`);

  const ofProfile = await browser.open(`/events/${profileId}`);
  const [, path = ""] = /href="(\/attachments\/[^"]+)"/.exec(ofProfile.html) ?? [];
  expect(JSON.parse((await browser.open(path)).html)).toEqual(profile);
  expect(ofProfile.html).toContain("1 file is not drawn: no sample whose time, thread and stack can be read.");
  expect((await browser.open(`/events/${profilerId}`)).html.match(/href="\/attachments\//g)).toHaveLength(2);
  expect(await getJson(server, list(profileId))).toMatchObject([{ type: "profile", mimetype: "application/json" }]);

  expect(await getJson(server, `/organizations/default/trace/${traceId}/`)).toContainEqual(
    expect.objectContaining({ profile_id: profileId, profiler_id: profilerId }),
  );
  expect((await browser.open(`/events/${newId()}`)).status).toBe(404);
});

test("a profile is drawn, and leads to the span of its transaction and back", async () => {
  await using server = await startServer();
  const browser = await signIn(server);
  const [eventId, traceId, profileId, profilerId] = [newId(), newId(), newId(), newId()];
  const now = Date.now() / 1000;
  const spanId = "c".repeat(16);
  const transaction = {
    ...{ event_id: eventId, transaction: "GET /cart", start_timestamp: now - 1, timestamp: now },
    contexts: { trace: { trace_id: traceId, span_id: spanId } },
  };
  const profile = {
    ...{ version: "1", event_id: profileId, platform: "python", release: "shop@1" },
    transactions: [{ id: eventId, name: "GET /cart", trace_id: traceId, active_thread_id: "7" }],
    profile: {
      frames: [{ function: "load_cart", filename: "shop/cart.py", lineno: 12, in_app: true }, { function: "main" }],
      stacks: [[0, 1], [1]],
      samples: [0, 10, 20, 30].map((ms) => ({
        ...{ elapsed_since_start_ns: String(ms * 1e6), thread_id: "7", stack_id: ms < 30 ? 0 : 1 },
      })),
      thread_metadata: { 7: { name: "MainThread" } },
    },
  };
  // As Python's SDK does: the transaction does not say the id of its profile.
  await sendEnvelope(
    server,
    `{"event_id":"${eventId}"}\n${toItem({ type: "transaction" }, JSON.stringify(transaction))}` +
      toItem({ type: "profile" }, JSON.stringify(profile)),
  );
  const ofProfiler = {
    ...{ type: "transaction", event_id: newId(), transaction: "job", start_timestamp: now - 30, timestamp: now - 20 },
    contexts: {
      trace: { trace_id: traceId, span_id: "d".repeat(16), data: { "thread.id": "9" } },
      profile: { profiler_id: profilerId },
    },
  };
  await sendEnvelope(server, `{}\n${toItem({ type: "transaction" }, JSON.stringify(ofProfiler))}`);
  for (const [at, name] of [
    [now - 90, "before"],
    [now - 25, "meanwhile"],
  ] as const) {
    const samples = [0, 0.01].map((after) => ({ timestamp: at + after, thread_id: "9", stack_id: 0 }));
    const chunk = { version: "2", chunk_id: newId(), profiler_id: profilerId, platform: "python" };
    const body = { ...chunk, profile: { frames: [{ function: name }], stacks: [[0]], samples } };
    await sendEnvelope(server, `{}\n${toItem({ type: "profile_chunk", platform: "python" }, JSON.stringify(body))}`);
  }
  const list = (id: string) => `/projects/default/shop/events/${id}/attachments/`;
  await waitFor("both chunks", async () => (await getJson<unknown[]>(server, list(profilerId))).length === 2);

  const spanPath = `/traces/${traceId}?span=${spanId}`;
  expect((await browser.open(spanPath)).html).toContain(`href="/events/${profileId}"`);
  const page = await browser.open(`/events/${profileId}`);
  expect(page.html).toContain("Profile of GET /cart");
  expect(page.html).toContain("load_cart, shop/cart.py:12, 30 ms, 75 % of the time, 30 ms of its own, in app");
  expect(page.html).toContain(`href="${spanPath}"`);

  const { html } = await browser.open(`/traces/${traceId}?span=${"d".repeat(16)}`);
  const [, path = ""] = new RegExp(`href="(/events/${profilerId}\\?thread=9&amp;from=[^"]+)"`).exec(html) ?? [];
  const slice = await browser.open(path.replaceAll("&amp;", "&"));
  expect(slice.html).toContain("meanwhile, ");
  expect(slice.html).not.toContain("before, ");
  expect((await browser.open(`/events/${profilerId}`)).html).toContain("before, ");
});
