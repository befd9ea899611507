import { join } from "node:path";
import { expect, test } from "vitest";
import { MINUTE_MS } from "../../app/domain/time.ts";
import { getJson, send, sendEnvelope, toEventEnvelope, waitForEvent } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { headerOf, partsOf, startMailServer } from "../support/mail-server.ts";
import { makeServerClock } from "../support/server-clock.ts";
import { startServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const PUBLIC_URL = "https://errors.example.com";
const ASKED = "[shop] Nobody acknowledged this: the cart is empty";

test("a step comes once over a kill -9, and none after somebody has acknowledged by the link of a mail", async () => {
  using folder = makeTempFolder();
  const clock = makeServerClock(folder.path);
  await using mail = await startMailServer();
  const options = {
    dataDir: join(folder.path, "data"),
    env: {
      SMTP_URL: mail.url,
      MAIL_FROM: "errors@example.com",
      PUBLIC_URL,
      ...clock.env,
    },
  };
  // A kill between sending and hearing the answer sends a mail again under the same id, by which mail programs show it once.
  const listMails = () => [
    ...new Map(mail.received.map((received) => [headerOf(received, "message-id"), received])).values(),
  ];
  const subjects = () => listMails().map((received) => headerOf(received, "subject"));
  const textOf = (index: number) => {
    const received = listMails()[index];
    return received ? (partsOf(received)["text/plain"] ?? "") : "";
  };
  const first = await startServer(options);
  const person = await signIn(first);
  const rule = new URLSearchParams([
    ["intent", "save"],
    ["name", "Checkout"],
    ["project", "1"],
    ["trigger", "new"],
    ["match", "all"],
    ["action", "members"],
    ["step0Minutes", "15"],
    ["step0Action", "person:1"],
    ["step1Minutes", "60"],
    ["step1Action", "members"],
    ["frequency", "0"],
    ["isEnabled", "on"],
  ]);
  await person.post("/alerts", { intent: "delete", rule: "1" });
  const refused = await person.post("/alerts/new", new URLSearchParams([...rule, ["step2Minutes", "30"]]));
  expect([refused.status, refused.html.includes("Step 3: It must come later")]).toEqual([400, true]);
  expect((await person.post("/alerts/new", rule)).status).toBeLessThan(400);
  const { eventId, envelope } = toEventEnvelope({ message: "the cart is empty" });
  await sendEnvelope(first, envelope);
  const { groupID } = await waitForEvent(first, eventId);
  await expect.poll(subjects).toEqual(["[shop] New issue: the cart is empty"]);
  expect((await person.open(`/issues/${groupID}`)).html).toContain("Nobody has acknowledged this issue yet.");
  await first.kill9();

  // It starts when the first step is due: jobs of a server that runs would wait for the next renewal of their leases.
  clock.setAhead(16 * MINUTE_MS);
  const second = await startServer(options);
  await expect.poll(subjects).toContain(ASKED);
  await second.kill9();
  await using third = await startServer(options);
  const stranger = { headers: { accept: "text/html", origin: third.url } };
  const path = /^Acknowledge: https:\/\/errors\.example\.com(\/act\/\S+)$/m.exec(textOf(1))?.[1] ?? "";
  expect(textOf(1)).toContain("Nobody acknowledged this for 15 minutes");
  const asked = await fetch(third.url + path, stranger);
  expect(await asked.text()).toContain("Acknowledge this issue?");
  const done = await fetch(third.url + path, { ...stranger, method: "POST", body: new URLSearchParams() });
  expect(await done.text()).toContain("Acknowledged.");
  const again = await signIn(third);
  const page = (await again.open(`/issues/${groupID}`)).html.replaceAll("<!-- -->", "");
  expect(page).toContain("acknowledged this issue");
  expect(page).toContain("step 1");
  expect((await again.open("/alerts/3")).html.includes("Waiting for an answer")).toBe(true);
  await third.kill9();

  clock.setAhead(120 * MINUTE_MS);
  await using fourth = await startServer(options);
  await fourth.waitForLog(({ msg }) => msg === "ready");
  const { activity } = await getJson<{ activity: Array<{ type: string }> }>(fourth, `/issues/${groupID}/activities/`);
  expect(activity.map(({ type }) => type)).toContain("acknowledged");
  const late = await signIn(fourth);
  const taken = await late.post(`/issues/${groupID}`, { intent: "withdraw", periods: "1" });
  expect(taken.status).toBeLessThan(400);
  // The step of an hour was due meanwhile: it is told now, and the first one not again.
  // Where the second server was killed before it heard the answer, this one has sent the first step's mail again, and the next one to the
  // same person waits for a minute.
  const passAndRead = () => {
    clock.pass(MINUTE_MS);
    return subjects();
  };
  await expect.poll(passAndRead, { interval: 1_000 }).toHaveLength(3);
  expect(subjects()).toEqual(["[shop] New issue: the cart is empty", ASKED, ASKED]);
  expect(textOf(2)).toContain("Nobody acknowledged this for 1 hour");
  const byApi = (method: "POST" | "DELETE") => send(fourth, method, `/issues/${groupID}/acknowledge/`);
  expect(await getJson(fourth, `/issues/${groupID}/acknowledge/`)).toMatchObject([
    {
      rule: { name: "Checkout" },
      told: [{ step: null }, { step: 0 }, { step: 1 }],
      nextStep: null,
      acknowledged: null,
    },
  ]);
  expect((await byApi("DELETE")).status).toBe(409);
  expect(await (await byApi("POST")).json()).toMatchObject([{ acknowledged: { date: expect.any(String) } }]);
  expect((await byApi("POST")).status).toBe(409);
  expect(await (await byApi("DELETE")).json()).toMatchObject([{ acknowledged: null }]);
  expect((await late.post(`/issues/${groupID}`, { status: "resolved" })).status).toBeLessThan(400);
  expect((await late.open(`/issues/${groupID}`)).html).not.toContain("Nobody has acknowledged this issue yet.");
  const over = await late.post(`/issues/${groupID}`, { intent: "acknowledge" });
  expect([over.status, over.html.includes("No alert rule waits for an answer")]).toEqual([400, true]);
});
