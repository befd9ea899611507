import type { ScopedProjectIds } from "../../domain/scope.ts";
import type { Condition } from "../../domain/search/condition.ts";

/** The state of a session when its last update came (protocol 9). */
export const SESSION_STATUSES = ["ok", "exited", "errored", "crashed", "abnormal", "unhandled"] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** One update of one session, or a number of sessions that an SDK counted together. */
export interface SessionRow {
  /** The sequence of its journal record. */
  sequence: number;
  projectId: number;
  receivedAt: number;
  /** Beginning of the minute in which they began; milliseconds since 1970. */
  startedAt: number;
  release: string;
  environment: string | null;
  status: SessionStatus;
  quantity: number;
  /** They count in the total: the first update of a session, and everything that was counted together. */
  isInitial: boolean;
  /** An error was reported in them, or they ended badly. */
  isErrored: boolean;
  /** 32 lower-case hex characters. Null: counted together, or without an id. */
  sessionId: string | null;
  /** A hash of the user that the SDK names: 32 lower-case hex characters. */
  userId: string | null;
  identity: string | null;
}

export interface SessionFilter {
  projectIds: ScopedProjectIds;
  /** Inclusive and exclusive bound of `startedAt`. */
  from: number;
  to: number;
  releases?: readonly string[];
  /** The empty string stands for sessions without one. */
  environments?: readonly string[];
  /** Of `SESSION_VOCABULARY`. Versions are looked up. */
  where?: Condition;
}

export type SessionGroup = "project" | "release" | "environment";

/** Sessions of one group, or their users: each counts once however many updates there were. */
export interface SessionTally {
  total: number;
  /** The three below included. */
  errored: number;
  crashed: number;
  abnormal: number;
  unhandled: number;
}

export interface SessionCounts {
  /** Fields that it was not grouped by are null. */
  projectId: number | null;
  release: string | null;
  environment: string | null;
  /** Beginning of the bucket; null: the whole range. */
  at: number | null;
  sessions: SessionTally;
  users: SessionTally;
}

/** Groups of one answer: those of most sessions. */
export const MAX_SESSION_GROUPS = 100;

/** Sessions, as pages read them. */
export interface Sessions {
  /**
   * Counts of the `MAX_SESSION_GROUPS` groups with most sessions, these first; with `bucketMs` one for each bucket in which there
   * is something, counted from `from` on.
   */
  countSessions(
    filter: SessionFilter,
    options: { groupBy: readonly SessionGroup[]; bucketMs: number | null },
  ): Promise<SessionCounts[]>;
}
