import type { Workspace } from "../../access/workspace.ts";
import { isRecord } from "../../domain/is-record.ts";
import { decodeStoredItem } from "../../protocol/stored-item.ts";
import type { ItemRow } from "../../stores/events/items.ts";
import { toTracePath } from "../traces/trace-options.ts";
import type { ListedFiles } from "./attachment-list.tsx";
import { ATTACHMENTS_OF_PAGE, listFiles } from "./get-attachment.server.ts";

/** What came under an id that no error has: a page of its own, or files. */
export type SentUnder = { path: string } | { files: ListedFiles; tracePath: string | null };

/** Feedback, a transaction, profiles, or files whose event was never stored. Null: nothing. */
export async function findSentUnder(
  workspace: Workspace,
  eventId: string,
  filesPage: number,
): Promise<SentUnder | null> {
  const { state, events, scope } = workspace;
  const [feedback, [transaction], { rows, hasMore }] = await Promise.all([
    state.feedback.getFeedbackByEvent(scope, eventId),
    events.listItems({ projectIds: scope.projectIds, eventId, types: ["transaction"], limit: 1 }),
    listFiles(workspace, scope, eventId, { skip: (filesPage - 1) * ATTACHMENTS_OF_PAGE }),
  ]);
  if (feedback) return { path: `/feedback/${feedback.id}` };
  const tracePath = transaction?.traceId ? await toPathInTrace(workspace, transaction, transaction.traceId) : null;
  if (rows.length === 0 && filesPage === 1) return tracePath === null ? null : { path: tracePath };
  const files = { row: { eventId }, attachments: rows, attachmentsPage: filesPage, hasMoreAttachments: hasMore };
  return { files, tracePath };
}

/** With its span, if what is stored of the transaction can be read. */
async function toPathInTrace({ payloads }: Workspace, { payload }: ItemRow, traceId: string): Promise<string> {
  const bytes = await payloads.read(payload);
  if (!bytes) return toTracePath(traceId);
  const { contexts } = JSON.parse(Buffer.from(decodeStoredItem(bytes).payload).toString());
  const spanId = isRecord(contexts) && isRecord(contexts.trace) ? contexts.trace.span_id : null;
  return toTracePath(traceId, typeof spanId === "string" ? { spanKey: spanId } : {});
}
