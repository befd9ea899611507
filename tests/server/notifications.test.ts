import { expect, test } from "vitest";
import { getJson, send, sendEnvelope, toEventEnvelope, waitForEvent } from "../support/api.ts";
import { signIn, type Visitor } from "../support/browse.ts";
import { headerOf, partsOf, startMailServer } from "../support/mail-server.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { isSigned, startWebhookReceiver } from "../support/webhook-receiver.ts";

const PAGE = "/projects/shop/notifications";
const MAIL_FROM = "Culprit <errors@example.com>";

async function report(server: TestServer, message: string, release = "shop@2.15.0"): Promise<string> {
  const { eventId, envelope } = toEventEnvelope({ message, release, transaction: "GET /cart" });
  expect((await sendEnvelope(server, envelope)).status).toBe(200);
  return eventId;
}

/** Adds a webhook for the project; gives its page and its secret, which is shown once. */
async function addWebhook(person: Visitor, url: string, name = "Hook"): Promise<{ path: string; secret: string }> {
  const form = { intent: "add", kind: "webhook", name, url, serves: "all", forProject: "shop" };
  const { html, status } = await person.post("/settings/channels/new", form);
  expect(status).toBe(200);
  return {
    path: /\/settings\/channels\/\d+/.exec(html)?.[0] ?? "",
    secret: /whsec_[\w+/=]+/.exec(html)?.[0] ?? "",
  };
}

test("a new issue reaches the owner's mailbox, and one that comes back a signed webhook", async () => {
  await using mail = await startMailServer();
  await using receiver = await startWebhookReceiver();
  await using server = await startServer({
    env: { SMTP_URL: mail.url, MAIL_FROM, ALLOW_PRIVATE_WEBHOOKS: "1" },
  });
  const person = await signIn(server);
  const eventId = await report(server, "the cart is empty");
  await expect.poll(() => mail.received.length).toBe(1);
  const [first] = mail.received;
  if (!first) throw new Error("no mail came");
  expect(first.to).toEqual([server.owner.email]);
  expect(headerOf(first, "subject")).toBe("[shop] New issue: the cart is empty");
  const { groupID } = await waitForEvent(server, eventId);
  // Where somebody signed in: no address is configured.
  const link = `${server.url}/issues/${groupID}`;
  expect(partsOf(first)["text/plain"]).toContain(link);
  expect(partsOf(first)["text/plain"]).toContain("release shop@2.15.0");
  expect(partsOf(first)["text/html"]).toContain(`href="${link}"`);
  expect((await person.open(new URL(link).pathname)).status).toBe(200);

  const { secret, path } = await addWebhook(person, receiver.url);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  for (const page of [PAGE, path, "/settings/channels"]) {
    const { html } = await person.open(page);
    expect(html).toContain("Hook");
    expect(html).not.toContain(secret);
    expect(html).not.toContain("s3cret");
  }
  await send(server, "PUT", `/issues/${groupID}/`, { status: "resolved" });
  await report(server, "the cart is empty");
  await expect.poll(() => receiver.received.length).toBe(1);
  const [hook] = receiver.received;
  if (!hook) throw new Error("no webhook came");
  expect(isSigned(hook, secret)).toBe(true);
  expect(JSON.parse(hook.body)).toMatchObject({
    type: "issues",
    data: {
      project: { slug: "shop", name: "shop" },
      issues: [{ transition: "regressed", title: "the cart is empty", url: link, culprit: "GET /cart", eventCount: 2 }],
    },
  });
  // The mailbox has had its message of this minute.
  expect(mail.received).toHaveLength(1);
  const logged = JSON.stringify(server.logLines());
  expect(logged).not.toContain(secret);
  expect(logged).not.toContain("s3cret");
});

