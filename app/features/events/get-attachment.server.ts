import type { Workspace } from "../../access/workspace.ts";
import { decodeStoredItem } from "../../protocol/stored-item.ts";
import { toEventId } from "./event-id.ts";

export interface Attachment {
  name: string;
  bytes: Uint8Array;
}

/** A file that came with an event. `item` is `<sequence>-<index>`, as the list of attachments names it. */
export async function getAttachment(
  workspace: Workspace,
  { eventId, item }: { eventId: string; item: string },
): Promise<Attachment | null> {
  const id = toEventId(eventId);
  if (id === null) return null;
  const rows = await workspace.events.listItems({
    projectIds: workspace.scope.projectIds,
    eventId: id,
    types: ["attachment"],
  });
  const row = rows.find((each) => `${each.sequence}-${each.itemIndex}` === item);
  const payload = row && (await workspace.payloads.read(row.payload));
  if (!row || !payload) return null;
  return { name: row.name ?? "attachment", bytes: decodeStoredItem(payload).payload };
}
