import { z } from "zod";
import type { Workspace } from "../access/workspace.ts";
import type { Issue } from "../domain/issue.ts";
import { narrowScope, type ScopedProjectIds } from "../domain/scope.ts";
import { DAY_MS } from "../domain/time.ts";
import { findIssueEvents } from "../features/events/find-issue-events.server.ts";
import { readStoredEvents } from "../features/events/read-stored-events.server.ts";
import type { EventFilter } from "../stores/events/error-events.ts";
import { parseEventCursor } from "../stores/events/event-cursor.ts";
import { refusal } from "./answers.ts";
import { ENVIRONMENTS, PAGING, requireCursor, TIME_RANGE, toEnvironments, toPlace, toTimeFilter } from "./query.ts";
import { sayRefusal } from "./say-refusal.ts";
import { serializeEventRow } from "./serialize-event.ts";

const FALLBACK_RANGE_MS = 90 * DAY_MS;

type EventsQuery = z.output<z.ZodObject<typeof ENVIRONMENTS & typeof TIME_RANGE & typeof PAGING>>;

const EVENT_SEARCH = {
  query: z
    .string()
    .optional()
    .describe(
      "Search among the newest 100,000 events, in the language of docs/search.md: words of the event, tags, `user:`, `trace:`, or the id of an event alone. What is not understood is answered with 400 and its place",
    ),
};
export const ISSUE_EVENTS_QUERY = z.object({ ...EVENT_SEARCH, ...ENVIRONMENTS, ...TIME_RANGE, ...PAGING });

/** A page of an issue's events that match the query's search, newest first. @throws a 400 answer. */
export async function listIssueEvents(
  workspace: Workspace,
  issue: Issue,
  query: z.output<typeof ISSUE_EVENTS_QUERY>,
  now: number,
) {
  const { projectIds } = narrowScope(workspace.scope, [issue.projectId]);
  const place = toPlace(query);
  requireCursor(place.cursor, parseEventCursor);
  const range = toTimeFilter(query, { now, fallbackMs: FALLBACK_RANGE_MS });
  const { problems, ...page } = await findIssueEvents(workspace, {
    issue,
    filter: { projectIds, issueId: issue.id, ...range, ...toEnvironments(query) },
    search: query.query ?? "",
    place,
    now,
  });
  const [error] = problems;
  if (error !== undefined) throw refusal(400, sayRefusal(query.query ?? "", error));
  return { ...page, events: page.events.map((row) => serializeEventRow(row, { culprit: issue.culprit })) };
}

/** A page of events, newest first. */
export async function listEvents(
  workspace: Workspace,
  whose: { projectIds: ScopedProjectIds },
  query: EventsQuery,
  now: number,
) {
  const place = toPlace(query);
  requireCursor(place.cursor, parseEventCursor);
  const range = toTimeFilter(query, { now, fallbackMs: FALLBACK_RANGE_MS });
  const filter: EventFilter = { ...whose, ...range, ...toEnvironments(query) };
  const page = await readStoredEvents(
    workspace,
    () => workspace.events.listEvents(filter, place),
    ({ events }) => events.length === 0,
  );
  const issues = await workspace.state.issues.getIssues(workspace.scope, [
    ...new Set(page.events.map((row) => row.issueId)),
  ]);
  const culprits = new Map(issues.map((issue) => [issue.id, issue.culprit]));
  return {
    ...page,
    events: page.events.map((row) => serializeEventRow(row, { culprit: culprits.get(row.issueId) ?? null })),
  };
}
