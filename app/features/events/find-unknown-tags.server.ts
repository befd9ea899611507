import type { Workspace } from "../../access/workspace.ts";
import type { Scope } from "../../domain/scope.ts";
import { type NamedTag, sayUnknownKey } from "../../domain/search/bind-search.ts";
import type { Vocabulary } from "../../domain/search/search-field.ts";
import type { SearchError } from "../../domain/search/search-tree.ts";
import { readStoredEvents } from "./read-stored-events.server.ts";

/** Errors that are shown at once: a search may name a hundred tags. Others follow when these are corrected. */
const MAX_UNKNOWN = 3;

type TagReader = Pick<Workspace, "events" | "whenEventsStored">;

/** An error for each of the first tags of the search that no event has. */
export async function findUnknownTags(
  workspace: TagReader,
  {
    tags,
    vocabulary,
    projectIds,
  }: { tags: readonly NamedTag[]; vocabulary: Vocabulary; projectIds: Scope["projectIds"] },
): Promise<SearchError[]> {
  const unknown: NamedTag[] = [];
  for (const tag of tags) {
    if (!(await isKnownTag(workspace, { key: tag.key, projectIds }))) unknown.push(tag);
    if (unknown.length === MAX_UNKNOWN) break;
  }
  if (unknown.length === 0) return [];
  const others = await listTags(workspace, projectIds);
  return unknown.map(({ key, from, to }) => ({ from, to, message: sayUnknownKey(key, vocabulary, others) }));
}

/** Keys of the tags that events have. Null: an event has the given key, or there is no project. */
export async function findOtherTags(
  workspace: TagReader,
  { key, projectIds }: { key: string; projectIds: Scope["projectIds"] },
): Promise<string[] | null> {
  return (await isKnownTag(workspace, { key, projectIds })) ? null : listTags(workspace, projectIds);
}

/** Whether an event has the tag. True if there is no project. */
async function isKnownTag(
  { events, whenEventsStored }: TagReader,
  { key, projectIds }: { key: string; projectIds: Scope["projectIds"] },
): Promise<boolean> {
  if (projectIds.length === 0) return true;
  return readStoredEvents(
    { whenEventsStored },
    () => events.hasTag(projectIds, key),
    (found) => !found,
  );
}

async function listTags({ events }: TagReader, projectIds: Scope["projectIds"]): Promise<string[]> {
  const { tags } = await events.tagDistributions({ projectIds, from: null, to: null }, { valuesPerKey: 1 });
  return tags.map(({ key }) => key);
}
