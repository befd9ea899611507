import { Agent, get, type IncomingMessage } from "node:http";
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

async function bodyOf(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response) text += chunk;
  return text;
}

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
