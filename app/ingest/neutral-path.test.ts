import { describe, expect, test } from "vitest";
import { KEYS, startIngestServer } from "../../tests/support/ingest-server.ts";

const ID = "9ec79c33ec9942ab8353589fcb2e04dc";

function envelope(dsn: unknown): string {
  return `${JSON.stringify({ event_id: ID, dsn })}\n{"type":"event"}\n{"message":"hi"}\n`;
}

const DSN = `https://${KEYS.open}@any.example/1`;

function start() {
  return startIngestServer({ neutralPaths: ["/t", "/my/errors"] });
}

describe("a neutral path", () => {
  test.each(["/t", "/t/", "/my/errors/", "/t/?x=1"])("takes an envelope by its DSN at %s", async (path) => {
    await using server = await start();
    const response = await fetch(server.url + path, { method: "POST", body: envelope(DSN) });
    expect([response.status, await response.json()]).toEqual([200, { id: ID }]);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(server.journal.envelopes).toMatchObject([{ projectId: 1, keyId: 1, eventId: ID }]);
  });

  test.each([
    ["no DSN", undefined, {}, 401, "missing authorization information"],
    ["a DSN that is malformed", "hello", {}, 401, "dsn is not a DSN"],
    ["an unknown key", `https://${"e".repeat(32)}@any.example/1`, {}, 403, "does not exist"],
    ["a disabled key", `https://${KEYS.disabled}@any.example/1`, {}, 403, "disabled"],
    ["a key of another project", `https://${KEYS.open}@any.example/2`, {}, 403, "not of this project"],
    [
      "a foreign origin",
      `https://${KEYS.otherProject}@any.example/2`,
      { origin: "https://evil.example" },
      403,
      "origin",
    ],
  ])("refuses %s as ingest does", async (_, dsn, headers, status, words) => {
    await using server = await start();
    const response = await fetch(`${server.url}/t/`, { method: "POST", body: envelope(dsn), headers });
    expect(response.status).toBe(status);
    expect((await response.json()).detail).toContain(words);
    expect(server.journal.envelopes).toEqual([]);
  });

  test("answers a preflight, and other methods with 405", async () => {
    await using server = await start();
    expect((await fetch(`${server.url}/t/`, { method: "OPTIONS" })).status).toBe(200);
    const got = await fetch(`${server.url}/t/`);
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  });

  test("holds the limits of a key", async () => {
    await using server = await start();
    const dsn = `https://${KEYS.limited}@any.example/1`;
    const statuses = [];
    for (let n = 0; n < 4; n++) {
      statuses.push((await fetch(`${server.url}/t/`, { method: "POST", body: envelope(dsn) })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  test("leaves longer paths to the pages", async () => {
    await using server = await start();
    for (const path of ["/tags", "/t/x", "/my"]) {
      await fetch(server.url + path, { method: "POST", body: envelope(DSN) });
    }
    expect(server.journal.envelopes).toEqual([]);
  });
});
