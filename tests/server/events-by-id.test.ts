import { expect, test } from "vitest";
import { getJson, sendEnvelope, waitFor } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { startServer } from "../support/start-server.ts";

const newId = () => crypto.randomUUID().replaceAll("-", "");
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
  expect((await browser.open(`/events/${profilerId}`)).html.match(/href="\/attachments\//g)).toHaveLength(2);
  expect(await getJson(server, list(profileId))).toMatchObject([{ type: "profile", mimetype: "application/json" }]);

  expect(await getJson(server, `/organizations/default/trace/${traceId}/`)).toContainEqual(
    expect.objectContaining({ profile_id: profileId, profiler_id: profilerId }),
  );
  expect((await browser.open(`/events/${newId()}`)).status).toBe(404);
});
