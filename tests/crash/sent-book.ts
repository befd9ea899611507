/** What a sender was told about something it sent. */
export interface Answers {
  /** Envelopes with it that were answered 200. */
  answeredCount: number;
  /** Envelopes with it whose answer never came: each may have been taken, or not. */
  unansweredCount: number;
}

/** An error event. */
export interface SentEvent extends Answers {
  eventId: string;
  title: string;
  /** Whether an attachment goes with it. */
  hasAttachment: boolean;
}

/** Anything else. Transactions may be sent again; the others are sent once. */
export interface SentItem extends Answers {
  type: "transaction" | "log" | "session" | "client_report";
  /** How many of its category it counts as; of a report, what it reports as discarded. */
  quantity: number;
  /** Of a transaction: with its own. */
  spans?: number;
}

/** What was sent, and what was answered: the one thing that a server must not contradict after a crash. */
export interface SentBook {
  events: Map<string, SentEvent>;
  /** By a text of the item that the stores keep beside its payload. */
  items: Map<string, SentItem>;
  /** Answers that were no 200: what they refused must not be there. */
  refusals: Refusal[];
}

export interface Refusal {
  status: number;
  retryAfter: string | null;
  rateLimits: string | null;
}

export function createSentBook(): SentBook {
  return { events: new Map(), items: new Map(), refusals: [] };
}
