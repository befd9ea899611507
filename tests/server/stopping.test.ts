import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { expect, test } from "vitest";
import { sendEnvelope, toEventEnvelope, waitFor, waitForEvent } from "../support/api.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

/** A request whose body has begun and not ended; resolves when the server handles it. */
async function beginSending(
  server: TestServer,
  envelope: string,
): Promise<{ req: ClientRequest; answer: Promise<IncomingMessage> }> {
  const { username, pathname } = new URL(server.dsn ?? "");
  const req = request(`${server.url}/api${pathname}/envelope/?sentry_key=${username}&sentry_version=7`, {
    method: "POST",
    // The server asks for the body as it begins with the request.
    headers: { "content-length": Buffer.byteLength(envelope), expect: "100-continue" },
  });
  const answer = once(req, "response").then(([response]) => response as IncomingMessage);
  // Whoever waits for it sees the failure.
  answer.catch(() => {});
  req.on("error", () => {});
  req.flushHeaders();
  await once(req, "continue");
  req.write(envelope.slice(0, 20));
  return { req, answer };
}

// That it stops within ten seconds is watched by the server itself: it would end with 1.

test("SIGTERM lets a request in flight finish, takes no new one, and what was answered is there afterwards", async () => {
  using data = makeTempFolder();
  const first = await startServer({ dataDir: data.path });
  const { eventId, envelope } = toEventEnvelope({ message: "in flight" });
  const { req, answer } = await beginSending(first, envelope);
  const stopped = first.stop();
  await first.waitForLog(({ msg }) => msg === "stopping");
  await waitFor("the port to be closed", () =>
    sendEnvelope(first, toEventEnvelope({ message: "too late" }).envelope).then(
      () => false,
      () => true,
    ),
  );
  req.end(envelope.slice(20));
  const response = await answer;
  expect(response.statusCode).toBe(200);
  response.resume();
  expect(await stopped).toBe(0);

  await using second = await startServer({ dataDir: data.path });
  expect((await waitForEvent(second, eventId)).message).toBe("in flight");
});

test("SIGTERM does not wait for a request that never ends", async () => {
  const server = await startServer();
  const { req, answer } = await beginSending(server, toEventEnvelope({ message: "never ends" }).envelope);
  expect(await server.stop()).toBe(0);
  await expect(answer).rejects.toThrow();
  req.destroy();
});

test("SIGTERM with a backlog stops at once; the rest is digested after the next start", async () => {
  using data = makeTempFolder();
  const first = await startServer({ dataDir: data.path });
  const sent = Array.from({ length: 400 }, (_, at) =>
    toEventEnvelope({ message: `number ${at}`, extra: { filler: "x".repeat(20_000) } }),
  );
  const answers = await Promise.all(sent.map(({ envelope }) => sendEnvelope(first, envelope)));
  expect(answers.map(({ status }) => status)).toEqual(sent.map(() => 200));
  expect(await first.stop()).toBe(0);

  await using second = await startServer({ dataDir: data.path });
  for (const { eventId } of [sent[0], sent[200], sent[399]].filter((each) => each !== undefined))
    await waitForEvent(second, eventId);
});

test("whoever asks again does not have to wait", async () => {
  const server = await startServer();
  await beginSending(server, toEventEnvelope({ message: "never ends" }).envelope);
  const stopped = server.stop();
  const impatient = setInterval(() => process.kill(server.pid, "SIGTERM"), 100);
  const code = await stopped.finally(() => clearInterval(impatient));
  expect(code).toBe(1);
});

test("SIGHUP without a terminal is answered by a line, and the server goes on", async () => {
  await using server = await startServer();
  server.hangUp();
  await server.waitForLog(({ msg, signal }) => signal === "SIGHUP" && msg.startsWith("the server goes on"));
  const { eventId, envelope } = toEventEnvelope({ message: "after it" });
  expect((await sendEnvelope(server, envelope)).status).toBe(200);
  await waitForEvent(server, eventId);
});
