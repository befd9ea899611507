import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createEnvelopeForwarder } from "./forward-envelope.server.ts";

let server: Server | undefined;
afterEach(() => server?.close());

async function listen(handle: (req: IncomingMessage, res: ServerResponse) => void): Promise<string> {
  const listening = createServer(handle);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

const request = { url: "http://evil.test/", body: Buffer.from("{}\n"), headers: { "user-agent": "Browser/1" } };

describe("the forwarder of the tunnel", () => {
  test("sends to the configured address, whatever it is asked for, and passes limits back", async () => {
    let seen = "";
    const url = await listen(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk);
      seen = `${req.method} ${req.url} ${req.headers["user-agent"]} ${Buffer.concat(chunks)}`;
      res.writeHead(429, { "retry-after": "30", "x-sentry-rate-limits": "30:error:key" }).end("slow down");
    });
    const answer = await createEnvelopeForwarder(`${url}/api/9/envelope/`)(request);
    expect(seen).toBe("POST /api/9/envelope/ Browser/1 {}\n");
    expect(answer).toEqual({ status: 429, body: "slow down", retryAfterSeconds: 30, rateLimits: "30:error:key" });
  });

  test("does not follow a redirect", async () => {
    const url = await listen((_, res) => res.writeHead(307, { location: "http://127.0.0.1:1/" }).end());
    await expect(createEnvelopeForwarder(url)(request)).rejects.toThrow();
  });

  test("reads no more of an answer than answers have", async () => {
    const url = await listen((_, res) => res.end("x".repeat(1_000_000)));
    expect((await createEnvelopeForwarder(url)(request)).body).toHaveLength(64 * 1024);
  });
});
