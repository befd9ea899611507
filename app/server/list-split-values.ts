import { setImmediate } from "node:timers/promises";
import { scopeOfServer } from "../access/server-scope.ts";
import { SPLIT_VARIABLES, type SplitChoice, toSplitChoice } from "../domain/grouping-rules/issue-split.ts";
import { splitValueOf } from "../grouping/rules/split-value.ts";
import { RULES_V2 } from "../grouping/v2/group-event-v2.ts";
import type { EventPayloads } from "../stores/event-payloads.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import { ignoreDamaged } from "../stores/payload-store.ts";

/** The newest of the issue: some ten milliseconds. */
const MAX_EVENTS = 200;
const PAGE_SIZE = 100;
/** The number of payloads that are read on the main thread in one go. */
const AT_ONCE = 20;

/** The differences between the newest events of an issue, from their payloads. Tags come from the event store. */
export async function listSplitValues(
  { events, payloads }: { events: Pick<EventStore, "listEvents">; payloads: Pick<EventPayloads, "readEvent"> },
  { projectId, issueId }: { projectId: number; issueId: number },
): Promise<{ eventCount: number; choices: SplitChoice[] }> {
  const filter = { projectIds: scopeOfServer([projectId]).projectIds, issueId, from: null, to: null };
  const counts = new Map<string, Map<string, number>>();
  let eventCount = 0;
  let cursor: string | null = null;
  do {
    const page = await events.listEvents(filter, { cursor, limit: PAGE_SIZE });
    cursor = page.nextCursor;
    for (const row of page.events) {
      const stored = await ignoreDamaged(payloads.readEvent(row.payload));
      if (stored === null) continue;
      for (const variable of SPLIT_VARIABLES.keys()) {
        const value = splitValueOf(stored.event, variable, RULES_V2);
        if (value === null) continue;
        const known = counts.get(variable) ?? new Map<string, number>();
        counts.set(variable, known.set(value, (known.get(value) ?? 0) + 1));
      }
      if (++eventCount % AT_ONCE === 0) await setImmediate();
    }
  } while (cursor !== null && eventCount < MAX_EVENTS);
  const choices = Array.from(counts, ([variable, values]) =>
    toSplitChoice(variable, {
      eventCount,
      distinctCount: values.size,
      values: Array.from(values, ([value, count]) => ({ value, count })),
    }),
  );
  return { eventCount, choices: choices.filter((choice) => choice !== null) };
}
