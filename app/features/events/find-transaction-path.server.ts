import type { Workspace } from "../../access/workspace.ts";
import { isRecord } from "../../domain/is-record.ts";
import { decodeStoredItem } from "../../protocol/stored-item.ts";
import type { ItemRow } from "../../stores/events/items.ts";
import { toTracePath } from "../traces/trace-options.ts";

/** The address of a transaction's trace. Null: no transaction with this id is stored, or it has no trace. */
export async function findTransactionPath(workspace: Workspace, eventId: string): Promise<string | null> {
  const { events, scope } = workspace;
  const types = ["transaction"];
  const [transaction] = await events.listItems({ projectIds: scope.projectIds, eventId, types, limit: 1 });
  return transaction?.traceId ? toPathInTrace(workspace, transaction, transaction.traceId) : null;
}

/** Includes the transaction's span, if the stored transaction can be read. */
async function toPathInTrace({ payloads }: Workspace, { payload }: ItemRow, traceId: string): Promise<string> {
  const bytes = await payloads.read(payload);
  if (!bytes) return toTracePath(traceId);
  const { contexts } = JSON.parse(Buffer.from(decodeStoredItem(bytes).payload).toString());
  const spanId = isRecord(contexts) && isRecord(contexts.trace) ? contexts.trace.span_id : null;
  return toTracePath(traceId, typeof spanId === "string" ? { spanKey: spanId } : {});
}
