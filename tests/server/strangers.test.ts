import { request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FEEDBACK_LIMITS } from "../../app/features/frame/feedback-limit.ts";
import { listIssues, sendEnvelope, toEventEnvelope, waitForEvent } from "../support/api.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const PUBLIC_URL = "https://errors.example.com";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ watchesItself: true, env: { TRUST_PROXY: "1", PUBLIC_URL } });
});
afterAll(() => server.stop());

/** Sends bytes as they are; gives what comes until the server closes. */
async function sendRaw(bytes: string): Promise<string> {
  const socket = connect(server.port, "127.0.0.1");
  socket.end(bytes);
  return text(socket);
}

/** Not by fetch, which does not let `Host` be set. */
function statusOf(path: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((done, fail) => {
    const req = request(`${server.url}${path}`, { headers }, (res) => {
      res.resume();
      done(res.statusCode);
    });
    req.once("error", fail).end();
  });
}

function post(path: string, fields: Record<string, string>, from = "192.0.2.1"): Promise<Response> {
  return fetch(server.url + path, {
    method: "POST",
    redirect: "manual",
    headers: { origin: PUBLIC_URL, "x-forwarded-for": from },
    body: new URLSearchParams(fields),
  });
}

const faults = () => server.logLines().filter(({ level }) => level >= 40);

test.each([
  "Host: a b",
  "Host: a\r\nX-Forwarded-Host: a b",
  "Host: a:port",
  "Host: name:word@a",
  "Host: a/sign-in?",
  "Host: a\r\nX-Forwarded-Host: a/sign-in?",
  "Host: ",
])("a request that says %j is answered 400 and counted, without a line in the log", async (header) => {
  const answer = await sendRaw(`GET /issues HTTP/1.1\r\n${header}\r\nConnection: close\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain("make no URL");
  expect(faults()).toEqual([]);
  expect(await (await fetch(`${server.url}/metrics`)).text()).toMatch(/refused_total\{reason="http_malformed"\} [1-9]/);
});

test("a form without a length is refused on every way to a page, also from below the web API", async () => {
  for (const path of [
    "/sign-in",
    "/api/0/../../sign-in",
    "/api/0/%2e%2E/.%2e/sign-in.data",
    "/api/0\\..\\..\\sign-in",
  ]) {
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n`;
    const form = "Content-Type: application/x-www-form-urlencoded\r\n\r\n7\r\nemail=a\r\n0\r\n\r\n";
    expect(await sendRaw(head + form), path).toMatch(/^HTTP\/1\.1 411 /);
  }
});

test("the host of a Forwarded header, which proxies pass on, is not believed", async () => {
  const form = "intent=create";
  const ofHost = (header: string) =>
    sendRaw(
      `POST /sign-in HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\n${header}Content-Length: ${form.length}\r\nContent-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n\r\n${form}`,
    );
  expect(await ofHost("X-Forwarded-Host: b\r\n")).not.toMatch(/^HTTP\/1\.1 403 /);
  expect(await ofHost("Forwarded: host=b\r\n")).toMatch(/^HTTP\/1\.1 403 /);
});

test("an address whose small letters are more than its large ones is too long as well", async () => {
  const answer = await post("/sign-in", { email: "\u0130".repeat(200), password: "a guess" });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("has at most 254 characters")]);
  expect(faults()).toEqual([]);
});

test("browsers are told to stay with https, unless the proxy says that they came by http", async () => {
  const hsts = async (headers: Record<string, string>) =>
    (await fetch(`${server.url}/sign-in`, { headers })).headers.get("strict-transport-security");
  expect(await hsts({})).toMatch(/^max-age=\d{8}$/);
  expect(await hsts({ "x-forwarded-proto": "https" })).toMatch(/^max-age=/);
  expect(await hsts({ "x-forwarded-proto": "http" })).toBeNull();
});

test("a form from PUBLIC_URL's origin is taken, whatever the request says of its host", async () => {
  expect((await post("/theme", { theme: "dark" })).status).toBe(302);
});

describe("/metrics behind a proxy", () => {
  test("answers a collector on this machine that asks directly", async () => {
    expect(await statusOf("/metrics", {})).toBe(200);
  });

  test("answers nothing that the proxy passed on", async () => {
    expect(await statusOf("/metrics", { "x-forwarded-for": "192.0.2.1" })).toBe(401);
    expect(await statusOf("/metrics", { host: "errors.example.com" })).toBe(401);
  });
});

describe("somebody who is not signed in", () => {
  test("changes no issue by the list's form", async () => {
    const { eventId, envelope } = toEventEnvelope({ message: "left alone" });
    await sendEnvelope(server, envelope);
    await waitForEvent(server, eventId);
    const [issue] = await listIssues(server);
    const forms: Array<Record<string, string>> = [
      { intent: "resolve", issue: issue?.id ?? "" },
      { intent: "archive", scope: "all-matching" },
      { intent: "undo", previous: `${issue?.id}:archived:ongoing` },
    ];
    for (const form of forms) {
      const answer = await post("/issues", form);
      expect([answer.status, answer.headers.get("location")]).toEqual([302, "/sign-in"]);
      const data = await post("/issues.data", form);
      expect(data.status).toBe(202);
      expect(await data.text()).toContain("/sign-in");
    }
    expect((await listIssues(server)).map(({ status }) => status)).toEqual(["unresolved"]);
  });

  test("sends a few words on broken pages, then waits, while others go on", async () => {
    const said = (from: string) => post("/error-feedback", { message: "I clicked", page: "/issues" }, from);
    for (let sent = 0; sent < FEEDBACK_LIMITS.network.maxAttempts; sent++) {
      expect((await said("192.0.2.7")).status).toBe(303);
    }
    const refused = await said("192.0.2.7");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused.text()).toContain("Too many reports were sent from here");
    expect((await said("192.0.2.8")).status).toBe(303);
    const taken = FEEDBACK_LIMITS.network.maxAttempts + 1;
    await expect
      .poll(async () => (await fetch(`${server.url}/metrics`)).text())
      .toContain(`culprit_items_stored_total{category="feedback"} ${taken}`);
    expect(faults()).toEqual([]);
  });
});
