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
            <Td isNumber>{toSize(item.payloadBytes)}</Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function toSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(1)} KiB`;
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}
