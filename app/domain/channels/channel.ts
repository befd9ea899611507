/** The kinds of channels. What each asks for and can do: channel-kinds.ts. */
export const CHANNEL_KINDS = [
  "email",
  "webhook",
  "slack",
  "slack-bot",
  "discord",
  "teams",
  "mattermost",
  "telegram",
  "ntfy",
  "pagerduty",
] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** A place of the organization that messages go to. */
export interface Channel {
  id: number;
  kind: ChannelKind;
  /** The name, unique in the organization. */
  name: string;
  /** Values by field name. Everybody who sees the channel may read them. */
  settings: ChannelValues;
  /** The projects that may use it. Null: all projects, also later ones. */
  projectIds: readonly number[] | null;
  /** Milliseconds since 1970. */
  createdAt: number;
}

export type ChannelValues = Readonly<Record<string, string>>;

/** For the server only: it is never part of a page. */
export interface ChannelWithSecrets extends Channel {
  /** Values of the secret fields by name, and the signing keys that the server made. */
  secrets: ChannelValues;
  /** Another channel or thread of the chat, that a rule has named for this message. Absent and empty: its own. */
  place?: string;
}

/** The latest results of sending. Null: there was no message with this result. */
export interface ChannelResults {
  lastDeliveredAt: number | null;
  /** The other side's answer to the last message that it accepted. */
  lastAnswer: string | null;
  lastFailedAt: number | null;
  /** Why, with what the other side answered. */
  lastFailure: string | null;
  /** The number of waiting messages, and when the next one is tried. */
  waiting: number;
  nextAttemptAt: number | null;
}

/** A bound on what people can make the server keep. It is more than any page has room for. */
export const MAX_CHANNELS = 200;
export const MAX_CHANNEL_NAME = 80;

export function isChannelKind(word: unknown): word is ChannelKind {
  return CHANNEL_KINDS.some((kind) => kind === word);
}

export function servesProject({ projectIds }: Pick<Channel, "projectIds">, projectId: number): boolean {
  return projectIds === null || projectIds.includes(projectId);
}
