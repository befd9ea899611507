import { join } from "node:path";
import { expect, test } from "vitest";
import { MESSAGE_PAUSE_MS } from "../../app/domain/notification.ts";
import { getJson, send, sendEnvelope, toEventEnvelope, waitForEvent } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { headerOf, startMailServer } from "../support/mail-server.ts";
import { makeServerClock } from "../support/server-clock.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

async function report(server: TestServer, message: string, environment = "production") {
  const { eventId, envelope } = toEventEnvelope({ message, environment });
  expect((await sendEnvelope(server, envelope)).status).toBe(200);
  return await waitForEvent(server, eventId);
}

test("a deploy silences a project by a token: what it holds back is listed, and told nowhere", async () => {
  using folder = makeTempFolder();
  const clock = makeServerClock(folder.path);
  await using mail = await startMailServer();
  const options = {
    dataDir: join(folder.path, "data"),
    env: { SMTP_URL: mail.url, MAIL_FROM: "errors@example.com", ...clock.env },
  };
  await using server = await startServer(options);
  const person = await signIn(server);
  const SILENCES = "/projects/default/shop/silences/";
  for (const [body, field] of [
    [{}, "minutes"],
    [{ minutes: 5, until: "2030-01-01T00:00:00Z" }, "minutes"],
    [{ minutes: 0.1 }, "minutes"],
    [{ minutes: 60 * 24 * 31 }, "minutes"],
    [{ until: "soon" }, "until"],
    [{ minutes: 5, rule: 999 }, "rule"],
    [{ minutes: 5, reason: "x".repeat(201) }, "reason"],
    [{ minutes: 5, environment: "x".repeat(65) }, "environment"],
  ] as const) {
    const refused = await send(server, "POST", SILENCES, body);
    expect([refused.status, await refused.text()]).toEqual([body.rule ? 404 : 400, expect.stringContaining(field)]);
  }
  const made = await send(server, "POST", SILENCES, { minutes: 10, environment: "staging", reason: "Deploy of 2.16" });
  expect(made.status).toBe(201);
  const silence = (await made.json()) as { id: string };
  expect(silence).toMatchObject({
    project: "shop",
    rule: null,
    environment: "staging",
    reason: "Deploy of 2.16",
    held: 0,
  });

  const { groupID } = await report(server, "the cart fell over", "staging");
  await report(server, "the till is open", "production");
  await expect.poll(() => mail.received.length).toBe(1);
  expect(headerOf(mail.received[0] ?? { from: "", to: [], raw: "" }, "subject")).toContain("the till is open");

  const page = `/alerts/silences/${silence.id}`;
  await expect.poll(async () => await getJson(server, SILENCES)).toMatchObject([{ id: silence.id, held: 1 }]);
  for (const path of ["/alerts/1", "/projects/shop", "/projects/shop/notifications", `/issues/${groupID}`]) {
    const { html } = await person.open(path);
    expect([path, html.includes("Alert rules tell nothing of staging until then")]).toEqual([path, true]);
    expect(html).toContain("Deploy of 2.16");
  }
  // Why it was not told, in words.
  const why = (await person.open(`/alerts/why?issue=${groupID}`)).html;
  expect(why).toMatch(/Silenced<\/a>/);
  expect(why).toContain("It is silenced now by owner: Deploy of 2.16.");
  expect(why).toContain("You are one of them.");
  expect((await person.open("/alerts/1?saw=fired")).html).toContain("Fired: told ");
  expect((await person.open("/alerts/1?saw=unfit")).html).toContain("Nothing of this kind");
  expect((await person.open("/alerts/why?issue=NONE-1")).html).toContain("There is no such issue.");
  const { html } = await person.open(page);
  expect(html).toContain("Held back 1 firing");
  expect(html).toContain("the cart fell over");
  expect(html).not.toContain("the till is open");

  // Over: what appeared only in it is offered for resolving, and that can be undone.
  expect((await send(server, "DELETE", `${SILENCES}${silence.id}/`)).status).toBe(204);
  expect((await send(server, "DELETE", `${SILENCES}${silence.id}/`)).status).toBe(409);
  expect(await getJson(server, SILENCES)).toEqual([]);
  const resolved = await person.post(page, { intent: "resolve" });
  expect(resolved.html).toContain("Resolved 1 issue.");
  expect(await getJson(server, `/issues/${groupID}/`)).toMatchObject({ status: "resolved" });
  const previous = /name="previous" value="([^"]*)"/.exec(resolved.html)?.[1] ?? "";
  expect((await person.post(page, { intent: "undo-resolve", previous })).status).toBe(200);
  expect(await getJson(server, `/issues/${groupID}/`)).toMatchObject({ status: "unresolved" });

  // Told again by itself. It starts when the pause after the first mail is over.
  await server.stop();
  clock.setAhead(2 * MESSAGE_PAUSE_MS);
  await using again = await startServer(options);
  await report(again, "the shelf is bare", "staging");
  await expect.poll(() => mail.received.length).toBe(2);
});

test("people silence by one press, end it and undo that; what cannot be done is refused", async () => {
  await using server = await startServer();
  const person = await signIn(server);
  const made = await person.post("/alerts/silences", { intent: "silence", for: "1h", rule: "1" });
  expect(made.html).toContain("Silenced: the rule New and returning issues of shop.");
  expect((await person.open("/alerts/1")).html).toContain("Nobody is told by it until then");
  const ended = await person.post("/alerts/silences", { intent: "end", silence: "1" });
  expect(ended.html).toContain("Silence ended");
  expect((await person.open("/alerts/1")).html).not.toContain("Nobody is told by it until then");
  expect((await person.post("/alerts/silences", { intent: "end", silence: "1" })).status).toBe(409);
  const until = /name="until" value="([^"]+)"/.exec(ended.html)?.[1] ?? "";
  expect((await person.post("/alerts/silences", { intent: "restore", silence: "1", until })).html).toContain(
    "Silenced again",
  );
  for (const [form, status] of [
    [{ intent: "silence", for: "1h" }, 400],
    [{ intent: "silence", project: "1", until: "never" }, 400],
    [{ intent: "silence", project: "99", for: "1h" }, 404],
    [{ intent: "silence", rule: "x", for: "1h" }, 404],
    [{ intent: "end", silence: "99" }, 404],
    [{ intent: "nothing" }, 400],
  ] as const)
    expect([form, (await person.post("/alerts/silences", form)).status]).toEqual([form, status]);
  const local = "2030-01-01T00:00";
  const far = await person.post("/alerts/silences", { intent: "silence", project: "1", for: "", untilLocal: local });
  expect([far.status, far.html]).toEqual([400, expect.stringContaining("Must be within 30 days.")]);
}, 60_000);
