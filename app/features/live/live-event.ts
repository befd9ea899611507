import type { LiveMessage } from "../../domain/live-message.ts";

/** What `/live` sends as the data of each server-sent event. */
export type LiveEvent =
  | LiveMessage
  /** How much of what was accepted still waits for the digest. Sent when it changes, at most every few seconds. */
  | { kind: "backlog"; records: number; recordsPerSecond: number }
  /** The reader was too slow, and messages were left out: what is shown may be old. */
  | { kind: "gap" };
