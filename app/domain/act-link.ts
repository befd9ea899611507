import { DAY_MS } from "./time.ts";

/** What one can do to an issue from a message, without signing in. */
export const LINK_ACTS = ["acknowledge", "resolve", "assign", "snooze"] as const;
export type LinkAct = (typeof LINK_ACTS)[number];

/** What a link allows: one act on one issue, for one person. */
export interface ActLink {
  userId: number;
  issueId: number;
  act: LinkAct;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** A mail that lies for longer is opened in Culprit. */
export const ACT_LINK_MS = DAY_MS;

export const LINK_ACT_WORDS: Record<LinkAct, { label: string; question: string; explanation: string }> = {
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
