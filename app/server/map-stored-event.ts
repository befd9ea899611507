import type { MappedStoredEvent } from "../access/workspace.ts";
import { type Grouping, groupEvent } from "../digest/grouping/group-event.ts";
import { withoutStackRules } from "../digest/grouping/rules/apply-stack-rules.ts";
import type { ProjectRules } from "../digest/grouping/rules/project-rules.ts";
import { scrubEvent } from "../digest/scrub/scrub-event.ts";
import type { ScrubRules } from "../digest/scrub/scrub-rules.ts";
import type { StoredEvent } from "../domain/stored-event.ts";
import type { SymbolicateOptions, Symbolicator } from "../symbolicate/symbolicator-client.ts";

/** With what decides the issue of such an event. */
export interface RegroupableEvent extends MappedStoredEvent {
  grouping: Grouping;
}

/**
 * A stored event as the digest would store it now: mapped, scrubbed, grouped, in this order. What it was given stays as it
 * was; the result shares with it what is the same. Never throws for what the event is.
 */
export async function mapStoredEvent(
  symbolicator: Pick<Symbolicator, "symbolicate">,
  stored: StoredEvent,
  { rules, scrubRules, ...options }: SymbolicateOptions & { rules: ProjectRules | null; scrubRules: ScrubRules },
): Promise<MappedStoredEvent> {
  const { event, isChanged, report, wanted } = await symbolicator.symbolicate(stored.event, options);
  if (!isChanged) return { stored, isChanged, report, wanted };
  const scrubbed = scrubEvent(event, scrubRules);
  if (stored.grouping === null) return { stored: { event: scrubbed, grouping: null }, isChanged, report, wanted };
  const grouped = groupEvent(withoutStackRules(scrubbed), false, rules);
  return { stored: { event: grouped.event, grouping: grouped.explanation }, isChanged, report, wanted };
}

export async function regroupStoredEvent(
  symbolicator: Pick<Symbolicator, "symbolicate">,
  stored: StoredEvent,
  {
    isMovedOver,
    rules,
    ...options
  }: SymbolicateOptions & { isMovedOver: boolean; rules: ProjectRules | null; scrubRules: ScrubRules },
): Promise<RegroupableEvent> {
  const mapped = await mapStoredEvent(symbolicator, stored, { ...options, rules });
  // For as long as there are events of before: their issue may have keys of version 1 alone.
  return { ...mapped, grouping: groupEvent(withoutStackRules(mapped.stored.event), isMovedOver, rules) };
}
