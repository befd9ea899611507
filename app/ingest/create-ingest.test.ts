import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import zlib from "node:zlib";
import { describe, expect, test } from "vitest";
import { type IngestServer, KEYS, startIngestServer } from "../../tests/support/ingest-server.ts";
import { MIB } from "../domain/bytes.ts";
import type { ProjectKey } from "../domain/project.ts";
import { JournalUnavailableError } from "../journal/journal.ts";
import { parseEnvelope } from "../protocol/parse-envelope.ts";

const ID = "9ec79c33ec9942ab8353589fcb2e04dc";
const FORM_TYPE = "application/x-www-form-urlencoded";
const EVENT = '{"message":"hi"}';
const ENVELOPE = `{"event_id":"${ID}"}\n{"type":"event"}\n${EVENT}\n`;

interface Options {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

async function send(
  server: IngestServer,
  path: string,
  { method = "POST", headers = {}, body = ENVELOPE }: Options = {},
) {
  const hasBody = method !== "GET" && method !== "HEAD";
  const response = await fetch(server.url + path, { method, headers, ...(hasBody ? { body } : {}) });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text.startsWith("{") ? JSON.parse(text) : null,
  };
}

/** An envelope request with the open key in its query. */
function post(
  server: IngestServer,
  body: Options["body"],
  headers: Record<string, string> = {},
  key: string = KEYS.open,
) {
  return send(server, `/api/1/envelope/?sentry_key=${key}`, { body, headers });
}

function itemTypes(body: Uint8Array | undefined): string[] {
  return parseEnvelope(body ?? new Uint8Array()).items.map((item) => item.header.type);
}

/** Sends the headers of a request, and resolves once the server has seen them. `finish` sends the body, and gives the status. */
async function begin(url: URL, body: string, contentType: string) {
  const headers = { "content-type": contentType, "content-length": Buffer.byteLength(body), expect: "100-continue" };
  const sent = request(url, { method: "POST", headers });
  sent.flushHeaders();
  await once(sent, "continue");
  return {
    async finish(): Promise<number | undefined> {
      sent.end(body);
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      response.resume();
      await once(response, "end");
      return response.statusCode;
    },
  };
}

/** What has been counted, once the counts have reached the journal. */
async function countsOf(server: IngestServer): Promise<Record<string, number>> {
  await server.ingest.close();
  return server.journal.outcomes();
}

describe("an envelope", () => {
  test("is journaled as it came, with what is known about the request, and answered with its id", async () => {
    await using server = await startIngestServer();
    const { status, headers, text } = await send(server, "/api/1/envelope/", {
      headers: {
        "x-sentry-auth": `Sentry sentry_version=7, sentry_client=sentry.python/2.1.0, sentry_key=${KEYS.open}`,
        "user-agent": "sentry.python/2.1.0",
        "sec-ch-ua": '"Chromium";v="140"',
      },
    });
    expect([status, text]).toEqual([200, `{"id":"${ID}"}`]);
    expect(headers.get("content-type")).toBe("application/json");
    expect(server.journal.entries).toEqual([
      {
        kind: "envelope",
        projectId: 1,
        keyId: 1,
        receivedAt: expect.any(Number),
        eventId: ID,
        clientAddress: "127.0.0.1",
        userAgent: "sentry.python/2.1.0",
        clientHints: { "sec-ch-ua": '"Chromium";v="140"' },
        client: "sentry.python/2.1.0",
        dropped: [],
        body: Buffer.from(ENVELOPE),
      },
    ]);
    expect(server.metrics).toEqual({ accepted: 1 });
  });

  test.each(["/api/1/envelope", "//api//1//envelope//", "/some/prefix/api/1/envelope/"])(
    "is taken at %s",
    async (path) => {
      await using server = await startIngestServer();
      expect(await send(server, `${path}?sentry_key=${KEYS.open}`)).toMatchObject({ status: 200 });
      expect(server.journal.envelopes).toHaveLength(1);
    },
  );

  test("leaves other paths to others", async () => {
    await using server = await startIngestServer();
    expect(await send(server, "/issues/", { method: "GET" })).toMatchObject({ status: 418 });
    expect(await send(server, "/api/0/projects/", { method: "GET" })).toMatchObject({ status: 418 });
  });

  test("takes the sender's address from the proxy only when that is trusted", async () => {
    const headers = { "x-forwarded-for": "203.0.113.7, 10.0.0.1" };
    await using server = await startIngestServer();
    await post(server, ENVELOPE, headers);
    expect(server.journal.envelopes[0]?.clientAddress).toBe("127.0.0.1");
    await using behindProxy = await startIngestServer({ trustProxy: true });
    await post(behindProxy, ENVELOPE, headers);
    await post(behindProxy, ENVELOPE, { "x-forwarded-for": "[2001:db8::1]:4711" });
    await post(behindProxy, ENVELOPE, { "x-forwarded-for": "203.0.113.7:4711" });
    const addresses = behindProxy.journal.envelopes.map((entry) => entry.clientAddress);
    expect(addresses).toEqual(["203.0.113.7", "2001:db8::1", "203.0.113.7"]);
  });

  test("without items is answered, and not journaled", async () => {
    await using server = await startIngestServer();
    expect(await post(server, "{}")).toMatchObject({ status: 200, text: "{}" });
    expect(await post(server, `{"event_id":"${ID}"}\n`)).toMatchObject({ status: 200, text: `{"id":"${ID}"}` });
    expect(server.journal.entries).toEqual([]);
  });

  test("of unknown items is kept", async () => {
    await using server = await startIngestServer();
    expect(await post(server, '{}\n{"type":"from_the_future"}\n{}')).toMatchObject({ status: 200, text: "{}" });
    expect(itemTypes(server.journal.envelopes[0]?.body)).toEqual(["from_the_future"]);
  });
});

