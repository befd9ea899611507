import type { Workspace } from "../../access/workspace.ts";
import type { SentryEvent } from "../../domain/event.ts";
import { readConditionId } from "../../domain/filters/filter-reason.ts";
import { EXAMPLE_LIFE_MS } from "../../domain/filters/filtered-example.ts";
import type { Project } from "../../domain/project.ts";
import type { StoredEvent } from "../../domain/stored-event.ts";
import { isVolumeReason } from "../../domain/volume/decide-volume.ts";
import { sayFilter } from "./filter-words.ts";

export interface FilteredExamplePage {
  /** The filter that took the event. */
  filter: string;
  /** Whether the event counts for its issue. */
  isCounted: boolean;
  title: string;
  eventId: string;
  receivedAt: number;
  event: SentryEvent;
}

/** The latest event that a filter took. Null: it took none in the last day. */
export async function getFilteredExample(
  { state, scope }: Workspace,
  project: Pick<Project, "id">,
  { reason, now }: { reason: string; now: number },
): Promise<FilteredExamplePage | null> {
  const example = await state.rules.getExample(scope, {
    projectId: project.id,
    reason,
    since: now - EXAMPLE_LIFE_MS,
  });
  if (example === null) return null;
  const rules = await state.rules.getRules(scope, project.id);
  const own = rules?.filters.conditions.find(({ id }) => id === readConditionId(reason));
  const { event }: StoredEvent = JSON.parse(example.payload);
  const { title, eventId, receivedAt } = example;
  return {
    isCounted: isVolumeReason(reason),
    filter: own?.name ?? sayFilter(reason),
    title,
    eventId,
    receivedAt,
    event,
  };
}
