import type { Workspace } from "../../access/workspace.ts";
import type { Scope } from "../../domain/scope.ts";
import { decodeStoredItem } from "../../protocol/stored-item.ts";
import type { ItemRow } from "../../stores/events/items.ts";
import { toEventId } from "./event-id.ts";

export interface Attachment {
  row: ItemRow;
  name: string;
  /** Of the item, as it was sent. */
  header: Readonly<Record<string, unknown>>;
  bytes: Uint8Array;
}

/** Files that came with an event. */
export function listAttachments({ events }: Workspace, { projectIds }: Scope, eventId: string): Promise<ItemRow[]> {
  return events.listItems({ projectIds, eventId, types: ["attachment"] });
}

/** A file that came with an event. `item` is `<sequence>-<index>`, as the list of attachments names it. */
export async function getAttachment(
  workspace: Workspace,
  { eventId, item, scope = workspace.scope }: { eventId: string; item: string; scope?: Scope },
): Promise<Attachment | null> {
  const id = toEventId(eventId);
  if (id === null) return null;
  const rows = await listAttachments(workspace, scope, id);
  const row = rows.find((each) => `${each.sequence}-${each.itemIndex}` === item);
  const payload = row && (await workspace.payloads.read(row.payload));
  if (!row || !payload) return null;
  const { header, payload: bytes } = decodeStoredItem(payload);
  return { row, name: row.name ?? "attachment", header, bytes };
}
