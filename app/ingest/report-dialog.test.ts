import { describe, expect, test } from "vitest";
import { type IngestServer, KEYS, startIngestServer } from "../../tests/support/ingest-server.ts";
import { parseEnvelope } from "../protocol/parse-envelope.ts";

const ID = "9ec79c33ec9942ab8353589fcb2e04dc";
const PATH = "/api/embed/error-page/";
const WRITTEN = { name: "Sam & Söhne", email: "sam+shop@shop.example", comments: "It broke\n100 % of 2+2" };

/** As the SDK writes it: the DSN is not encoded. */
function queryOf(key: string = KEYS.open, projectId = 1, eventId = ID): string {
  return `?dsn=https://${key}@errors.example.com:8443/base/${projectId}&eventId=${eventId}&title=Oh%20no&onLoad=()%20%3D%3E%201`;
}

async function get(server: IngestServer, query: string, headers: Record<string, string> = {}) {
  const response = await fetch(server.url + PATH + query, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function post(server: IngestServer, query: string, fields: object = WRITTEN, headers: object = {}) {
  const body = new URLSearchParams({ ...fields });
  const response = await fetch(server.url + PATH + query, { method: "POST", body, headers: { ...headers } });
  return { status: response.status, headers: response.headers, json: await response.json() };
}

async function countsOf(server: IngestServer): Promise<Record<string, number>> {
  await server.ingest.close();
  return server.journal.outcomes();
}

describe("the script of the report dialog", () => {
  test("is given to every page that may send, is kept nowhere, and has nothing of the request in it", async () => {
    await using server = await startIngestServer();
    const { status, headers, text } = await get(server, queryOf());
    expect([status, text]).toEqual([200, "showDialog();"]);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
    });
    expect(headers.has("set-cookie")).toBe(false);
    const head = await fetch(`${server.url}/base${PATH}${queryOf()}`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  test.each([
    ["", 400, "dsn: must be the DSN of a project"],
    ["?dsn=no", 400, "dsn: must be the DSN of a project"],
    [queryOf("f".repeat(32)), 403, "this client key does not exist"],
    [queryOf(KEYS.open, 2), 403, "this client key is not of this project"],
    [queryOf(KEYS.disabled), 403, "this client key is disabled"],
    [queryOf(KEYS.open, 1, "undefined"), 400, "eventId: must be the id of an event"],
  ])("is refused for %s, and nothing is counted as lost", async (query, status, words) => {
    await using server = await startIngestServer();
    const answer = await get(server, query);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text).detail).toContain(words);
    expect(answer.headers.get("x-sentry-error")).toContain(words);
    expect(await countsOf(server)).toEqual({});
  });

  test("is refused to pages of other origins than the project allows", async () => {
    await using server = await startIngestServer();
    const query = queryOf(KEYS.otherProject, 2);
    expect((await get(server, query, { origin: "https://elsewhere.example" })).status).toBe(403);
    expect((await get(server, query, { referer: "https://elsewhere.example/cart" })).status).toBe(403);
    expect((await get(server, query, { origin: "https://app.example.com" })).status).toBe(200);
  });
});

describe("what users wrote in the dialog", () => {
  test("becomes a report about the event", async () => {
    await using server = await startIngestServer();
    const { status, json, headers } = await post(server, queryOf());
    expect([status, json]).toEqual([200, { id: ID }]);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    const [entry] = server.journal.envelopes;
    expect(entry).toMatchObject({ projectId: 1, keyId: 1, eventId: ID, clientAddress: "127.0.0.1" });
    const [item] = parseEnvelope(entry?.body ?? new Uint8Array()).items;
    expect(item?.header.type).toBe("user_report");
    expect(JSON.parse(Buffer.from(item?.payload ?? []).toString())).toEqual({ event_id: ID, ...WRITTEN });
  });

  test("is refused without words, without an event and as another type, and counted", async () => {
    await using server = await startIngestServer();
    expect((await post(server, queryOf(), { ...WRITTEN, comments: " \n" })).json.detail).toBe(
      "comments: must not be empty",
    );
    expect((await post(server, queryOf(KEYS.open, 1, "no"))).status).toBe(400);
    expect((await post(server, queryOf(), WRITTEN, { "content-type": "text/plain" })).status).toBe(415);
    expect((await post(server, queryOf(KEYS.disabled))).status).toBe(403);
    expect((await fetch(server.url + PATH + queryOf(), { method: "PUT" })).headers.get("allow")).toBe(
      "GET, HEAD, POST, OPTIONS",
    );
    expect(await countsOf(server)).toEqual({
      "default malformed empty_comments": 1,
      "default malformed malformed_report": 1,
      "default malformed unsupported_media_type": 1,
      "default filtered key_disabled": 1,
    });
    expect(server.journal.envelopes).toEqual([]);
  });

  test("meets the limit of its key, and the answer says how long to wait", async () => {
    await using server = await startIngestServer();
    const statuses: number[] = [];
    for (let sent = 0; sent < 4; sent++) statuses.push((await post(server, queryOf(KEYS.limited))).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const { headers } = await post(server, queryOf(KEYS.limited));
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await countsOf(server)).toEqual({ "default rate_limited key_quota": 2 });
  });
});
