import type { Workspace } from "../../access/workspace.ts";
import type { Scope } from "../../domain/scope.ts";
import { type NamedTag, sayUnknownKey } from "../../domain/search/bind-search.ts";
import type { Vocabulary } from "../../domain/search/search-field.ts";
import type { SearchError } from "../../domain/search/search-tree.ts";
import { readStoredEvents } from "./read-stored-events.server.ts";

/** An error for each tag that no event has. */
export async function findUnknownTags(
  workspace: Pick<Workspace, "events" | "whenEventsStored">,
  {
    tags,
    vocabulary,
    projectIds,
  }: { tags: readonly NamedTag[]; vocabulary: Vocabulary; projectIds: Scope["projectIds"] },
): Promise<SearchError[]> {
  const unknown: SearchError[] = [];
  for (const { key, from, to } of tags) {
    const others = await findOtherTags(workspace, { key, projectIds });
    if (others !== null) unknown.push({ from, to, message: sayUnknownKey(key, vocabulary, others) });
  }
  return unknown;
}

/** Keys of the tags that events have; null: an event has this one, too, or there is no project. */
export async function findOtherTags(
  { events, whenEventsStored }: Pick<Workspace, "events" | "whenEventsStored">,
  { key, projectIds }: { key: string; projectIds: Scope["projectIds"] },
): Promise<string[] | null> {
  if (projectIds.length === 0) return null;
  const isKnown = await readStoredEvents(
    { whenEventsStored },
    () => events.hasTag(projectIds, key),
    (found) => !found,
  );
  if (isKnown) return null;
  const { tags } = await events.tagDistributions({ projectIds, from: null, to: null }, { valuesPerKey: 1 });
  return tags.map((tag) => tag.key);
}
