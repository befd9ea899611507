import type { ArchiveRule } from "../issues/archive-rule.ts";
import type { Escalation } from "../issues/escalation.ts";
import { sayArchiveEnd } from "../issues/say-archive.ts";
import type { ChangeTrigger } from "./alert-rule.ts";

/** An entry of an issue's activity, as far as it says how the issue came back. */
interface Activity {
  kind: string;
  at: number;
  data: Record<string, unknown>;
}

interface Change {
  transition: "new" | "regressed" | "resolved";
  eventId: string;
  at: number;
}

/**
 * The trigger for a transition in the outbox. The transition `regressed` does not say whether the issue was resolved or archived
 * before. If it was archived, its activity has an entry `reopened` at that moment. The entry has the archive rule that ended, and the
 * event that ended it, if one did.
 */
export function nameChange(change: Change, activity: readonly Activity[]): ChangeTrigger {
  const rule = findArchiveEnd(change, activity)?.archive;
  if (rule === undefined) return change.transition;
  return rule.kind === "escalates" ? "escalating" : "unarchived";
}

/** Why the archive of the issue ended, as `100 more events since it was archived`; undefined: the change is another one. */
export function sayReturn(change: Change, activity: readonly Activity[]): string | undefined {
  const end = findArchiveEnd(change, activity);
  return end && sayArchiveEnd(end.archive, end.escalation);
}

function findArchiveEnd({ transition, eventId, at }: Change, activity: readonly Activity[]) {
  if (transition !== "regressed") return undefined;
  const cause = activity.find(
    ({ kind, data, ...entry }) =>
      kind === "reopened" &&
      data.archive !== undefined &&
      (eventId === "" ? entry.at === at : data.eventId === eventId),
  );
  return cause?.data as { archive: ArchiveRule; escalation?: Escalation } | undefined;
}
