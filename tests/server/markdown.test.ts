import { afterAll, beforeAll, expect, test } from "vitest";
import { getJson, send, sendEnvelope, toEventEnvelope, waitForEvent } from "../support/api.ts";
import { signIn, type Visitor } from "../support/browse.ts";
import { makeError } from "../support/make-event.ts";
import { makeProfileEnvelope } from "../support/make-profile.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

let server: TestServer;
let visitor: Visitor;
let issueId: string;
let eventId: string;

beforeAll(async () => {
  server = await startServer();
  visitor = await signIn(server);
  const made = toEventEnvelope(makeError("Checkout"));
  await sendEnvelope(server, made.envelope);
  eventId = made.eventId;
  issueId = (await waitForEvent(server, eventId)).groupID;
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

async function read(path: string, cookie: string | null = visitor.cookie) {
  const headers = { accept: "text/markdown", ...(cookie !== null && { cookie }) };
  const answer = await fetch(server.url + path, { headers, redirect: "manual" });
  return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text(), answer };
}

test("an issue is given as Markdown with its facts and its latest event", async () => {
  const { shortId } = await getJson<{ shortId: string }>(server, `/issues/${issueId}/`);
  for (const name of [issueId, shortId, shortId.toLowerCase()]) {
    const { status, type, text } = await read(`/issues/${name}.md`);
    expect(status).toBe(200);
    expect(type).toBe("text/markdown; charset=utf-8");
    expect(text).toContain(`# ${shortId}: CheckoutError: Checkout could not be done`);
    expect(text).toContain(`<${server.url}/issues/${issueId}>`);
    for (const part of [
      "- **Project**: `shop`",
      "- **Status**: `unresolved, new`",
      "- **Events**: `1`",
      `- **Event**: \`${eventId}\``,
      "## Stack trace",
      "at chargeCheckout (src/charge.js",
      'throw new CheckoutError("could not be done");',
      "## Breadcrumbs",
      "ui.click: button#pay",
      "- `checkout: express`",
    ])
      expect(text).toContain(part);
  }
});

test("an event is given as Markdown, below its issue and by its id alone", async () => {
  const below = await read(`/issues/${issueId}/events/${eventId}.md`);
  expect(below.text).toContain(`<${server.url}/issues/${issueId}/events/${eventId}>`);
  expect(below.text).toContain("## Source");
  expect((await read(`/events/${eventId}.md`)).text).toBe(below.text);
});

test("a release is given as Markdown, and one that is called so keeps its page", async () => {
  await send(server, "POST", "/organizations/default/releases/", { version: "notes.md", projects: ["shop"] });
  const { type, text } = await read(`/releases/${encodeURIComponent("shop@2.1.0")}.md`);
  expect(type).toBe("text/markdown; charset=utf-8");
  for (const part of [
    "# Release shop@2.1.0",
    "- **Projects**: `shop`",
    "## New issues (1)",
    "## Seen (1)",
    "CheckoutError",
  ])
    expect(text).toContain(part);
  const named = await read("/releases/notes.md");
  expect([named.status, named.answer.headers.get("location")]).toEqual([302, "/releases/notes.md/issues"]);
});

test("a profile is given as Markdown, of the thread that is chosen", async () => {
  const profilerId = "ab".repeat(16);
  expect((await sendEnvelope(server, makeProfileEnvelope(profilerId))).ok).toBe(true);
  await expect.poll(async () => (await read(`/events/${profilerId}.md`)).status, { timeout: 20_000 }).toBe(200);
  const { text } = await read(`/events/${profilerId}.md?thread=1`);
  for (const part of [
    "# Profiler abababab",
    `<${server.url}/events/${profilerId}?thread=1>`,
    "- **Thread**: `pool`",
    "## Functions (2)",
    "- `wait`: 200 ms of its own (100 %), 200 ms in all, `threading`",
  ])
    expect(text).toContain(part);
});

test("what is not there is 404 in plain text, and nobody reads it without signing in", async () => {
  for (const path of ["/issues/99999.md", `/events/${"0".repeat(32)}.md`, "/events/x.md", "/releases/none.md"]) {
    const { status, type } = await read(path);
    expect([path, status, type]).toEqual([path, 404, "text/plain; charset=utf-8"]);
  }
  for (const path of [`/issues/${issueId}.md`, `/events/${eventId}.md`])
    expect((await read(path, null)).status).toBe(401);
});
