import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getJson, getLatestEvent, listIssues, sumOutcomes, waitFor } from "../support/api.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { run } from "./run-toolchain.ts";

/** As the web API lists feedback. */
interface Said {
  eventID: string | null;
  issue: { id: string } | null;
}

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

test("the Node SDK reports a caught error with its cause, a message, an uncaught error, feedback, a transaction, a log and a check-in", async () => {
  await run(process.execPath, {
    args: [join(import.meta.dirname, "node-app", "app.mjs")],
    cwd: import.meta.dirname,
    env: { SENTRY_DSN: server.dsn ?? "" },
  }).catch((error: Error) => expect(error.message).toContain("TypeError"));

  const issues = await waitFor("three issues", async () => {
    const found = await listIssues(server);
    return found.length >= 3 && found;
  });
  expect(issues.map(({ title }) => title).sort()).toEqual([
    "Error: checkout failed",
    expect.stringMatching(/^TypeError: Cannot read properties of undefined/),
    "node says hello",
  ]);
  const failed = issues.find(({ title }) => title === "Error: checkout failed");
  const event = await getLatestEvent<{ context: Record<string, unknown> }>(server, failed);
  expect(event.user).toMatchObject({ id: "4711", email: "ada@example.com" });
  expect(event.sdk?.name).toBe("sentry.javascript.node");
  expect(event.context.apiKey).toMatch(/Filtered/);
  expect(issues.find(({ title }) => title.startsWith("TypeError"))?.isUnhandled).toBe(true);

  for (const category of ["transaction", "log_item", "monitor"]) {
    await waitFor(category, async () => (await sumOutcomes(server, { outcome: "accepted", category })) > 0);
  }
  const [said] = await waitFor("the feedback to know its issue", async () => {
    const found = await getJson<Said[]>(server, "/projects/default/shop/user-feedback/");
    return found[0]?.issue && found;
  });
  expect(said).toMatchObject({
    comments: "I could not pay.",
    name: "Ada",
    email: "ada@example.com",
    eventID: event.eventID,
    issue: { id: failed?.id },
  });
  expect(await sumOutcomes(server, { outcome: "invalid" })).toBe(0);
});
