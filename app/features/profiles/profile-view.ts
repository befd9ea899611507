import type { ProfileCall, ProfileFunction } from "../../domain/profiles/merge-stacks.ts";
import type { ProfiledThread } from "../../domain/profiles/weigh-samples.ts";
import type { ProfileOptions } from "./profile-options.ts";

/** What a page shows of a profile. Times are microseconds. */
export interface ProfileView {
  id: string;
  form: "transaction" | "chunk";
  options: ProfileOptions;
  platform: string | null;
  release: string | null;
  environment: string | null;
  project: string | null;
  transaction: string | null;
  /** Of the transaction, with its span. */
  tracePath: string | null;
  /** Of a profiler: the spans that name it. */
  spansPath: string | null;
  /** Null: nothing of it can be drawn. `problems` says why. */
  drawn: DrawnProfile | null;
  /** Sentences on what is missing, and why. */
  problems: string[];
}

export interface DrawnProfile {
  /** The longest by their samples. */
  threads: ProfiledThread[];
  threadCount: number;
  thread: ProfiledThread;
  durationUs: number;
  /** Time of all stacks that are drawn. */
  totalUs: number;
  /** In which the thread did nothing. */
  idleUs: number;
  /** When its first sample was taken, in milliseconds since 1970; null of a transaction's, whose trace says it. */
  startedAt: number | null;
  /** Functions of the calls and of the table. */
  functions: ProfileFunction[];
  calls: ProfileCall[];
  rowCount: number;
  /** Those of the table, in its order: indices of functions. */
  listed: number[];
  functionCount: number;
}
