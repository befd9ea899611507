import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { createAlertsWithoutEvents } from "../../tests/support/alerts-without-events.ts";
import { headerOf, type MailServerOptions, partsOf, startMailServer } from "../../tests/support/mail-server.ts";
import { startPushServer } from "../../tests/support/push-server.ts";
import { isSigned, startWebhookReceiver } from "../../tests/support/webhook-receiver.ts";
import type { AlertRuleDraft } from "../domain/alerts/alert-rule.ts";
import type { AppliedFeedback } from "../domain/feedback/feedback.ts";
import { MAX_NAMED_ISSUES, type NotificationSettings } from "../domain/notification.ts";
import { DEFAULT_REACH, readPushSubscription } from "../domain/push/push-subscription.ts";
import { MINUTE_MS } from "../domain/time.ts";
import type { Log } from "../log.server.ts";
import { createSendMessage } from "../notifications/send-message.server.ts";
import { createSendMail } from "../notifications/send-note.server.ts";
import { createSendPush } from "../notifications/web-push/send-push.server.ts";
import { makePushKeys } from "../notifications/web-push/vapid.server.ts";
import { createSqliteStateDatabase } from "../stores/sqlite/sqlite-state-database.ts";
import { apply, EVERYTHING, JOURNAL, NOON, occurrence, query } from "../stores/state/contract/fixture.ts";
import { createDeliverJob, MAX_ATTEMPTS, pauseAfter } from "./deliver.ts";
import { createNotifyJob, NOTIFICATIONS_READER } from "./notify.ts";
import { ALERTS_READER } from "./route-alerts.ts";

const SECRET = "whsec_c2VjcmV0IG9mIHRoZSB0ZXN0cw==";
const OWNER = "ada@example.com";
const { signal } = new AbortController();

/** A state database with the project `shop`, the two jobs, a mail server and a receiver of webhooks: all of them real. */
async function open({
  mail = {},
  settings = {},
  rule = { actions: [{ kind: "recipients" }] },
  baseUrl = "https://errors.example.com",
}: {
  mail?: MailServerOptions | null;
  settings?: Partial<NotificationSettings>;
  /** Of the rule that the project has from the start. Here it tells the addresses and channels of the project alone. */
  rule?: Partial<AlertRuleDraft>;
  baseUrl?: string | null;
} = {}) {
  const mailServer = await startMailServer(mail ?? {});
  const receiver = await startWebhookReceiver();
  const database = await createSqliteStateDatabase();
  let now = NOON;
  const state = await database.connect({ now: () => now });
  const set = await state.people.setUp({
    organization: { slug: "o", name: "O" },
    owner: { email: OWNER, name: "Ada", passwordHash: "x" },
    project: { slug: "shop", name: "Shop", platform: "node" },
    at: NOON,
  });
  const projectId = set.ok && set.project ? set.project.id : 0;
  await state.outbox.addReader(NOTIFICATIONS_READER);
  await state.outbox.addReader(ALERTS_READER);
  const [first] = (await state.alerts.listRules(EVERYTHING, NOON)).filter(({ projectIds }) =>
    projectIds?.includes(projectId),
  );
  if (!first) throw new Error("the project has no rule");
  const changeRule = (change: Partial<AlertRuleDraft>) => state.alerts.changeRule(EVERYTHING, first.id, change, NOON);
  await changeRule(rule);
  const save = (change: Partial<NotificationSettings>) =>
    state.notifications.saveNotificationSettings(EVERYTHING, projectId, {
      emails: null,
      channelIds: [],
      ...change,
    });
  await save(settings);
  const logged: object[] = [];
  const log = { warn: (facts: object) => void logged.push(facts) } as unknown as Log;
  const sent: string[] = [];
  let keys = 0;
  const parts = {
    state,
    isMailSetUp: mail !== null,
    now: () => now,
    createKey: () => (++keys).toString(16).padStart(32, "0"),
  };
  const notify = createNotifyJob(parts);
  const route = createAlertsWithoutEvents(parts);
  const config = mail === null ? null : { url: mailServer.url, from: "errors@example.com" };
  const deliver = createDeliverJob({
    state,
    createKey: parts.createKey,
    send: createSendMessage({ mail: config, allowsPrivate: true, now: () => now }),
    sendMail: createSendMail(config),
    sendPush: createSendPush({
      getKeys: () => state.push.getKeys(makePushKeys),
      findSubject: async () => null,
      allowsPrivate: true,
      now: Date.now,
    }),
    findBaseUrl: async () => baseUrl,
    now: () => now,
    log,
    onSent: ({ channel, result }) => void sent.push(`${channel} ${result}`),
  });
  let sequence = 0;
  const decide = async () => {
    const acts = await notify.run(signal);
    const alerts = await route.run(signal);
    return acts === "idle" ? alerts : acts;
  };
  return {
    state,
    projectId,
    mails: mailServer.received,
    receiver,
    logged,
    sent,
    save,
    /** Makes a channel that posts to the receiver; gives its id. */
    addWebhook: async () => {
      const made = await state.channels.createChannel(EVERYTHING, {
        kind: "webhook",
        name: "Hook",
        settings: {},
        secrets: { url: receiver.url, secret: SECRET },
        projectIds: [projectId],
        at: NOON,
      });
      return made.ok ? [made.channel.id] : [];
    },
    /** One event each, of these issues. */
    report: (...hashes: string[]) =>
      apply(
        state,
        hashes.map((hash) => occurrence(sequence++, hash, { projectId, at: now, release: "shop@1" })),
      ),
    changeRule,
    run: async () => [await decide(), await deliver.run(signal)],
    /** Without sending anything. */
    decide,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
      await mailServer[Symbol.asyncDispose]();
    },
  };
}

