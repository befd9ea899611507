import type { ChannelKind, ChannelValues } from "./channel.ts";

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
  /** The pattern of a valid value, and the sentence for other values. */
  pattern?: RegExp;
  wrong?: string;
  /** The options of a choice: value and words. The first is the default. */
  choices?: ReadonlyArray<readonly [value: string, words: string]>;
}

export interface ChannelKindWords {
  title: string;
  /** Where people find the values for the fields. */
  description: string;
  fields: readonly ChannelField[];
  /** A limit of this kind, shown where people choose it. Null: it has none. */
  cannot: string | null;
}

const POSTS_ANEW = "It cannot edit: each change is a new message.";

const LATER = {
  name: "later",
  label: "When such an issue is resolved, archived or assigned later",
  type: "choice",
} as const;
const SILENT = ["none", "Say nothing"] as const;
/** For kinds that cannot change a message. */
const LATER_NEW_MESSAGE: ChannelField = { ...LATER, choices: [SILENT, ["message", "Send a new message"]] };
const LATER_EDIT: ChannelField = { ...LATER, choices: [["edit", "Change the message"], SILENT] };

/** Everybody who reads the channel can use the links without signing in. So people choose whether messages have them. */
const ACTS = {
  name: "acts",
  label: "Links that acknowledge, resolve, assign and snooze",
  type: "choice",
  hint: "They work without signing in, and ask first. Everybody who reads the channel can use them. They need PUBLIC_URL.",
} as const;
const WITH_ACTS = ["links", "In each message"] as const;
const WITHOUT_ACTS = ["none", "None"] as const;
const ACTS_BY_DEFAULT: ChannelField = { ...ACTS, choices: [WITH_ACTS, WITHOUT_ACTS] };
/** For channels that often have more readers than people expect: without links unless somebody chooses them. */
const ACTS_BY_CHOICE: ChannelField = { ...ACTS, choices: [WITHOUT_ACTS, WITH_ACTS] };

const HOOK = { name: "url", label: "Address of the webhook", type: "url", isSecret: true } as const;

