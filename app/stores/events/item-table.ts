import type { ItemRow } from "./items.ts";
import type { TableOf } from "./rows.ts";

export type NewItemRow = Omit<ItemRow, "payload">;

/** Items that are kept whole. */
export const ITEMS: TableOf<NewItemRow> = {
  name: "items",
  columns: [
    { name: "sequence", type: "integer", get: (row) => row.sequence },
    { name: "item_index", type: "integer", get: (row) => row.itemIndex },
    { name: "project_id", type: "integer", get: (row) => row.projectId },
    { name: "type", type: "text", get: (row) => row.type },
    { name: "category", type: "text", get: (row) => row.category },
    { name: "quantity", type: "integer", get: (row) => row.quantity },
    { name: "event_id", type: "text", get: (row) => row.eventId },
    { name: "trace_id", type: "text", get: (row) => row.traceId },
    { name: "occurred_at", type: "integer", get: (row) => row.occurredAt },
    { name: "received_at", type: "integer", get: (row) => row.receivedAt },
    { name: "environment", type: "text", get: (row) => row.environment },
    { name: "release", type: "text", get: (row) => row.release },
    { name: "identity", type: "uuid", get: (row) => row.identity },
    { name: "name", type: "text", get: (row) => row.name },
    { name: "expires_at", type: "integer", get: (row) => row.expiresAt },
    { name: "payload_bytes", type: "integer", get: (row) => row.payloadBytes },
    // As text: in older entries of the row log, only texts can be absent.
    { name: "content_bytes", type: "text", get: ({ contentBytes }) => contentBytes?.toString() ?? null },
    { name: "content_type", type: "text", get: (row) => row.contentType },
    { name: "attachment_type", type: "text", get: (row) => row.attachmentType },
    { name: "content_sha1", type: "text", get: (row) => row.contentSha1 },
  ],
  addedTexts: ["content_bytes", "content_type", "attachment_type", "content_sha1"],
  lateColumns: ["payload_file", "payload_offset", "payload_index"],
};
