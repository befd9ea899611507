import { expect, test } from "vitest";
import { type ApiIssue, getJson, send, sendEnvelope, toEventEnvelope, waitFor, waitForEvent } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

async function report(server: TestServer, message: string, release: string): Promise<string> {
  const { eventId, envelope } = toEventEnvelope({ message, release, tags: { release_tag: release } });
  expect((await sendEnvelope(server, envelope)).status).toBe(200);
  return String((await waitForEvent(server, eventId)).groupID);
}

const countEvents = async (server: TestServer, issueId: string) =>
  (await getJson<unknown[]>(server, `/issues/${issueId}/events/`)).length;
const issueOf = (server: TestServer, issueId: string) =>
  getJson<ApiIssue & { firstSeen: string }>(server, `/issues/${issueId}/`);

/** Once it says that its events are where they belong: a merge and its undo wait for that two seconds at most. */
const whenSettled = (server: TestServer, issueId: string) =>
  waitFor("its events", async () => {
    const issue = await issueOf(server, issueId);
    return issue.isSettled !== false && issue;
  });

test("merged issues are one, also for what comes; undone, each event is back in the issue of its own key", async () => {
  await using server = await startServer();
  const person = await signIn(server);
  const cart = await report(server, "the cart is empty", "shop@1");
  for (const release of ["shop@1", "shop@2"]) await report(server, "the cart is empty", release);
  const bank = await report(server, "no answer of the bank", "shop@1");
  const before = await issueOf(server, bank);

  const path = `/projects/default/shop/issues/?id=${cart}&id=${bank}`;
  const both = await send(server, "PUT", path, { merge: 1, status: "resolved" });
  expect(both.status).toBe(400);
  const merged = await send(server, "PUT", path, { merge: 1 });
  expect(merged.status).toBe(200);
  expect(await merged.json()).toMatchObject({ merge: { parent: cart, children: [bank] } });
  expect(String((await issueOf(server, bank)).id)).toBe(cart);
  expect(await issueOf(server, cart)).toMatchObject({ count: "4" });
  await waitFor("events", async () => (await countEvents(server, cart)) === 4);

  // Later events of either are there, too.
  expect(await report(server, "no answer of the bank", "shop@3")).toBe(cart);
  const page = await person.open("/projects/shop/grouping");
  expect(page.html).toContain(`${before.shortId} is `);
  const hashes = await getJson<Array<{ id: string; mergedFrom: { shortId: string } | null }>>(
    server,
    `/issues/${cart}/hashes/`,
  );
  expect(hashes.map(({ mergedFrom }) => mergedFrom?.shortId ?? null)).toEqual([null, before.shortId]);

  const [own, foreign] = hashes;
  expect((await send(server, "DELETE", `/issues/${cart}/hashes/?id=${own?.id}`)).status).toBe(400);
  const split = await waitFor("the end of the merge", async () => {
    const response = await send(server, "DELETE", `/issues/${cart}/hashes/?id=${foreign?.id}`);
    return response.status !== 409 && response;
  });
  expect(split.status).toBe(202);
  expect(await split.json()).toEqual({ issues: [bank] });
  const after = await whenSettled(server, bank);
  expect(await countEvents(server, bank)).toBe(2);
  expect(after).toMatchObject({
    shortId: before.shortId,
    title: before.title,
    count: "2",
    firstSeen: before.firstSeen,
  });
  expect((await whenSettled(server, cart)).count).toBe("3");
  expect(await countEvents(server, cart)).toBe(3);
  const html = (await person.open(`/issues/${bank}`)).html;
  expect(html).toMatch(/undid the merge into [A-Z0-9-]+: 2 events came back/);
  expect((await person.open(`/issues/${cart}`)).html).toMatch(/undid the merge of [A-Z0-9-]+: 2 events went back/);
  expect(await report(server, "no answer of the bank", "shop@4")).toBe(bank);
});

test("merged once, stored events are together and later ones are a new issue; undone, all are back", async () => {
  await using server = await startServer();
  const person = await signIn(server);
  const one = await report(server, "alpha is down", "shop@1");
  const two = await report(server, "beta is gone", "shop@1");
  const fields = { intent: "merge-other-once", other: two };
  const said = await person.post(`/issues/${one}`, fields);
  expect([said.status, said.html]).toEqual([
    200,
    expect.stringMatching(/SHOP-2 merged into this issue\. Later events of it are a new issue/),
  ]);
  // Undone at once, while it is still applied, and merged again.
  const [, undo = ""] = /value="(merges:\d+)"/.exec(said.html) ?? [];
  expect((await person.post(`/issues/${one}`, { undo })).html).toContain("SHOP-2 is an issue of its own again");
  expect((await whenSettled(server, two)).count).toBe("1");
  expect(await countEvents(server, two)).toBe(1);
  expect((await person.post(`/issues/${one}`, fields)).status).toBe(200);
  await waitFor("events", async () => (await countEvents(server, one)) === 2);
  const later = await report(server, "beta is gone", "shop@2");
  expect([one, two]).not.toContain(later);
  const page = await person.open("/projects/shop/grouping");
  expect(page.html).toContain("No rule: later events of its keys are a new issue.");
  const [, merge = ""] = /name="merge" value="(\d+)"/.exec(page.html) ?? [];
  const name = { intent: "rename-merge", id: merge, name: " Both  down " };
  expect((await person.post("/projects/shop/grouping", name)).html).toContain("Renamed: Both down.");
  expect((await person.post("/projects/shop/grouping", { ...name, name: " " })).status).toBe(400);
  await waitFor("the undo", async () => {
    const undone = await person.post(`/issues/${one}`, { intent: "undo-merge", merge });
    return undone.status !== 409;
  });
  // With the event that had come since, of an issue that ends now.
  expect((await whenSettled(server, two)).count).toBe("2");
  expect(await countEvents(server, two)).toBe(2);
  expect(await countEvents(server, one)).toBe(1);
  expect(String((await issueOf(server, later)).id)).toBe(two);
  expect(await report(server, "beta is gone", "shop@3")).toBe(two);
});

test("the list merges what is selected, and undoes it", async () => {
  await using server = await startServer();
  const person = await signIn(server);
  const one = await report(server, "alpha is down", "shop@1");
  const two = await report(server, "beta is gone", "shop@1");
  const issues = (ids: string[]) => new URLSearchParams([["intent", "merge"], ...ids.map((id) => ["issue", id])]);
  expect((await person.post("/issues", issues([one]))).html).toContain("Select the two or more issues");
  const merged = await person.post("/issues", issues([one, two]));
  expect(merged.html).toContain("1 issue merged into");
  const [, previous = ""] = /value="(merges:\d+)"/.exec(merged.html) ?? [];
  await waitFor("the undo", async () =>
    (await person.post("/issues", { intent: "undo", previous })).html.includes("Undone: 1 issue as before"),
  );
  expect((await whenSettled(server, two)).count).toBe("1");
  expect(await countEvents(server, two)).toBe(1);
  expect(String((await issueOf(server, two)).id)).toBe(two);
});
