import type { Workspace } from "../../access/workspace.ts";
import { type Download, openDownload } from "../../domain/open-download.ts";
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

interface AttachmentAddress {
  eventId: string;
  /** `<sequence>-<index>`, as the list of attachments names it. */
  item: string;
  scope?: Scope;
}

/** A file that came with an event. */
export async function getAttachment(workspace: Workspace, address: AttachmentAddress): Promise<Attachment | null> {
  const row = await findRow(workspace, address);
  return row && (await readAttachment(workspace, row));
}

/** The same to be sent: see `openDownload`. */
export async function openAttachment(
  workspace: Workspace,
  address: AttachmentAddress,
  request: Pick<Request, "method" | "signal">,
): Promise<Download<Attachment> | null> {
  const row = await findRow(workspace, address);
  return row && (await openDownload(row.payloadBytes, request, () => readAttachment(workspace, row)));
}

async function findRow(
  workspace: Workspace,
  { eventId, item, scope = workspace.scope }: AttachmentAddress,
): Promise<ItemRow | null> {
  const id = toEventId(eventId);
  if (id === null) return null;
  const rows = await listAttachments(workspace, scope, id);
  return rows.find((each) => `${each.sequence}-${each.itemIndex}` === item) ?? null;
}

async function readAttachment({ payloads }: Workspace, row: ItemRow): Promise<Attachment | null> {
  const payload = await payloads.read(row.payload);
  if (!payload) return null;
  const { header, payload: bytes } = decodeStoredItem(payload);
  return { row, name: row.name ?? "attachment", header, bytes };
}
