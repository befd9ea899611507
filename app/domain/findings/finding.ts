import type { Level } from "../level.ts";

/**
 * Something that Culprit itself found out about what a project watches: a job did not run, a number is too high. A *trouble* opens an issue, or adds an event
 * to the one that is open. A *recovery* resolves that issue.
 */
export type Finding = Trouble | Recovery;

interface FindingBase {
  projectId: number;
  /**
   * The thing in trouble, with the same text from the trouble to its recovery: `cron 12 production`. It decides the issue: all
   * findings of a project with one subject belong to one issue. At most 200 characters.
   */
  subject: string;
  /** When Culprit found it, in milliseconds since 1970. Each finding of a subject is later than the one before. */
  at: number;
}

export interface Trouble extends FindingBase {
  kind: "trouble";
  /** The part of Culprit that says it, as the event's logger: `culprit.crons`. */
  logger: string;
  level: Level;
  /** The title of the issue, in plain words: “nightly did not run”. */
  message: string;
  environment: string | null;
  release: string | null;
  /** Tags that people can search by, like `monitor.slug`. */
  tags: Readonly<Record<string, string>>;
  /** Contexts by name. Each is shown as a table with the event. */
  contexts: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface Recovery extends FindingBase {
  kind: "recovery";
  /** Why the trouble is over, as the rest of “Resolved by itself: …”: “the job ran again”. */
  reason: string;
}

export const MAX_SUBJECT_LENGTH = 200;

const FINDING = "culprit finding";

/** The fingerprint of the events of a subject. Events of clients do not have it unless they imitate it. */
export function toFindingFingerprint(subject: string): string[] {
  return [FINDING, subject];
}

/** Whether no SDK had a part in the event: for words that are said of it, because clients can imitate it. */
export function isFindingEvent({ fingerprint }: { fingerprint?: readonly string[] | undefined }): boolean {
  return fingerprint?.[0] === FINDING;
}

/**
 * The event of a trouble as SDKs would send it.
 *
 * @param eventId 32 hex characters, the same whenever the trouble is told again
 */
export function toFindingEvent(trouble: Trouble, eventId: string): Record<string, unknown> {
  const { subject, at, logger, level, message, environment, release, tags, contexts } = trouble;
  return {
    event_id: eventId,
    timestamp: at / 1000,
    platform: "other",
    logger,
    level,
    logentry: { formatted: message },
    fingerprint: toFindingFingerprint(subject),
    ...(environment === null ? {} : { environment }),
    ...(release === null ? {} : { release }),
    tags,
    contexts,
  };
}
