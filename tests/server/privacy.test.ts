import { expect, test } from "vitest";
import { getJson, listIssues, send, sendEnvelope, toEventEnvelope, waitFor, waitForEvent } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { filesWith } from "../support/files-with.ts";
import { startServer } from "../support/start-server.ts";

const IBAN = "DE02120300000000202051";
const ADDRESS = "203.0.113.77";

const event = {
  message: `payment failed iban=${IBAN}`,
  user: { id: "7", ip_address: ADDRESS },
  request: { url: "https://shop.test/pay", headers: { "X-Forwarded-For": ADDRESS, "X-Iban": IBAN } },
  extra: { customerIban: IBAN, session_token: "known-and-harmless-1" },
  breadcrumbs: { values: [{ timestamp: 1, category: "pay", data: { iban: IBAN } }] },
};
const log = {
  timestamp: 1,
  level: "info",
  body: `paid iban=${IBAN}`,
  trace_id: "a".repeat(32),
  attributes: { iban: { type: "string", value: IBAN }, "client.address": { type: "string", value: ADDRESS } },
};

test("what a project masks is in no page, answer or payload file", async () => {
  await using server = await startServer();
  const visitor = await signIn(server);
  const switches = { intent: "save", masksData: "on", usesBuiltInRules: "on", dropsAddresses: "on" };
  const saved = await visitor.post("/projects/shop/privacy", {
    ...switches,
    sensitiveKeys: "iban\n",
    safeKeys: "session_token",
  });
  expect([saved.status, saved.html.includes("Privacy saved")]).toEqual([200, true]);
  const refused = await visitor.post("/projects/shop/privacy", { ...switches, sensitiveKeys: "trace_id\niban" });
  expect([refused.status, refused.html.includes("“trace_id” cannot be masked")]).toEqual([400, true]);

  const { eventId, envelope } = toEventEnvelope(event);
  expect((await sendEnvelope(server, envelope)).status).toBe(200);
  const item = { type: "log", item_count: 1, content_type: "application/vnd.sentry.items.log+json" };
  expect(
    (await sendEnvelope(server, `{}\n${JSON.stringify(item)}\n${JSON.stringify({ items: [log] })}\n`)).status,
  ).toBe(200);
  await waitForEvent(server, eventId);
  const [issue] = await listIssues(server);
  const logs = await waitFor("the log", async () => {
    const page = await visitor.open("/logs?project=shop");
    return page.html.includes("paid iban=") ? page.html : null;
  });
  const shown = [
    (await visitor.open(`/issues/${issue?.id}`)).html,
    (await visitor.open("/issues")).html,
    logs,
    JSON.stringify(await getJson(server, `/projects/default/shop/events/${eventId}/`)),
    JSON.stringify(await getJson(server, `/issues/${issue?.id}/`)),
  ];
  for (const secret of [IBAN, ADDRESS]) {
    expect(shown.filter((text) => text.includes(secret))).toEqual([]);
    // What was received is in the journal until its file is full.
    const files = await filesWith(server.dataDir, secret);
    expect(files.filter((path) => !path.startsWith("journal"))).toEqual([]);
  }
  expect(shown[0]).toContain("[Filtered]");
  expect(shown[3]).toContain("known-and-harmless-1");

  const put = (body: object) => send(server, "PUT", "/projects/default/shop/", body);
  expect(await getJson(server, "/projects/default/shop/")).toMatchObject({
    dataScrubber: true,
    dataScrubberDefaults: true,
    scrubIPAddresses: true,
    sensitiveFields: ["iban"],
    safeFields: ["session_token"],
  });
  expect((await put({ scrubIPAddresses: false, safeFields: [], dataScrubberDefaults: false })).status).toBe(200);
  const open = await visitor.open("/projects/shop/privacy");
  expect(open.html).toContain("The built-in rules are off");
  const bad = await put({ sensitiveFields: ["*"] });
  expect([bad.status, await bad.json()]).toMatchObject([400, { detail: expect.stringContaining("sensitiveFields") }]);

  const later = toEventEnvelope({ ...event, message: "second", extra: { password: "hunter2", iban: IBAN } });
  await sendEnvelope(server, later.envelope);
  const text = JSON.stringify(await waitForEvent(server, later.eventId));
  expect([text.includes("hunter2"), text.includes(ADDRESS), text.includes(IBAN)]).toEqual([true, true, false]);
  // Nothing is saved by a test, and it shows only what is masked.
  const tested = await visitor.post("/projects/shop/privacy", {
    ...switches,
    intent: "test",
    sensitiveKeys: "password",
  });
  expect(tested.html).toContain("<code>extra.password</code>");
  expect(tested.html).toContain("<code>user.ip_address</code>");
  expect(tested.html).not.toContain("<code>request.url</code>");
  expect([tested.html.includes("hunter2"), tested.html.includes(ADDRESS)]).toEqual([false, false]);
  expect(await getJson(server, "/projects/default/shop/")).toMatchObject({ sensitiveFields: ["iban"] });
});

test("rules mask what they name, say where they are wrong, and are tried on stored events", async () => {
  await using server = await startServer();
  const visitor = await signIn(server);
  const switches = { masksData: "on", usesBuiltInRules: "on", sensitiveKeys: "", safeKeys: "" };
  const post = (intent: string, rules: string) =>
    visitor.post("/projects/shop/privacy", { ...switches, intent, rules });
  const wrong = await post("save", "mask email from $user\nmask /(a+)+/ from $string");
  expect([wrong.status, wrong.html.includes("Line 2, character 7:")]).toEqual([400, true]);

  const report = async () => {
    const { eventId, envelope } = toEventEnvelope({
      message: "order ORD-4711 failed",
      user: { id: "7", email: "ada@example.com" },
      extra: { note: "call ada@example.com" },
    });
    await sendEnvelope(server, envelope);
    return JSON.stringify(await waitForEvent(server, eventId));
  };
  expect(await report()).toContain("ada@example.com");
  const rules = "mask email from **\nreplace /ORD-\\d+/ with [order] from $message\nhash anything from $user.id";
  const tested = await post("test", rules);
  expect(tested.html).toContain("<code>extra.note</code>");
  expect((await post("save", rules)).status).toBe(200);
  const masked = await report();
  expect([masked.includes("ada@example.com"), masked.includes("order [order] failed")]).toEqual([false, true]);

  const project = await getJson<{ scrubbingRules: string }>(server, "/projects/default/shop/");
  expect(project.scrubbingRules).toBe(rules);
  const put = (body: object) => send(server, "PUT", "/projects/default/shop/", body);
  const refused = await put({ relayPiiConfig: "{}" });
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { detail: expect.stringContaining("scrubbingRules") },
  ]);
  expect((await put({ scrubbingRules: "mask nothing" })).status).toBe(400);
  expect((await put({ scrubbingRules: "" })).status).toBe(200);
  // Nobody sees the secret of hashes.
  const audit = await visitor.open("/settings/audit");
  expect([audit.html.includes("ORD-"), /hash.?key/i.test(audit.html)]).toEqual([true, false]);
});
