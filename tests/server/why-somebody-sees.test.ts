import { afterAll, beforeAll, expect, test } from "vitest";
import { sendEnvelope, toEventEnvelope, waitForEvent, waitForIssues } from "../support/api.ts";
import { signIn, type Visitor } from "../support/browse.ts";
import { openCookieBrowser } from "../support/cookie-browser.ts";
import { makeError } from "../support/make-event.ts";
import { makeProject } from "../support/make-project.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";

let server: TestServer;
let owner: Visitor;
let mia: ReturnType<typeof openCookieBrowser>;
/** Of Mia, as the owner and she herself see it. */
let page: string;
let issues: { shop: { id: string; shortId: string }; till: { id: string; shortId: string } };
let eventId: string;

beforeAll(async () => {
  server = await startServer();
  owner = await signIn(server);
  const till = await makeProject(server, "till");
  const contexts = { trace: { trace_id: TRACE, span_id: "b7ad6b7169203331" } };
  for (const [slug, dsn] of [
    ["shop", server.dsn],
    ["till", till.dsn],
  ] as const) {
    const event = toEventEnvelope(makeError(slug === "shop" ? "Pay" : "Print", { contexts }));
    await sendEnvelope({ url: server.url, dsn }, event.envelope);
    await waitForEvent(server, event.eventId, slug);
    eventId = event.eventId;
  }
  const [shopIssue, tillIssue] = [await waitForIssues(server, 1), await waitForIssues(server, 1, "till")].flat();
  if (!shopIssue || !tillIssue) throw new Error("there are no issues");
  issues = { shop: shopIssue, till: tillIssue };
  const invited = await owner.post("/settings/invitations", { intent: "invite", role: "member", project: "1" });
  const link = /\/invitation\/[\w-]{43}/.exec(invited.html)?.[0] ?? "";
  mia = openCookieBrowser(server.url, { from: "192.0.2.1" });
  await mia.post(link, { name: "Mia", email: "mia@example.com", password: "the password of mia" });
  const found = (await owner.open("/settings/members?q=mia")).html;
  page = /\/settings\/members\/\d+/.exec(found)?.[0] ?? "";
});
afterAll(() => server?.[Symbol.asyncDispose]());

/** What the page says; apostrophes as they are. */
async function ask(thing: string, as: { open(path: string): Promise<{ html: string }> } = owner): Promise<string> {
  return (await as.open(`${page}?thing=${encodeURIComponent(thing)}`)).html.replaceAll("&#x27;", "'");
}

test("an issue is named by its short id, its address or an event, and the answer is a path or what is missing", async () => {
  // Takes every grant away.
  await owner.post(page, new URLSearchParams({ intent: "access" }));
  expect(await ask(issues.shop.shortId)).toContain(`Mia does not see ${issues.shop.shortId}.`);
  expect(await ask(issues.shop.shortId)).toContain("nobody gave it to them by name");
  const form = (await owner.open(page)).html;
  const shopId = /name="project"[^>]*value="(\d+)"(?=(?:(?!name="project").)*?shop)/s.exec(form)?.[1] ?? "";
  await owner.post(page, new URLSearchParams({ intent: "access", project: shopId }));
  const { id, shortId } = issues.shop;
  const addresses = [`issues/${id}?sort=new#top`, `issues/${shortId.toLowerCase()}/tags`];
  for (const thing of [shortId, ...addresses.map((each) => `${server.url}/${each}`)]) {
    const answer = await ask(thing);
    expect(answer).toContain(`Mia sees ${issues.shop.shortId}.`);
    expect(answer).toContain("Mia was given shop by name.");
  }
  // The newest event is of the till.
  expect(await ask(eventId)).toContain(`Mia does not see ${issues.till.shortId}.`);
});

test("of a trace of two projects, somebody sees the part of theirs", async () => {
  const answer = await ask(TRACE);
  expect(answer).toContain("Mia sees a part of the trace 0af76519: 1 of its 2 projects.");
  expect(answer).toContain("Mia does not see till");
  expect(await ask(`${server.url}/traces/${TRACE}`)).toContain("1 of its 2 projects");
});

test("who asks hears nothing of projects that they do not see", async () => {
  expect(await ask(issues.till.shortId, mia)).toContain("Nothing in your projects has this id or address.");
  expect(await ask(TRACE, mia)).toContain("Mia sees the trace 0af76519.");
  for (const thing of ["nothing", "https://elsewhere.example/issues/1", "x".repeat(1_900)])
    expect(await ask(thing)).toContain("Nothing in your projects has this id or address.");
});
