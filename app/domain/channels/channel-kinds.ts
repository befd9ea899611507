import type { ChannelKind } from "./channel.ts";

/** A field of the form of a kind. */
export interface ChannelField {
  name: string;
  label: string;
  /** Absent: one line of text. */
  type?: "url" | "email" | "choice";
  /** Kept apart and never shown again. */
  isSecret?: true;
  isOptional?: true;
  placeholder?: string;
  hint?: string;
  /** What is typed must match; `wrong` says so. */
  pattern?: RegExp;
  wrong?: string;
  /** Of a choice: value and words; the first is the default. */
  choices?: ReadonlyArray<readonly [value: string, words: string]>;
}

export interface ChannelKindWords {
  title: string;
  /** Where one gets what the fields ask for. */
  description: string;
  fields: readonly ChannelField[];
  /** What it cannot do, said where one chooses it; null: nothing is missing. */
  cannot: string | null;
}

const POSTS_ANEW = "It cannot edit: each change is a new message.";

const HOOK = { name: "url", label: "Address of the webhook", type: "url", isSecret: true } as const;

export const CHANNEL_KIND_WORDS: Readonly<Record<ChannelKind, ChannelKindWords>> = {
  email: {
    title: "E-mail",
    description: "To one address, of a person or of a list.",
    fields: [{ name: "address", label: "E-mail address", type: "email", placeholder: "oncall@example.com" }],
    cannot: "A mail cannot be edited: each change is a new message.",
  },
  webhook: {
    title: "Webhook",
    description: "Culprit’s JSON, signed as Standard Webhooks describes, for your own program.",
    fields: [{ ...HOOK, label: "Address", placeholder: "https://example.com/culprit" }],
    cannot: "Each change is a request of its own.",
  },
  slack: {
    title: "Slack, incoming webhook",
    description: "In Slack: your app, Incoming Webhooks, Add New Webhook to Workspace.",
    fields: [{ ...HOOK, placeholder: "https://hooks.slack.com/services/…" }],
    cannot: `An incoming webhook posts to one channel. ${POSTS_ANEW}`,
  },
  discord: {
    title: "Discord",
    description: "In Discord: the channel’s settings, Integrations, Webhooks, Copy Webhook URL.",
    fields: [{ ...HOOK, placeholder: "https://discord.com/api/webhooks/…" }],
    cannot: POSTS_ANEW,
  },
  mattermost: {
    title: "Mattermost",
    description: "In Mattermost: Integrations, Incoming Webhooks. Rocket.Chat takes the same messages.",
    fields: [{ ...HOOK, placeholder: "https://chat.example.com/hooks/…" }],
    cannot: POSTS_ANEW,
  },
};