describe("the id in the answer is the id in the journal", () => {
  const DASHED = "9EC79C33-EC99-42AB-8353-589FCB2E04DC";
  test.each([
    ["of the header", `{"event_id":"${DASHED}"}\n{"type":"event"}\n{"event_id":"${"1".repeat(32)}"}`, ID],
    ["of the event's payload", `{}\n{"type":"event"}\n{"event_id":"${DASHED}"}`, ID],
    ["of the payload when the header's is no id", `{"event_id":"x"}\n{"type":"transaction"}\n{"event_id":"${ID}"}`, ID],
    ["of the user report it belongs to", `{}\n{"type":"user_report"}\n{"event_id":"${ID}"}`, ID],
    ["fresh when nothing has one", '{}\n{"type":"event"}\n{}', expect.stringMatching(/^[0-9a-f]{32}$/)],
    ["of a payload that needs repair", `{}\n{"type":"event"}\n{"extra":NaN,"event_id":"${ID}"}`, ID],
    ["fresh when the payload is broken", '{}\n{"type":"event"}\n{"event_id":', expect.stringMatching(/^[0-9a-f]{32}$/)],
    [
      "fresh for an attachment alone",
      '{}\n{"type":"attachment","length":1}\na',
      expect.stringMatching(/^[0-9a-f]{32}$/),
    ],
    ["none for a session", '{}\n{"type":"session"}\n{}', undefined],
  ])("%s", async (_, body, id) => {
    await using server = await startIngestServer();
    const { status, json } = await post(server, body);
    expect([status, json.id]).toEqual([200, id]);
    expect(server.journal.envelopes[0]?.eventId).toBe(json.id ?? null);
  });
});

