import { expect, test } from "vitest";
import { getJson, sendEnvelope, toEventEnvelope, waitForEvent } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { partsOf, startMailServer } from "../support/mail-server.ts";
import { startServer } from "../support/start-server.ts";
import { startWebhookReceiver } from "../support/webhook-receiver.ts";

const PUBLIC_URL = "https://errors.example.com";

/** Somebody who is not signed in. */
function visit(url: string) {
  const toPage = async (answer: Response) => ({ status: answer.status, html: await answer.text() });
  const headers = { accept: "text/html", origin: url };
  return {
    open: async (path: string) => toPage(await fetch(url + path, { headers })),
    post: async (path: string, fields: Record<string, string>) =>
      toPage(await fetch(url + path, { method: "POST", headers, body: new URLSearchParams(fields) })),
  };
}

/** The addresses of a mail that act, by their labels. */
function readActs(text: string): Record<string, string> {
  const found = text.matchAll(
    /^(Resolve|Assign to me|Snooze for a day): https:\/\/errors\.example\.com(\/act\/\S+)$/gm,
  );
  return Object.fromEntries(Array.from(found, ([, label = "", path = ""]) => [label, path]));
}

test("a mail resolves, assigns and snoozes by links that ask first, work once, and can be put back", async () => {
  await using mail = await startMailServer();
  await using server = await startServer({
    env: { SMTP_URL: mail.url, MAIL_FROM: "errors@example.com", PUBLIC_URL },
  });
  const { eventId, envelope } = toEventEnvelope({ message: "the cart is empty" });
  await sendEnvelope(server, envelope);
  await expect.poll(() => mail.received.length).toBe(1);
  const [first] = mail.received;
  if (!first) throw new Error("no mail came");
  const { "text/plain": text = "", "text/html": html = "" } = partsOf(first);
  const acts = readActs(text);
  expect(Object.keys(acts)).toEqual(["Resolve", "Assign to me", "Snooze for a day"]);
  for (const path of Object.values(acts)) expect(html).toContain(`href="${PUBLIC_URL}${path}"`);
  const { groupID } = await waitForEvent(server, eventId);
  const getStatus = async () => {
    const issue: Record<string, unknown> = await getJson(server, `/issues/${groupID}/`);
    return [issue.status, (issue.assignedTo as { email?: string } | null)?.email ?? null];
  };

  // Nobody is signed in. What looks at mails opens links, and nothing happens.
  const stranger = visit(server.url);
  const resolve = acts.Resolve ?? "";
  const asked = await stranger.open(resolve);
  expect(asked.status).toBe(200);
  expect(asked.html).toContain("Resolve this issue?");
  expect(asked.html).toContain("the cart is empty");
  expect(await getStatus()).toEqual(["unresolved", null]);

  const done = await stranger.post(resolve, {});
  expect(done.html).toContain("It comes back by itself");
  expect(await getStatus()).toEqual(["resolved", null]);
  expect((await stranger.open(resolve)).html).toContain("This link was used already");
  expect((await stranger.post(resolve, {})).status).toBe(400);
  const undo = /name="undo" value="([^"]+)"/.exec(done.html)?.[1] ?? "";
  const signature = /name="signature" value="([^"]+)"/.exec(done.html)?.[1] ?? "";
  expect((await stranger.post(resolve, { undo: `triage/${groupID};user:1`, signature })).status).toBe(400);
  expect((await stranger.post(resolve, { undo, signature })).html).toContain("Put back as it was.");
  expect(await getStatus()).toEqual(["unresolved", null]);
  expect((await stranger.post(resolve, { undo, signature })).status).toBe(400);

  expect((await stranger.post(acts["Assign to me"] ?? "", {})).html).toContain("Assigned to you.");
  expect(await getStatus()).toEqual(["unresolved", server.owner.email]);
  expect((await stranger.post(acts["Snooze for a day"] ?? "", {})).html).toContain("Snoozed for a day.");
  expect((await stranger.open(resolve.replace(".resolve.", ".assign."))).status).toBe(404);

  const person = await signIn(server);
  const audit = (await person.open("/settings/audit")).html;
  expect(audit).toMatch(/changed an issue by a link in a message/i);
  expect(audit).toMatch(/put back what a link in a message did/i);
});

test("readers of a channel assign, snooze and resolve; links end with the sight of the project, or a choice of the channel", async () => {
  await using mail = await startMailServer();
  await using hook = await startWebhookReceiver();
  await using server = await startServer({
    env: { SMTP_URL: mail.url, MAIL_FROM: "errors@example.com", PUBLIC_URL, ALLOW_PRIVATE_WEBHOOKS: "1" },
  });
  const person = await signIn(server);
  const channel = { kind: "mattermost", name: "Town", url: hook.url, serves: "all" };
  const added = await person.post("/settings/channels/new", { ...channel, intent: "add", forProject: "shop" });
  const channelPath = /\/settings\/channels\/\d+/.exec(added.html)?.[0] ?? "";
  await sendEnvelope(server, toEventEnvelope({ message: "the cart is empty" }).envelope);
  await expect.poll(() => mail.received.length).toBe(1);
  const [first] = mail.received;
  const path = readActs(first ? (partsOf(first)["text/plain"] ?? "") : "").Resolve ?? "";
  const stranger = visit(server.url);
  expect((await stranger.open(path)).status).toBe(200);
  await expect.poll(() => hook.received.length).toBe(1);
  const told: string = JSON.parse(hook.received[0]?.body ?? "").attachments[0].text;
  const ofChannel = Object.fromEntries(
    Array.from(told.matchAll(/\[([^\]]+)\]\(https:\/\/errors\.example\.com(\/act\/\S+?)\)/g), (match) => [
      match[1],
      match[2],
    ]),
  );
  // No rule waits for an answer.
  expect(Object.keys(ofChannel)).toEqual(["Resolve", "Assign", "Snooze for a day"]);
  const asked = await stranger.open(ofChannel.Assign ?? "");
  expect(asked.html).toContain("As somebody who reads the channel Town");
  const owner = /<option value="(user:\d+)"/.exec(asked.html)?.[1] ?? "";
  expect((await stranger.post(ofChannel.Assign ?? "", {})).status).toBe(400);
  const assigned = await stranger.post(ofChannel.Assign ?? "", { to: owner });
  expect(assigned.html).toContain("Assigned to ");
  const snoozed = await stranger.post(ofChannel["Snooze for a day"] ?? "", {});
  expect(snoozed.html).toContain("Archived until ");
  expect((await stranger.post(ofChannel.Resolve ?? "", {})).html).toContain("It comes back by itself");
  const [issue] = await getJson<Array<{ status: string; assignedTo: { email: string } }>>(
    server,
    "/projects/default/shop/issues/?query=",
  );
  expect([issue?.status, issue?.assignedTo.email]).toEqual(["resolved", server.owner.email]);
  expect((await person.open("/settings/audit")).html).toContain("somebody who reads the channel Town");
  const without = { ...channel, intent: "save", acts: "none" };
  expect((await person.post(channelPath, without)).status).toBeLessThan(400);
  expect((await stranger.open(ofChannel.Resolve ?? "")).status).toBe(404);
  const deleted = await person.post("/projects/shop/settings", { intent: "delete-project", confirm: "shop" });
  expect(deleted.status).toBeLessThan(400);
  expect((await stranger.open(path)).status).toBe(404);
  expect((await stranger.post(path, {})).status).toBe(404);
});
