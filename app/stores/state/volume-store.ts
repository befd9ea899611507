import type { Scope } from "../../domain/scope.ts";
import type { IssueHour, ProjectHour } from "../../domain/volume/decide-volume.ts";

/** Counts of events that are not stored. */
export interface VolumeStore {
  /** The counts of an issue since then, by whole hours of arrival. Zeros: no event was looked at. */
  sumIssue(scope: Scope, query: { projectId: number; issueId: number; since: number }): Promise<IssueHour>;
  /**
   * Events of each issue that were not stored since then and before `until` (absent: until now), by whole minutes of their arrival. Longer
   * ago than `LEFT_OUT_KEPT_MS` only their hours are known: of an hour that is asked for in part, that part of its number counts. At most
   * `limit` issues, those with most of them.
   */
  listLeftOut(
    scope: Scope,
    query: { since: number; until?: number | undefined; limit: number },
  ): Promise<Map<number, number>>;
  /** The counts of the hour of that instant. Null: no event came in it, or everything is stored. */
  getProjectHour(scope: Scope, query: { projectId: number; at: number }): Promise<ProjectHour | null>;
}

/** A little more than the longest time within which an alert rule counts. */
export const LEFT_OUT_KEPT_MS = 25 * 3_600_000;
