import type { ScopedProjectIds } from "../scope.ts";
import type { Condition } from "../search/condition.ts";
import type { ProjectSlugs } from "../traces/name-service.ts";
import type { LogLine } from "./log-line.ts";

/** Which lines somebody wants to see as they are stored. */
export interface TailRequest {
  projectIds: ScopedProjectIds;
  /** Empty: all. */
  environments: readonly string[];
  where: Condition;
  columns: readonly string[];
  /** The project's slug stands for the service of a line that names no service. */
  slugs: ProjectSlugs;
}

/** What has come since the last news. */
export interface TailNews {
  /** Those that match, in the order in which they were stored. */
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
  /** It hears of the lines of records from this sequence of each journal on. */
  from: readonly number[];
  /** The next news, some seconds later at the latest. Null: there will be no more. Not to be called again before it has answered. */
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