export const CHANNEL_KIND_WORDS: Readonly<Record<ChannelKind, ChannelKindWords>> = {
  email: {
    title: "E-mail",
    description: "To one address, of a person or of a list.",
    fields: [
      { name: "address", label: "E-mail address", type: "email", placeholder: "oncall@example.com" },
      LATER_NEW_MESSAGE,
      ACTS_BY_CHOICE,
    ],
    cannot: "A mail cannot be edited: each change is a new message.",
  },
  webhook: {
    title: "Webhook",
    description: "Culprit’s JSON, signed as Standard Webhooks describes, for your own program.",
    fields: [{ ...HOOK, label: "Address", placeholder: "https://example.com/culprit" }, LATER_NEW_MESSAGE],
    cannot: "Each change is a request of its own.",
  },
  slack: {
    title: "Slack, incoming webhook",
    description: "In Slack: your app, Incoming Webhooks, Add New Webhook to Workspace.",
    fields: [{ ...HOOK, placeholder: "https://hooks.slack.com/services/…" }, LATER_NEW_MESSAGE, ACTS_BY_DEFAULT],
    cannot: `An incoming webhook posts to one channel. ${POSTS_ANEW}`,
  },
  "slack-bot": {
    title: "Slack, bot token",
    description: "In Slack: your app, OAuth & Permissions, the scope chat:write. Then invite the bot to the channel.",
    fields: [
      {
        name: "channel",
        label: "Channel",
        placeholder: "C0123456789",
        hint: "Its ID, at the end of the channel’s details in Slack, or a name like #errors.",
        pattern: /^(#[^\s#]{1,80}|[A-Z0-9]{6,20})$/,
        wrong: "Give an ID like C0123456789, or a name like #errors.",
      },
      {
        name: "token",
        label: "Bot token",
        isSecret: true,
        placeholder: "xoxb-…",
        pattern: /^xox[a-z]-[\w-]{8,300}$/,
        wrong: "A bot token begins with xoxb-.",
      },
      {
        ...LATER,
        choices: [["edit", "Change the message"], ["thread", "Say it in the thread of the message"], SILENT],
      },
      ACTS_BY_DEFAULT,
    ],
    cannot: null,
  },
  discord: {
    title: "Discord",
    description: "In Discord: the channel’s settings, Integrations, Webhooks, Copy Webhook URL.",
    fields: [{ ...HOOK, placeholder: "https://discord.com/api/webhooks/…" }, LATER_EDIT, ACTS_BY_DEFAULT],
    cannot: "It changes its messages, but cannot begin a thread of its own. A rule may name a thread that is there.",
  },
  teams: {
    title: "Microsoft Teams",
    description:
      "In Teams: the channel’s menu, Workflows, “Send webhook alerts to a channel”. The older connectors do not exist any more.",
    fields: [{ ...HOOK, placeholder: "https://….logic.azure.com/workflows/…" }, LATER_NEW_MESSAGE, ACTS_BY_DEFAULT],
    cannot: `A workflow belongs to the person who made it, and ends with their account. ${POSTS_ANEW}`,
  },
  mattermost: {
    title: "Mattermost",
    description: "In Mattermost: Integrations, Incoming Webhooks. Rocket.Chat takes the same messages.",
    fields: [{ ...HOOK, placeholder: "https://chat.example.com/hooks/…" }, LATER_NEW_MESSAGE, ACTS_BY_DEFAULT],
    cannot: POSTS_ANEW,
  },
  telegram: {
    title: "Telegram",
    description: "Make a bot with @BotFather, and add it to the group or channel.",
    fields: [
      {
        name: "chat",
        label: "Chat ID",
        placeholder: "-1001234567890",
        hint: "Of a group it begins with -. A public channel may be named like @errors.",
        pattern: /^(-?\d{1,20}|@\w{5,32})$/,
        wrong: "Give a number like -1001234567890, or a name like @errors.",
      },
      {
        name: "token",
        label: "Bot token",
        isSecret: true,
        placeholder: "123456:ABC…",
        pattern: /^\d{3,20}:[\w-]{10,100}$/,
        wrong: "A bot token is a number, a colon and letters, as @BotFather gives it.",
      },
      {
        ...LATER,
        choices: [["edit", "Change the message"], ["thread", "Answer the message"], SILENT],
      },
      ACTS_BY_DEFAULT,
    ],
    cannot: "A bot may send a group 20 messages a minute.",
  },
  ntfy: {
    title: "ntfy",
    description: "Push messages to phones and desktops, through ntfy.sh or a server of your own.",
    fields: [
      { name: "server", label: "Server", type: "url", isOptional: true, placeholder: "https://ntfy.sh" },
      {
        name: "topic",
        label: "Topic",
        isSecret: true,
        placeholder: "errors-8f3k2",
        hint: "Anybody who knows a topic without a token can read it.",
        pattern: /^[\w-]{1,64}$/,
        wrong: "Letters, digits, - and _ only, at most 64.",
      },
      {
        name: "token",
        label: "Access token",
        isSecret: true,
        isOptional: true,
        placeholder: "tk_…",
        pattern: /^[\w.-]{1,200}$/,
        wrong: "An access token begins with tk_.",
      },
      {
        name: "priority",
        label: "Priority",
        type: "choice",
        choices: [
          ["3", "Default"],
          ["4", "High"],
          ["5", "Urgent: it sounds although the phone is silent"],
          ["2", "Low"],
          ["1", "Lowest: no sound"],
        ],
      },
      LATER_NEW_MESSAGE,
      ACTS_BY_CHOICE,
    ],
    cannot: POSTS_ANEW,
  },
  pagerduty: {
    title: "PagerDuty",
    description: "In PagerDuty: the service, Integrations, Events API v2. Each issue becomes an alert of its own.",
    fields: [
      {
        name: "region",
        label: "Region",
        type: "choice",
        choices: [
          ["us", "United States"],
          ["eu", "European Union"],
        ],
      },
      {
        name: "routingKey",
        label: "Integration key",
        isSecret: true,
        placeholder: "32 characters",
        pattern: /^[0-9a-zA-Z]{32}$/,
        wrong: "An integration key has 32 letters and digits.",
      },
      { ...LATER, choices: [["edit", "Resolve or acknowledge the alert"], SILENT] },
    ],
    cannot: null,
  },
};

/** Whether a channel gets news about issues that its earlier messages named. */
export function followsChanges({ kind, settings }: { kind: ChannelKind; settings: ChannelValues }): boolean {
  const byDefault = CHANNEL_KIND_WORDS[kind].fields.find(({ name }) => name === "later")?.choices?.[0]?.[0];
  return (settings.later ?? byDefault ?? "none") !== "none";
}

/** Whether its messages have links that act. A channel that was made before there were any has none. */
export function hasActs({ settings }: { settings: ChannelValues }): boolean {
  return settings.acts === "links";
}
