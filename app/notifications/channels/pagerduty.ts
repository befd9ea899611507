import type { Level } from "../../domain/level.ts";
import type { IssueNews, Message } from "../message.ts";
import { sayFacts, sayHeadline, sayMore } from "../message-words.ts";
import type { ChannelFollower } from "./channel-follower.ts";
import type { ChannelSender } from "./channel-sender.ts";

const SEVERITIES: Record<Level, "critical" | "error" | "warning" | "info"> = {
  fatal: "critical",
  error: "error",
  warning: "warning",
  info: "info",
  debug: "info",
};

/**
 * Makes one alert for each issue, so that each can be resolved by itself, and one more for the issues that the message only counts.
 * PagerDuty makes one alert of all events with the same `dedup_key`, so a repeated attempt makes no second alert.
 */
export const sendPagerduty: ChannelSender = async ({ settings, secrets }, message, tools) => {
  const url = `${tools.hosts.pagerduty[settings.region ?? "us"]}/v2/enqueue`;
  const events = toPagerduty(message);
  if (events.length === 0) return { ok: true, answer: "nothing was sent: feedback wakes nobody" };
  for (const event of events) {
    const body = JSON.stringify({ routing_key: secrets.routingKey, ...event });
    const { result } = await tools.request({ url, body });
    if (!result.ok) return result;
  }
  return { ok: true, answer: "202 accepted", ref: "alerts" };
};

/** Resolves the alert of an issue that is over, acknowledges that of an issue which somebody has, and triggers that of an open one again. */
export const followPagerduty: ChannelFollower = async ({ settings, secrets }, { news }, tools) => {
  const url = `${tools.hosts.pagerduty[settings.region ?? "us"]}/v2/enqueue`;
  for (const issue of news.issues) {
    const key = { routing_key: secrets.routingKey, dedup_key: toDedupKey(issue) };
    const event = issue.isOver
      ? { event_action: "resolve" }
      : issue.isTaken
        ? { event_action: "acknowledge" }
        : toTrigger(news, issue);
    const { result } = await tools.request({ url, body: JSON.stringify({ ...event, ...key }) });
    if (!result.ok) return result;
  }
  return { ok: true, answer: "202 accepted" };
};

function toPagerduty(whole: Message) {
  const { feedback: _, ...counts } = whole.more;
  // Feedback of users is no incident.
  const issues = whole.issues.filter(({ transition }) => transition !== "feedback");
  const message = { ...whole, issues, more: counts };
  const more = sayMore(message);
  return [
    ...message.issues.map((issue) => toTrigger(message, issue)),
    ...(more === null
      ? []
      : [
          {
            event_action: "trigger",
            dedup_key: `culprit-${message.key}`,
            payload: { summary: sayHeadline(message), source: message.project.slug, severity: "error" },
            ...toLink(message.listUrl, "Issues of the project"),
          },
        ]),
  ];
}

function toTrigger({ project, key, isTest }: Message, issue: IssueNews) {
  // If an alert rule tells that an issue is resolved, its alert ends.
  if (issue.transition === "resolved") return { event_action: "resolve", dedup_key: toDedupKey(issue) };
  return {
    event_action: "trigger",
    // Each test is an alert of its own.
    dedup_key: isTest ? `culprit-${key}` : toDedupKey(issue),
    payload: {
      summary: `[${project.slug}] ${issue.title}`,
      source: project.slug,
      severity: SEVERITIES[issue.level],
      timestamp: new Date(issue.at).toISOString(),
      component: issue.culprit || undefined,
      class: issue.shortId,
      custom_details: { facts: sayFacts(issue), project: project.name, transition: issue.transition },
    },
    ...toLink(issue.url, "Open in Culprit"),
  };
}

function toLink(href: string | null, text: string) {
  return { client: "Culprit", ...(href === null ? {} : { client_url: href, links: [{ href, text }] }) };
}

/** The key of an issue's alert. A short id is never used for a second issue. */
function toDedupKey({ shortId }: Pick<IssueNews, "shortId">): string {
  return `culprit-${shortId}`;
}
