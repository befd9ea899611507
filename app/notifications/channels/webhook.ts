import type { Message } from "../message.ts";
import { signatureHeaders } from "../sign-webhook.server.ts";
import type { ChannelSender } from "./channel-sender.ts";

export const sendWebhook: ChannelSender = async ({ secrets }, message, tools) => {
  const body = JSON.stringify(toJson(message));
  const headers = signatureHeaders(secrets, { key: message.key, now: tools.now, body });
  return (await tools.request({ url: secrets.url ?? "", headers, body })).result;
};

/** Culprit's own JSON. It is documented in docs/notifications.md, so nothing here may change its meaning. */
export function toJson({ at, isTest, project, issues, more, listUrl }: Message) {
  return {
    type: isTest ? "test" : issues.some(({ change }) => change !== null) ? "issues.changed" : "issues",
    timestamp: new Date(at).toISOString(),
    data: {
      project,
      issues: issues.map(({ issueId: _, isOver: __, isTaken: ___, change, ...issue }) => ({
        ...issue,
        ...(change !== null && { change }),
        at: new Date(issue.at).toISOString(),
      })),
      more,
      url: listUrl,
    },
  };
}
