import type { EventRow } from "./error-events.ts";
import type { TableOf } from "./rows.ts";
import { COPIED_TAG_COLUMNS } from "./tag-columns.ts";
import { toTagText } from "./tag-text.ts";

export interface NewEventRow extends Omit<EventRow, "issueId" | "payload"> {
  /** The category in the ledger. Absent: an error. */
  category?: string;
}

/** Error events. */
export const EVENTS: TableOf<NewEventRow> = {
  name: "events",
  columns: [
    { name: "sequence", type: "integer", get: (row) => row.sequence },
    { name: "project_id", type: "integer", get: (row) => row.projectId },
    { name: "event_id", type: "uuid", get: (row) => row.eventId },
    { name: "occurred_at", type: "integer", get: (row) => row.occurredAt },
    { name: "received_at", type: "integer", get: (row) => row.receivedAt },
    { name: "level", type: "text", keeps: "whole", get: (row) => row.level },
    { name: "platform", type: "text", keeps: "whole", get: (row) => row.platform },
    { name: "environment", type: "text", keeps: "whole", get: (row) => row.environment },
    { name: "release", type: "text", keeps: "whole", get: (row) => row.release },
    { name: "dist", type: "text", get: (row) => row.dist },
    { name: "transaction_name", type: "text", get: (row) => row.transaction },
    { name: "title", type: "text", get: (row) => row.title },
    { name: "user_key", type: "text", keeps: "whole", get: (row) => row.userKey },
    { name: "user_name", type: "text", get: (row) => row.userName },
    { name: "trace_id", type: "text", keeps: "whole", get: (row) => row.traceId },
    { name: "span_id", type: "text", keeps: "whole", get: (row) => row.spanId },
    { name: "replay_id", type: "text", keeps: "whole", get: (row) => row.replayId },
    { name: "sdk_name", type: "text", get: (row) => row.sdkName },
    { name: "is_unhandled", type: "boolean", get: (row) => row.isUnhandled },
    { name: "tags", type: "text", keeps: "lines", get: (row) => toTagText(row.tags) },
    { name: "payload_bytes", type: "integer", get: (row) => row.payloadBytes },
    { name: "category", type: "text", get: ({ category = "error" }) => (category === "error" ? null : category) },
    ...COPIED_TAG_COLUMNS.map(({ name, get }) => ({ name, type: "text" as const, get })),
  ],
  lateColumns: ["issue_id", "payload_file", "payload_offset", "payload_index"],
  addedTexts: ["category", "user_name"],
};
