import type { ChannelKind } from "./channel.ts";

/** The words for a second place in a chat, which a rule may name instead of the channel's own. */
export interface ChannelPlaceWords {
  label: string;
  placeholder: string;
  pattern: RegExp;
  /** A description of valid places. */
  wants: string;
}

/**
 * Kinds whose API lets each message name its place. Incoming webhooks of Slack and Teams post to one channel, and the others have none.
 * Sources, checked 2026-11: chat.postMessage (`channel`), Execute Webhook (`thread_id`), sendMessage (`message_thread_id`), Mattermost's
 * incoming webhooks (`channel`, unless the webhook is locked to one).
 */
export const CHANNEL_PLACES: Partial<Record<ChannelKind, ChannelPlaceWords>> = {
  "slack-bot": {
    label: "In another channel",
    placeholder: "#payments",
    pattern: /^(#[^\s#]{1,80}|[A-Z0-9]{6,20})$/,
    wants: "an ID like C0123456789, or a name like #payments",
  },
  discord: {
    label: "In a thread",
    placeholder: "1234567890123456789",
    pattern: /^\d{15,21}$/,
    wants: "the ID of a thread: 15 to 21 digits",
  },
  mattermost: {
    label: "In another channel",
    placeholder: "payments",
    pattern: /^[a-z0-9][\w.-]{0,63}$/,
    wants: "the name of a channel as its address has it, like payments",
  },
  telegram: {
    label: "In a topic",
    placeholder: "42",
    pattern: /^[1-9]\d{0,9}$/,
    wants: "the number of a topic of the group, as its link has it",
  },
};

export const MAX_PLACE = 81;

/** Says what is wrong with a place. Null: nothing is. */
export function findPlaceProblem(kind: ChannelKind, place: string): string | null {
  const words = CHANNEL_PLACES[kind];
  if (words === undefined) return "Messages to this kind of channel cannot name another place.";
  return words.pattern.test(place) ? null : `Give ${words.wants}.`;
}

/** The address of a channel in the queue of messages: its id, and the place in it if a rule names one. */
export function toChannelAddress(channelId: number, place = ""): string {
  return place === "" ? String(channelId) : `${channelId} ${place}`;
}

export function readChannelAddress(address: string): { channelId: number; place: string } {
  const [id = "", place = ""] = address.split(" ");
  return { channelId: Number(id), place };
}
