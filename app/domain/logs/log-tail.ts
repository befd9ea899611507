import type { ScopedProjectIds } from "../scope.ts";
import type { Condition } from "../search/condition.ts";
import type { ProjectSlugs } from "../traces/name-service.ts";
import type { LogLine } from "./log-line.ts";

/** Which lines somebody wants to see as they are stored. */
export interface TailRequest {
  projectIds: ScopedProjectIds;
  /** Empty: all environments. */
  environments: readonly string[];
  where: Condition;
  columns: readonly string[];
  /** Slugs of projects. They name the service of lines without one. */
  slugs: ProjectSlugs;
}

/** Everything that has arrived since the last news. */
export interface TailNews {
  /** Matching lines, in the order in which they were stored. */
  lines: LogLine[];
  /** Lines of these projects and environments that were looked at. */
  arrived: number;
  matched: number;
  /** Matching lines that are not among `lines`, because the reader was too slow. */
  leftOut: number;
  /** Lines that nobody looked at, because the server was too slow. */
  notRead: number;
  /** A sequence of each journal: all lines of records below it were given, left out or do not match. */
  upTo: readonly number[];
}

export interface TailReader {
  /** The tail gets the lines of each journal's records from this sequence on. */
  from: readonly number[];
  /**
   * Resolves with the next news, after some seconds at most. Null: there will be no more. It must not be called again before it has
   * resolved.
   */
  next(): Promise<TailNews | null>;
  close(): void;
}

/** Log lines as they are stored. */
export interface LogTail {
  /** Id of the first journal. */
  journalId: string;
  /** Every line of the records of each journal below its sequence is stored. */
  position(): readonly number[];
  /** `owner`: who reads; each may have some. Null: too many read already. */
  open(request: TailRequest, owner: string): TailReader | null;
}