describe("a browser of a person", () => {
  async function openWithBrowser(mail: MailServerOptions | null = {}) {
    const service = await startPushServer();
    const world = await open({ mail, rule: { actions: [{ kind: "person", id: 1 }] } });
    const { push } = world.state;
    const subscription = readPushSubscription(await service.subscribe("ada"));
    if (subscription === null) throw new Error("it is no subscription");
    await push.subscribe(1, { ...subscription, browser: "Firefox on Linux" }, NOON);
    return {
      ...world,
      service,
      push,
      notices: () => service.received.map(({ message }) => message),
      async [Symbol.asyncDispose]() {
        await world[Symbol.asyncDispose]();
        await service[Symbol.asyncDispose]();
      },
    };
  }

  test("is told beside the mail, or instead of it, as the person chose, and also where there is no mail", async () => {
    await using world = await openWithBrowser();
    const [first, second] = await world.report("a", "b");
    await world.run();
    expect(world.mails).toHaveLength(1);
    const [both] = world.notices();
    expect(both).toEqual({
      title: "[shop] 2 new issues",
      body: "New issue: Error of a\nNew issue: Error of b",
      url: "https://errors.example.com/issues?project=shop",
      key: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    await world.push.saveReach(1, { ...DEFAULT_REACH, rules: { mail: false, browsers: true } });
    world.pass(MINUTE_MS);
    await world.report("c");
    await world.run();
    expect(world.mails).toHaveLength(1);
    expect(world.notices()[1]).toMatchObject({
      title: "[shop] New issue: Error of c",
      body: "SHOP-3: 1 event, release shop@1",
      url: `https://errors.example.com/issues/${Math.max(first?.issueId ?? 0, second?.issueId ?? 0) + 1}`,
    });
    expect(world.service.refused).toEqual([]);
    expect((await world.push.listBrowsers(1))[0]?.lastDeliveredAt).toBe(NOON + MINUTE_MS);

    await using withoutMail = await openWithBrowser(null);
    await withoutMail.report("a");
    await withoutMail.run();
    expect(withoutMail.notices()).toHaveLength(1);
  });

  test("that fails is tried again, and one that is gone is removed with what waits", async () => {
    await using world = await openWithBrowser(null);
    world.service.answers.status = 500;
    await world.report("a");
    await world.run();
    const [browser] = await world.push.listBrowsers(1);
    expect(browser).toMatchObject({ lastDeliveredAt: null, lastFailedAt: NOON, lastFailure: "500" });
    expect(world.sent).toEqual(["push failed"]);
    world.pass(MINUTE_MS);
    world.service.answers.status = 410;
    await world.run();
    expect(await world.push.listBrowsers(1)).toEqual([]);
    expect(await world.state.deliveries.countDeliveries()).toEqual({ waiting: 0, failing: 0, dead: 0 });
    await world.report("b");
    await world.run();
    expect(world.sent).toEqual(["push failed"]);
  });

  test("is not told once its person does not see the project any more", async () => {
    await using world = await openWithBrowser(null);
    const account = { email: "grace@example.com", name: "Grace", passwordHash: "x", role: "owner" } as const;
    const grace = await world.state.people.createMember({ ...account, teamIds: [], projectIds: [], at: NOON });
    world.service.answers.status = 500;
    await world.report("a");
    await world.run();
    const actor = { userId: grace, role: "owner" } as const;
    await world.state.members.removeMember(EVERYTHING, { userId: 1, actor, at: NOON });
    world.service.answers.status = 201;
    world.pass(MINUTE_MS);
    await world.run();
    expect(world.notices()).toEqual([]);
  });
});

describe("what a user said", () => {
  const NOTHING = { name: null, email: null, url: null, environment: null, release: null, browser: null };
  async function say(world: Awaited<ReturnType<typeof open>>, sequence: number, change: Partial<AppliedFeedback>) {
    const { projectId, state } = world;
    const feedback: AppliedFeedback = {
      ...{ sequence, itemIndex: 0, projectId, receivedAt: NOON + sequence, source: "feedback", message: "It is slow" },
      ...{ eventId: null, aboutEventId: null, traceId: null, replayId: null, textHash: null, sender: null },
      ...NOTHING,
      ...change,
    };
    await state.batches.applyBatch({
      ...{ journalId: JOURNAL, upTo: sequence + 1, occurrences: [], outcomes: [], feedback: [feedback] },
    });
  }

  test("is told to who works on the project, and to its addresses and channels where it says so", async () => {
    await using world = await open({ settings: { emails: ["team@example.com"] } });
    await say(world, 1, { name: "Sam", email: "sam@shop.example", url: "https://shop.example/cart" });
    await world.run();
    expect(world.mails.map(({ to }) => to)).toEqual([[OWNER]]);
    const [mail] = world.mails;
    expect(mail && headerOf(mail, "subject")).toBe("[shop] New feedback: It is slow");
    const { "text/plain": text = "" } = mail ? partsOf(mail) : {};
    expect(text).toContain("New feedback: It is slow");
    expect(text).toContain("from Sam <sam@shop.example>, on https://shop.example/cart");
    expect(text).toContain("https://errors.example.com/feedback/1");
    expect(text).toContain("because you are told of feedback");

    await world.save({ emails: ["team@example.com"], channelIds: await world.addWebhook(), tellsFeedback: true });
    await world.state.push.saveReach(1, { ...DEFAULT_REACH, feedback: { mail: false, browsers: true } });
    world.pass(MINUTE_MS);
    await say(world, 2, {});
    await say(world, 3, { message: "I like it" });
    await world.run();
    const later = world.mails.slice(1);
    expect(later.map(({ to }) => to)).toEqual([["team@example.com"]]);
    expect(later[0] && headerOf(later[0], "subject")).toBe("[shop] 2 messages of users");
    const [post] = world.receiver.received;
    expect(post?.body).toContain("I like it");
    expect(post?.body).toContain("https://errors.example.com/feedback/3");
  });

  test("is not told once it is in Spam", async () => {
    await using world = await open();
    await say(world, 1, {});
    await world.state.feedback.changeFeedback(EVERYTHING, { ids: [1], status: "spam", userId: 1, at: NOON });
    await world.run();
    expect(world.mails).toEqual([]);
    expect(await world.state.deliveries.countDeliveries()).toEqual({ waiting: 0, failing: 0, dead: 0 });
  });
});

describe("an act of a person", () => {
  test("is told once to whom it is about, whatever the rules say, and not to who did it", async () => {
    await using world = await open({ settings: { emails: [] } });
    const { state, projectId } = world;
    const account = { email: "grace@example.com", name: "Grace", passwordHash: "x", role: "member" } as const;
    const grace = await state.people.createMember({ ...account, teamIds: [], projectIds: [projectId], at: NOON });
    const [first, second] = await world.report("a", "b");
    const assign = (issueId = 0, id: number) =>
      state.triage.changeTriage(EVERYTHING, {
        issueIds: [issueId],
        assignee: { kind: "user", id },
        userId: 1,
        at: NOON,
      });
    await assign(first?.issueId, grace);
    await assign(second?.issueId, 1);
    await world.run();
    await world.save({ emails: ["eve@example.com"] });
    await world.run();
    const [mail, ...others] = world.mails;
    if (!mail) throw new Error("no mail came");
    expect([mail.to, others]).toEqual([["grace@example.com"], []]);
    expect(headerOf(mail, "subject")).toBe("[shop] Assigned to you: Error of a");
    const { "text/plain": text = "" } = partsOf(mail);
    expect(text).toContain("Ada assigned an issue to you or your team: Error of a");
    expect(text).toContain(`https://errors.example.com/issues/${first?.issueId}`);
    // The page of the project does not list people.
    expect(await state.deliveries.listChannels(EVERYTHING, projectId)).toEqual([]);
  });

  test("that an ownership rule did names the rule, and says where it is", async () => {
    await using world = await open({ settings: { emails: [] } });
    const { state } = world;
    const [first] = await world.report("a");
    const assignment = {
      ...{ issueId: first?.issueId ?? 0, at: NOON },
      ...{ assignee: { kind: "user" as const, id: 1 }, rule: "path:src/* ada@example.com" },
    };
    await state.outbox.addReader("owners");
    await state.triage.assignByRules(EVERYTHING, [assignment], { reader: "owners", position: 0 });
    await world.run();
    const [mail] = world.mails;
    if (!mail) throw new Error("no mail came");
    const { "text/plain": text = "" } = partsOf(mail);
    expect(text).toContain("The ownership rule “path:src/* ada@example.com” assigned an issue to you or your team: ");
    expect(text).toContain("because ownership rules name you or your team");
  });

  test("that is a comment is told with its text, each comment by itself, and without it once it is deleted", async () => {
    await using world = await open({ settings: { emails: [] } });
    const { state, projectId } = world;
    const account = { email: "grace@example.com", name: "Grace", passwordHash: "x", role: "member" } as const;
    const grace = await state.people.createMember({ ...account, teamIds: [], projectIds: [projectId], at: NOON });
    const [first] = await world.report("a");
    const issueId = first?.issueId ?? 0;
    const mentions = [{ kind: "user" as const, id: grace }];
    const write = (text: string) =>
      state.comments.addComment(EVERYTHING, { issueId, text, mentions, userId: 1, at: NOON });
    await write("The **feed** lost it, @Grace.\n\n<b>Look</b>");
    const gone = await write("Never mind");
    await write(`${"x".repeat(3_000)}`);
    if (gone.ok) await state.comments.deleteComment(EVERYTHING, { issueId, commentId: gone.comment.id, userId: 1 });
    await world.run();
    const [mail] = world.mails;
    if (!mail) throw new Error("no mail came");
    const { "text/plain": text = "", "text/html": html = "" } = partsOf(mail);
    expect(text.match(/mentioned you or your team/g)).toHaveLength(3);
    expect(text).toContain("> The **feed** lost it, @Grace.");
    expect(text).not.toContain("Never mind");
    expect(text).toMatch(/> x{2000}…/);
    expect(html).toContain("&lt;b&gt;Look&lt;/b&gt;");
  });

  test("is not told to somebody who has snoozed the issue, nor are they told of the issue, until the time is over", async () => {
    await using world = await open({ settings: { emails: [OWNER, "team@example.com"] } });
    const { state } = world;
    const [first] = await world.report("a");
    await world.run();
    expect(world.mails.map(({ to }) => to)).toEqual([[OWNER], ["team@example.com"]]);
    const issueId = first?.issueId ?? 0;
    const snooze = { issueIds: [issueId], userId: 1, at: NOON, snoozedUntil: NOON + 20 * MINUTE_MS };
    await state.comments.changeReader(EVERYTHING, snooze);
    const reopenAndResolve = async () => {
      await state.issues.changeIssueStatus(EVERYTHING, {
        issueIds: [issueId],
        status: "resolved",
        userId: 1,
        at: NOON + 1,
      });
      world.pass(10 * MINUTE_MS);
      await world.report("a");
      await world.run();
      return world.mails.splice(0).flatMap(({ to }) => to);
    };
    world.mails.splice(0);
    expect(await reopenAndResolve()).toEqual(["team@example.com"]);
    world.pass(20 * MINUTE_MS);
    expect((await reopenAndResolve()).sort()).toEqual([OWNER, "team@example.com"]);
  });

  test("is not told to somebody who was removed meanwhile", async () => {
    await using world = await open();
    const { state, projectId } = world;
    const account = { email: "grace@example.com", name: "Grace", passwordHash: "x", role: "member" } as const;
    const grace = await state.people.createMember({ ...account, teamIds: [], projectIds: [projectId], at: NOON });
    await world.save({ emails: [] });
    const [first] = await world.report("a");
    const assignee = { kind: "user", id: grace } as const;
    await state.triage.changeTriage(EVERYTHING, { issueIds: [first?.issueId ?? 0], assignee, userId: 1, at: NOON });
    await state.members.removeMember(EVERYTHING, { userId: grace, actor: { userId: 1, role: "owner" }, at: NOON });
    await world.run();
    expect(world.mails).toEqual([]);
    expect(await state.deliveries.countDeliveries()).toEqual({ waiting: 0, failing: 0, dead: 0 });
  });
});

describe("a new issue", () => {
  test("is told to the members by mail, once, where nobody has changed anything: the owner, where there is no other", async () => {
    await using world = await open({ rule: {}, settings: { emails: [] } });
    await world.report("a", "a");
    expect(await world.run()).toEqual(["worked", "worked"]);
    const [mail, ...others] = world.mails;
    if (!mail) throw new Error("no mail came");
    expect([mail.to, others]).toEqual([[OWNER], []]);
    expect(headerOf(mail, "subject")).toBe("[shop] New issue: Error of a");
    const [issue] = (await world.state.issues.listIssues(...query())).issues;
    const { "text/plain": text = "" } = partsOf(mail);
    for (const words of [
      "New issue: Error of a",
      "app/a.ts in run",
      `${issue?.shortId}: 2 events, release shop@1`,
      "Wed, May 20, 12:00 (UTC)",
      `https://errors.example.com/issues/${issue?.id}`,
      "by the alert rule “New and returning issues of shop”",
    ])
      expect(text).toContain(words);
    await world.report("a");
    world.pass(10 * MINUTE_MS);
    expect(await world.run()).toEqual(["idle", "idle"]);
    expect(world.mails).toHaveLength(1);
  });

  test("is told with its time, in the zone that the reader has chosen", async () => {
    await using world = await open({ rule: {}, settings: { emails: [] } });
    await world.state.push.saveReach(1, { ...DEFAULT_REACH, timezone: "Pacific/Kiritimati" });
    await world.report("a");
    await world.run();
    const { "text/plain": text, "text/html": html } = partsOf(world.mails[0] ?? { from: "", to: [], raw: "" });
    for (const part of [text, html]) expect(part).toMatch(/\w{3}, \w{3} \d+, 02:\d\d \(Pacific\/Kiritimati\)/);
  });

  test("that reaches two numbers at once is told with both, and by each rule", async () => {
    await using world = await open({ settings: { emails: ["team@example.com"] } });
    await world.report("a");
    const [issue] = (await world.state.issues.listIssues(...query())).issues;
    const { projectId } = world;
    const item = { transition: "reached", issueId: issue?.id ?? 0, eventId: "", at: NOON, release: null } as const;
    const items = [
      { ...item, reached: "20 users in 10 minutes", rule: "Many users" },
      { ...item, reached: "100 events in 1 hour", rule: "Many events" },
    ];
    const targets = [
      { projectId, channel: "email", address: "team@example.com" } as const,
      { projectId, channel: "person", address: "1" } as const,
    ];
    await world.state.deliveries.enqueue({
      reader: NOTIFICATIONS_READER,
      position: 1,
      news: targets.map((target) => ({ target, items })),
      now: NOON,
      createKey: () => crypto.randomUUID().replaceAll("-", ""),
    });
    await world.run();
    expect(world.mails.map(({ to }) => to)).toEqual([["team@example.com"], [OWNER]]);
    for (const mail of world.mails) {
      const { "text/plain": text = "" } = partsOf(mail);
      for (const words of ["Reached 20 users in 10 minutes", "100 events in 1 hour", "“Many users”", "“Many events”"])
        expect(text).toContain(words);
    }
  });

  test("is told to every address by itself, and to the channel", async () => {
    await using world = await open();
    const emails = ["bob@example.com", "eve@example.com"];
    await world.save({ emails, channelIds: await world.addWebhook() });
    await world.report("a");
    await world.run();
    expect(world.mails.map(({ to }) => to).sort()).toEqual([["bob@example.com"], ["eve@example.com"]]);
    const [hook] = world.receiver.received;
    if (!hook) throw new Error("no webhook came");
    expect(isSigned(hook, SECRET)).toBe(true);
    expect(JSON.parse(hook.body)).toMatchObject({
      type: "issues",
      data: { project: { slug: "shop" }, issues: [{ transition: "new", title: "Error of a", eventCount: 1 }] },
    });
  });

  test("is told to nobody where that is chosen, or where there is no way", async () => {
    await using off = await open({ settings: { emails: [] } });
    await off.report("a");
    expect(await off.run()).toEqual(["worked", "idle"]);
    await using deaf = await open({ rule: { triggers: [{ kind: "regressed" }], actions: [{ kind: "recipients" }] } });
    await deaf.report("a");
    expect(await deaf.run()).toEqual(["worked", "idle"]);
    await using unable = await open({ mail: null });
    await unable.report("a");
    expect(await unable.run()).toEqual(["worked", "idle"]);
    expect([...off.mails, ...deaf.mails, ...unable.mails]).toEqual([]);
    // Nothing gathers that nobody would ever send.
    expect(await unable.state.deliveries.countDeliveries()).toEqual({ waiting: 0, failing: 0, dead: 0 });
    expect((await unable.state.outbox.countOutbox()).entries).toBe(0);
  });

  test("that came back is told as such", async () => {
    await using world = await open();
    await world.report("a");
    await world.run();
    const [issue] = (await world.state.issues.listIssues(...query())).issues;
    const issueIds = [issue?.id ?? 0];
    await world.state.issues.changeIssueStatus(EVERYTHING, {
      issueIds,
      status: "resolved",
      userId: null,
      at: NOON + 1,
    });
    world.pass(2 * MINUTE_MS);
    await world.report("a");
    await world.run();
    expect(world.mails.map((mail) => headerOf(mail, "subject"))).toEqual([
      "[shop] New issue: Error of a",
      "[shop] Came back: Error of a",
    ]);
  });

  test("has no link where nobody knows what it would begin with", async () => {
    await using world = await open({ baseUrl: null });
    await world.report("a");
    await world.run();
    const { "text/plain": text = "", "text/html": html = "" } = partsOf(
      world.mails[0] ?? { from: "", to: [], raw: "" },
    );
    expect(text).toContain("once PUBLIC_URL is set");
    expect(text + html).not.toMatch(/https?:\/\//);
  });
});

test("of 500 new issues in a minute, a channel gets two messages", async () => {
  await using world = await open();
  await world.report("first");
  await world.run();
  for (let issue = 0; issue < 500; issue += 50) {
    await world.report(...Array.from({ length: 50 }, (_, index) => `${issue + index}`));
    await world.run();
    world.pass(5_000);
  }
  world.pass(MINUTE_MS);
  await world.run();
  expect(world.mails.map((mail) => headerOf(mail, "subject"))).toEqual([
    "[shop] New issue: Error of first",
    "[shop] 500 new issues",
  ]);
  const { "text/plain": text = "" } = partsOf(world.mails[1] ?? { from: "", to: [], raw: "" });
  expect(text.match(/New issue in Shop/g)).toHaveLength(MAX_NAMED_ISSUES);
  expect(text).toContain("and 480 more new issues: https://errors.example.com/issues?project=shop");
});

describe("a message that does not arrive", () => {
  test("is tried again after growing pauses, with the same key, and is not lost", async () => {
    await using world = await open();
    await world.save({ emails: [], channelIds: await world.addWebhook() });
    world.receiver.answerWith((_, res) => void res.writeHead(500).end("down"));
    await world.report("a");
    await world.run();
    world.pass(pauseAfter(1) - 1);
    await world.run();
    expect(world.receiver.received).toHaveLength(1);
    world.pass(1);
    await world.run();
    expect(world.receiver.received).toHaveLength(2);
    expect((await world.state.deliveries.listChannels(EVERYTHING, world.projectId))[0]).toMatchObject({
      lastFailure: "500 down",
      waiting: 1,
      nextAttemptAt: NOON + pauseAfter(1) + pauseAfter(2),
    });
    world.receiver.answerWith((_, res) => void res.end());
    world.pass(pauseAfter(2));
    await world.run();
    expect(new Set(world.receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(world.sent).toEqual(["webhook failed", "webhook failed", "webhook delivered"]);
    expect(await world.state.deliveries.countDeliveries()).toEqual({ waiting: 0, failing: 0, dead: 0 });
    // Neither the address nor its secret part.
    expect(JSON.stringify(world.logged)).not.toContain("s3cret");
  });

  test("because its receiver hangs holds up nobody else, whenever theirs comes", async () => {
    await using world = await open();
    await world.save({ channelIds: await world.addWebhook() });
    const hanging = Promise.withResolvers<ServerResponse>();
    world.receiver.answerWith((_, res) => hanging.resolve(res));
    await world.report("a");
    const running = world.run();
    const answer = await hanging.promise;
    await world.save({ emails: ["bob@example.com"], channelIds: [] });
    await world.report("b");
    await world.decide();
    await expect.poll(() => world.mails.map(({ to }) => to)).toContainEqual(["bob@example.com"]);
    answer.end("ok");
    expect(await running).toEqual(["worked", "worked"]);
  });

  test("waits for as long as the receiver asks", async () => {
    await using world = await open();
    await world.save({ emails: [], channelIds: await world.addWebhook() });
    world.receiver.answerWith((_, res) => void res.writeHead(429, { "retry-after": "600" }).end());
    await world.report("a");
    await world.run();
    world.pass(600_000 - 1);
    await world.run();
    expect(world.receiver.received).toHaveLength(1);
    world.pass(1);
    await world.run();
    expect(world.receiver.received).toHaveLength(2);
  });

  test("is given up after its last attempt, and what came meanwhile is sent", async () => {
    await using world = await open();
    await world.save({ emails: [], channelIds: await world.addWebhook() });
    world.receiver.answerWith((_, res) => void res.writeHead(503).end());
    await world.report("a");
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      if (attempt === MAX_ATTEMPTS) await world.report("b", "c");
      await world.run();
      world.pass(pauseAfter(attempt));
    }
    const [dead] = await world.state.deliveries.listDead(EVERYTHING, world.projectId);
    expect(dead).toMatchObject({ attempts: MAX_ATTEMPTS, failure: "503" });
    // The next message waits for its minute, as after one that arrived.
    expect(world.sent).toEqual([...Array(MAX_ATTEMPTS - 1).fill("webhook failed"), "webhook dead"]);
    world.receiver.answerWith((_, res) => void res.end());
    await world.run();
    const last = JSON.parse(world.receiver.received.at(-1)?.body ?? "{}");
    expect(last.data.issues.map(({ title }: { title: string }) => title)).toEqual(["Error of b", "Error of c"]);
  });

  test("to an address that does not exist is given up at once, and the others get theirs", async () => {
    const refuse = (address: string) =>
      address === "gone@example.com" ? { code: 550, message: "no such user" } : null;
    await using world = await open({ mail: { refuse }, settings: { emails: ["gone@example.com", OWNER] } });
    await world.report("a");
    await world.run();
    expect(world.mails.map(({ to }) => to)).toEqual([[OWNER]]);
    const [dead] = await world.state.deliveries.listDead(EVERYTHING, world.projectId);
    expect(dead).toMatchObject({ target: { address: "gone@example.com" }, attempts: 1 });
    expect(dead?.failure).toContain("no such user");
  });

  test("goes where its receiver or its issues are gone", async () => {
    await using world = await open();
    await world.report("a");
    await world.save({ emails: ["bob@example.com"] });
    world.receiver.answerWith((_, res) => void res.writeHead(500).end());
    await world.run();
    expect(world.mails.map(({ to }) => to)).toEqual([["bob@example.com"]]);
    const channelIds = await world.addWebhook();
    await world.save({ emails: [], channelIds });
    await world.report("b");
    await world.run();
    const none = { channelId: channelIds[0] ?? 0, projectIds: [], at: NOON };
    await world.state.channels.changeChannel(EVERYTHING, none);
    world.pass(pauseAfter(1));
    await world.run();
    expect(world.receiver.received).toHaveLength(1);
    expect(await world.state.deliveries.countDeliveries()).toEqual({ waiting: 0, failing: 0, dead: 0 });
  });
});

test("pauses grow threefold up to six hours, some 21 hours in all", () => {
  const pauses = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, index) => pauseAfter(index + 1) / 1000);
  expect(pauses).toEqual([30, 90, 270, 810, 2_430, 7_290, 21_600, 21_600, 21_600]);
});

describe("where a receiver cannot be told", () => {
  const told = (world: Awaited<ReturnType<typeof open>>) =>
    world.receiver.received.map(({ body }) =>
      JSON.parse(body).data.issues.map(({ title }: { title: string }) => title),
    );

  async function openWithFallback(mail: MailServerOptions) {
    const world = await open({ mail, settings: { emails: [OWNER] } });
    const made = await world.state.channels.createChannel(EVERYTHING, {
      kind: "webhook",
      name: "Phone",
      settings: {},
      secrets: { url: world.receiver.url, secret: SECRET },
      projectIds: null,
      at: NOON,
    });
    await world.state.undelivered.setFallback(EVERYTHING, made.ok ? made.channel.id : 0);
    return world;
  }

  test("mail that is down: the fallback channel hears of it after three tries, and the mail comes once mail works", async () => {
    let isDown = true;
    await using world = await openWithFallback({ refuse: () => (isDown ? { code: 451, message: "down" } : null) });
    await world.report("a");
    for (let attempt = 1; attempt <= 3; attempt++) {
      await world.run();
      world.pass(attempt < 3 ? pauseAfter(attempt) : 0);
    }
    await world.run();
    expect(told(world)).toEqual([[`Messages do not reach ${OWNER}`, "Error of a"]]);
    const [, issue] = JSON.parse(world.receiver.received[0]?.body ?? "").data.issues;
    expect(issue.insteadOf).toBe(OWNER);
    isDown = false;
    world.pass(pauseAfter(3));
    await world.run();
    expect(world.mails.map(({ to }) => to)).toEqual([[OWNER]]);
    expect(told(world)).toHaveLength(1);
    // It works again: the fallback channel hears nothing more.
    world.pass(MINUTE_MS);
    await world.report("b");
    await world.run();
    expect([world.mails.length, told(world).length]).toEqual([2, 1]);
  });

  test("an address that is blocked: the fallback channel hears of it at once", async () => {
    await using world = await openWithFallback({ refuse: () => ({ code: 550, message: "blocked" }) });
    await world.report("a");
    await world.run();
    world.pass(1);
    await world.run();
    expect(told(world)).toEqual([[`Messages do not reach ${OWNER}`, "Error of a"]]);
    expect(await world.state.deliveries.countDeliveries()).toEqual({ waiting: 0, failing: 0, dead: 1 });
  });

  test("a fallback channel that fails itself is told nothing more, and its message is kept", async () => {
    await using world = await openWithFallback({ refuse: () => ({ code: 550, message: "blocked" }) });
    world.receiver.answerWith((_, res) => void res.writeHead(410).end());
    await world.report("a");
    for (let attempt = 0; attempt <= MAX_ATTEMPTS; attempt++) {
      await world.run();
      world.pass(pauseAfter(attempt + 1));
    }
    expect(await world.state.deliveries.countDeliveries()).toEqual({ waiting: 0, failing: 0, dead: 2 });
  });
});
