import { describe, expect, test } from "vitest";
import { toDiscord } from "./channels/discord.ts";
import { toMattermost } from "./channels/mattermost.ts";
import { toSlack } from "./channels/slack.ts";
import { toJson } from "./channels/webhook.ts";
import { composeTest, type IssueNews, type Message } from "./message.ts";
import { renderMail } from "./render-mail.ts";

const AT = Date.UTC(2026, 4, 20, 12);

function news(change: Partial<IssueNews> = {}): IssueNews {
  return {
    issueId: 1,
    transition: "new",
    change: null,
    isOver: false,
    isTaken: false,
    shortId: "SHOP-1",
    title: "TypeError: x is undefined",
    culprit: "toTotal in to-total.ts",
    level: "error",
    eventCount: 1_234,
    userCount: 1,
    release: "shop@2.15.0",
    at: AT,
    url: "https://errors.example.com/issues/1",
    ...change,
  };
}

function withoutId({ issueId: _, change: __, isOver: ___, isTaken: ____, ...shown }: IssueNews) {
  return shown;
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
    settingsUrl: "https://errors.example.com/projects/shop/notifications",
    ...change,
  };
}

const HOSTILE = `<img src=x onerror=alert(1)>"'& *bold* @everyone <!channel> <@U1> [x](https://evil.example)`;

describe("mail", () => {
  test("of one issue says in the subject what it is, and in both parts all that counts", () => {
    const { subject, text, html } = renderMail(message());
    expect(subject).toBe("[shop] New issue: TypeError: x is undefined");
    for (const part of [text, html])
      for (const words of [
        "New issue in Shop",
        "TypeError: x is undefined",
        "toTotal in to-total.ts",
        "Wed, May 20, 12:00 (UTC)",
        "SHOP-1: 1,234 events, 1 user, release shop@2.15.0",
        "https://errors.example.com/issues/1",
        "https://errors.example.com/projects/shop/notifications",
      ])
        expect(part).toContain(words);
  });

  test("of many issues counts each kind, and the issues that it does not name", () => {
    const back = "100 more events since it was archived";
    const issues = [news(), news({ transition: "regressed", shortId: "SHOP-2", back })];
    expect(renderMail(message({ issues })).text).toContain(
      "SHOP-2: from the archive (100 more events since it was archived), 1,234 events",
    );
    const { subject, text } = renderMail(message({ issues, more: { new: 480, regressed: 0 } }));
    expect(subject).toBe("[shop] 481 new issues, 1 issue came back");
    expect(text).toContain("and 480 more new issues: https://errors.example.com/issues?project=shop");
    expect(renderMail(message({ more: { new: 1, regressed: 2 } })).text).toContain(
      "and more: 1 new issue, 2 issues came back",
    );
  });

  test("of a single issue that is not named says its kind", () => {
    expect(renderMail(message({ issues: [], more: { new: 0, regressed: 1 } })).subject).toBe(
      "[shop] 1 issue came back",
    );
  });

  test("shows hostile titles as text", () => {
    const { html } = renderMail(message({ issues: [news({ title: HOSTILE, culprit: HOSTILE, release: HOSTILE })] }));
    expect(html).not.toContain("<img");
    expect(html).toContain("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;");
  });

  test("of a test says that somebody pressed it, who, and where", () => {
    const sent = { key: "k".repeat(32), baseUrl: null, now: AT, where: "the page Notifications of Shop" };
    const say = (by: { name: string } | null) =>
      renderMail(composeTest({ slug: "shop", name: "Shop" }, { ...sent, by }));
    const { text, html } = say({ name: "Ada\nLovelace" });
    for (const part of [text, html]) {
      expect(part).toContain("Ada Lovelace pressed “Send a test” on the page Notifications of Shop");
      expect(part).toContain("This is a test. The issue below does not exist.");
    }
    expect(say(null).text).toContain("Somebody pressed “Send a test”");
  });

  test("without an address of the server has no link, and says why", () => {
    const { text, html } = renderMail(
      message({ issues: [news({ url: null })], listUrl: null, settingsUrl: null, more: { new: 3, regressed: 0 } }),
    );
    expect(html).not.toContain("href");
    expect(text).toContain("once PUBLIC_URL is set");
    expect(text).toContain("and 3 more new issues\n");
  });
});

