import type { SentryEvent } from "../../domain/event.ts";
import { MAX_EXAMPLE_CHARS } from "../../domain/filters/filtered-example.ts";
import type { StoredEvent } from "../../domain/stored-event.ts";
import { groupEvent } from "../../grouping/group-event.ts";
import { scrubEvent } from "../../scrub/scrub-event.ts";
import type { ScrubRules } from "../../scrub/scrub-rules.ts";
import type { FilteredEvent } from "../../stores/state/batch-store.ts";
import type { Digested } from "../digested.ts";
import { type ArrivedItem, type ReadContext, toOutcomeBase } from "../signal.ts";

/** The result for an event that its project does not accept. Null: the project accepts it. */
export function filterEvent(
  event: SentryEvent,
  { item, eventId }: { item: ArrivedItem; eventId: string },
  rules: ReadContext["rules"],
): Digested | null {
  const { entry, sequence } = item;
  const { projectId, receivedAt, clientAddress } = entry;
  const reason = rules?.findFilter(event, { projectId, clientAddress }) ?? null;
  if (rules === null || reason === null) return null;
  const example = rules.wantsExample({ projectId, reason, receivedAt })
    ? toExample(event, rules.scrubRulesOf(projectId))
    : null;
  return {
    items: [],
    outcomes: [{ ...toOutcomeBase(item), outcome: "filtered", reason, quantity: 1 }],
    setAside: [],
    filtered: [{ sequence, projectId, receivedAt, eventId, reason, example }],
  };
}

/** The event as it would be stored, without source maps. Null: it is too large. */
function toExample(event: SentryEvent, scrubRules: ScrubRules): FilteredEvent["example"] {
  const scrubbed = scrubEvent(event, scrubRules);
  const { explanation, title } = groupEvent(scrubbed);
  const stored: StoredEvent = { event: scrubbed, grouping: explanation };
  const payload = JSON.stringify(stored);
  return payload.length > MAX_EXAMPLE_CHARS ? null : { title, payload };
}
