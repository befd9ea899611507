import { expect, test } from "vitest";
import { type ApiIssue, getJson, sendEnvelope, toEventEnvelope, waitFor, waitForEvent } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { holdWrites } from "../support/hold-writes.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

async function report(server: TestServer, message: string): Promise<string> {
  const { eventId, envelope } = toEventEnvelope({ message });
  expect((await sendEnvelope(server, envelope)).status).toBe(200);
  return String((await waitForEvent(server, eventId)).groupID);
}

const countEvents = async (server: TestServer, issueId: string) =>
  (await getJson<unknown[]>(server, `/issues/${issueId}/events/`)).length;
const listIssues = async (server: TestServer) =>
  Object.fromEntries(
    (await getJson<Array<ApiIssue & { count: string }>>(server, "/projects/default/shop/issues/?query=")).map(
      ({ id, count }) => [String(id), Number(count)],
    ),
  );

test("stored events follow saved rules, and go back, also over a kill", async () => {
  using folder = makeTempFolder();
  const dataDir = folder.path;
  let server = await startServer({ dataDir });
  const crash = async () => {
    await server.kill9();
    server = await startServer({ dataDir });
  };
  await using _ = { [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose]() };
  let person = await signIn(server);
  const page = "/projects/shop/grouping";
  const alpha = await report(server, "alpha is down");
  await report(server, "alpha is down");
  const beta = await report(server, "beta is down");
  const other = await report(server, "the cart is empty");
  const before = await listIssues(server);
  expect(before).toEqual({ [alpha]: 2, [beta]: 1, [other]: 1 });
  expect((await person.post(page, { intent: "preview-move", days: "2" })).status).toBe(400);
  const rule = 'message:"* is down" -> services title="A service is down"';
  expect((await person.post(page, { intent: "save", revision: "0", fingerprintRules: rule })).html).toContain(
    "Stored events can follow",
  );
  const joined = await report(server, "gamma is down");
  const tried = await person.post(page, { intent: "preview-move", days: "7" });
  expect(tried.html).toContain("3 events of 5 would go to another issue: 3 events would join an issue that is there.");
  expect(await listIssues(server)).toEqual({ ...before, [joined]: 1 });

  expect((await person.post(page, { intent: "move", days: "7" })).html).toContain("Stored events are being moved.");
  await crash();
  await waitFor("the move", async () => (await countEvents(server, joined)) === 4);
  await waitFor("its end", async () => Object.keys(await listIssues(server)).length === 2);
  expect(await listIssues(server)).toEqual({ [other]: 1, [joined]: 4 });
  person = await signIn(server);
  const done = await waitFor("the end on the page", async () => {
    const { html } = await person.open(page);
    return html.includes("3 events moved") && !html.includes("Stop and undo") && html;
  });
  const [, moveId = ""] = /name="move" value="(\d+)"/.exec(done) ?? [];
  // Links to issues that ended lead on.
  expect(String((await getJson<ApiIssue>(server, `/issues/${beta}/`)).id)).toBe(joined);
  const messages = await person.open(`/issues/${joined}`);
  expect(messages.html).toContain("the rules of the project changed");

  const isSettled = async () => (await getJson<ApiIssue>(server, `/issues/${joined}/`)).isSettled;
  expect(await isSettled()).toBe(true);
  const held = holdWrites(server, "regrouping_requests");
  expect((await person.post(page, { intent: "undo-move", move: moveId })).html).toContain("The events go back");
  expect(await isSettled()).toBe(false);
  held.release();
  await crash();
  await waitFor("the way back", async () => await isSettled());
  expect(await countEvents(server, alpha)).toBe(2);
  expect(await listIssues(server)).toEqual({ ...before, [joined]: 1 });
  // The rules still hold for what comes.
  expect(await report(server, "beta is down")).toBe(joined);
});
