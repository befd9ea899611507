import type { Scope } from "../../domain/scope.ts";
import type { IssueHour, ProjectHour } from "../../domain/volume/decide-volume.ts";

/** What was counted and not stored. */
export interface VolumeStore {
  /** What came of an issue since then, in whole hours by when it was received. Zeros: nothing was looked at. */
  sumIssue(scope: Scope, query: { projectId: number; issueId: number; since: number }): Promise<IssueHour>;
  /** Of the hour of that instant. Null: nothing came in it, or everything is stored. */
  getProjectHour(scope: Scope, query: { projectId: number; at: number }): Promise<ProjectHour | null>;
}
