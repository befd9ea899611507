import type { Message } from "../message.ts";
import { sayFacts, sayHeadline, sayMore, sayWhat } from "../message-words.ts";
import type { ChannelSender } from "./channel-sender.ts";

/** ntfy allows 4,096 bytes, and turns a longer message into a file. Source: its documentation. */
const MAX_MESSAGE_BYTES = 3_500;
/** Source: the documentation of ntfy. A tap on the message itself opens the issue. */
const MAX_ACTIONS = 3;

/** Publishes JSON, which must be sent to the root of the server. */
export const sendNtfy: ChannelSender = async ({ settings, secrets }, message, tools) => {
  const { result } = await tools.request({
    url: settings.server ?? "https://ntfy.sh/",
    headers: secrets.token === undefined ? {} : { authorization: `Bearer ${secrets.token}` },
    body: JSON.stringify({ topic: secrets.topic, priority: Number(settings.priority ?? 3), ...toNtfy(message) }),
  });
  return result.ok ? { ok: true, answer: "200 ok" } : result;
};

/** Plain text, in which no character has a meaning. */
export function toNtfy(message: Message) {
  const [first, second] = message.issues;
  const acts = (!second && first?.acts) || [];
  const url = (first && !second ? first.url : null) ?? message.listUrl;
  const lines = [
    ...message.issues.map((issue) =>
      [`${sayWhat(issue)}: ${issue.title}`, issue.culprit, `${issue.shortId}: ${sayFacts(issue)}`]
        .filter(Boolean)
        .join("\n"),
    ),
    // Bare addresses, of which the app makes links.
    ...acts.slice(MAX_ACTIONS).map(({ label, url: act }) => `${label}: ${act}`),
    sayMore(message),
  ];
  return {
    title: sayHeadline(message),
    message: cutBytes(lines.filter(Boolean).join("\n\n"), MAX_MESSAGE_BYTES),
    tags: [first?.transition === "regressed" ? "warning" : "rotating_light"],
    ...(url === null ? {} : { click: url }),
    ...(acts.length > 0
      ? { actions: acts.slice(0, MAX_ACTIONS).map((act) => ({ action: "view", ...act })) }
      : url === null
        ? {}
        : { actions: [{ action: "view", label: "Open in Culprit", url }] }),
  };
}

function cutBytes(text: string, max: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= max) return text;
  return `${bytes
    .subarray(0, max)
    .toString("utf8")
    .replace(/\uFFFD+$/, "")}…`;
}
