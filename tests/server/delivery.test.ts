import { expect, test } from "vitest";
import { sendEnvelope, toEventEnvelope } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { startMailServer } from "../support/mail-server.ts";
import { startServer } from "../support/start-server.ts";
import { startWebhookReceiver } from "../support/webhook-receiver.ts";

const PAGE = "/settings/delivery";
const BANNER = "Culprit cannot deliver some messages";

test("a blocked address: the fallback channel, the banner and the page say so; sent again, it arrives", async () => {
  let isBlocked = true;
  await using mail = await startMailServer({
    refuse: () => (isBlocked ? { code: 550, message: "5.7.1 blocked by policy" } : null),
  });
  await using receiver = await startWebhookReceiver();
  await using server = await startServer({
    env: { SMTP_URL: mail.url, MAIL_FROM: "errors@example.com", ALLOW_PRIVATE_WEBHOOKS: "1" },
  });
  const person = await signIn(server);
  expect((await person.open(PAGE)).html).toContain("No message is in trouble");
  const form = { intent: "add", kind: "webhook", name: "Phone", url: receiver.url, serves: "all" };
  const { html } = await person.post("/settings/channels/new", form);
  const id = /\/settings\/channels\/(\d+)/.exec(html)?.[1] ?? "";
  expect((await person.post(PAGE, { intent: "fallback", fallback: "9999" })).status).toBe(404);
  expect((await person.post(PAGE, { intent: "fallback", fallback: id })).html).toContain("Fallback channel saved.");

  expect((await sendEnvelope(server, toEventEnvelope({ message: "the cart is empty" }).envelope)).status).toBe(200);
  await expect.poll(() => receiver.received.length).toBe(1);
  const { issues } = JSON.parse(receiver.received[0]?.body ?? "").data;
  expect(issues).toMatchObject([
    { transition: "undelivered", culprit: expect.stringContaining("blocked by policy"), url: `${server.url}${PAGE}` },
    { transition: "new", title: "the cart is empty" },
  ]);
  expect((await person.open("/issues")).html).toContain(BANNER);
  const listed = (await person.open(PAGE)).html;
  expect(listed).toContain("5.7.1 blocked by policy");
  const letter = /name="letter" value="(\d+)"/.exec(listed)?.[1] ?? "";
  const health = await fetch(`${server.url}/healthz`);
  expect([health.status, await health.json()]).toMatchObject([200, { status: "ok", delivery: "failing" }]);
  expect(await (await fetch(`${server.url}/metrics`)).text()).toContain("culprit_messages_dead 1");

  expect((await person.post(PAGE, { intent: "drop", letter })).html).toContain("Undo");
  expect((await person.open("/issues")).html).not.toContain(BANNER);
  expect((await person.post(PAGE, { intent: "drop", letter })).status).toBe(404);
  expect((await person.post(PAGE, { intent: "retry" })).status).toBe(400);
  expect((await person.post(PAGE, { intent: "restore", letter })).html).toContain("5.7.1 blocked by policy");
  isBlocked = false;
  await person.post(PAGE, { intent: "retry-all" });
  // The address has one message a minute, and it has had none that arrived.
  await expect.poll(async () => (await (await fetch(`${server.url}/healthz`)).json()).delivery).toBe("ok");
  expect(receiver.received).toHaveLength(1);
});
