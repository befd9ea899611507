import type { EarlierKeys, GroupingExplanation } from "../grouping.ts";
import type { Level } from "../level.ts";
import type { WantedMap } from "../symbolication.ts";

/** The facts of one error event that matter for its issue. Instants are milliseconds since 1970. */
export interface IssueOccurrence {
  /** Sequence of the journal record; occurrences are in this order. */
  sequence: number;
  projectId: number;
  eventId: string;
  /**
   * Keys of the grouping within the project, the main one first; at least one. The first known key decides the issue; the
   * unknown ones belong to the same issue from then on.
   */
  hashes: string[];
  /**
   * Alias fingerprints, for browser errors: browsers give different stacks for the same error. They are 32 hex characters each. They
   * are not hashes, and are found by `seek` only. If none of `hashes` is known, the first key of `seek` that an earlier occurrence left
   * decides the issue. When the main hash is recorded, each key of `leave` that is free in the project is recorded with the issue.
   */
  kin?: { seek: string[]; leave: string[] } | null;
  /**
   * Keys of the previous version of the grouping, while the project moves. If none of `hashes` is known, the first known key of these
   * decides the issue, unless they are vague. They are not recorded.
   */
  earlier?: EarlierKeys | null;
  grouping: GroupingExplanation;
  occurredAt: number;
  receivedAt: number;
  title: string;
  type: string | null;
  value: string;
  culprit: string;
  level: Level;
  platform: string;
  logger: string | null;
  isUnhandled: boolean;
  /** Filters name events without one by the empty string. */
  environment: string | null;
  /** Becomes a release of the project, unless `cleanReleaseVersion` (domain/release-version.ts) refuses it. */
  release: string | null;
  /** See EventRow.userKey. */
  userKey: string | null;
  /** The missing source maps of its frames; the first 20 are kept. */
  missingSourceMaps?: WantedMap[];
  /** True when its source maps were not read in time. See ReprocessingStore.listLateIssues. */
  isMappedLate?: boolean;
}

/** The parts of its latest event that an issue shows. */
export type IssueHeadline = Pick<
  IssueOccurrence,
  "title" | "type" | "value" | "culprit" | "level" | "platform" | "logger" | "isUnhandled"
>;
