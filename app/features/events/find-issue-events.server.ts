import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import { narrowScope } from "../../domain/scope.ts";
import { EVENT_VOCABULARY } from "../../domain/search/event-vocabulary.ts";
import type { SearchError } from "../../domain/search/search-tree.ts";
import type { EventFilter, EventPage } from "../../stores/events/error-events.ts";
import { resolveSearchNames } from "../issues/resolve-search-names.server.ts";
import { toEventId } from "./event-id.ts";
import { findUnknownTags } from "./find-unknown-tags.server.ts";
import { findIssueEvent } from "./get-event-page.server.ts";
import { planEventSearch, toEventFilter } from "./plan-event-search.ts";
import { readStoredEvents } from "./read-stored-events.server.ts";

/** The number of events that are searched. Reading their texts takes a tenth of a second or two. */
export const SEARCHED_ISSUE_EVENTS = 100_000;

export interface FoundEvents extends EventPage {
  /** The parts of the search that are not understood, with their positions. If there are any, nothing was searched for. */
  problems: SearchError[];
  /** True: the search is an id, and no event of the issue has it as its own id or as that of its trace. */
  isUnknownId: boolean;
  /** Start of the searched time, in milliseconds since 1970. Null: everything was searched. */
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

/** One page of the issue's events that match a search, newest first. In a large issue, only the newest 100,000 are searched. */
export async function findIssueEvents(
  workspace: Workspace,
  {
    issue,
    filter,
    search,
    place,
    now,
  }: {
    issue: Issue;
    filter: EventFilter & { issueId: number };
    search: string;
    place: { cursor: string | null; limit: number };
    /** Milliseconds since 1970, for relative times. */
    now: number;
  },
): Promise<FoundEvents> {
  const id = toEventId(search);
  if (id !== null) {
    const event = await findIssueEvent(workspace, issue, id);
    if (event) return { ...NOTHING, events: [event] };
  }
  const scope = narrowScope(workspace.scope, [issue.projectId]);
  const plan = planEventSearch(id === null ? search : `trace:${id}`, now);
  if (plan.errors.length > 0) return { ...NOTHING, problems: plan.errors };
  const unknown = await findUnknownTags(workspace, {
    ...plan,
    vocabulary: EVENT_VOCABULARY,
    projectIds: scope.projectIds,
  });
  if (unknown.length > 0) return { ...NOTHING, problems: unknown };
  const { condition } = await resolveSearchNames(workspace, { condition: plan.condition, projects: [], scope });
  // An empty search needs no bound: the list stops after one page.
  const bound = plan.isEmpty ? null : await workspace.events.findBound(filter, SEARCHED_ISSUE_EVENTS);
  const searched: EventFilter = { ...filter, ...toEventFilter(condition), from: bound ?? filter.from };
  const page = await readStoredEvents(
    workspace,
    () => workspace.events.listEvents(searched, place),
    ({ events }) => events.length === 0,
  );
  const isMiss = page.events.length === 0 && place.cursor === null;
  return { ...page, problems: [], isUnknownId: isMiss && id !== null, searchedFrom: bound };
}
