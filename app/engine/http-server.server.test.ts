import { Agent, get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createHttpServer, type HttpServer } from "./http-server.server.ts";

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

/** What a connection gives back for these bytes, until it ends. */
async function say(port: number, bytes: string): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.write(bytes);
  return await bodyOf(socket);
}

describe("what nobody can be given", () => {
  const long = `GET / HTTP/1.1\r\nhost: x\r\nx-long: ${"a".repeat(40_000)}\r\n\r\n`;

  test.each([
    ["what is no HTTP", "EHLO culprit\r\n\r\n", 400, "http_malformed", "no HTTP/1.1 request"],
    ["too many headers", long, 431, "http_headers_too_large", "larger than 32768 bytes"],
  ])("%s is refused with a reason, and counted", async (_, bytes, status, reason, detail) => {
    const broken: string[] = [];
    server = createHttpServer((_req, res) => res.end("fine"), { onBroken: (why) => broken.push(why) });
    const port = await server.listen(0, "127.0.0.1");
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
    server = createHttpServer((_req, res) => void res.write("begun"));
    const port = await server.listen(0, "127.0.0.1");
    const answer = await say(port, "GET / HTTP/1.1\r\nhost: x\r\n\r\nEHLO culprit\r\n\r\n").catch(() => "");
    expect(answer).not.toContain("HTTP/1.1 400");
  });
});

describe("a server that is told to stop", () => {
  test("lets a request in flight finish, and refuses new ones", async () => {
    let finish = () => {};
    server = createHttpServer((_, res) => {
      res.write("begun ");
      finish = () => res.end("and done");
    });
    const port = await server.listen(0, "127.0.0.1");
    const response = await request(port);
    const closed = server.close({ timeoutMs: 10_000, endStreams: () => {} });
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
    finish();
    expect(await bodyOf(response)).toBe("begun and done");
    await closed;
  });

  test("does not wait for connections that only wait for another request", async () => {
    server = createHttpServer((_, res) => res.end("done"));
    const port = await server.listen(0, "127.0.0.1");
    await bodyOf(await request(port));
    await server.close({ timeoutMs: 60_000, endStreams: () => {} });
  });

  test("ends streams, those that begin meanwhile included", async () => {
    const begun: Array<() => void> = [];
    server = createHttpServer((_, res) => {
      begun.push(() => res.destroy());
      res.write("data: 1\n\n");
    });
    const port = await server.listen(0, "127.0.0.1");
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
    server = createHttpServer((_, res) => void res.write("for ever"));
    const port = await server.listen(0, "127.0.0.1");
    const response = await request(port);
    const closed = server.close({ timeoutMs: 100, endStreams: () => {} });
    await expect(bodyOf(response)).rejects.toThrow("aborted");
    await closed;
  });
});

test("a port that is taken is an error that names it", async () => {
  server = createHttpServer((_, res) => res.end());
  const port = await server.listen(0, "127.0.0.1");
  const second = createHttpServer((_, res) => res.end());
  await expect(second.listen(port, "127.0.0.1")).rejects.toThrow(String(port));
});
