import type { ProfileCall, ProfileFunction } from "../../domain/profiles/merge-stacks.ts";
import type { ProfiledThread } from "../../domain/profiles/weigh-samples.ts";
import type { ProfileOptions } from "./profile-options.ts";

/** What the page of a profile shows. Times are in microseconds. */
export interface ProfileView {
  id: string;
  form: "transaction" | "chunk";
  options: ProfileOptions;
  platform: string | null;
  release: string | null;
  environment: string | null;
  project: string | null;
  transaction: string | null;
  /** The page of the transaction's trace, at its span. Null: a profiler has none. */
  tracePath: string | null;
  /** The search for spans that name the profiler. Null: a transaction has none. */
  spansPath: string | null;
  /** Null: nothing can be drawn, and `problems` says why. */
  drawn: DrawnProfile | null;
  /** Sentences that say what is missing, and why. */
  problems: string[];
}

export interface DrawnProfile {
  /** The threads with most samples. */
  threads: ProfiledThread[];
  threadCount: number;
  thread: ProfiledThread;
  durationUs: number;
  /** The time of all drawn stacks. */
  totalUs: number;
  /** The time in which the thread did nothing. */
  idleUs: number;
  /** When the first sample was taken, milliseconds since 1970. Null for a transaction, whose trace says it. */
  startedAt: number | null;
  /** The functions that calls and the table use. */
  functions: ProfileFunction[];
  calls: ProfileCall[];
  rowCount: number;
  /** The functions of the table, in its order: indexes in `functions`. */
  listed: number[];
  functionCount: number;
}
