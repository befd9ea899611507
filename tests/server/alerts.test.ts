import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { getJson, send, sendEnvelope, toEventEnvelope, waitForEvent } from "../support/api.ts";
import { signIn } from "../support/browse.ts";
import { headerOf, partsOf, startMailServer } from "../support/mail-server.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

async function report(server: TestServer, message: string, change: object = {}): Promise<string> {
  const { eventId, envelope } = toEventEnvelope({ message, environment: "production", ...change });
  expect((await sendEnvelope(server, envelope)).status).toBe(200);
  return eventId;
}

const FORM = { intent: "save", trigger: "users", match: "all", action: "members", frequency: "30", isEnabled: "on" };

test("a form does not replace what somebody else saved since it was opened, unless it is sent again", async () => {
  await using server = await startServer();
  const [person, other] = [await signIn(server), await signIn(server)];
  const fields = { ...FORM, trigger: "new", conditions: "", project: "1" };
  const made = await person.post("/alerts/new", { ...fields, name: "Checkout" });
  const { pathname } = new URL(made.url);
  const seenIn = (html: string) => /name="changedAt" value="(\d+)"/.exec(html)?.[1] ?? "";
  const opened = seenIn(made.html);
  await other.post(pathname, { ...fields, name: "Theirs", changedAt: opened });
  // A rehearsal does not take the warning away.
  const rehearsed = await person.post(pathname, { ...fields, name: "Mine", intent: "rehearse", changedAt: opened });
  expect(seenIn(rehearsed.html)).toBe(opened);
  const refused = await person.post(pathname, { ...fields, name: "Mine", changedAt: opened });
  expect([refused.status, refused.html.includes("Somebody else changed this rule")]).toEqual([409, true]);
  expect(refused.html).toContain('value="Mine"');
  expect((await other.open("/alerts")).html).toContain("Theirs");
  expect((await person.post(pathname, { ...fields, name: "Mine", changedAt: seenIn(refused.html) })).status).toBe(200);
  const { html } = await other.open("/alerts");
  expect([html.includes("Mine"), html.includes("Theirs")]).toEqual([true, false]);
});

test("rules are made by a form, and tell what fits them, once", async () => {
  await using mail = await startMailServer();
  await using server = await startServer({ env: { SMTP_URL: mail.url, MAIL_FROM: "errors@example.com" } });
  const person = await signIn(server);
  // The rules that the projects have from the start tell nothing here.
  for (const rule of ["1", "2"]) await person.post("/alerts", { intent: "delete", rule });
  const conditions = "environment:production\n!message:*health*";
  const many = { ...FORM, name: "Many users", conditions, project: "1", usersCount: "2", usersMinutes: "10" };

  const refused = await person.post("/alerts/new", { ...many, conditions: "is:wrong" });
  expect(refused.status).toBe(400);
  expect(refused.html).toContain("is:wrong");
  expect((await person.post("/alerts/new", { ...many, action: "person:99" })).status).toBe(400);

  expect((await person.post("/alerts/new", many)).html).toContain("When an issue of ");
  const { html } = await person.open("/alerts");
  expect(html).toContain("reaches 2 users in 10 minutes");
  expect((await person.open("/alerts?q=nothing")).html).not.toContain("Many users");
  await person.post("/alerts/new", { ...FORM, name: "Done", trigger: "resolved", conditions: "", allProjects: "on" });

  const first = await report(server, "the cart is empty", { user: { id: "1" } });
  await report(server, "the health check", { user: { id: "1" } });
  await report(server, "the health check", { user: { id: "2" } });
  await report(server, "the cart is empty", { user: { id: "2" }, environment: "staging" });
  const { groupID } = await waitForEvent(server, first);
  await report(server, "the cart is empty", { user: { id: "2" } });
  await expect.poll(() => mail.received.length).toBe(1);
  const [letter] = mail.received;
  if (!letter) throw new Error("no mail came");
  expect(headerOf(letter, "subject")).toBe("[shop] Reached 2 users in 10 minutes: the cart is empty");
  const { "text/plain": text = "" } = partsOf(letter);
  expect(text).toContain("Reached 2 users in 10 minutes");
  expect(text).toContain(`/issues/${groupID}`);
  expect(text).toContain("by the alert rule “Many users”");

  const rehearsed = await person.post("/alerts/new", { ...many, intent: "rehearse", name: "", trigger: "new" });
  expect(rehearsed.status).toBe(200);
  // The cart in production and in staging is one issue; the condition leaves out the health check.
  expect(rehearsed.html).toMatch(/1 time<\/b>.*\[shop\] New issue: the cart is empty/s);
  const line = await person.post("/alerts/new", { ...many, intent: "use-3" });
  expect(line.html).toContain("It would not have fired");
  expect(line.html).toContain("reaches 3 users in 10 minutes");
  expect((await person.open("/alerts")).html.match(/href="\/alerts\/\d+"/g)).toHaveLength(2);

  await send(server, "PUT", `/issues/${groupID}/`, { status: "resolved" });
  const fired = await expect.poll(async () => (await person.open("/alerts/4")).html);
  await fired.toContain("was resolved");
  expect((await person.open("/alerts/3")).html).toContain("2 users at most");

  // A week in which it fired often, which takes a week.
  expect((await person.open("/alerts")).html).not.toContain("Rules that fire often");
  using database = new DatabaseSync(join(server.dataDir, "state.sqlite"), { timeout: 5_000 });
  const fire =
    database.prepare(`INSERT INTO alert_firings (rule_id, project_id, issue_id, trigger, at, ended_at, peak, target_count, is_known)
    VALUES (3, 1, 1, 'users', :at, :at, 2, 4, 0)`);
  for (let days = 1.5; days < 7; days += 0.5) fire.run({ at: Date.now() - Math.floor(days * 86_400_000) });
  database
    .prepare("INSERT INTO alert_lines SELECT id, :at, changed_at, 4, 5, 12 FROM alert_rules WHERE id = 3")
    .run({ at: Date.now() });
  const noisy = (await person.open("/alerts")).html;
  expect(noisy).toContain("Rules that fire often");
  expect(noisy).toContain("At 4 instead of 2 it would have fired 5 times instead of 12");
  const looked = (await person.open("/alerts/3?line=4")).html;
  expect(looked).toContain("The form has the line 4.");
  expect(looked).toContain("reaches 4 users in 10 minutes");
  expect(looked).toContain("What cannot be reconstructed");
  expect((await person.open("/alerts/3?line=0")).html).not.toContain("The form has the line");
  expect((await person.post("/alerts", { intent: "no-noise-mail" })).html).toContain("Mail me this each Monday");
}, 90_000);

