import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createHttpServer, type HttpServer } from "./http-server.server.ts";

const LIMIT = { maxConnections: 100 };
const agent = new Agent({ keepAlive: true });
let server: HttpServer | undefined;
afterEach(async () => {
  await server?.close({ timeoutMs: 0, endStreams: () => {} });
  server = undefined;
  agent.destroy();
});

/** Over a connection that stays open, as SDKs keep them. */
function request(port: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => get({ port, host: "127.0.0.1", agent }, resolve).once("error", reject));
}

async function bodyOf(response: AsyncIterable<unknown>): Promise<string> {
  let text = "";
  for await (const chunk of response) text += chunk;
  return text;
}

/** The answer of a connection to these bytes, until it ends. */
async function say(port: number, bytes: string): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.write(bytes);
  return await bodyOf(socket);
}

describe("what nobody can be given", () => {
  const long = `GET / HTTP/1.1\r\nhost: x\r\nx-long: ${"a".repeat(40_000)}\r\n\r\n`;

  test.each([
    ["bytes that are not HTTP", "EHLO culprit\r\n\r\n", 400, "http_malformed", "not an HTTP/1.1 request"],
    [
      "the begin of gRPC",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00",
      400,
      "http2",
      "OTLP over HTTP (otlphttp, http/protobuf), not by gRPC",
    ],
    ["too many headers", long, 431, "http_headers_too_large", "larger than 32768 bytes"],
  ])("%s is refused with a reason, and counted", async (_, bytes, status, reason, detail) => {
    const broken: string[] = [];
    server = createHttpServer((_req, res) => res.end("fine"), { ...LIMIT, onBroken: (why) => broken.push(why) });
    const port = await server.listen({ port: 0, host: "127.0.0.1" });
    const answer = await say(port, bytes);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`));
    expect(head).toContain("access-control-allow-origin: *");
    expect(head).toMatch(/x-sentry-error: .*/);
    expect(JSON.parse(body).detail).toContain(detail);
    expect(Buffer.byteLength(body)).toBe(Number(/content-length: (\d+)/.exec(head)?.[1]));
    expect(broken).toEqual([reason]);
    expect(await bodyOf(await request(port))).toBe("fine");
  });

  test("an answer that is on its way is not cut in two by what comes after its request", async () => {
    server = createHttpServer((_req, res) => void res.write("begun"), LIMIT);
    const port = await server.listen({ port: 0, host: "127.0.0.1" });
    const answer = await say(port, "GET / HTTP/1.1\r\nhost: x\r\n\r\nEHLO culprit\r\n\r\n").catch(() => "");
    expect(answer).not.toContain("HTTP/1.1 400");
  });
});

describe("connections that nobody closes", () => {
  const clients: Socket[] = [];
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
  });

  /** A client that never ends its side. */
  function open(port: number, bytes = ""): Socket {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.on("error", () => {});
    if (bytes) socket.write(bytes);
    clients.push(socket);
    return socket;
  }

  test("are gone soon after the answer to a broken request, which can be read", async () => {
    const broken: string[] = [];
    server = createHttpServer((_, res) => res.end(), { ...LIMIT, onBroken: (why) => broken.push(why) });
    const { openConnections, listen } = server;
    const socket = open(await listen({ port: 0, host: "127.0.0.1" }), "EHLO culprit\r\n\r\n");
    expect(await bodyOf(socket)).toContain("HTTP/1.1 400");
    socket.write("EHLO again\r\n\r\n");
    await expect.poll(openConnections).toBe(0);
    expect(broken).toEqual(["http_malformed"]);
  });

  test("are answered with 408 and gone when they never say anything, or never finish their headers", async () => {
    const broken: string[] = [];
    server = createHttpServer((_, res) => res.end(), {
      ...LIMIT,
      headersTimeoutMs: 100,
      onBroken: (why) => broken.push(why),
    });
    const { openConnections, listen } = server;
    const port = await listen({ port: 0, host: "127.0.0.1" });
    const answers = await Promise.all([open(port), open(port, "GET / HTTP/1.1\r\nhost: x\r\n")].map(bodyOf));
    for (const answer of answers) expect(answer).toContain("HTTP/1.1 408");
    await expect.poll(openConnections).toBe(0);
    expect(broken).toEqual(["http_timeout", "http_timeout"]);
  });

  test("give way to others when there are too many, the longest without a request first", async () => {
    const closed: string[] = [];
    server = createHttpServer((_, res) => res.end("fine"), {
      maxConnections: 16,
      onClosedAtLimit: (reason) => closed.push(reason),
    });
    const { openConnections, listen } = server;
    const port = await listen({ port: 0, host: "127.0.0.1" });
    // Kept by the client after its answer, and so the first of all that wait.
    expect(await bodyOf(await request(port))).toBe("fine");
    for (let count = 2; count <= 40; count++) {
      open(port);
      await expect.poll(() => openConnections() + closed.length).toBe(count);
    }
    expect(openConnections()).toBe(14);
    expect(closed).toEqual(Array.from({ length: 26 }, () => "idle"));
    expect(await say(port, "GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")).toContain("fine");
  });

  test("are not closed while their request is answered: one over the limit is not taken, and counted", async () => {
    const closed: string[] = [];
    server = createHttpServer((_, res) => void res.write("begun"), {
      maxConnections: 4,
      onClosedAtLimit: (reason) => closed.push(reason),
    });
    const { openConnections, listen } = server;
    const port = await listen({ port: 0, host: "127.0.0.1" });
    for (let count = 1; count <= 4; count++) {
      const socket = open(port, "GET / HTTP/1.1\r\nhost: x\r\n\r\n");
      await new Promise((resolve) => socket.once("data", resolve));
    }
    expect(await say(port, "GET / HTTP/1.1\r\nhost: x\r\n\r\n").catch(() => "")).toBe("");
    await expect.poll(() => closed).toEqual(["over-limit"]);
    expect(openConnections()).toBe(4);
  });
});

describe("a server that is told to stop", () => {
  test("lets a request in flight finish, and refuses new ones", async () => {
    let finish = () => {};
    server = createHttpServer((_, res) => {
      res.write("begun ");
      finish = () => res.end("and done");
    }, LIMIT);
    const port = await server.listen({ port: 0, host: "127.0.0.1" });
    const response = await request(port);
    const closed = server.close({ timeoutMs: 10_000, endStreams: () => {} });
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
    finish();
    expect(await bodyOf(response)).toBe("begun and done");
    await closed;
  });

  test("does not wait for connections that only wait for another request", async () => {
    server = createHttpServer((_, res) => res.end("done"), LIMIT);
    const port = await server.listen({ port: 0, host: "127.0.0.1" });
    await bodyOf(await request(port));
    await server.close({ timeoutMs: 60_000, endStreams: () => {} });
  });

  test("answers what comes over open connections, and asks their clients to close them", async () => {
    const finish: Array<() => void> = [];
    server = createHttpServer((_, res) => void finish.push(() => res.end("done")), LIMIT);
    const port = await server.listen({ port: 0, host: "127.0.0.1" });
    const first = request(port);
    await expect.poll(() => finish.length).toBe(1);
    server.askToReconnect();
    finish.pop()?.();
    const { headers } = await first;
    expect(headers.connection).toBe("close");
    await bodyOf(await first);

    // Taken before the stop, and asked after it.
    const socket = connect({ port, host: "127.0.0.1" });
    await once(socket, "connect");
    await expect.poll(() => server?.openConnections()).toBe(1);
    const closed = server.close({ timeoutMs: 60_000, endStreams: () => {} });
    socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    await expect.poll(() => finish.length).toBe(1);
    finish.pop()?.();
    expect(await bodyOf(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*Connection: close\r\n[\s\S]*done/);
    await closed;
  });

  test("answers a request that was on its way on a connection that had been idle", async () => {
    server = createHttpServer((_, res) => res.end("done"), LIMIT);
    const port = await server.listen({ port: 0, host: "127.0.0.1" });
    await bodyOf(await request(port));
    const closed = server.close({ timeoutMs: 60_000, endStreams: () => {} });
    const answer = await request(port);
    expect([answer.headers.connection, await bodyOf(answer)]).toEqual(["close", "done"]);
    await closed;
  });

  test("ends streams, those that begin meanwhile included", async () => {
    const begun: Array<() => void> = [];
    server = createHttpServer((_, res) => {
      begun.push(() => res.destroy());
      res.write("data: 1\n\n");
    }, LIMIT);
    const port = await server.listen({ port: 0, host: "127.0.0.1" });
    const response = await request(port);
    let calls = 0;
    const endStreams = () => {
      calls += 1;
      if (calls > 1) for (const end of begun.splice(0)) end();
    };
    const closed = server.close({ timeoutMs: 60_000, endStreams });
    await expect(bodyOf(response)).rejects.toThrow("aborted");
    await closed;
  });

  test("cuts off what does not finish in time", async () => {
    server = createHttpServer((_, res) => void res.write("for ever"), LIMIT);
    const port = await server.listen({ port: 0, host: "127.0.0.1" });
    const response = await request(port);
    const closed = server.close({ timeoutMs: 100, endStreams: () => {} });
    await expect(bodyOf(response)).rejects.toThrow("aborted");
    await closed;
  });
});

test("a port that is taken is an error that names it", async () => {
  server = createHttpServer((_, res) => res.end(), LIMIT);
  const port = await server.listen({ port: 0, host: "127.0.0.1" });
  const second = createHttpServer((_, res) => res.end(), LIMIT);
  await expect(second.listen({ port, host: "127.0.0.1" })).rejects.toThrow(String(port));
});