test("the page says what is wrong, and a test says what the other side answered", async () => {
  await using mail = await startMailServer({
    refuse: (address) => (address.startsWith("gone") ? { code: 550, message: "no such user" } : null),
  });
  await using receiver = await startWebhookReceiver({ answer: (_, res) => void res.writeHead(403).end("bad token") });
  await using server = await startServer({
    env: { SMTP_URL: mail.url, MAIL_FROM, PUBLIC_URL: "https://errors.example.com/" },
  });
  const person = await signIn(server);
  expect((await person.open(PAGE)).html).toContain("https://errors.example.com");
  const bad = await person.post(PAGE, {
    intent: "recipients",
    emails: "ada@example.com\nnonsense",
  });
  expect(bad.status).toBe(400);
  expect(bad.html).toContain("“nonsense” is not an address of e-mail.");
  const many = Array.from({ length: 51 }, (_, index) => `p${index}@example.com`).join("\n");
  expect((await person.post(PAGE, { intent: "recipients", emails: many })).html).toContain(
    "At most 50 addresses; these are 51.",
  );
  await person.post(PAGE, { intent: "recipients", emails: "gone@example.com, ada@example.com" });
  const toAda = await person.post(PAGE, { intent: "test", channel: "email", address: "ada@example.com" });
  expect(toAda.html).toContain("Test sent to ada@example.com");
  expect(mail.received.map((received) => headerOf(received, "subject"))).toEqual(["[shop] Test of notifications"]);
  const toNobody = await person.post(PAGE, { intent: "test", channel: "email", address: "gone@example.com" });
  expect(toNobody.html).toContain("no such user");
  expect((await person.post(PAGE, { intent: "test", channel: "email", address: "eve@example.com" })).status).toBe(404);

  // Nobody has allowed addresses of this machine.
  const { path } = await addWebhook(person, receiver.url);
  const refused = await person.post(path, { intent: "test" });
  expect(refused.html).toContain("127.0.0.1 is not at a public address");
  expect(receiver.received).toEqual([]);
  expect((await person.post(PAGE, { intent: "nonsense" })).status).toBe(400);
});

test("a new project comes with a rule, which its page shows, unless a rule of all projects tells its issues anyway", async () => {
  await using server = await startServer();
  const person = await signIn(server);
  expect((await person.open(PAGE)).html).toContain("New and returning issues of shop");
  await person.post("/projects/new", { name: "Web", slug: "web", platform: "node" });
  const { html } = await person.open("/projects/web/notifications");
  expect(html).toContain("New and returning issues of web");
  const rule = /href="(\/alerts\/\d+)"/.exec(html)?.[1];
  await person.post("/alerts", { intent: "delete", rule: String(rule?.split("/").at(-1)) });
  expect((await person.open("/projects/web/notifications")).html).toContain("Nobody is told of issues of web");
  expect((await person.open("/alerts")).html).toContain("No alert rule covers these projects");

  const all = { intent: "save", name: "All", allProjects: "on", trigger: "new", match: "all", action: "members" };
  await person.post("/alerts/new", { ...all, frequency: "0", isEnabled: "on" });
  await person.post("/projects/new", { name: "Api", slug: "api", platform: "node" });
  expect((await person.open("/projects/api/notifications")).html).not.toContain("New and returning issues of api");
  expect((await person.open("/alerts")).html).not.toContain("No alert rule covers these projects");
});

test("without mail, the page says what to set; what cannot be sent gathers nowhere", async () => {
  await using server = await startServer();
  const person = await signIn(server);
  for (const page of [PAGE, "/alerts", "/alerts/1"]) {
    const { html } = await person.open(page);
    expect(html).toContain("Mail is not set up");
    expect(html).toContain("SMTP_URL");
  }
  const eventId = await report(server, "nobody hears of it");
  await waitForEvent(server, eventId);
  await expect
    .poll(async () => await (await fetch(`${server.url}/metrics`)).text())
    .toMatch(/^culprit_outbox_entries 0$/m);
  expect(await (await fetch(`${server.url}/metrics`)).text()).toMatch(/^culprit_messages_waiting 0$/m);
});

test("the page of background jobs shows every job and what it did last", async () => {
  await using server = await startServer();
  const person = await signIn(server);
  await expect
    .poll(async () => (await person.open("/settings/jobs")).html.match(/Last run/g)?.length ?? 0)
    .toBeGreaterThanOrEqual(4);
  const { html } = await person.open("/settings/jobs");
  for (const title of ["Retention", "Clean-up", "Compaction", "Reprocessing", "Notify", "Deliver"])
    expect(html).toContain(title);
  const readMetrics = async () => await (await fetch(`${server.url}/metrics`)).text();
  await expect.poll(readMetrics).toMatch(/^culprit_job_runs_total\{job="notify"\} [1-9]/m);
  expect(await getJson(server, "/organizations/")).toHaveLength(1);
});
