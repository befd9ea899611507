import type { z } from "zod";
import type { Workspace } from "../access/workspace.ts";
import type { ScopedProjectIds } from "../domain/scope.ts";
import { DAY_MS } from "../domain/time.ts";
import { readStoredEvents } from "../features/events/read-stored-events.server.ts";
import type { EventFilter } from "../stores/events/error-events.ts";
import { type ENVIRONMENTS, type PAGING, type TIME_RANGE, toEnvironments, toPlace, toTimeFilter } from "./query.ts";
import { serializeEventRow } from "./serialize-event.ts";

const FALLBACK_RANGE_MS = 90 * DAY_MS;

type EventsQuery = z.output<z.ZodObject<typeof ENVIRONMENTS & typeof TIME_RANGE & typeof PAGING>>;

/** A page of events, newest first. */
export async function listEvents(
  workspace: Workspace,
  whose: { projectIds: ScopedProjectIds; issueId?: number },
  query: EventsQuery,
  now: number,
) {
  const range = toTimeFilter(query, { now, fallbackMs: FALLBACK_RANGE_MS });
  const filter: EventFilter = { ...whose, ...range, ...toEnvironments(query) };
  const page = await readStoredEvents(
    workspace,
    () => workspace.events.listEvents(filter, toPlace(query)),
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
