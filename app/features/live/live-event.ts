import type { LiveMessage } from "../../domain/live-message.ts";

/** The data of each server-sent event of `/live`. */
export type LiveEvent =
  | LiveMessage
  /**
   * The first event of every connection. `publishedAt`: when the newest message before it was published, which this connection did not get.
   * Milliseconds since 1970; null: there was none.
   */
  | { kind: "hello"; publishedAt: number | null }
  /** How much accepted data still waited for the digest at `at`. It is sent at the start and after changes, at most every few seconds. */
  | ({ kind: "backlog" } & Backlog)
  /** Other windows of this browser hold as many streams as it may have. This stream gets nothing, and may try again. */
  | { kind: "full" }
  /** The reader was too slow and messages were left out, so the page may be out of date. */
  | { kind: "gap" };

export interface Backlog {
  /** Milliseconds since 1970. */
  at: number;
  records: number;
  recordsPerSecond: number;
}
