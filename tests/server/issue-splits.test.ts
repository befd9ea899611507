import { expect, test } from "vitest";
import { type ApiIssue, getJson, sendEnvelope, toEventEnvelope, waitFor, waitForEvent } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { holdWrites } from "../support/hold-writes.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

async function report(server: TestServer, tags: Record<string, string>): Promise<string> {
  const { eventId, envelope } = toEventEnvelope({ message: "card declined", tags });
  expect((await sendEnvelope(server, envelope)).status).toBe(200);
  return String((await waitForEvent(server, eventId)).groupID);
}

const countEvents = async (server: TestServer, issueId: string) =>
  (await getJson<unknown[]>(server, `/issues/${issueId}/events/`)).length;
const issueOf = (server: TestServer, issueId: string) => getJson<ApiIssue>(server, `/issues/${issueId}/`);
/** Once it says that its events are where they belong: a split and its undo wait for that two seconds at most. */
const whenSettled = (server: TestServer, issueId: string) =>
  waitFor("its events", async () => {
    const issue = await issueOf(server, issueId);
    return issue.isSettled !== false && issue;
  });
const listIssues = async (server: TestServer) =>
  (await getJson<Array<ApiIssue & { count: string }>>(server, "/projects/default/shop/issues/?query=")).map(
    ({ id, title, count }) => ({ id: String(id), title, count }),
  );

test("an issue is split by a tag: later events and stored ones; undone, all are together, also over a kill", async () => {
  using folder = makeTempFolder();
  const dataDir = folder.path;
  let server = await startServer({ dataDir });
  // As a power cut.
  const crash = async () => {
    await server.kill9();
    server = await startServer({ dataDir });
  };
  await using _ = { [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose]() };
  const person = await signIn(server);
  const issueId = await report(server, { bank: "Nord" });
  for (const bank of ["Nord", "Nord", "Sud"]) await report(server, { bank });
  await report(server, {});
  await waitFor("events", async () => (await countEvents(server, issueId)) === 5);
  const page = `/issues/${issueId}/split`;

  const choices = await person.open(page);
  expect(choices.html).toContain("The tag bank".replace("The tag", "Tag"));
  expect(choices.html).toContain("2 values");
  expect((await person.open(`${page}?by=nothing`)).status).toBe(400);
  const tried = await person.open(`${page}?by=tags.bank`);
  expect(tried.html).toContain("card declined (Nord)");
  expect(tried.html).toContain("card declined (Sud)");
  expect(await countEvents(server, issueId)).toBe(5);

  expect((await person.post(page, { intent: "split", by: "{{ default }}" })).status).toBe(400);
  expect((await person.post(page, { intent: "split", by: "tags.bank", name: "x".repeat(200) })).status).toBe(400);
  const saved = await person.post(page, { intent: "split", by: "tags.bank", name: "Declines by bank" });
  expect(saved.html).toContain("is split.");
  expect((await person.post(page, { intent: "split", by: "tags.bank" })).status).toBe(409);
  expect(await whenSettled(server, issueId)).toMatchObject({ count: "1", title: "card declined" });
  expect(await countEvents(server, issueId)).toBe(1);
  const split = await listIssues(server);
  expect(Object.fromEntries(split.map(({ title, count }) => [title, count]))).toEqual({
    "card declined": "1",
    "card declined (Nord)": "3",
    "card declined (Sud)": "1",
  });
  const [nord = "", sud = ""] = ["Nord", "Sud"].map((bank) => split.find(({ title }) => title.includes(bank))?.id);

  // What comes later goes by the split, also a value that nobody has seen, and after a crash.
  expect(await report(server, { bank: "Nord" })).toBe(nord);
  await crash();
  expect(await report(server, { bank: "Sud" })).toBe(sud);
  const west = await report(server, { bank: "West" });
  expect([issueId, nord, sud]).not.toContain(west);
  const again = await signIn(server);
  const rules = await again.open("/projects/shop/grouping");
  expect(rules.html).toContain("Declines by bank");
  expect(rules.html).toContain("3 issues came of it, with 7 events");
  expect((await again.open(`/issues/${nord}`)).html).toMatch(/Split off from [A-Z0-9-]+ with 3 events/);

  const [, splitId = ""] = /name="split" value="(\d+)"/.exec(rules.html) ?? [];
  // It is answered after two seconds at most, whatever is still to be done.
  const held = holdWrites(server, "event_moves");
  expect((await again.post(page, { intent: "undo-split", split: splitId })).html).toContain(
    "Undone: Declines by bank.",
  );
  for (const each of [issueId, nord]) expect(await issueOf(server, each)).toMatchObject({ isSettled: false });
  held.release();
  await crash();
  expect(await whenSettled(server, issueId)).toMatchObject({ count: "8", title: "card declined" });
  expect(await countEvents(server, issueId)).toBe(8);
  expect(await listIssues(server)).toHaveLength(1);
  expect(String((await issueOf(server, nord)).id)).toBe(issueId);
  expect(await report(server, { bank: "Nord" })).toBe(issueId);
});
