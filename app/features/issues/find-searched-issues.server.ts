import type { Workspace } from "../../access/workspace.ts";
import type { Scope } from "../../domain/scope.ts";
import { SEARCHED_EVENTS } from "../../stores/events/error-events.ts";
import type { IssueQuery } from "../../stores/state/issue-store.ts";
import { readStoredEvents } from "../events/read-stored-events.server.ts";
import { type EventWords, isServerTag } from "./event-words.ts";
import { KEY_WORDS } from "./search-words.ts";

/** Further issues are left out, those of the oldest events first. */
const MAX_ISSUES = 10_000;

export interface SearchedIssues {
  /** Null: the search says nothing of events. */
  issueIds: number[] | null;
  /** One sentence for each word that names no tag. */
  problems: string[];
  /** Sentences about what may be missing. */
  notes: string[];
}

/** Issues with an event, in the query's time and environments, that has everything that the words say. */
export async function findSearchedIssues(
  workspace: Pick<Workspace, "events" | "whenEventsStored">,
  { words, scope, query }: { words: EventWords; scope: Scope; query: Pick<IssueQuery, "from" | "to" | "environments"> },
): Promise<SearchedIssues> {
  if (words.anyOfTags.length === 0 && words.traceId === undefined) return { issueIds: null, problems: [], notes: [] };
  const { events } = workspace;
  const { projectIds } = scope;
  const { from, to, environments } = query;
  const filter = { projectIds, from, to, ...(environments && { environments }), ...words };
  const { issueIds, isComplete } = await readStoredEvents(
    workspace,
    () => events.findIssues(filter, MAX_ISSUES),
    (found) => found.issueIds.length === 0,
  );
  const isMiss = issueIds.length === 0 && projectIds.length > 0;
  return {
    issueIds,
    problems: isMiss ? await findUnknownTags(events, projectIds, words, KEY_WORDS) : [],
    notes: isComplete
      ? []
      : [
          `Tags are looked for in the newest ${SEARCHED_EVENTS.toLocaleString("en")} events, and at most ${MAX_ISSUES.toLocaleString("en")} issues are found by them: older ones may be missing.`,
        ],
  };
}

/** One sentence for each tag that no event has. `keys`: what else the search knows, for people. */
export async function findUnknownTags(
  events: Workspace["events"],
  projectIds: Scope["projectIds"],
  { anyOfTags }: Pick<EventWords, "anyOfTags">,
  keys: string,
): Promise<string[]> {
  const problems: string[] = [];
  for (const { key } of anyOfTags) {
    if (isServerTag(key) || (await events.hasTag(projectIds, key))) continue;
    problems.push(
      `“${key}:” is not known. The keys are ${keys}; no event has a tag “${key}”. Put quotes around what is text.`,
    );
  }
  return problems;
}
