import { describe, expect, test } from "vitest";
import { KEYS, startIngestServer } from "../../tests/support/ingest-server.ts";
import type { TunnelForward } from "../protocol/tunnel-forward.ts";
import type { TunnelTarget } from "./tunnel.ts";

const OWN: TunnelTarget = { publicKey: KEYS.open, projectId: 1, host: null };
const FOREIGN: TunnelTarget = { publicKey: "e".repeat(32), projectId: 9, host: "sentry.example.com:9000" };
const FOREIGN_DSN = `http://${FOREIGN.publicKey}@sentry.example.com:9000/9`;
const ID = "9ec79c33ec9942ab8353589fcb2e04dc";

function envelope(dsn: unknown): string {
  return `${JSON.stringify({ event_id: ID, dsn })}\n{"type":"event"}\n{"message":"hi"}\n`;
}

async function post(url: string, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/monitoring`, { method: "POST", body, headers });
  return { status: response.status, headers: response.headers, json: await response.json() };
}

describe("a tunnel to this server", () => {
  test("takes envelopes of its own DSN, under whatever host the page knows it", async () => {
    await using server = await startIngestServer({ tunnel: { targets: () => [OWN] } });
    const { status, json } = await post(server.url, envelope(`https://${KEYS.open}@any.example/1`), {
      "user-agent": "Firefox",
    });
    expect([status, json]).toEqual([200, { id: ID }]);
    expect(server.journal.envelopes).toMatchObject([{ projectId: 1, keyId: 1, eventId: ID, userAgent: "Firefox" }]);
  });

  test.each([
    ["another key", `https://${KEYS.otherProject}@any.example/2`, 403],
    ["another project", `https://${KEYS.open}@any.example/2`, 403],
    ["no dsn", undefined, 400],
    ["an invalid dsn", "http://127.0.0.1/admin", 400],
  ])("refuses %s", async (_, dsn, expected) => {
    await using server = await startIngestServer({ tunnel: { targets: () => [OWN] } });
    const { status, headers } = await post(server.url, envelope(dsn));
    expect(status).toBe(expected);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(server.journal.entries).toEqual([]);
  });

  test("answers 400 to a first line that is no JSON, and 500 when nothing is configured", async () => {
    await using server = await startIngestServer({ tunnel: { targets: () => [OWN] } });
    expect((await post(server.url, "hello")).status).toBe(400);
    await using bare = await startIngestServer();
    expect((await post(bare.url, envelope(`https://${KEYS.open}@any.example/1`))).status).toBe(500);
  });

  test("takes POST and OPTIONS only", async () => {
    await using server = await startIngestServer({ tunnel: { targets: () => [OWN] } });
    expect((await fetch(`${server.url}/monitoring`)).status).toBe(405);
    expect((await fetch(`${server.url}/monitoring`, { method: "OPTIONS" })).status).toBe(200);
  });
});

describe("a tunnel to another server", () => {
  test("forwards the bytes to the configured DSN, and hands back what it answers", async () => {
    const forwarded: TunnelForward[] = [];
    const forward = async (request: TunnelForward) => {
      forwarded.push(request);
      return { status: 429, body: '{"detail":"slow down"}', retryAfterSeconds: 7, rateLimits: "7:error:key:x" };
    };
    await using server = await startIngestServer({ tunnel: { targets: () => [FOREIGN], forward } });
    const body = envelope(FOREIGN_DSN);
    const { status, headers, json } = await post(server.url, body, { "user-agent": "Firefox" });
    expect([status, json]).toEqual([429, { detail: "slow down" }]);
    expect(headers.get("retry-after")).toBe("7");
    expect(headers.get("x-sentry-rate-limits")).toBe("7:error:key:x");
    expect(forwarded).toEqual([
      {
        body: Buffer.from(body),
        headers: {
          "content-type": "application/x-sentry-envelope",
          "user-agent": "Firefox",
          "x-forwarded-for": "127.0.0.1",
        },
      },
    ]);
    expect(server.journal.entries).toEqual([]);
  });

  test("never forwards to a host that only the request names", async () => {
    let calls = 0;
    const forward = async () => {
      calls++;
      return { status: 200, body: "{}", retryAfterSeconds: null, rateLimits: null };
    };
    await using server = await startIngestServer({ tunnel: { targets: () => [FOREIGN], forward } });
    for (const host of ["127.0.0.1:9000", "sentry.example.com", "sentry.example.com:9001", "evil.example:9000"]) {
      expect((await post(server.url, envelope(`http://${FOREIGN.publicKey}@${host}/9`))).status).toBe(403);
    }
    expect(calls).toBe(0);
  });

  test("answers 500 when the target cannot be reached", async () => {
    const forward = () => Promise.reject(new Error("ECONNREFUSED"));
    await using server = await startIngestServer({ tunnel: { targets: () => [FOREIGN], forward } });
    expect(await post(server.url, envelope(FOREIGN_DSN))).toMatchObject({
      status: 500,
      json: { detail: "the tunnel could not reach its target" },
    });
  });
});
