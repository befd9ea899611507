import type { Workspace } from "../../access/workspace.ts";
import { toEventId } from "../events/event-id.ts";

/** The thing that an id names: an event (which may not be stored yet), an issue, or a trace. */
export type NamedPlace =
  | { kind: "event"; eventId: string; issueId: number | null }
  | { kind: "issue"; issueId: number }
  | { kind: "trace"; traceId: string };

/** Finds what an id names. Null: the text is not an id, or nothing in the scope has it. */
export async function findNamedPlace(workspace: Workspace, text: string): Promise<NamedPlace | null> {
  const { events, state, scope } = workspace;
  const id = toEventId(text);
  if (id !== null) {
    // Asked before anything is read, so that an event on its way is not missed. After a start it may be true for every id.
    const isPending = workspace.isPending(id);
    const event = await events.getEvent(id, scope.projectIds);
    if (event) return { kind: "event", eventId: id, issueId: event.issueId };
    if (await isTrace(workspace, id)) return { kind: "trace", traceId: id };
    return isPending ? { kind: "event", eventId: id, issueId: null } : null;
  }
  if (!/^[a-z0-9][a-z0-9-]{0,99}-[0-9a-z]{1,12}$/i.test(text.trim())) return null;
  const issue = await state.issues.getIssueByShortId(scope, text.trim());
  return issue && { kind: "issue", issueId: issue.id };
}

/** Whether a span, a log line or an error belongs to this trace. */
async function isTrace({ events, scope }: Workspace, traceId: string): Promise<boolean> {
  const filter = { projectIds: scope.projectIds, traceId };
  const [spans, logs, { issueIds }] = await Promise.all([
    events.readTraceSpans({ ...filter, limit: 1 }),
    events.listTraceLogs({ ...filter, limit: 1 }),
    events.findIssues({ ...filter, from: null, to: null }, 1),
  ]);
  return spans.count + logs.length + issueIds.length > 0;
}

/** The address of the page that shows the place. */
export function toNamedPath(place: NamedPlace): string {
  if (place.kind === "issue") return `/issues/${place.issueId}`;
  if (place.kind === "trace") return `/traces/${place.traceId}`;
  return place.issueId === null ? `/events/${place.eventId}` : `/issues/${place.issueId}/events/${place.eventId}`;
}