describe("credentials", () => {
  test.each([
    ["X-Sentry-Auth", "", { "x-sentry-auth": `Sentry sentry_key=${KEYS.open}` }],
    ["Authorization", "", { authorization: `Sentry sentry_key=${KEYS.open}` }],
    ["HTTP Basic", "", { authorization: `Basic ${btoa(`${KEYS.open}:`)}` }],
    ["the query", `?sentry_key=${KEYS.open}&sentry_version=7`, {}],
  ])("are taken from %s", async (_, query, headers) => {
    await using server = await startIngestServer();
    expect(await send(server, `/api/1/envelope/${query}`, { headers })).toMatchObject({ status: 200 });
  });

  test("are taken from the envelope's own dsn when nothing else has any", async () => {
    await using server = await startIngestServer();
    const body = `{"dsn":"https://${KEYS.open}@host/1"}\n{"type":"event"}\n{}`;
    expect(await send(server, "/api/1/envelope/", { body })).toMatchObject({ status: 200 });
    expect(await send(server, "/api/2/envelope/", { body })).toMatchObject({ status: 403 });
  });

  test.each([
    ["none", "", {}, 401, "missing authorization information", "missing_credentials"],
    [
      "an invalid header",
      "",
      { "x-sentry-auth": "Sentry nonsense" },
      401,
      "bad sentry DSN public key",
      "invalid_credentials",
    ],
    ["an unknown key", `?sentry_key=${"0".repeat(32)}`, {}, 403, "does not exist", "unknown_key"],
    [
      "a key of another project",
      `?sentry_key=${KEYS.otherProject}`,
      {},
      403,
      "not of this project",
      "project_mismatch",
    ],
    ["a disabled key", `?sentry_key=${KEYS.disabled}`, {}, 403, "disabled", "key_disabled"],
    [
      "two different keys",
      `?sentry_key=${KEYS.open}`,
      { "x-sentry-auth": `Sentry sentry_key=${KEYS.otherProject}` },
      403,
      "two different public keys",
      "conflicting_keys",
    ],
    [
      "a version of the far future",
      `?sentry_key=${KEYS.open}&sentry_version=9`,
      {},
      400,
      "sentry_version",
      "unsupported_version",
    ],
  ])("%s: %s%j is refused", async (_, query, headers, expected, detail, reason) => {
    await using server = await startIngestServer();
    const response = await send(server, `/api/1/envelope/${query}`, { headers: { ...headers } });
    expect(response.status).toBe(expected);
    expect(response.json).toEqual({ detail: expect.stringContaining(detail), causes: [] });
    expect(response.headers.get("x-sentry-error")).toBe(response.json.detail);
    expect(server.metrics).toEqual({ [reason]: 1 });
    expect(server.journal.envelopes).toEqual([]);
  });

  test("conflict when the envelope's dsn names another key", async () => {
    await using server = await startIngestServer();
    expect(await post(server, `{"dsn":"https://${KEYS.limited}@host/1"}\n{"type":"event"}\n{}`)).toMatchObject({
      status: 403,
    });
  });

  test("of a disabled key count as filtered for their project, those of unknown keys for none", async () => {
    await using server = await startIngestServer();
    await post(server, ENVELOPE, {}, KEYS.disabled);
    await post(server, ENVELOPE, {}, "0".repeat(32));
    expect(await countsOf(server)).toEqual({ "default filtered key_disabled": 1 });
  });

  // A body may take minutes, and a project that is deleted meanwhile must not get rows again.
  test.each([
    ["an envelope", "/api/1/envelope/", ENVELOPE, ""],
    ["an event", "/api/1/store/", EVENT, "application/json"],
    ["a request of OpenTelemetry", "/api/1/otlp/v1/logs/", '{"resourceLogs":[]}', "application/json"],
    ["a security report", "/api/1/security/", '{"csp-report":{}}', "application/csp-report"],
    ["a check-in", `/api/1/cron/nightly/${KEYS.open}/`, '{"status":"ok"}', "application/json"],
    ["a minidump", "/api/1/minidump/", "MDMP", "application/octet-stream"],
    ["what a user wrote", "/api/1/user-feedback/", `{"event_id":"${ID}"}`, "application/json"],
    ["the form of the dialog", `/api/embed/error-page/?eventId=${ID}`, "name=Ada", FORM_TYPE],
  ])("%s is refused if its key is disabled or gone once the body has come", async (_, path, body, contentType) => {
    await using server = await startIngestServer();
    const url = new URL(path, server.url);
    url.searchParams.set("sentry_key", KEYS.open);
    url.searchParams.set("dsn", `http://${KEYS.open}@localhost/1`);
    const open = server.projectKeys[0] as ProjectKey;
    for (const keys of [[{ ...open, isEnabled: false }], []]) {
      const late = await begin(url, body, contentType);
      server.projectKeys.splice(0, 1, ...keys);
      await server.keys.reload();
      expect(await late.finish()).toBe(403);
      server.projectKeys.splice(0, keys.length, open);
      await server.keys.reload();
    }
    expect(server.metrics).toMatchObject({ key_disabled: 1, unknown_key: 1 });
    expect(server.metrics.accepted).toBeUndefined();
  });

  test("a project id that is no number is a bad request", async () => {
    await using server = await startIngestServer();
    expect(await send(server, "/api/abc/envelope/")).toMatchObject({
      status: 400,
      json: { detail: expect.stringContaining("project id") },
    });
  });
});

describe("origins", () => {
  const path = `/api/2/envelope/?sentry_key=${KEYS.otherProject}`;

  test("the project's own pass, and so do requests that name none", async () => {
    await using server = await startIngestServer();
    expect(await send(server, path, { headers: { origin: "https://app.example.com" } })).toMatchObject({ status: 200 });
    expect(await send(server, path)).toMatchObject({ status: 200 });
  });

  test("others are refused and counted", async () => {
    await using server = await startIngestServer();
    const { status, headers } = await send(server, path, { headers: { origin: "https://evil.example" } });
    expect(status).toBe(403);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(await countsOf(server)).toEqual({ "default filtered origin_not_allowed": 1 });
  });
});

