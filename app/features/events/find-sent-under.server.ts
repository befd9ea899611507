import type { Workspace } from "../../access/workspace.ts";
import type { ListedFiles } from "./attachment-list.tsx";
import { findTransactionPath } from "./find-transaction-path.server.ts";
import { ATTACHMENTS_OF_PAGE, listFiles } from "./get-attachment.server.ts";

/** What was sent under an id that no error has: something with a page of its own, or files. */
export type SentUnder = { path: string } | { files: ListedFiles; tracePath: string | null };

/** Finds feedback, a transaction, profiles, or files whose event was never stored. Null: there is nothing. */
export async function findSentUnder(
  workspace: Workspace,
  eventId: string,
  filesPage: number,
): Promise<SentUnder | null> {
  const { state, scope } = workspace;
  const [feedback, tracePath, { rows, hasMore }] = await Promise.all([
    state.feedback.getFeedbackByEvent(scope, eventId),
    findTransactionPath(workspace, eventId),
    listFiles(workspace, scope, eventId, { skip: (filesPage - 1) * ATTACHMENTS_OF_PAGE }),
  ]);
  if (feedback) return { path: `/feedback/${feedback.id}` };
  if (rows.length === 0 && filesPage === 1) return tracePath === null ? null : { path: tracePath };
  const files = { row: { eventId }, attachments: rows, attachmentsPage: filesPage, hasMoreAttachments: hasMore };
  return { files, tracePath };
}
