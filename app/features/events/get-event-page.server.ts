import type { Workspace } from "../../access/workspace.ts";
import type { Issue } from "../../domain/issue.ts";
import { narrowScope } from "../../domain/scope.ts";
import type { StoredEvent } from "../../domain/stored-event.ts";
import type { SymbolicationReport } from "../../domain/symbolication.ts";
import type { EventFilter, EventNeighbours, EventRow } from "../../stores/events/error-events.ts";
import type { ItemRow } from "../../stores/events/items.ts";
import { type FeedbackLine, listFeedbackAboutEvent } from "../feedback/list-feedback-about.server.ts";
import { toEventId } from "./event-id.ts";
import { ATTACHMENTS_OF_PAGE, listAttachments } from "./get-attachment.server.ts";
import { readStoredEvents } from "./read-stored-events.server.ts";
import { symbolicateStoredEvent } from "./symbolicate-stored-event.server.ts";

export interface EventPage {
  row: EventRow;
  /** The event, mapped with the source maps that are uploaded now. Null: its payload was deleted by retention, or is damaged. */
  stored: StoredEvent | null;
  /** Whether the payload exists but cannot be read. */
  isDamaged: boolean;
  /** How its frames were mapped just now, or why not. Null: all frames were mapped when the event was stored. */
  symbolication: SymbolicationReport | null;
  /** Whether its key was assigned to the issue through another browser's report of the same error. */
  isFoundByAlias: boolean;
  /** Null: the event does not match the page's filters. */
  neighbours: EventNeighbours | null;
  attachments: ItemRow[];
  /** The number of the page of attachments, from 1. */
  attachmentsPage: number;
  hasMoreAttachments: boolean;
  /** User feedback about the event. */
  feedback: FeedbackLine[];
}

type EventPageEngine = Workspace;

/** One event of an issue: by id, or the `first` or `latest` one that matches the filter. Null: there is none. */
export async function getEventPage(
  workspace: EventPageEngine,
  {
    issue,
    filter,
    eventId,
    attachmentsPage = 1,
  }: { issue: Issue; filter: EventFilter; eventId: string; attachmentsPage?: number },
): Promise<EventPage | null> {
  const row = await findRow(workspace, { issue, filter, eventId });
  if (!row) return null;
  const [kept, neighbours, hashes, attachments, feedback] = await Promise.all([
    workspace.payloads.readEvent(row.payload),
    workspace.events.findNeighbours(filter, row.eventId),
    workspace.state.issues.listIssueHashes(workspace.scope, issue.id),
    listAttachments(workspace, narrowScope(workspace.scope, [issue.projectId]), row.eventId, {
      skip: (attachmentsPage - 1) * ATTACHMENTS_OF_PAGE,
    }),
    listFeedbackAboutEvent(workspace, { projectId: issue.projectId, eventId: row.eventId }),
  ]);
  const symbolicated =
    kept && (await symbolicateStoredEvent(workspace, issue.projectId, kept, { withDiagnosis: true }));
  const stored = symbolicated?.stored ?? null;
  const key = stored?.grouping?.hash;
  return {
    row,
    stored,
    isDamaged: kept === null && (await workspace.payloads.isEventDamaged(row.payload)),
    symbolication: symbolicated?.report ?? null,
    isFoundByAlias: hashes.some(({ hash, isFoundByAlias }) => isFoundByAlias && hash === key),
    neighbours,
    attachments: attachments.rows,
    attachmentsPage,
    hasMoreAttachments: attachments.hasMore,
    feedback,
  };
}

/** The issue of an event, by the event's id. Null: the project has no such event. */
export async function findIssueOfEvent(
  workspace: Workspace,
  { projectId, eventId }: { projectId: number; eventId: string },
): Promise<number | null> {
  const id = toEventId(eventId);
  return id === null
    ? null
    : ((await workspace.events.getEvent(id, narrowScope(workspace.scope, [projectId]).projectIds))?.issueId ?? null);
}

async function findRow(
  workspace: EventPageEngine,
  { issue, filter, eventId }: { issue: Issue; filter: EventFilter; eventId: string },
): Promise<EventRow | null> {
  if (eventId === "first" || eventId === "latest") {
    const inFilter = await workspace.events.findEdge(filter, eventId);
    // If the filter matches no event, an event outside it is shown, and the navigation says so.
    const all = { projectIds: filter.projectIds, issueId: issue.id, from: null, to: null };
    return (
      inFilter ??
      readStoredEvents(
        workspace,
        () => workspace.events.findEdge(all, eventId),
        (row) => row === null,
      )
    );
  }
  return findIssueEvent(workspace, issue, eventId);
}

/** An event of the issue by its id. Null: the issue has no such event. */
export async function findIssueEvent(workspace: Workspace, issue: Issue, eventId: string): Promise<EventRow | null> {
  const id = toEventId(eventId);
  const row =
    id === null
      ? null
      : await workspace.events.getEvent(id, narrowScope(workspace.scope, [issue.projectId]).projectIds);
  if (row === null || row.issueId === issue.id) return row;
  // The issue in the row may have been merged into this one.
  return (await workspace.state.issues.getIssue(workspace.scope, row.issueId))?.id === issue.id ? row : null;
}
