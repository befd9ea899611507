import type { ChannelWithSecrets } from "../../domain/channels/channel.ts";
import { isRecord } from "../../domain/is-record.ts";
import type { Message } from "../message.ts";
import type { Mail } from "../render-mail.ts";
import type { ChannelAnswer, ChannelRequest } from "../request-channel.server.ts";
import type { SendResult } from "../send-result.ts";

/** What a sender may use for one attempt. */
export interface ChannelTools {
  now: number;
  /** The addresses of the services' APIs. */
  hosts: ApiHosts;
  request(request: Pick<ChannelRequest, "url" | "method" | "headers" | "body">): Promise<ChannelAnswer>;
  mail(address: string, mail: Mail): Promise<SendResult>;
}

export interface ApiHosts {
  slack: string;
  telegram: string;
  pagerduty: Readonly<Record<string, string>>;
}

export const API_HOSTS: ApiHosts = {
  slack: "https://slack.com",
  telegram: "https://api.telegram.org",
  pagerduty: { us: "https://events.pagerduty.com", eu: "https://events.eu.pagerduty.com" },
};

/** The body of an API's answer. An empty object: the body is no JSON object. */
export function readJson(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** Makes one attempt to send a message to a channel of its kind. Never throws. */
export type ChannelSender = (channel: ChannelWithSecrets, message: Message, tools: ChannelTools) => Promise<SendResult>;

/** Makes the sender of a kind that takes one JSON body at a secret address. */
export function postTo(render: (message: Message, channel: ChannelWithSecrets) => object): ChannelSender {
  return async (channel, message, tools) => {
    const body = JSON.stringify(render(message, channel));
    const { result } = await tools.request({ url: channel.secrets.url ?? "", body });
    return result;
  };
}
