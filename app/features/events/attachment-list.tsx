import { Table, Td, Th } from "../../ui/table.tsx";
import type { EventPage } from "./get-event-page.server.ts";

/** Files that came with the event. */
export function AttachmentList({ attachments }: { attachments: EventPage["attachments"] }) {
  return (
    <Table label="Attachments">
      <thead>
        <tr>
          <Th>File</Th>
          <Th isNumber>Size</Th>
        </tr>
      </thead>
      <tbody>
        {attachments.map((item) => (
          <tr key={`${item.sequence} ${item.itemIndex}`}>
            <Td className="font-mono">
              <a
                href={`/attachments/${item.eventId}/${item.sequence}-${item.itemIndex}`}
                download
                className="text-link"
              >
                {item.name ?? "unnamed attachment"}
              </a>
            </Td>
            <Td isNumber>{saySize(item)}</Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** What one downloads. Of files that were stored before that was kept, only the size with their headers is known. */
function saySize({ contentBytes, payloadBytes }: EventPage["attachments"][number]): string {
  return contentBytes === null ? `at most ${toSize(payloadBytes)}` : toSize(contentBytes);
}

function toSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(1)} KiB`;
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}
