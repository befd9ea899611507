import { FIRST_EVENTS_KEPT, MAX_SPARED_AN_HOUR, type SpikeBound } from "./spike-bound.ts";
import type { VolumeSettings } from "./volume-settings.ts";

/** Why an event is counted and not stored: the ledger's words. */
const VOLUME_REASONS = ["spike-protection", "issue-sample"] as const;
export type VolumeReason = (typeof VOLUME_REASONS)[number];

export function isVolumeReason(reason: string): reason is VolumeReason {
  return (VOLUME_REASONS as readonly string[]).includes(reason);
}

/** An error event whose issue has counted it. */
export interface VolumeEvent {
  projectId: number;
  /** Whole hours since 1970, by when it was received. */
  hour: number;
  issueId: number;
  /** The event created the issue, or brought it back. Such an event is always stored. */
  isTransition: boolean;
}

/** The number of a project's events in an hour. */
export interface ProjectHour {
  /** Null: the project has no bound in this hour. */
  spike: SpikeBound | null;
  arrived: number;
  stored: number;
  /** Stored beyond the bound. */
  spared: number;
}

export interface IssueHour {
  arrived: number;
  leftOut: number;
}

/** The counts before these events. Both hours change with each event. */
export interface KnownVolume {
  settingsOf(projectId: number): VolumeSettings | undefined;
  projectHour(projectId: number, hour: number): ProjectHour;
  issueHour(issueId: number, hour: number): IssueHour;
  /** Events that the issue has counted before these. */
  issueEvents(issueId: number): number;
}

/** Why each event is not stored, in the order of the events, which decides. Null: the event is stored. */
export function decideVolume(known: KnownVolume, events: readonly VolumeEvent[]): Array<VolumeReason | null> {
  const eventsOfIssue = new Map<number, number>();
  return events.map((event) => {
    const { projectId, hour, issueId } = event;
    const settings = known.settingsOf(projectId);
    if (settings === undefined) return null;
    const project = known.projectHour(projectId, hour);
    const issue = known.issueHour(issueId, hour);
    const place = eventsOfIssue.get(issueId) ?? known.issueEvents(issueId);
    eventsOfIssue.set(issueId, place + 1);
    const isFirst = event.isTransition || place < FIRST_EVENTS_KEPT;
    const reason = judge(settings, { project, issue, isFirst, isTransition: event.isTransition });
    project.arrived++;
    issue.arrived++;
    if (reason === null) project.stored++;
    else issue.leftOut++;
    return reason;
  });
}

function judge(
  { isSpikeProtected, sampleAbove, keepOneIn }: VolumeSettings,
  {
    project,
    issue,
    isFirst,
    isTransition,
  }: {
    project: ProjectHour;
    issue: IssueHour;
    isFirst: boolean;
    isTransition: boolean;
  },
): VolumeReason | null {
  if (sampleAbove !== null && !isTransition && issue.arrived >= sampleAbove) {
    // The last of each run of `keepOneIn`: the first ones above the number are left out.
    if ((issue.arrived - sampleAbove + 1) % keepOneIn !== 0) return "issue-sample";
  }
  if (!isSpikeProtected || project.spike === null || project.stored - project.spared < project.spike.bound) return null;
  if (!isFirst || project.spared >= MAX_SPARED_AN_HOUR) return "spike-protection";
  project.spared++;
  return null;
}

/** True while the project's bound is reached. */
export function isSpikeHeld({ spike, stored, spared }: ProjectHour): boolean {
  return spike !== null && stored - spared >= spike.bound;
}
