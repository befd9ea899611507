import { expect, test } from "vitest";
import { sendEnvelope, toEventEnvelope } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { startServer } from "../support/start-server.ts";
import { isSigned, startWebhookReceiver } from "../support/webhook-receiver.ts";

const NEW = "/settings/channels/new";

test("a channel is added, tested, changed, chosen by a project and deleted; its secrets stay in the server", async () => {
  await using receiver = await startWebhookReceiver();
  await using server = await startServer({ env: { ALLOW_PRIVATE_WEBHOOKS: "1" } });
  const person = await signIn(server);
  expect((await person.open("/settings/channels")).html).toContain("No channel yet");
  const form = { intent: "add", kind: "slack", name: "On call", url: receiver.url, serves: "all" };
  expect((await person.post(NEW, { ...form, kind: "nonsense" })).status).toBe(400);
  const wrong = await person.post(`${NEW}?kind=slack`, { ...form, url: "file:///etc/passwd" });
  expect(wrong.status).toBe(400);
  expect(wrong.html).toContain("Give the whole address, beginning with https:// or http://.");
  // What was typed is there again, without the secret.
  expect(wrong.html).toContain('value="On call"');
  expect(wrong.html).not.toContain("file:///");
  const nowhere = await person.post(`${NEW}?kind=slack`, { ...form, serves: "" });
  expect([nowhere.status, nowhere.html.includes("Choose a project.")]).toEqual([400, true]);

  const added = await person.post(NEW, form);
  expect(added.html).toContain("The channel is added.");
  const list = await person.open("/settings/channels");
  const path = /\/settings\/channels\/\d+/.exec(list.html)?.[0] ?? "";
  expect(list.html).toContain("Slack, incoming webhook");
  expect(list.html).toContain("nothing sent yet");
  expect(list.html).not.toContain("s3cret");
  expect((await person.post(NEW, form)).status).toBe(409);

  receiver.answerWith((_, res) => void res.writeHead(404).end("no_service"));
  expect((await person.post(path, { intent: "test" })).html).toContain("404 no_service");
  receiver.answerWith((_, res) => void res.end("ok"));
  expect((await person.post(path, { intent: "test" })).html).toContain("Test sent to On call. It answered: 200 ok");
  expect((await person.open("/settings/channels")).html).toContain("works again");
  expect(JSON.parse(receiver.received.at(-1)?.body ?? "").blocks[0].text.text).toContain("New issue");

  // An empty secret stays as it was.
  const saved = await person.post(path, { intent: "save", name: "Renamed", url: "", serves: "all" });
  expect([saved.status, saved.html.includes("Renamed")]).toEqual([200, true]);
  expect((await person.post(path, { intent: "rotate-secret" })).status).toBe(400);

  const id = path.split("/").at(-1) ?? "";
  const page = "/projects/shop/notifications";
  expect((await person.post(page, { intent: "channels", channel: "99" })).status).toBe(404);
  expect((await person.post(page, { intent: "channels", channel: id })).html).toContain("Channels saved.");
  await sendEnvelope(server, toEventEnvelope({ message: "the cart is empty" }).envelope);
  await expect.poll(() => receiver.received.at(-1)?.body).toContain("the cart is empty");
  const audit = await person.open("/settings/audit");
  expect(audit.html).toContain("added a channel");
  expect(audit.html).not.toContain("s3cret");
  expect((await person.post(path, { intent: "delete" })).html).toContain("The channel is deleted.");
  expect((await person.open(path)).status).toBe(404);
  expect((await person.open(page)).html).not.toContain("Renamed");
  expect(JSON.stringify(server.logLines())).not.toContain("s3cret");
});

test("a new secret signs beside the former one", async () => {
  await using receiver = await startWebhookReceiver();
  await using server = await startServer({ env: { ALLOW_PRIVATE_WEBHOOKS: "1" } });
  const person = await signIn(server);
  const form = { intent: "add", kind: "webhook", name: "Hook", url: receiver.url, serves: "all" };
  const secretOf = ({ html }: { html: string }) => /whsec_[\w+/=]+/.exec(html)?.[0] ?? "";
  const first = secretOf(await person.post(NEW, form));
  const path = /\/settings\/channels\/\d+/.exec((await person.open("/settings/channels")).html)?.[0] ?? "";
  const second = secretOf(await person.post(path, { intent: "rotate-secret" }));
  expect(second).not.toBe(first);
  await person.post(path, { intent: "test" });
  const [hook] = receiver.received;
  expect(hook && [isSigned(hook, first), isSigned(hook, second)]).toEqual([true, true]);
  expect((await person.open(path)).html).toContain("signed with the former secret, too");
});

test("a server that is to send nothing says so on every page, and sends no test", async () => {
  await using receiver = await startWebhookReceiver();
  await using server = await startServer({ env: { ALLOW_PRIVATE_WEBHOOKS: "1", SEND_NOTHING: "1" } });
  const person = await signIn(server);
  expect((await person.open("/issues")).html).toContain("This server tells nobody.");
  await person.post(NEW, { intent: "add", kind: "slack", name: "On call", url: receiver.url, serves: "all" });
  const path = /\/settings\/channels\/\d+/.exec((await person.open("/settings/channels")).html)?.[0] ?? "";
  expect((await person.post(path, { intent: "test" })).html).toContain("SEND_NOTHING=1, and sends nothing");
  expect(receiver.received).toEqual([]);
  for (const path of ["/alerts/new", "/settings/channels/new?kind=email", "/settings/invitations"]) {
    const { html } = await person.open(path);
    expect([path, /(this server|it) was started with SEND_NOTHING=1/.test(html)]).toEqual([path, true]);
    expect([path, html.includes("SMTP_URL")]).toEqual([path, false]);
  }
});
