import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type ApiEvent,
  getJson,
  projectIdOf,
  sendEnvelope,
  sumOutcomes,
  toEventEnvelope,
  waitFor,
  waitForEvent,
} from "../support/api.ts";
import { signIn, type Visitor } from "../support/browse.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const root = resolve(import.meta.dirname, "../..");
/** Recorded from real SDKs by `tests/record`, and committed. */
const fixtures = join(root, "tests/fixtures/events");
/** Payloads of many platforms that stand beside a checkout; a clone of its own does not have them. */
const samples = join(root, "../shared/samples/events");

const folders = [fixtures, samples].filter((folder) => {
  const isThere = existsSync(folder);
  if (!isThere) console.info(`samples: skipped, there is no ${folder}`);
  return isThere;
});
const files = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(folder, name)),
);

let server: TestServer;
let visitor: Visitor;

beforeAll(async () => {
  server = await startServer();
  visitor = await signIn(server);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

describe("real events of many platforms", () => {
  if (!existsSync(samples)) test.skip("(the samples that stand beside a checkout are not here)", () => undefined);

  test("are in every clone: the recorded ones", () => {
    expect(files.filter((file) => file.startsWith(fixtures)).length).toBeGreaterThanOrEqual(15);
  });

  for (const file of files) {
    const name = file.slice(file.lastIndexOf("/") + 1);
    test(`${name} is stored, and each of its pages opens`, async () => {
      const payload = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
      delete payload.timestamp;
      const { eventId, envelope } = toEventEnvelope(payload);
      const response = await sendEnvelope(server, envelope);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ id: eventId });

      const event = await waitForEvent(server, eventId);
      expect(event.title).not.toBe("");
      expect(event.grouping?.hash).toMatch(/^[0-9a-f]{32}$/);

      const pages = [
        `/issues/${event.groupID}`,
        `/issues/${event.groupID}/events/${eventId}`,
        `/issues/${event.groupID}/events/${eventId}?stack=full&order=oldest`,
        `/issues/${event.groupID}/events/${eventId}?stack=raw`,
        `/issues/${event.groupID}/events/first`,
        `/issues/${event.groupID}/events/latest`,
        `/issues/${event.groupID}/events`,
        `/events/${eventId}`,
        `/events/${eventId}/json`,
      ];
      for (const path of pages) {
        const page = await visitor.open(path);
        expect(page.status, `${path}\n${page.html.slice(0, 500)}`).toBe(200);
        // What a template makes of a value that it did not expect.
        expect(page.html, path).not.toContain("[object Object]");
      }
      const page = await visitor.open(`/events/${eventId}`);
      expect(page.url).toBe(`${server.url}/issues/${event.groupID}/events/${eventId}`);
      expect(page.html).toContain("Why");
    });
  }

  test("afterwards every event is in the ledger, and the list shows the issues", async () => {
    // The pages that were opened above report to Culprit's own project.
    const project = projectIdOf(server);
    await waitFor(
      "the ledger",
      async () => (await sumOutcomes(server, { outcome: "accepted", project })) === files.length,
    );
    expect(await sumOutcomes(server, { project })).toBe(files.length);
    const list = await visitor.open("/issues?period=90d&query=");
    expect(list.status).toBe(200);
    const arrived = await visitor.open("/arrived");
    expect(arrived.html).toContain("Stored");
    const events = await getJson<ApiEvent[]>(server, "/projects/default/shop/events/");
    expect(events).toHaveLength(Math.min(files.length, 100));
  });
});
