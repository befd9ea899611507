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
 * Which change a transition of the outbox was. One word, `regressed`, says that an issue came back; its activity says from where:
 * `reopened` has the archive rule that ended, and the event where one did that.
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
