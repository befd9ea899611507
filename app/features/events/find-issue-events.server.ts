import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import { narrowScope } from "../../domain/scope.ts";
import type { EventFilter, EventPage } from "../../stores/events/error-events.ts";
import { findUnknownTags } from "../issues/find-searched-issues.server.ts";
import { EVENT_KEY_WORDS, parseEventSearch } from "./event-search.ts";
import { findIssueEvent } from "./get-event-page.server.ts";
import { readStoredEvents } from "./read-stored-events.server.ts";

/** Reading the texts of so many takes a tenth of a second or two. */
export const SEARCHED_ISSUE_EVENTS = 100_000;

export interface FoundEvents extends EventPage {
  /** Sentences about words of the search that are not understood: then nothing was searched for. */
  problems: string[];
  /** The search is an id that no event of the issue has, nor the trace of one. */
  isUnknownId: boolean;
  /** Instant before which nothing was searched, in milliseconds since 1970; null: everything was. */
  searchedFrom: number | null;
}

const NOTHING: FoundEvents = {
  events: [],
  nextCursor: null,
  previousCursor: null,
  problems: [],
  isUnknownId: false,
  searchedFrom: null,
};

/** A page of the issue's events that match a search, newest first. Of a large issue, the newest 100,000 are searched. */
export async function findIssueEvents(
  workspace: Workspace,
  {
    issue,
    filter,
    search,
    place,
  }: {
    issue: Issue;
    filter: EventFilter & { issueId: number };
    search: string;
    place: { cursor: string | null; limit: number };
  },
): Promise<FoundEvents> {
  const parsed = parseEventSearch(search);
  if (parsed.problems.length > 0) return { ...NOTHING, problems: parsed.problems };
  if (parsed.id !== null) {
    const event = await findIssueEvent(workspace, issue, parsed.id);
    if (event) return { ...NOTHING, events: [event] };
  }
  const wanted = parsed.id === null ? parsed.filter : { traceId: parsed.id };
  const isNarrowed = Object.values(wanted).some((part) => part.length > 0);
  // Without words, the list ends after a page.
  const bound = isNarrowed ? await workspace.events.findBound(filter, SEARCHED_ISSUE_EVENTS) : null;
  const searched: EventFilter = {
    ...filter,
    ...wanted,
    from: bound ?? filter.from,
    tags: [...(filter.tags ?? []), ...(wanted.tags ?? [])],
  };
  const page = await readStoredEvents(
    workspace,
    () => workspace.events.listEvents(searched, place),
    ({ events }) => events.length === 0,
  );
  const isMiss = page.events.length === 0 && place.cursor === null;
  const { projectIds } = narrowScope(workspace.scope, [issue.projectId]);
  const problems = isMiss ? await findUnknownTags(workspace.events, projectIds, parsed.tags, EVENT_KEY_WORDS) : [];
  return { ...page, problems, isUnknownId: isMiss && parsed.id !== null, searchedFrom: bound };
}
