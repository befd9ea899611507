import type { LiveMessage } from "../../domain/live-message.ts";

/** The data of each server-sent event of `/live`. */
export type LiveEvent =
  | LiveMessage
  /**
   * The first of every connection. `publishedAt`: when the newest message before it was published, which only others have
   * heard; milliseconds since 1970; null: there was none.
   */
  | { kind: "hello"; publishedAt: number | null }
  /**
   * How much of what was accepted still waited for the digest `at` an instant. Sent to begin with, and when it changes, at
   * most every few seconds.
   */
  | ({ kind: "backlog" } & Backlog)
  /** Other windows of this browser hold as many streams as it may have: this one gets nothing, and may try again. */
  | { kind: "full" }
  /** The reader was too slow, and messages were left out: what is shown may be old. */
  | { kind: "gap" };

export interface Backlog {
  /** Milliseconds since 1970. */
  at: number;
  records: number;
  recordsPerSecond: number;
}
