import { DAY_MS } from "./time.ts";

/** Acts on an issue that a message can offer as links, without signing in. */
export const LINK_ACTS = ["acknowledge", "resolve", "assign", "snooze"] as const;
export type LinkAct = (typeof LINK_ACTS)[number];

/** The holder of the link: a person, or anybody who reads a channel. */
export type ActLinkHolder = { userId: number } | { channelId: number };

/** What a link allows: one act on one issue. */
export interface ActLink {
  holder: ActLinkHolder;
  issueId: number;
  act: LinkAct;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** The address at which one thing can be done to one issue, without signing in. */
export type ToActUrl = (link: Omit<ActLink, "expiresAt">) => string;

/** A mail that lies for longer is opened in Culprit. */
export const ACT_LINK_MS = DAY_MS;

interface ActWords {
  label: string;
  question: string;
  explanation: string;
}

export const LINK_ACT_WORDS: Record<LinkAct, ActWords> = {
  acknowledge: {
    label: "Acknowledge",
    question: "Acknowledge this issue?",
    explanation: "Others see that you have it. Alert rules tell nobody else about it until it is resolved.",
  },
  resolve: {
    label: "Resolve",
    question: "Resolve this issue?",
    explanation: "It comes back by itself if it happens again.",
  },
  assign: { label: "Assign to me", question: "Assign this issue to you?", explanation: "Others see that you have it." },
  snooze: {
    label: "Snooze for a day",
    question: "Snooze this issue for a day?",
    explanation: "You get no mail about it, and your lists leave it out. Others see nothing of it.",
  },
};

/** The words for holders who read a channel: nobody knows who they are. */
export const CHANNEL_ACT_WORDS: Record<LinkAct, ActWords> = {
  ...LINK_ACT_WORDS,
  acknowledge: {
    ...LINK_ACT_WORDS.acknowledge,
    explanation: "Others see that somebody has it. Alert rules tell nobody else about it until it is resolved.",
  },
  assign: { label: "Assign", question: "Assign this issue", explanation: "Choose who has it." },
  snooze: {
    label: "Snooze for a day",
    question: "Archive this issue for a day?",
    explanation: "It is quiet for everybody, and comes back after a day if it still happens.",
  },
};
