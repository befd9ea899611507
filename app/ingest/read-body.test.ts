import { once } from "node:events";
import net from "node:net";
import zlib from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type IngestServer, KEYS, startIngestServer } from "../../tests/support/ingest-server.ts";

const ENVELOPE = '{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc"}\n{"type":"event"}\n{"message":"hi"}\n';

/** A connection that says exactly what it is told, and collects the answer. */
async function connect(server: IngestServer) {
  const socket = net.connect(server.port, "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  socket.on("error", () => {});
  await once(socket, "connect");
  return {
    socket,
    get answer() {
      return answer;
    },
    get status() {
      return Number(answer.slice(9, 12));
    },
  };
}

function head(...headers: string[]): string {
  return [`POST /api/1/envelope/?sentry_key=${KEYS.open} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n");
}

describe("bodies as they travel", () => {
  test("chunked, in pieces of one byte", async () => {
    await using server = await startIngestServer();
    const client = await connect(server);
    client.socket.write(head("Transfer-Encoding: chunked"));
    for (const byte of Buffer.from(ENVELOPE)) {
      client.socket.write(Buffer.concat([Buffer.from("1\r\n"), Buffer.from([byte]), Buffer.from("\r\n")]));
    }
    client.socket.write("0\r\n\r\n");
    await expect.poll(() => client.status).toBe(200);
    expect(Buffer.from(server.journal.envelopes[0]?.body ?? []).toString()).toBe(ENVELOPE);
    client.socket.destroy();
  });

  test("two requests on one connection, the second sent before the first is answered", async () => {
    await using server = await startIngestServer();
    const client = await connect(server);
    const request = head(`Content-Length: ${ENVELOPE.length}`) + ENVELOPE;
    client.socket.write(request + request);
    await expect.poll(() => client.answer.match(/HTTP\/1.1 200/g)?.length).toBe(2);
    client.socket.destroy();
  });

  test("chunked without end are refused at the limit, and cut off when the sender does not stop", async () => {
    await using server = await startIngestServer({ limits: { maxEnvelopeBytes: 100_000, maxDrainBytes: 200_000 } });
    const client = await connect(server);
    let isClosed = false;
    client.socket.on("close", () => {
      isClosed = true;
    });
    client.socket.write(head("Transfer-Encoding: chunked"));
    const chunk = `2710\r\n${"x".repeat(10_000)}\r\n`;
    for (let at = 0; at < 200 && !isClosed; at++) {
      client.socket.write(chunk);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await expect.poll(() => isClosed).toBe(true);
    expect(client.status).toBe(413);
    expect(server.ingest.inFlightBytes).toBe(0);
  });

  test("a length beyond the limit is refused before anything is sent", async () => {
    await using server = await startIngestServer({ limits: { maxEnvelopeBytes: 1000 } });
    const client = await connect(server);
    client.socket.write(head("Content-Length: 1001"));
    await expect.poll(() => client.status).toBe(413);
    client.socket.destroy();
  });

  test("after a refusal, the connection serves the next request", async () => {
    await using server = await startIngestServer({ limits: { maxEnvelopeBytes: 1000 } });
    const client = await connect(server);
    client.socket.write(head("Content-Length: 1001") + "x".repeat(1001));
    await expect.poll(() => client.status).toBe(413);
    client.socket.write(head(`Content-Length: ${ENVELOPE.length}`) + ENVELOPE);
    await expect.poll(() => client.answer).toContain("HTTP/1.1 200");
    client.socket.destroy();
  });
});

describe("senders that stop", () => {
  test("one that goes away in the middle leaves nothing behind", async () => {
    await using server = await startIngestServer();
    const client = await connect(server);
    client.socket.write(`${head("Content-Length: 1000")}{"event_id":`);
    await expect.poll(() => server.ingest.inFlightBytes).toBeGreaterThan(0);
    client.socket.resetAndDestroy();
    await expect.poll(() => server.metrics.aborted).toBe(1);
    expect(server.ingest.inFlightBytes).toBe(0);
    expect(server.journal.entries).toEqual([]);
    expect(server.logged).toEqual([]);
  });

  test("one that goes away before its answer has still sent an event", async () => {
    await using server = await startIngestServer();
    const client = await connect(server);
    client.socket.write(head(`Content-Length: ${ENVELOPE.length}`) + ENVELOPE, () => client.socket.resetAndDestroy());
    await expect.poll(() => server.journal.envelopes.length).toBe(1);
    await expect.poll(() => server.ingest.inFlightBytes).toBe(0);
    expect(server.logged).toEqual([]);
  });

  test("one that sends slower than the limit is answered 408 and cut off", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    await using server = await startIngestServer({ limits: { bodyGraceMs: 10_000, minBodyBytesPerSecond: 1000 } });
    server.clock.nowMs = 1_000_000;
    const client = await connect(server);
    client.socket.write(`${head("Content-Length: 100000")}${"x".repeat(20_000)}`);
    await expect.poll(() => server.ingest.inFlightBytes).toBe(20_000);
    // 20,000 bytes earn 20 seconds.
    server.clock.nowMs += 20_000;
    vi.advanceTimersByTime(1_000);
    expect(server.ingest.inFlightBytes).toBe(20_000);
    server.clock.nowMs += 1;
    vi.advanceTimersByTime(1_000);
    await expect.poll(() => client.status).toBe(408);
    await expect.poll(() => client.socket.destroyed).toBe(true);
    await server.ingest.close();
    expect(server.journal.outcomes()).toEqual({ "default malformed body_timeout": 1 });
  });
});

describe("memory", () => {
  test("requests beyond what may be in flight are told to come back, and the others are not harmed", async () => {
    await using server = await startIngestServer({ limits: { maxInFlightBytes: 50_000 } });
    const holder = await connect(server);
    holder.socket.write(`${head("Content-Length: 40100")}${"{}\n".padEnd(40_000, "\n")}`);
    await expect.poll(() => server.ingest.inFlightBytes).toBe(40_000);

    const other = await connect(server);
    other.socket.write(head("Content-Length: 20000") + "x".repeat(20_000));
    await expect.poll(() => other.status).toBe(503);
    expect(other.answer.toLowerCase()).toContain("retry-after: 5");
    other.socket.destroy();

    const small = await connect(server);
    small.socket.write(head(`Content-Length: ${ENVELOPE.length}`) + ENVELOPE);
    await expect.poll(() => small.status).toBe(200);
    small.socket.destroy();

    holder.socket.write("\n".repeat(100));
    await expect.poll(() => holder.status).toBe(200);
    expect(server.ingest.inFlightBytes).toBe(0);
    holder.socket.destroy();
  });

  test.each([undefined, "gzip"])("a body is freed once it is in the journal, and not before: %s", async (encoding) => {
    await using server = await startIngestServer();
    const { journal } = server;
    const given: Uint8Array[] = [];
    const append = journal.append;
    journal.append = async (parts) => {
      given.push(...parts);
      return await append(parts);
    };
    const text = `${ENVELOPE.trimEnd().slice(0, -1)},"extra":{"a":"${"x".repeat(100_000)}"}}\n`;
    const body = encoding === undefined ? text : zlib.gzipSync(text);
    const url = `${server.url}/api/1/envelope/?sentry_key=${KEYS.open}`;
    const answer = await fetch(url, {
      method: "POST",
      body,
      headers: encoding ? { "content-encoding": encoding } : {},
    });
    expect(answer.status).toBe(200);
    expect(Buffer.from(journal.envelopes[0]?.body ?? []).toString()).toBe(text);
    await expect.poll(() => given.at(-1)?.length).toBe(0);
    journal.failWith(new Error("no disk"));
    expect((await fetch(url, { method: "POST", body: text })).status).toBe(503);
    await new Promise((resolve) => setImmediate(resolve));
    expect(given.at(-1)?.length).toBe(text.length);
  });

  test("what unpacking makes counts as well", async () => {
    await using server = await startIngestServer({ limits: { maxInFlightBytes: 3_000_000 } });
    const bomb = zlib.gzipSync(Buffer.alloc(20_000_000));
    const client = await connect(server);
    client.socket.write(head(`Content-Length: ${bomb.length}`, "Content-Encoding: gzip"));
    client.socket.write(bomb);
    await expect.poll(() => client.status).toBe(503);
    expect(server.ingest.inFlightBytes).toBe(0);
    client.socket.destroy();
  });
});
