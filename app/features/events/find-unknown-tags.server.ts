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
  for (const { key, from, to } of projectIds.length === 0 ? [] : tags) {
    const isKnown = await readStoredEvents(
      workspace,
      () => workspace.events.hasTag(projectIds, key),
      (found) => !found,
    );
    if (isKnown) continue;
    const known = await workspace.events.tagDistributions({ projectIds, from: null, to: null }, { valuesPerKey: 1 });
    const message = sayUnknownKey(
      key,
      vocabulary,
      known.tags.map((tag) => tag.key),
    );
    unknown.push({ from, to, message });
  }
  return unknown;
}
