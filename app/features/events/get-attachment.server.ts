import type { Workspace } from "../../access/workspace.ts";
import { type Download, type DownloadRequest, openDownload } from "../../domain/open-download.ts";
import type { Scope } from "../../domain/scope.ts";
import { decodeStoredItem } from "../../protocol/stored-item.ts";
import type { ItemRow } from "../../stores/events/items.ts";
import { toEventId } from "./event-id.ts";
import { FILE_TYPES, nameOfFile } from "./item-file-name.ts";

export interface Attachment {
  row: ItemRow;
  name: string;
  /** The header of the item, as it was sent. */
  header: Readonly<Record<string, unknown>>;
  bytes: Uint8Array;
}

/** Files on one page. An SDK may send any number of files for an event. */
export const ATTACHMENTS_OF_PAGE = 100;

interface FilesPlace {
  skip?: number;
  /** At most `ATTACHMENTS_OF_PAGE`. */
  limit?: number;
}

/** Files that were sent with an event, oldest first. */
export function listAttachments(
  workspace: Pick<Workspace, "events">,
  scope: Scope,
  eventId: string,
  place: FilesPlace = {},
): Promise<{ rows: ItemRow[]; hasMore: boolean }> {
  return listOfTypes(workspace, scope, { eventId, types: ["attachment"], ...place });
}

/** Like `listAttachments`, but with profiles, which have the id of their profile or profiler. */
export function listFiles(
  workspace: Pick<Workspace, "events">,
  scope: Scope,
  eventId: string,
  place: FilesPlace = {},
): Promise<{ rows: ItemRow[]; hasMore: boolean }> {
  return listOfTypes(workspace, scope, { eventId, types: FILE_TYPES, ...place });
}

async function listOfTypes(
  { events }: Pick<Workspace, "events">,
  { projectIds }: Scope,
  { limit = ATTACHMENTS_OF_PAGE, skip = 0, ...of }: { eventId: string; types: string[] } & FilesPlace,
): Promise<{ rows: ItemRow[]; hasMore: boolean }> {
  const rows = await events.listItems({ projectIds, ...of, skip, limit: limit + 1 });
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

interface AttachmentAddress {
  eventId: string;
  /** `<sequence>-<index>`, as in the list of attachments. */
  item: string;
  scope?: Scope;
}

/** Reads a file that was sent with an event. Null: there is no such file. */
export async function getAttachment(workspace: Workspace, address: AttachmentAddress): Promise<Attachment | null> {
  const row = await findRow(workspace, address);
  return row && (await readAttachment(workspace, row));
}

/** Opens the file for a download: see `openDownload`. */
export async function openAttachment(
  workspace: Workspace,
  address: AttachmentAddress,
  request: DownloadRequest,
): Promise<Download<Attachment & { etag: string }> | null> {
  const row = await findRow(workspace, address);
  return (
    row &&
    (await openDownload(row.payloadBytes, request, async () => {
      const attachment = await readAttachment(workspace, row);
      return attachment && { ...attachment, etag: toEtag(attachment) };
    }))
  );
}

/** The ETag of a file. A file never changes. Rows from before the digest of files was stored use the place of the file instead. */
function toEtag({ row, bytes }: Attachment): string {
  return `"${row.contentSha1 ?? `${row.sequence}-${row.itemIndex}-${bytes.length}`}"`;
}

async function findRow(
  workspace: Workspace,
  { eventId, item, scope = workspace.scope }: AttachmentAddress,
): Promise<ItemRow | null> {
  const id = toEventId(eventId);
  const [, sequence, itemIndex] = /^(\d{1,15})-(\d{1,9})$/.exec(item) ?? [];
  if (id === null || sequence === undefined) return null;
  const place = { sequence: Number(sequence), itemIndex: Number(itemIndex) };
  const { projectIds } = scope;
  const [row] = await workspace.events.listItems({ projectIds, eventId: id, types: FILE_TYPES, place });
  return row ?? null;
}

/** Null: the file is gone or damaged. */
export async function readAttachment({ payloads }: Workspace, row: ItemRow): Promise<Attachment | null> {
  const payload = await payloads.read(row.payload);
  if (!payload) return null;
  const { header, payload: bytes } = decodeStoredItem(payload);
  return { row, name: nameOfFile(row), header, bytes };
}
