import { describe, expect, test } from "vitest";
import { ROUTING_KEY, SLACK_TOKEN, startChatServices, TELEGRAM_TOKEN } from "../../../tests/support/chat-services.ts";
import { CHANNEL_KINDS, type ChannelKind, type ChannelWithSecrets } from "../../domain/channels/channel.ts";
import { CHANNEL_KIND_WORDS } from "../../domain/channels/channel-kinds.ts";
import { findPlaceProblem } from "../../domain/channels/channel-place.ts";
import { readChannelFields } from "../../domain/channels/read-channel-fields.ts";
import type { IssueNews, Message } from "../message.ts";
import { sayRules } from "../message-words.ts";
import { createSendMessage } from "../send-message.server.ts";
import { toDiscord } from "./discord.ts";
import { toNtfy } from "./ntfy.ts";
import { toSlack } from "./slack.ts";
import { toTeams } from "./teams.ts";
import { toTelegram } from "./telegram.ts";

const AT = Date.UTC(2026, 4, 20, 12);
const HOSTILE = `<img src=x onerror=alert(1)>"'& *bold* @everyone <!channel> <@U1> [x](https://evil.example)`;

function news(change: Partial<IssueNews> = {}): IssueNews {
  return {
    issueId: 1,
    transition: "new",
    change: null,
    isOver: false,
    isTaken: false,
    shortId: "SHOP-1",
    title: HOSTILE,
    culprit: "toTotal in to-total.ts",
    level: "error",
    eventCount: 12,
    userCount: 3,
    release: "shop@2.15.0",
    at: AT,
    url: "https://errors.example.com/issues/1",
    ...change,
  };
}

function message(change: Partial<Message> = {}): Message {
  return {
    key: "k".repeat(32),
    at: AT,
    isTest: false,
    project: { slug: "shop", name: "Shop" },
    issues: [news()],
    more: { new: 0, regressed: 0 },
    listUrl: "https://errors.example.com/issues?project=shop",
    settingsUrl: null,
    ...change,
  };
}

type Services = Awaited<ReturnType<typeof startChatServices>>;
type ChatKind = Exclude<ChannelKind, "email" | "webhook">;
const CHATS = CHANNEL_KINDS.filter((kind): kind is ChatKind => kind !== "email" && kind !== "webhook");

/** The pause that each service asks for when it limits requests. */
const ASKED_PAUSE: Record<ChatKind, number | null> = {
  slack: 60_000,
  "slack-bot": 30_000,
  discord: 500,
  teams: 60_000,
  mattermost: 60_000,
  telegram: 7_000,
  ntfy: 60_000,
  pagerduty: null,
};

/** The values that a person types for a channel of the kind. */
function typeFields(kind: ChatKind, services: Services): Record<string, string> {
  switch (kind) {
    case "slack-bot":
      return { channel: "#errors", token: SLACK_TOKEN };
    case "telegram":
      return { chat: "-100", token: TELEGRAM_TOKEN };
    case "ntfy":
      return { server: services.url, topic: "errors-8f3k2", token: "tk_secret", priority: "4" };
    case "pagerduty":
      return { region: "eu", routingKey: ROUTING_KEY };
    default:
      return { url: services.hook(kind) };
  }
}

async function open(kind: ChatKind) {
  const services = await startChatServices();
  const typed = typeFields(kind, services);
  const read = readChannelFields(kind, (name) => typed[name] ?? "");
  if (!read.ok) throw new Error(read.message);
  const { settings, secrets } = read;
  const to: ChannelWithSecrets = { id: 1, kind, name: kind, settings, secrets, projectIds: null, createdAt: AT };
  const send = createSendMessage({ mail: null, allowsPrivate: true, now: () => AT, hosts: services.hosts });
  return {
    services,
    secrets,
    /** Tells a change of the first issue. `later`: what the channel does with changes. */
    follow: (ref: string, change: Partial<IssueNews>, later = "edit", place = "") => {
      const changed = message({
        issues: [news({ change: "Resolved by Ada", isOver: true, ...change })],
        key: "f".repeat(32),
      });
      return send.follow({ ...to, place, settings: { ...settings, later } }, { ref, whole: changed, news: changed });
    },
    send: (change: Partial<Message> = {}, place = "") =>
      send({ kind: "channel", to: { ...to, place } }, message(change)),
    [Symbol.asyncDispose]: () => services[Symbol.asyncDispose](),
  };
}

