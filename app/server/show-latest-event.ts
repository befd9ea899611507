import { scopeOfServer } from "../access/server-scope.ts";
import { groupEvent } from "../grouping/group-event.ts";
import type { EventPayloads } from "../stores/event-payloads.ts";
import type { EventStore } from "../stores/events/event-store.ts";
import { ignoreDamaged } from "../stores/payload-store.ts";
import type { State } from "../stores/state/state.ts";

interface Stores {
  state: Pick<State, "deletionWork">;
  events: Pick<EventStore, "findEdge">;
  payloads: Pick<EventPayloads, "readEvent">;
}

/** An issue shows the texts of its latest event. When that one was deleted, it is the latest of those that are left. */
export async function showLatestEvent(
  { state, events, payloads }: Stores,
  { projectId, issueId }: { projectId: number; issueId: number },
): Promise<void> {
  const { projectIds } = scopeOfServer([projectId]);
  const row = await events.findEdge({ projectIds, issueId, from: null, to: null }, "latest");
  if (row === null) return;
  const { title, level, platform, isUnhandled } = row;
  const event = (await ignoreDamaged(payloads.readEvent(row.payload)))?.event;
  // If the payload is missing, only the row is known.
  const texts = event === undefined ? { type: null, value: "", culprit: row.transaction ?? "" } : groupEvent(event);
  const { type, value, culprit } = texts;
  const logger = event?.logger ?? null;
  await state.deletionWork.showLatest(issueId, { title, type, value, culprit, level, platform, logger, isUnhandled });
}
