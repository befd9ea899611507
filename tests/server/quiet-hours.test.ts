import { join } from "node:path";
import { expect, test } from "vitest";
import { HOUR_MS } from "../../app/domain/time.ts";
import { sendEnvelope, toEventEnvelope, waitForEvent } from "../support/api.ts";
import { signIn, type Visitor } from "../support/browse.ts";
import { headerOf, partsOf, startMailServer } from "../support/mail-server.ts";
import { makeServerClock } from "../support/server-clock.ts";
import { startServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const WEEK = ["1", "2", "3", "4", "5", "6", "7"];

function toForm({ days, ...fields }: { days: readonly string[] } & Record<string, string | readonly string[]>) {
  return new URLSearchParams([
    ...Object.entries(fields).map(([name, value]) => [name, String(value)]),
    ...days.map((day) => ["days", day]),
  ]);
}

const isTold = /shop: 2 changes/;

/** The text of the page, without what React puts between its parts. */
const openSettings = async (person: Visitor) => (await person.open("/settings")).html.replaceAll("<!-- -->", "");

/** `07:05`, in UTC. */
const toTime = (at: number) => new Date(at).toISOString().slice(11, 16);

test("mail waits for the end of a person's quiet hours, over a kill -9, and comes as one", async () => {
  using folder = makeTempFolder();
  const clock = makeServerClock(folder.path);
  await using mail = await startMailServer();
  const options = {
    dataDir: join(folder.path, "data"),
    env: { SMTP_URL: mail.url, MAIL_FROM: "errors@example.com", ...clock.env },
  };
  await using server = await startServer(options);
  const person = await signIn(server);
  expect((await person.open("/settings")).html).toContain("You have none: you are told at any hour.");
  const now = Date.now();
  const form = {
    intent: "quiet-hours",
    days: WEEK,
    from: toTime(now - HOUR_MS),
    to: toTime(now + HOUR_MS),
    timezone: "UTC",
  };
  const refusals = [
    [{ ...form, days: [] }, "Choose at least one day."],
    [{ ...form, timezone: "Mars" }, "There is no time zone “Mars”."],
    [{ ...form, from: "25:00" }, "Must be a time of day like 22:00."],
    [{ ...form, to: form.from }, "These hours would never end."],
  ] as const;
  for (const [fields, message] of refusals) {
    const refused = await person.post("/settings", toForm(fields));
    expect([refused.status, refused.html.includes(message)], message).toEqual([400, true]);
  }
  const saved = await person.post("/settings", toForm(form));
  expect([saved.status, saved.html.includes("Nothing waits.")]).toEqual([200, true]);

  for (const message of ["the cart is empty", "the cart is full"]) {
    const { eventId, envelope } = toEventEnvelope({ message });
    await sendEnvelope(server, envelope);
    await waitForEvent(server, eventId);
  }
  await expect.poll(() => openSettings(person)).toMatch(isTold);
  expect(mail.received).toEqual([]);
  await server.kill9();
  // It starts after their end: jobs of a server that runs would wait for the next renewal of their leases.
  clock.setAhead(2 * HOUR_MS);
  await using _ = await startServer(options);
  await expect.poll(() => mail.received.length).toBe(1);
  const [first] = mail.received;
  if (!first) throw new Error("no mail came");
  expect(headerOf(first, "subject")).toBe("[shop] 2 new issues");
  for (const message of ["the cart is empty", "the cart is full"])
    expect(partsOf(first)["text/plain"]).toContain(message);
});

test("without quiet hours, what waits comes at once", async () => {
  await using mail = await startMailServer();
  await using server = await startServer({ env: { SMTP_URL: mail.url, MAIL_FROM: "errors@example.com" } });
  const person = await signIn(server);
  const now = Date.now();
  const form = { intent: "quiet-hours", from: toTime(now - HOUR_MS), to: toTime(now + HOUR_MS), timezone: "UTC" };
  await person.post("/settings", toForm({ ...form, days: WEEK, high: "on" }));
  await sendEnvelope(server, toEventEnvelope({ message: "the cart is empty" }).envelope);
  await expect.poll(() => openSettings(person)).toContain("shop: 1 change");
  expect(mail.received).toEqual([]);
  expect((await person.post("/settings", { intent: "quiet-hours-off" })).html).toContain("Quiet hours are off.");
  await expect.poll(() => mail.received.length).toBe(1);
});