describe("webhooks", () => {
  test("Culprit's own JSON has everything, with instants in ISO 8601", () => {
    expect(JSON.parse(JSON.stringify(toJson(message())))).toEqual({
      type: "issues",
      timestamp: "2026-05-20T12:00:00.000Z",
      data: {
        project: { slug: "shop", name: "Shop" },
        issues: [{ ...withoutId(news()), at: "2026-05-20T12:00:00.000Z" }],
        more: { new: 0, regressed: 0 },
        url: "https://errors.example.com/issues?project=shop",
      },
    });
    expect(JSON.parse(JSON.stringify(toJson(message({ isTest: true })))).type).toBe("test");
  });

  test("Slack gets one block an issue, and nobody is mentioned", () => {
    const issues = Array.from({ length: 20 }, () => news({ title: HOSTILE, culprit: "" }));
    const body = JSON.parse(JSON.stringify(toSlack(message({ issues, more: { new: 480, regressed: 0 } }))));
    expect(body.text).toBe("[shop] 500 new issues");
    expect(body.blocks).toHaveLength(21);
    expect(body.blocks[0].text.text).toContain("<https://errors.example.com/issues/1|&lt;img");
    expect(body.blocks[20].text.text).toBe("<https://errors.example.com/issues?project=shop|and 480 more new issues>");
    expect(JSON.stringify(body)).not.toMatch(/<[!@]/);
  });

  test("Discord gets at most ten embeds, the rest as a number, and nobody is mentioned", () => {
    const issues = Array.from({ length: 12 }, () => news({ title: HOSTILE }));
    const body = JSON.parse(JSON.stringify(toDiscord(message({ issues, more: { new: 8, regressed: 0 } }))));
    expect(body.embeds).toHaveLength(10);
    expect(body.allowed_mentions).toEqual({ parse: [] });
    expect(body.content).toContain("20 new issues");
    expect(body.content).toContain("and 10 more new issues https://errors.example.com/issues?project=shop");
    expect(body.embeds[0].title).toContain("\\[x\\]\\(https");
  });

  test("the longest texts stay below the limits of Slack and Discord", () => {
    const long = "<".repeat(200);
    const issues = Array.from({ length: 20 }, () =>
      news({ title: "*".repeat(200), culprit: "*".repeat(200), release: "r".repeat(200) }),
    );
    const discord = JSON.parse(JSON.stringify(toDiscord(message({ issues }))));
    const sizes = discord.embeds.map(
      (embed: { title: string; description: string; footer: { text: string } }) =>
        embed.title.length + embed.description.length + embed.footer.text.length,
    );
    expect(Math.max(...discord.embeds.map((embed: { title: string }) => embed.title.length))).toBeLessThanOrEqual(256);
    expect(sizes.reduce((sum: number, size: number) => sum + size, 0)).toBeLessThanOrEqual(6_000);
    expect(discord.content.length).toBeLessThanOrEqual(2_000);
    const slack = JSON.parse(JSON.stringify(toSlack(message({ issues: [news({ title: long, culprit: long })] }))));
    expect(slack.blocks[0].text.text.length).toBeLessThanOrEqual(3_000);
  });

  test("Mattermost gets an attachment an issue, and nobody is mentioned", () => {
    const issues = [news({ title: HOSTILE, culprit: HOSTILE }), news({ transition: "regressed" })];
    const body = toMattermost(message({ issues, more: { new: 3, regressed: 0 } }));
    expect(body.text).toContain("[and 3 more new issues](https://errors.example.com/issues?project=shop)");
    expect(body.attachments).toHaveLength(2);
    expect(body.attachments[0]).toMatchObject({ color: "#b3261e", title_link: "https://errors.example.com/issues/1" });
    expect(JSON.stringify(body)).not.toMatch(/@(everyone|U1)/);
    expect(body.attachments[0]?.title).toContain("\\[x\\]\\(https");
  });
});
