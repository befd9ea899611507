import type { MappedStoredEvent } from "../domain/mapped-stored-event.ts";
import type { StoredEvent } from "../domain/stored-event.ts";
import { groupEvent } from "../grouping/group-event.ts";
import { withoutStackRules } from "../grouping/rules/apply-stack-rules.ts";
import type { ProjectRules } from "../grouping/rules/project-rules.ts";
import type { RegroupableEvent } from "../jobs/reprocessing/regroupable-event.ts";
import { scrubEvent } from "../scrub/scrub-event.ts";
import type { ScrubRules } from "../scrub/scrub-rules.ts";
import type { SymbolicateOptions, Symbolicator } from "../symbolicate/symbolicator-client.ts";

/**
 * Processes a stored event as the digest would store it now: mapped, scrubbed, grouped, in this order. The given event is not changed, and
 * the result shares its unchanged parts. Never throws because of the event's contents.
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
  // Needed as long as older events exist: their issue may only have keys of version 1.
  return { ...mapped, grouping: groupEvent(withoutStackRules(mapped.stored.event), isMovedOver, rules) };
}