describe.each(CHATS)("%s", (kind) => {
  test("takes a message, refuses one and asks to wait; no answer repeats a secret", async () => {
    await using world = await open(kind);
    const taken = await world.send();
    expect(taken).toMatchObject({ ok: true });
    world.services.become("refuses");
    const refused = await world.send();
    expect(refused).toMatchObject({ ok: false, isPermanent: false });
    world.services.become("limits");
    expect(await world.send()).toMatchObject({ ok: false, retryAfterMs: ASKED_PAUSE[kind] });
    for (const secret of Object.values(world.secrets)) expect(JSON.stringify([taken, refused])).not.toContain(secret);
  });

  test("says what it cannot do, or can do everything", () => {
    const { cannot, description } = CHANNEL_KIND_WORDS[kind];
    expect(description).not.toBe("");
    expect(cannot === null || cannot.endsWith(".")).toBe(true);
  });
});

const ACTS = ["acknowledge", "resolve", "assign", "snooze"].map((act) => ({
  label: `Do ${act}`,
  url: `https://errors.example.com/act/c1.17.${act}.1779278400000.${"x".repeat(43)}`,
}));

describe("links that act", () => {
  test.each(CHATS.filter((kind) => kind !== "pagerduty"))("are all in a message of %s", async (kind) => {
    await using world = await open(kind);
    expect(await world.send({ issues: [news({ acts: ACTS })] })).toMatchObject({ ok: true });
    const text = JSON.stringify(world.services.calls[0]?.body);
    for (const { label, url } of ACTS) {
      expect(text).toContain(label);
      expect(text).toContain(url);
    }
  });

  test("fit the bounds of Discord and Teams, however many issues there are", () => {
    const long = { title: "\\".repeat(200), culprit: "ü".repeat(200), release: "r".repeat(200), acts: ACTS };
    for (const count of [1, 3, 4, 10, 20]) {
      const many = message({ issues: Array.from({ length: count }, () => news(long)) });
      const { embeds } = toDiscord(many);
      const sizes = embeds.map(({ title, description, footer }) => title + description + footer.text);
      expect(sizes.join("").length).toBeLessThanOrEqual(6_000);
      expect(Buffer.byteLength(JSON.stringify(toTeams(many)))).toBeLessThan(28 * 1024);
    }
  });
});

/** News as long as an error, a person and rules can make it. */
function longest(text: string): Partial<IssueNews> {
  const title = text.repeat(200).slice(0, 200);
  const rules = Array.from({ length: 500 }, () => text.repeat(120).slice(0, 120));
  return { title, culprit: title, release: title, change: title, insteadOf: title, rules, acts: ACTS };
}