test("the web API takes Sentry's rules, and gives them back as they were sent", async () => {
  await using server = await startServer();
  await (await signIn(server)).post("/alerts", { intent: "delete", rule: "1" });
  const RULES = "/projects/default/shop/rules/";
  const rule = {
    name: "Errors of many",
    actionMatch: "any",
    conditions: [
      { id: "sentry.rules.conditions.first_seen_event.FirstSeenEventCondition" },
      {
        id: "sentry.rules.conditions.event_frequency.EventFrequencyCondition",
        value: 19,
        comparisonType: "count",
        interval: "1h",
      },
    ],
    filterMatch: "all",
    filters: [
      { id: "sentry.rules.filters.level.LevelFilter", match: "gte", level: "40" },
      { id: "sentry.rules.filters.issue_occurrences.IssueOccurrencesFilter", value: 3 },
      { id: "sentry.rules.filters.tagged_event.TaggedEventFilter", key: "plan", match: "eq", value: 'pro "x"' },
      { id: "culprit.rules.filters.SearchFilter", query: "is:unresolved" },
    ],
    actions: [
      { id: "sentry.mail.actions.NotifyEmailAction", targetType: "IssueOwners", fallthroughType: "NoOne" },
      { id: "sentry.mail.actions.NotifyEmailAction", targetType: "Member", targetIdentifier: "1" },
    ],
    steps: [
      {
        afterMinutes: 15,
        actions: [{ id: "sentry.mail.actions.NotifyEmailAction", targetType: "Member", targetIdentifier: "1" }],
      },
    ],
    frequency: 60,
    environment: "production",
  };
  const made = await send(server, "POST", RULES, rule);
  expect(made.status).toBe(201);
  const saved = (await made.json()) as { id: string };
  expect(saved).toMatchObject({ ...rule, status: "active", projects: ["shop"] });
  const path = `${RULES}${saved.id}/`;
  expect(await getJson(server, path)).toEqual(saved);
  const changed = await send(server, "PUT", path, { status: "disabled", frequency: 5 });
  expect(await changed.json()).toMatchObject({ ...rule, status: "disabled", frequency: 5 });
  expect(await getJson(server, RULES)).toMatchObject([{ id: saved.id }]);
  for (const [change, field] of [
    [{ conditions: [{ id: "sentry.rules.conditions.every_event.EveryEventCondition" }] }, "conditions[0].id"],
    [{ filters: [{ id: "culprit.rules.filters.SearchFilter", query: "is:wrong" }] }, "filters["],
    [{ actions: [{ id: "sentry.integrations.slack.notify_action.SlackNotifyServiceAction" }] }, "actions[0].id"],
    [{ actions: [{ id: "culprit.rules.actions.ChannelAction", channel: 99 }] }, "actions[0]"],
    [{ actionMatch: "all" }, "actionMatch"],
    [{ owner: "team:1" }, "owner"],
  ] as const) {
    const refused = await send(server, "PUT", path, change);
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(field)]);
  }
  expect((await send(server, "DELETE", path)).status).toBe(204);
  expect((await send(server, "DELETE", path)).status).toBe(404);
}, 60_000);
