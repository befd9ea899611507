import type { ChangeTrigger } from "./alert-rule.ts";

/** An entry of an issue's activity, as far as it says how the issue came back. */
interface Activity {
  kind: string;
  at: number;
  data: Record<string, unknown>;
}

/**
 * Which change a transition of the outbox was. One word, `regressed`, says that an issue came back; its activity says from where:
 * `reopened` has the archive rule that ended, and the event where one did that.
 */
export function nameChange(
  { transition, eventId, at }: { transition: "new" | "regressed" | "resolved"; eventId: string; at: number },
  activity: readonly Activity[],
): ChangeTrigger {
  if (transition !== "regressed") return transition;
  const cause = activity.find(
    ({ kind, data, ...entry }) =>
      kind === "reopened" &&
      data.archive !== undefined &&
      (eventId === "" ? entry.at === at : data.eventId === eventId),
  );
  if (cause === undefined) return "regressed";
  const rule = cause.data.archive as { kind?: unknown };
  return rule.kind === "escalates" ? "escalating" : "unarchived";
}