describe("what is long, and what looks like a mention or a link", () => {
  test.each(["&", "<", "\\", "ü", "漢", "@a", "_"])("a message of many %s fits what each service takes", (text) => {
    const many = message({ issues: Array.from({ length: 20 }, () => news(longest(text))) });
    for (const { text: said } of toSlack(many).blocks) expect(said.text.length).toBeLessThanOrEqual(3_000);
    expect(Buffer.byteLength(JSON.stringify(toTeams(many)))).toBeLessThan(28 * 1024);
    expect(
      toTelegram(many)
        .text.replace(/<[^>]+>/g, "")
        .replace(/&\w+;/g, "&").length,
    ).toBeLessThanOrEqual(4_096);
    const embeds = toDiscord(many).embeds.map(({ title, description, footer }) => title + description + footer.text);
    expect(embeds.join("").length).toBeLessThanOrEqual(6_000);
    const [one] = toSlack(message({ issues: [news(longest(text))] })).blocks;
    for (const { url } of ACTS) expect(one?.text.text).toContain(url);
  });

  test("Teams and Telegram count what they do not name, whatever happened", () => {
    const reached = news({ transition: "reached", title: "漢".repeat(200), culprit: "漢".repeat(200), acts: ACTS });
    const many = message({
      issues: Array.from({ length: 20 }, () => reached),
      more: { new: 0, regressed: 0, reached: 7 },
    });
    expect(toTelegram(many).text).toContain("and more: 20 issues with many events");
    expect(JSON.stringify(toTeams(many))).toMatch(/and more: \d+ issues with many events/);
  });

  test("Slack and Telegram read none of it as a mention, a link or a command", () => {
    const title = "@everyone see https://evil.example/x, app.py and /start #now";
    const told = message({ issues: [news({ title, culprit: "", url: null, release: "@ada" })] });
    for (const { text } of toSlack(told).blocks) expect(text).toMatchObject({ type: "mrkdwn", verbatim: true });
    const shown = toTelegram(told).text.replace(/<[^>]+>/g, "");
    expect(shown).toContain("see https:\u200b//\u200bevil.\u200bexample");
    expect(shown).not.toMatch(/[@#/.](?=\p{L})|:\//u);
  });
});

test("names three rules, and counts the others", () => {
  expect(sayRules(["Checkout"])).toBe("rule “Checkout”");
  expect(sayRules(["A", "B", "C"])).toBe("rules “A”, “B”, and “C”");
  expect(sayRules(["A", "B", "C", "D", "E"])).toBe("rules “A”, “B”, “C”, and 2 others");
});

describe("another place that a rule names", () => {
  test.each([
    ["slack-bot", "#payments", { channel: "#payments" }],
    ["telegram", "42", { chat_id: "-100", message_thread_id: 42 }],
    ["mattermost", "payments", { channel: "payments" }],
  ] as const)("is where the message of %s goes", async (kind, place, body) => {
    await using world = await open(kind);
    expect(await world.send({}, place)).toMatchObject({ ok: true });
    expect(world.services.calls).toMatchObject([{ body }]);
    expect(findPlaceProblem(kind, place)).toBeNull();
    await world.send();
    for (const name of Object.keys(body).filter((each) => each !== "chat_id"))
      expect(world.services.calls[1]?.body[name]).not.toBe(world.services.calls[0]?.body[name]);
  });

  test("is a thread of Discord, where its message is changed, too", async () => {
    await using world = await open("discord");
    const place = "1234567890123456789";
    await world.send({}, place);
    await world.follow("900000000000000001", {}, "edit", place);
    expect(world.services.calls.map(({ path }) => new URL(path, "http://x").searchParams.get("thread_id"))).toEqual([
      place,
      place,
    ]);
  });

  test("is a new message of Mattermost and a reply in the topic of Telegram later", async () => {
    await using mattermost = await open("mattermost");
    await mattermost.follow("", {}, "message", "payments");
    expect(mattermost.services.calls[0]?.body.channel).toBe("payments");
    await using telegram = await open("telegram");
    await telegram.follow("-100 7", {}, "thread", "42");
    expect(telegram.services.calls[0]?.body).toMatchObject({ message_thread_id: 42 });
  });

  test("is refused where a kind has none, and where it is none of the kind", () => {
    expect(findPlaceProblem("slack", "#payments")).toContain("cannot name another place");
    expect(findPlaceProblem("discord", "#payments")).toContain("15 to 21 digits");
    expect(findPlaceProblem("telegram", "0")).toContain("number of a topic");
    expect(findPlaceProblem("mattermost", "Pay ments")).toContain("name of a channel");
  });
});

describe("a later change", () => {
  test("changes the message of Slack's bot, or is said in its thread", async () => {
    await using world = await open("slack-bot");
    expect(await world.follow("C0123456789 17.5", {})).toMatchObject({ ok: true });
    expect(await world.follow("C0123456789 17.5", {}, "thread")).toMatchObject({ ok: true });
    const [edit, reply] = world.services.calls;
    expect([edit?.path, edit?.body.channel, edit?.body.ts]).toEqual(["/api/chat.update", "C0123456789", "17.5"]);
    expect(edit?.body.text).toContain("Resolved by Ada");
    expect([reply?.path, reply?.body.thread_ts]).toEqual(["/api/chat.postMessage", "17.5"]);
  });

  test("changes the message of Discord", async () => {
    await using world = await open("discord");
    expect(await world.follow("900000000000000001", {})).toMatchObject({ ok: true });
    expect(world.services.calls).toMatchObject([
      {
        method: "PATCH",
        path: "/discord/hook/s3cret-path/messages/900000000000000001",
        body: { embeds: [{ color: 0x2f7d32 }] },
      },
    ]);
  });

  test("changes the message of Telegram, or answers it", async () => {
    await using world = await open("telegram");
    await world.follow("-100 7", {});
    await world.follow("-100 7", {}, "thread");
    expect(world.services.calls.map(({ path }) => path.split("/").at(-1))).toEqual(["editMessageText", "sendMessage"]);
    expect(world.services.calls[0]?.body).toMatchObject({ chat_id: "-100", message_id: 7 });
    expect(world.services.calls[1]?.body.reply_parameters).toMatchObject({ message_id: 7 });
  });

  test("resolves, acknowledges and triggers the alert of PagerDuty", async () => {
    await using world = await open("pagerduty");
    await world.follow("alerts", {});
    await world.follow("alerts", { isOver: false, isTaken: true });
    await world.follow("alerts", { isOver: false, change: "Reopened" });
    expect(world.services.calls.map(({ body }) => [body.event_action, body.dedup_key])).toEqual([
      ["resolve", "culprit-SHOP-1"],
      ["acknowledge", "culprit-SHOP-1"],
      ["trigger", "culprit-SHOP-1"],
    ]);
  });

  test.each(["slack", "teams", "mattermost", "ntfy"] as const)("is a new message of %s", async (kind) => {
    await using world = await open(kind);
    expect(await world.follow("", {}, "message")).toMatchObject({ ok: true });
    expect(JSON.stringify(world.services.calls[0]?.body)).toContain("Resolved by Ada");
  });
});

test("PagerDuty is told of issues alone, and not of what users say", async () => {
  await using world = await open("pagerduty");
  const said = news({ transition: "feedback", issueId: 0 });
  expect(await world.send({ issues: [said], more: { new: 0, regressed: 0, feedback: 3 } })).toMatchObject({ ok: true });
  expect(world.services.calls).toEqual([]);
  await world.send({ issues: [said, news()] });
  expect(world.services.calls.map(({ body }) => body.dedup_key)).toEqual(["culprit-SHOP-1"]);
});

test("Slack's bot authenticates, and remembers where its message is", async () => {
  await using world = await open("slack-bot");
  expect(await world.send()).toEqual({
    ok: true,
    answer: "200 ok",
    ref: expect.stringMatching(/^C0123456789 \d+\.\d+$/),
  });
  const [call] = world.services.calls;
  expect(call).toMatchObject({ path: "/api/chat.postMessage", headers: { authorization: `Bearer ${SLACK_TOKEN}` } });
  expect(call?.body.channel).toBe("#errors");
  expect(JSON.stringify(call?.body)).not.toMatch(/<[!@]/);
  world.services.become("refuses");
  expect(await world.send()).toMatchObject({ ok: false, reason: "Slack refused it: channel_not_found" });
});

test("Discord is asked to wait for the message, and says its id", async () => {
  await using world = await open("discord");
  expect(await world.send()).toMatchObject({ ok: true, ref: expect.stringMatching(/^\d+$/) });
  expect(world.services.calls[0]?.path).toContain("?wait=true");
});

test("Telegram gets HTML in which a title is text, within 4,096 characters", async () => {
  await using world = await open("telegram");
  expect(await world.send()).toMatchObject({ ok: true, ref: "-100 1" });
  const { text } = world.services.calls[0]?.body ?? {};
  expect(text).toContain("&lt;img src=x onerror=alert(1)&gt;");
  expect(text.match(/<(?!\/?(b|a|code)\b)/g)).toBeNull();
  const issues = Array.from({ length: 20 }, () =>
    news({ title: "x".repeat(200), culprit: "y".repeat(200), release: "r".repeat(200) }),
  );
  const long = toTelegram(message({ issues }));
  expect(long.text.replace(/<[^>]+>/g, "").length).toBeLessThanOrEqual(4_096);
  expect(long.text).toContain("and 15 more new issues");
});

test("ntfy gets topic, priority and what a press opens, and cuts what would become a file", async () => {
  await using world = await open("ntfy");
  await world.send();
  expect(world.services.calls[0]).toMatchObject({
    path: "/",
    headers: { authorization: "Bearer tk_secret" },
    body: {
      topic: "errors-8f3k2",
      priority: 4,
      click: "https://errors.example.com/issues/1",
      actions: [{ action: "view", url: "https://errors.example.com/issues/1" }],
    },
  });
  const issues = Array.from({ length: 20 }, () => news({ title: "ü".repeat(200) }));
  expect(Buffer.byteLength(toNtfy(message({ issues })).message)).toBeLessThanOrEqual(4_096);
});

test("PagerDuty gets one alert an issue, under the same key each time", async () => {
  await using world = await open("pagerduty");
  const change = { issues: [news(), news({ shortId: "SHOP-2", level: "fatal" })], more: { new: 3, regressed: 0 } };
  await world.send(change);
  await world.send(change);
  expect(world.services.calls.map(({ body }) => body.dedup_key)).toEqual([
    "culprit-SHOP-1",
    "culprit-SHOP-2",
    `culprit-${"k".repeat(32)}`,
    "culprit-SHOP-1",
    "culprit-SHOP-2",
    `culprit-${"k".repeat(32)}`,
  ]);
  expect(world.services.calls[1]?.body).toMatchObject({
    routing_key: ROUTING_KEY,
    event_action: "trigger",
    payload: { severity: "critical", source: "shop", timestamp: "2026-05-20T12:00:00.000Z" },
  });
});

test("Teams gets a card of text runs, in which nothing is read as Markdown, below 28 KB", () => {
  const issues = Array.from({ length: 20 }, () => news({ title: "漢".repeat(200), culprit: "漢".repeat(200) }));
  const card = toTeams(message({ issues, more: { new: 1, regressed: 0 } }));
  const text = JSON.stringify(card);
  expect(text).not.toContain('"type":"TextBlock"');
  expect(text).toMatch(/and \d more new issues/);
  expect(Buffer.byteLength(text)).toBeLessThan(28 * 1024);
});

test.each([
  ["slack-bot", { channel: "errors everywhere", token: SLACK_TOKEN }, "channel"],
  ["slack-bot", { channel: "#errors", token: "nonsense" }, "token"],
  ["telegram", { chat: "-100", token: "../../x" }, "token"],
  ["ntfy", { topic: "a/b" }, "topic"],
  ["ntfy", { topic: "a", server: "ftp://x.example" }, "server"],
  ["ntfy", { topic: "a", priority: "9" }, "priority"],
  ["pagerduty", { routingKey: "short" }, "routingKey"],
  ["pagerduty", { region: "moon", routingKey: ROUTING_KEY }, "region"],
  ["email", { address: "nonsense" }, "address"],
] as const)("of %s, %o is refused, naming the field", (kind, typed, field) => {
  const read = readChannelFields(kind, (name) => (typed as Record<string, string>)[name] ?? "");
  expect(read).toMatchObject({ ok: false, field });
});
