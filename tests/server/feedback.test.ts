import { afterAll, beforeAll, expect, test } from "vitest";
import { getJson, send, sendEnvelope, sumOutcomes, toEventEnvelope, waitFor } from "../support/api.ts";
import { signIn, type Visitor } from "../support/browse.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

let server: TestServer;
let owner: Visitor;

beforeAll(async () => {
  server = await startServer();
  owner = await signIn(server);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

const newId = () => crypto.randomUUID().replaceAll("-", "");
/** The head of a picture of one pixel. */
const PNG = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01";

async function say(feedback: Record<string, unknown>, files: ReadonlyArray<[name: string, text: string]> = []) {
  const eventId = newId();
  const body = JSON.stringify({ event_id: eventId, contexts: { feedback } });
  const items = files.map(([filename, text]) => {
    const bytes = Buffer.from(text, "latin1");
    const header = JSON.stringify({ type: "attachment", filename, content_type: "text/html", length: bytes.length });
    return Buffer.concat([Buffer.from(`${header}\n`), bytes, Buffer.from("\n")]);
  });
  const head = Buffer.from(`{"event_id":"${eventId}"}\n{"type":"feedback"}\n${body}\n`);
  const answer = await sendEnvelope(server, Buffer.concat([head, ...items]));
  expect(answer.status).toBe(200);
  return eventId;
}

/** The number of the message with this text, once it is there. */
async function waitForMessage(words: string, tab = "unresolved"): Promise<string> {
  return await waitFor(`“${words}”`, async () => {
    const { html } = await owner.open(`/feedback?tab=${tab}&q=${encodeURIComponent(`"${words}"`)}`);
    return /href="\/feedback\/(\d+)/.exec(html)?.[1];
  });
}

test("what a user says about an event leads to its issue, and the other way round", async () => {
  const { eventId, envelope } = toEventEnvelope({ message: "The cart is gone", release: "shop@3" });
  await sendEnvelope(server, envelope);
  await say({
    message: "Where is my cart?",
    name: "Sam",
    contact_email: "sam@shop.example",
    associated_event_id: eventId,
  });
  const report = JSON.stringify({
    event_id: eventId,
    name: "Lin",
    email: "lin@shop.example",
    comments: "I cannot pay",
  });
  await sendEnvelope(server, `{"event_id":"${eventId}"}\n{"type":"user_report"}\n${report}\n`);
  const [one, other] = [await waitForMessage("Where is my cart"), await waitForMessage("I cannot pay")];
  for (const id of [one, other]) {
    const html = await waitFor("its issue", async () => {
      const page = await owner.open(`/feedback/${id}`);
      return page.html.includes("The cart is gone") && page.html;
    });
    expect(html).toContain(`/events/${eventId}`);
  }
  expect((await owner.open(`/feedback/${other}`)).html).toContain("shop@3");
  const event = (await owner.open(`/events/${eventId}`)).html;
  expect(event).toContain("2 people wrote about this");
  expect(event).toContain("Sam wrote about this");
});

test("a message of a replay says what there is of it, and leads to its errors", async () => {
  const replayId = newId();
  await say({ message: "Look at my replay", replay_id: replayId });
  await say({ message: "Mine is gone", replay_id: newId() });
  const items = [
    `{"type":"replay_event"}\n${JSON.stringify({ replay_id: replayId, segment_id: 0 })}\n`,
    `{"type":"replay_recording","length":21}\n{"segment_id":0}\n[12]\n`,
  ];
  await sendEnvelope(server, `{"event_id":"${replayId}"}\n${items.join("")}`);
  const [kept, lost] = [await waitForMessage("Look at my replay"), await waitForMessage("Mine is gone")];
  const html = await waitFor("the recording", async () => {
    const page = (await owner.open(`/feedback/${kept}`)).html;
    return page.includes("one part of its recording is stored") && page;
  });
  expect(html).toContain(`replay%3A${replayId}`);
  expect((await owner.open(`/feedback/${lost}`)).html).toContain("no recording of it is stored");
});

test("hostile text stays text, and no link leads to script", async () => {
  await say({
    message: "<img src=x onerror=alert(1)> look",
    name: "<script>alert(1)</script>",
    url: "javascript:alert(1)",
  });
  const { html } = await owner.open(`/feedback/${await waitForMessage("look")}`);
  expect(html).not.toContain("<img src=x");
  expect(html).not.toContain("<script>alert(1)");
  expect(html).not.toMatch(/href="javascript:/i);
});

test("pictures are shown by their bytes, and everything else is downloaded", async () => {
  const eventId = await say({ message: "See the pictures" }, [
    ["shot.png", PNG],
    ["shot.svg", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"],
    ["page.png", "<html><script>alert(1)</script>"],
  ]);
  const { html } = await owner.open(`/feedback/${await waitForMessage("See the pictures")}`);
  const paths = [...new Set(html.match(new RegExp(`/attachments/${eventId}/\\d+-\\d+`, "g")))];
  expect(paths).toHaveLength(3);
  const answers = await Promise.all(
    paths.map(
      async (path) => (await fetch(`${server.url}${path}?view`, { headers: { cookie: owner.cookie } })).headers,
    ),
  );
  const types = ["image/png", "application/octet-stream", "application/octet-stream"];
  expect(answers.map((headers) => headers.get("content-type"))).toEqual(types);
  expect(answers.map((headers) => headers.get("content-disposition")?.split(";")[0])).toEqual([
    "inline",
    "attachment",
    "attachment",
  ]);
  for (const headers of answers) {
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("sandbox");
  }
});

test("the same text of five senders goes to Spam, is counted as taken, and comes back by hand", async () => {
  const before = await sumOutcomes(server, { outcome: "accepted", category: "feedback" });
  for (let at = 0; at < 5; at++)
    await say({ message: "Buy cheap watches at watches.example", contact_email: `seller${at}@spam.example` });
  const id = await waitForMessage("cheap watches", "spam");
  const spam = (await owner.open(`/feedback/${id}?tab=spam`)).html;
  expect(spam).toContain("5 or more senders wrote the same text");
  expect((await sumOutcomes(server, { outcome: "accepted", category: "feedback" })) - before).toBe(5);
  const answer = await owner.post(`/feedback/${id}?tab=spam`, { intent: "not-spam", feedback: id });
  expect(answer.html).toContain("1 message taken out of Spam");
  const undo = /name="previous" value="([^"]+)"/.exec(answer.html)?.[1] ?? "";
  expect((await owner.post("/feedback", { intent: "undo", previous: undo })).status).toBe(200);
  expect(await waitForMessage("cheap watches", "spam")).toBe(id);
  expect((await owner.post("/feedback", { intent: "resolve" })).html).toContain("Select a message first");
});

test("the web API and the ingest path take what users wrote, and list it", async () => {
  const path = "/projects/default/shop/user-feedback/";
  const [first, second] = [newId(), newId()];
  const report = { event_id: first, name: "Kim", email: "kim@shop.example", comments: "The page is blank" };
  expect(await (await send(server, "POST", path, report)).json()).toMatchObject({ eventID: first, name: "Kim" });
  expect((await send(server, "POST", path, { ...report, event_id: "x" })).status).toBe(400);
  const dsn = new URL(server.dsn ?? "");
  const old = await fetch(`${server.url}/api${dsn.pathname}/user-feedback/?sentry_key=${dsn.username}`, {
    method: "POST",
    body: JSON.stringify({ ...report, event_id: second, comments: "The page is blank again" }),
  });
  expect(old.status).toBe(200);
  type Said = { eventID: string; comments: string; status: string };
  const query = encodeURIComponent('email:kim@shop.example "blank"');
  const found = await waitFor("both", async () => {
    const listed = await getJson<Said[]>(server, `${path}?query=${query}`);
    return listed.length === 2 && listed;
  });
  expect(found.map(({ eventID }) => eventID)).toEqual([second, first]);
  expect(await getJson<Said[]>(server, `${path}?status=resolved`)).toEqual([]);
  const any = await getJson<Said[]>(server, `${path}?status=&limit=100`);
  expect(new Set(any.map(({ status }) => status))).toEqual(new Set(["unresolved", "spam"]));
  expect((await send(server, "POST", path, { ...report, comments: " " })).status).toBe(400);
});

test("what is deleted of a user takes what they wrote along", async () => {
  await say({ message: "Please forget me", contact_email: "gone@shop.example" });
  await waitForMessage("Please forget me");
  const asked = await send(server, "DELETE", "/organizations/default/user-data/?email=gone@shop.example");
  expect(asked.ok, await asked.text()).toBe(true);
  await waitFor(
    "it to be gone",
    async () => !(await owner.open("/feedback?q=forget")).html.includes("Please forget me"),
  );
});

test("a message that is longer than Culprit keeps says so, and one as long as that does not", async () => {
  await say({ message: `Much to say: ${"na ".repeat(2_000)}batman` });
  await say({ message: `Enough said: ${"x".repeat(4_096 - 13)}` });
  const cut = (await owner.open(`/feedback/${await waitForMessage("Much to say")}`)).html;
  expect(cut).toMatch(/ na? ?…<\/bdi>/);
  expect(cut).toContain("The message was longer.");
  const whole = (await owner.open(`/feedback/${await waitForMessage("Enough said")}`)).html;
  expect(whole).toMatch(/xxx<\/bdi>/);
  expect(whole).not.toContain("The message was longer.");
});
