import { Pagination } from "../../ui/pagination.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { AttachmentPicture, hasPictureName, hasPictureType } from "./attachment-picture.tsx";
import type { EventPage } from "./get-event-page.server.ts";
import { nameOfFile } from "./item-file-name.ts";

/** One page of the files of an event. */
export type ListedFiles = Pick<EventPage, "attachments" | "attachmentsPage" | "hasMoreAttachments"> & {
  row: Pick<EventPage["row"], "eventId">;
};

const PARAMETER = "files";
const MAX_PAGE = 1_000_000;

/** The number of the page of files that an address names, from 1. */
export function readAttachmentsPage(search: URLSearchParams): number {
  const page = Number(search.get(PARAMETER) ?? 1);
  return Number.isInteger(page) && page >= 1 && page <= MAX_PAGE ? page : 1;
}

/** Beyond the last page there are no files to list, but there are pages before it. */
export function hasAttachments({ attachments, attachmentsPage }: Omit<ListedFiles, "row">): boolean {
  return attachments.length > 0 || attachmentsPage > 1;
}

/** Files that were sent with the event. `path`: the address of the page that shows them. */
export function AttachmentList({ page, path }: { page: ListedFiles; path: string }) {
  const { attachments, attachmentsPage, hasMoreAttachments } = page;
  const toPage = (number: number) => `${path}${path.includes("?") ? "&" : "?"}${PARAMETER}=${number}#attachments`;
  return (
    <>
      <FileTable attachments={attachments} />
      <div className="px-3 empty:hidden">
        <Pagination
          label="Pages of attachments"
          previousTo={attachmentsPage > 1 ? toPage(attachmentsPage - 1) : null}
          nextTo={hasMoreAttachments ? toPage(attachmentsPage + 1) : null}
        />
      </div>
    </>
  );
}

function FileTable({ attachments }: Pick<ListedFiles, "attachments">) {
  return (
    <Table label="Attachments">
      <TableHead>
        <Th>File</Th>
        <Th isNumber>Size</Th>
      </TableHead>
      <tbody>
        {attachments.map((item) => {
          const { sequence, itemIndex } = item;
          const name = nameOfFile(item);
          const path = `/attachments/${item.eventId}/${sequence}-${itemIndex}`;
          return (
            <tr key={`${sequence} ${itemIndex}`}>
              <Td className="wrap-anywhere font-mono">
                <a href={path} download className="text-link">
                  <bdi>{name}</bdi>
                </a>
                {(hasPictureName(name) || hasPictureType(item.contentType)) && (
                  <AttachmentPicture path={path} name={name} />
                )}
              </Td>
              <Td isNumber>{saySize(item)}</Td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}

/** The size of the download. For files that were stored before this size was, only the size including their headers is known. */
function saySize({ contentBytes, payloadBytes }: EventPage["attachments"][number]): string {
  return contentBytes === null ? `at most ${toSize(payloadBytes)}` : toSize(contentBytes);
}

function toSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(1)} KiB`;
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}