describe("CORS", () => {
  test("every answer may be read by every page", async () => {
    await using server = await startIngestServer();
    const answers = [
      await post(server, ENVELOPE),
      await post(server, "not an envelope"),
      await send(server, "/api/1/envelope/"),
      await send(server, "/api/1/envelope/", { method: "GET" }),
      await send(server, "/api/1/playstation/"),
      await send(server, "/api/1/nothing/"),
      await send(server, "/api/x/envelope/"),
      await send(server, `/api/1/store/?sentry_key=${KEYS.open}&sentry_data=e30`, { method: "GET" }),
      await send(server, `/api/1/security/?sentry_key=${KEYS.open}`, { body: "[]" }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([200, 400, 401, 405, 404, 404, 400, 200, 400]);
    for (const { headers } of answers) {
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-expose-headers")).toBe("X-Sentry-Error, X-Sentry-Rate-Limits, Retry-After");
      expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    }
  });

  test.each([
    "/api/1/envelope/",
    "/api/1/store/",
    "/api/store/",
    "/api/1/security/",
    "/api/1/playstation/",
    "/api/1/anything/",
  ])("a preflight of %s is allowed what SDKs send", async (path) => {
    await using server = await startIngestServer();
    const { status, headers } = await send(server, path, { method: "OPTIONS", body: "" });
    expect(status).toBe(200);
    expect(headers.get("access-control-allow-methods")).toBe("POST, GET, OPTIONS");
    expect(headers.get("access-control-allow-headers")).toContain("X-Sentry-Auth");
    expect(headers.get("access-control-allow-headers")).toContain("sentry-trace, baggage");
    expect(headers.get("access-control-max-age")).toBe("3600");
  });
});

describe("bodies", () => {
  test.each([
    ["gzip", zlib.gzipSync(ENVELOPE)],
    ["deflate", zlib.deflateSync(ENVELOPE)],
    ["br", zlib.brotliCompressSync(ENVELOPE)],
    ["zstd", zlib.zstdCompressSync(ENVELOPE)],
  ])("of %s are journaled unpacked", async (encoding, body) => {
    await using server = await startIngestServer();
    expect(await post(server, new Uint8Array(body), { "content-encoding": encoding })).toMatchObject({ status: 200 });
    expect(Buffer.from(server.journal.envelopes[0]?.body ?? []).toString()).toBe(ENVELOPE);
  });

  test.each([
    ["empty", "", {}, "empty request body", "default malformed empty_body"],
    [
      "no envelope",
      "hello",
      {},
      "invalid event envelope: the envelope header is not valid JSON (at byte 0)",
      "default malformed malformed_envelope",
    ],
    [
      "a broken stream",
      new Uint8Array(zlib.gzipSync(ENVELOPE).subarray(0, 30)),
      { "content-encoding": "gzip" },
      "not valid gzip",
      "default malformed malformed_encoding",
    ],
  ])("%s: 400, and counted", async (_, body, headers, detail, count) => {
    await using server = await startIngestServer();
    const response = await post(server, body, { ...headers });
    expect(response).toMatchObject({ status: 400, json: { detail: expect.stringContaining(detail) } });
    expect(await countsOf(server)).toEqual({ [count]: 1 });
  });

  test("may be as large as the limit and not one byte larger, before and after unpacking", async () => {
    await using server = await startIngestServer({ limits: { maxEnvelopeBytes: 5000, maxCompressedBytes: 3000 } });
    const envelope = (bytes: number) => {
      const head = '{}\n{"type":"session"}\n';
      return Buffer.from(`${head}${"x".repeat(bytes - head.length)}`);
    };
    expect(await post(server, new Uint8Array(envelope(5000)))).toMatchObject({ status: 200 });
    expect(await post(server, new Uint8Array(envelope(5001)))).toMatchObject({ status: 413 });
    const gzip = { "content-encoding": "gzip" };
    expect(await post(server, new Uint8Array(zlib.gzipSync(envelope(5000))), gzip)).toMatchObject({ status: 200 });
    expect(await post(server, new Uint8Array(zlib.gzipSync(envelope(5001))), gzip)).toMatchObject({ status: 413 });
    expect(await post(server, new Uint8Array(zlib.gzipSync(envelope(3001), { level: 0 })), gzip)).toMatchObject({
      status: 413,
    });
    expect(await countsOf(server)).toEqual({ "default too_large body_too_large": 3 });
  });
});

describe("items beyond a limit", () => {
  const large = (type: string, bytes: number) => `{"type":"${type}","length":${bytes}}\n${"x".repeat(bytes)}\n`;

  test("are left out of what is journaled, and counted with it", async () => {
    await using server = await startIngestServer();
    const body = `${ENVELOPE}${large("check_in", 100 * 1024 + 1)}{"type":"session"}\n{}`;
    expect(await post(server, body)).toMatchObject({ status: 200, json: { id: ID } });
    const [entry] = server.journal.envelopes;
    expect(itemTypes(entry?.body)).toEqual(["event", "session"]);
    expect(entry?.dropped).toEqual([
      {
        projectId: 1,
        receivedAt: entry?.receivedAt,
        category: "monitor",
        outcome: "too_large",
        reason: "check_in_bytes",
        quantity: 1,
      },
    ]);
    expect(server.metrics).toEqual({ accepted: 2, check_in_bytes: 1 });
  });

  test("an event that is too large: 413, its attachments are counted with it, and what can do without it is kept", async () => {
    await using server = await startIngestServer();
    const body = `{"event_id":"${ID}"}\n${large("event", MIB + 1)}${large("attachment", 1)}{"type":"client_report"}\n{}`;
    const { status, json } = await post(server, body);
    expect([status, json.detail]).toEqual([413, `the event is larger than ${MIB} bytes`]);
    expect(itemTypes(server.journal.envelopes[0]?.body)).toEqual(["client_report"]);
    expect(await countsOf(server)).toEqual({ "error too_large event_bytes": 1, "attachment too_large event_bytes": 1 });
  });

  test("an event alone that is too large is counted, and nothing is journaled but the count", async () => {
    await using server = await startIngestServer();
    expect(await post(server, `{}\n${large("event", MIB)}`)).toMatchObject({ status: 200 });
    expect(await post(server, `{}\n${large("event", MIB + 1)}`)).toMatchObject({ status: 413 });
    expect(server.journal.envelopes).toHaveLength(1);
    expect(await countsOf(server)).toEqual({ "error too_large event_bytes": 1 });
  });
});

describe("the rate limit of a key", () => {
  test("lets the limit pass; the next is refused with what SDKs understand, and counted", async () => {
    await using server = await startIngestServer();
    server.clock.nowMs = 1_000_000;
    for (let at = 0; at < 3; at++)
      expect(await post(server, ENVELOPE, {}, KEYS.limited)).toMatchObject({ status: 200 });
    server.clock.nowMs += 15_000;
    const { status, headers, json } = await post(server, ENVELOPE, {}, KEYS.limited);
    expect([status, json.detail]).toEqual([429, "the rate limit of this client key is reached"]);
    expect(headers.get("retry-after")).toBe("45");
    expect(headers.get("x-sentry-rate-limits")).toMatch(/^45:default;error;.*trace_metric;metric.*:key:key_quota$/);
    expect(headers.get("x-sentry-rate-limits")).toContain("profile;profile_chunk;profile_chunk_ui");
    expect(headers.get("x-sentry-rate-limits")).not.toContain("internal");
    expect(server.journal.envelopes).toHaveLength(3);
    expect(await countsOf(server)).toEqual({ "error rate_limited key_quota": 1 });
  });

  test("holds for a part of an envelope: 200, the rest is kept, and the headers say so", async () => {
    await using server = await startIngestServer();
    server.clock.nowMs = 1_000_000;
    const body = `${ENVELOPE}${'{"type":"session"}\n{}\n'.repeat(4)}{"type":"client_report"}\n{}`;
    const { status, headers, json } = await post(server, body, {}, KEYS.limited);
    expect([status, json]).toEqual([200, { id: ID }]);
    expect(headers.get("retry-after")).toBe("60");
    expect(headers.get("x-sentry-rate-limits")).toMatch(/^60:/);
    const [entry] = server.journal.envelopes;
    expect(itemTypes(entry?.body)).toEqual(["event", "session", "session", "client_report"]);
    expect(entry?.dropped).toMatchObject([
      { category: "session", outcome: "rate_limited", reason: "key_quota", quantity: 2 },
    ]);
  });

  test("never holds for client reports", async () => {
    await using server = await startIngestServer();
    server.clock.nowMs = 1_000_000;
    for (let at = 0; at < 4; at++) await post(server, ENVELOPE, {}, KEYS.limited);
    expect(await post(server, '{}\n{"type":"client_report"}\n{}', {}, KEYS.limited)).toMatchObject({ status: 200 });
    // The event is held back, the report that travels with it is not: that is a success with a limit.
    const mixed = await post(server, `${ENVELOPE}{"type":"client_report"}\n{}`, {}, KEYS.limited);
    expect(mixed.status).toBe(200);
    expect(mixed.headers.get("x-sentry-rate-limits")).not.toBeNull();
    expect(server.journal.envelopes).toHaveLength(5);
  });
});

describe("a journal that takes nothing", () => {
  test.each([
    ["backlog-full", 429, "backlog_full", "30:default;error"],
    ["disk-full", 429, "disk_full", "30:default;error"],
    ["disk-error", 503, "disk_error", null],
  ] as const)(
    "%s: %i with Retry-After, before the body is read, and counted",
    async (reason, expected, code, limits) => {
      await using server = await startIngestServer();
      server.journal.refuse({ reason, retryAfterSeconds: 30, message: "no room" });
      const { status, headers, json } = await post(server, ENVELOPE);
      expect([status, json.detail]).toEqual([expected, "no room"]);
      expect(headers.get("retry-after")).toBe("30");
      if (limits === null) expect(headers.get("x-sentry-rate-limits")).toBeNull();
      else expect(headers.get("x-sentry-rate-limits")).toContain(limits);
      expect(await countsOf(server)).toEqual({ [`default rate_limited ${code}`]: 1 });
    },
  );

  test("an append that fails is no 200, and its items are counted by kind when the journal is back", async () => {
    await using server = await startIngestServer();
    server.journal.failWith(new Error("EIO"));
    const { status, headers } = await post(server, `${ENVELOPE}{"type":"session"}\n{}`);
    expect(status).toBe(503);
    expect(headers.get("retry-after")).toBe("60");
    expect(server.logged).toHaveLength(1);
    server.journal.failWith(null);
    expect(await countsOf(server)).toEqual({
      "error rate_limited disk_error": 1,
      "session rate_limited disk_error": 1,
    });
  });

  test("an append that is refused says why", async () => {
    await using server = await startIngestServer();
    const refusal = { reason: "backlog-full", retryAfterSeconds: 12, message: "too far behind" } as const;
    server.journal.failWith(new JournalUnavailableError(refusal));
    const { status, headers } = await post(server, ENVELOPE);
    expect([status, headers.get("retry-after")]).toEqual([429, "12"]);
    expect(server.logged).toEqual([]);
    server.journal.failWith(null);
  });
});

describe("the store route", () => {
  const JSON_EVENT = `{"event_id":"${ID}","message":"hi"}`;

  test.each(["/api/1/store/", "/api/1/store", "/api/store/"])("%s takes an event and wraps it", async (path) => {
    await using server = await startIngestServer();
    const { status, text } = await send(server, `${path}?sentry_key=${KEYS.open}`, { body: JSON_EVENT });
    expect([status, text]).toEqual([200, `{"id":"${ID}"}`]);
    const { header, items } = parseEnvelope(server.journal.envelopes[0]?.body ?? new Uint8Array());
    expect(header).toEqual({ event_id: ID });
    expect(items.map((item) => [item.header.type, Buffer.from(item.payload).toString()])).toEqual([
      ["event", JSON_EVENT],
    ]);
  });

  test("takes base64 of zlib, gzip, and an envelope when it says that it is one", async () => {
    await using server = await startIngestServer();
    const path = `/api/1/store/?sentry_key=${KEYS.open}`;
    const ok = { status: 200, json: { id: ID } };
    expect(await send(server, path, { body: zlib.deflateSync(JSON_EVENT).toString("base64") })).toMatchObject(ok);
    const gzipped = { body: new Uint8Array(zlib.gzipSync(JSON_EVENT)), headers: { "content-encoding": "gzip" } };
    expect(await send(server, path, gzipped)).toMatchObject(ok);
    const asEnvelope = { body: ENVELOPE, headers: { "content-type": "application/x-sentry-envelope" } };
    expect(await send(server, path, asEnvelope)).toMatchObject(ok);
  });

  test("refuses a body that is not an event, and counts it as a lost error", async () => {
    await using server = await startIngestServer();
    const path = `/api/1/store/?sentry_key=${KEYS.open}`;
    expect(await send(server, path, { body: "{" })).toMatchObject({
      status: 400,
      json: { detail: "invalid JSON data" },
    });
    expect(await send(server, path, { body: `{"a":"${"x".repeat(MIB)}"}` })).toMatchObject({ status: 413 });
    expect(await send(server, path, { method: "PUT" })).toMatchObject({ status: 405 });
    expect(await countsOf(server)).toEqual({
      "error malformed malformed_json": 1,
      "error too_large event_too_large": 1,
    });
  });

  test("takes an event from an image request", async () => {
    await using server = await startIngestServer();
    for (const data of [
      JSON_EVENT,
      Buffer.from(JSON_EVENT).toString("base64"),
      zlib.deflateSync(JSON_EVENT).toString("base64"),
    ]) {
      const path = `/api/1/store/?sentry_key=${KEYS.open}&sentry_version=4&sentry_data=${encodeURIComponent(data)}`;
      const { status, headers, text } = await send(server, path, { method: "GET" });
      expect([status, headers.get("content-type"), text.slice(0, 6)]).toEqual([200, "image/gif", "GIF89a"]);
    }
    expect(server.journal.envelopes.map((entry) => entry.eventId)).toEqual([ID, ID, ID]);
    expect(await send(server, `/api/1/store/?sentry_key=${KEYS.open}`, { method: "GET" })).toMatchObject({
      status: 400,
    });
  });
});

describe("the security route", () => {
  const path = `/api/1/security/?sentry_key=${KEYS.open}&sentry_release=app%401.0&sentry_environment=prod`;
  const CSP = { "csp-report": { "effective-directive": "img-src", "blocked-uri": "https://cdn.example.org/a.png" } };
  const reporting = (directive: string) => ({ type: "csp-violation", body: { effectiveDirective: directive } });

  test.each(["application/csp-report", "application/json; charset=utf-8", "text/plain", "application/reports+json"])(
    "takes a report as %s, and answers with an empty body",
    async (contentType) => {
      await using server = await startIngestServer();
      const response = await send(server, path, {
        body: JSON.stringify(CSP),
        headers: { "content-type": contentType },
      });
      expect([response.status, response.text]).toEqual([200, ""]);
      const [entry] = server.journal.envelopes;
      const { header, items } = parseEnvelope(entry?.body ?? new Uint8Array());
      expect(header).toEqual({ event_id: entry?.eventId });
      expect(items).toMatchObject([
        { header: { type: "raw_security", sentry_release: "app@1.0", sentry_environment: "prod" } },
      ]);
      expect(JSON.parse(Buffer.from(items[0]?.payload ?? []).toString())).toEqual(CSP);
    },
  );

  test("makes an envelope with an id of its own of each report of a list", async () => {
    await using server = await startIngestServer();
    const body = JSON.stringify([
      reporting("img-src"),
      reporting("made-up"),
      { type: "deprecation", body: {} },
      reporting("font-src"),
    ]);
    expect(await send(server, path, { body })).toMatchObject({ status: 200 });
    expect(new Set(server.journal.envelopes.map((entry) => entry.eventId)).size).toBe(2);
    expect(await countsOf(server)).toEqual({ "security malformed unknown_security_report": 2 });
  });

  test("takes 100 reports and not the 101st", async () => {
    await using server = await startIngestServer();
    await send(server, path, { body: JSON.stringify(Array(101).fill(reporting("img-src"))) });
    expect(server.journal.envelopes).toHaveLength(100);
    expect(await countsOf(server)).toEqual({ "security too_large security_count": 1 });
  });

  test.each([
    ["an unknown directive", JSON.stringify(reporting("made-up")), 400],
    ["no report", "{}", 400],
    ["no JSON", "{", 400],
    ["nothing", "", 400],
  ])("refuses %s", async (_, body, expected) => {
    await using server = await startIngestServer();
    expect(await send(server, path, { body })).toMatchObject({ status: expected });
    expect(server.metrics.accepted).toBeUndefined();
  });

  test("refuses other content types, and says how long to wait when the key's limit is reached", async () => {
    await using server = await startIngestServer();
    expect(await send(server, path, { headers: { "content-type": "image/png" } })).toMatchObject({ status: 415 });
    const limited = `/api/1/csp-report/?sentry_key=${KEYS.limited}`;
    const many = JSON.stringify(Array(4).fill(reporting("img-src")));
    const first = await send(server, limited, { body: many });
    expect([first.status, first.headers.get("retry-after")]).toEqual([200, "60"]);
    const second = await send(server, limited, { body: many });
    expect([second.status, second.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(await countsOf(server)).toEqual({
      "security malformed unsupported_media_type": 1,
      "security rate_limited key_quota": 5,
    });
  });

  test("takes a report whose address names a release without end", async () => {
    await using server = await startIngestServer();
    const names = `&sentry_release=${"%01".repeat(3500)}&sentry_environment=${"%01".repeat(1000)}`;
    const address = `/api/1/security/?sentry_key=${KEYS.open}${names}`;
    expect(await send(server, address, { body: JSON.stringify(CSP) })).toMatchObject({ status: 200 });
    expect(server.journal.envelopes).toHaveLength(1);
  });

  test("takes network errors at a path of their own", async () => {
    await using server = await startIngestServer();
    const body = JSON.stringify([{ type: "network-error", url: "https://a.example/", body: { type: "dns.failed" } }]);
    const headers = { "content-type": "application/reports+json" };
    const response = await send(server, `/api/1/nel/?sentry_key=${KEYS.open}`, { body, headers });
    expect([response.status, response.text]).toEqual([200, ""]);
    expect(server.journal.envelopes).toHaveLength(1);
  });

  test("survives reports nested without end", async () => {
    await using server = await startIngestServer();
    const nested = `{"csp-report":{"effective-directive":"img-src","x":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`;
    expect([200, 400]).toContain((await send(server, path, { body: nested })).status);
    expect(server.logged).toEqual([]);
  });
});

describe("what users wrote", () => {
  const path = `/api/1/user-feedback/?sentry_key=${KEYS.open}`;

  test("becomes an envelope about its event", async () => {
    await using server = await startIngestServer();
    const body = JSON.stringify({ event_id: ID, name: "Sam", email: "sam@shop.example", comments: "It broke" });
    const { status, json } = await send(server, path, { body });
    expect([status, json]).toEqual([200, { id: ID }]);
    const [entry] = server.journal.entries;
    expect(entry).toMatchObject({ kind: "envelope", eventId: ID });
  });

  test("is refused without an event, and counted", async () => {
    await using server = await startIngestServer();
    for (const body of ["", "[]", "{", JSON.stringify({ comments: "It broke" })])
      expect((await send(server, path, { body })).status).toBe(400);
    expect(Object.values(await countsOf(server)).reduce((sum, count) => sum + count, 0)).toBe(4);
  });
});

describe("endpoints that are not there", () => {
  test("are named in the answer, and counted as unsupported when the key is good", async () => {
    await using server = await startIngestServer();
    const query = `?sentry_key=${KEYS.open}`;
    const otlp = "this path takes no OTLP: traces go to …/v1/traces, logs to …/v1/logs and metrics to …/v1/metrics";
    for (const [path, detail] of [
      ["/api/1/playstation/", "this version of Culprit does not support the playstation endpoint"],
      ["/api/1/integration/otlp/v1development/profiles", otlp],
      ["/v1/profiles", otlp],
    ]) {
      const { status, json } = await send(server, path + query);
      expect([status, json.detail]).toEqual([404, detail]);
    }
    await send(server, "/api/1/playstation/");
    expect(await countsOf(server)).toEqual({
      "error unsupported endpoint_playstation": 1,
      "span unsupported endpoint_otlp": 2,
    });
  });

  test("a wrong method is 405 and says what is right", async () => {
    await using server = await startIngestServer();
    for (const method of ["GET", "PUT", "DELETE", "PATCH"]) {
      const { status, headers } = await send(server, `/api/1/envelope/?sentry_key=${KEYS.open}`, { method });
      expect([status, headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    }
  });
});

describe("in the process", () => {
  test("an envelope is taken without HTTP, and answered with what an SDK's transport needs", async () => {
    await using server = await startIngestServer();
    const envelope = { body: Buffer.from(ENVELOPE), publicKey: KEYS.limited, client: "sentry.javascript.node/10" };
    for (let at = 0; at < 3; at++)
      expect(await server.ingest.ingestEnvelope(envelope)).toEqual({
        status: 200,
        headers: {},
        body: `{"id":"${ID}"}`,
      });
    expect(await server.ingest.ingestEnvelope(envelope)).toEqual({
      status: 429,
      headers: { "retry-after": "60", "x-sentry-rate-limits": expect.stringMatching(/^60:/) },
      body: expect.stringContaining("the rate limit of this client key is reached"),
    });
    expect(server.journal.envelopes[0]).toMatchObject({
      eventId: ID,
      client: "sentry.javascript.node/10",
      clientAddress: null,
    });
    expect(await server.ingest.ingestEnvelope({ ...envelope, publicKey: "0".repeat(32) })).toMatchObject({
      status: 403,
    });
    expect(await server.ingest.ingestEnvelope({ ...envelope, body: Buffer.from("x") })).toMatchObject({ status: 400 });
  });
});

describe("quotas", () => {
  const quotas = new Map([[1, [{ kind: "errors", period: "month", limit: 1 } as const]]]);
  const nowMs = Date.UTC(2026, 5, 15, 12);

  test("what is over one is refused and counted, and is told of with its categories", async () => {
    await using server = await startIngestServer({ quotas });
    server.clock.nowMs = nowMs;
    expect(await post(server, ENVELOPE)).toMatchObject({ status: 200 });
    const refused = await post(server, ENVELOPE);
    expect([refused.status, refused.json.detail]).toEqual([429, "a quota of the project is used up"]);
    expect(refused.headers.get("retry-after")).toBe("600");
    expect(refused.headers.get("x-sentry-rate-limits")).toBe("600:error;default;security:project:project_quota_month");
    expect(server.journal.envelopes).toHaveLength(1);
    expect(server.metrics).toEqual({ accepted: 1, project_quota_month: 1 });
    expect(await countsOf(server)).toEqual({ "error rate_limited project_quota_month": 1 });
  });

  test("other kinds of data in the envelope are kept", async () => {
    await using server = await startIngestServer({ quotas });
    server.clock.nowMs = nowMs;
    await post(server, ENVELOPE);
    const mixed = await post(
      server,
      `{"event_id":"${ID}"}\n{"type":"event"}\n${EVENT}\n{"type":"attachment","length":2}\nhi\n{"type":"session"}\n{}\n`,
    );
    expect(mixed.status).toBe(200);
    expect(mixed.headers.get("x-sentry-rate-limits")).toContain(":project:project_quota_month");
    expect(itemTypes(server.journal.envelopes[1]?.body)).toEqual(["session"]);
    // The attachment of an event that is refused is worth nothing.
    expect(server.journal.envelopes[1]?.dropped.map(({ category, reason }) => [category, reason])).toEqual([
      ["error", "project_quota_month"],
      ["attachment", "project_quota_month"],
    ]);
  });
});
