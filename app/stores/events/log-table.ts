import type { LogRow } from "./logs.ts";
import type { TableOf } from "./rows.ts";

export const LOG_ROWS: TableOf<LogRow> = {
  name: "logs",
  columns: [
    { name: "sequence", type: "integer", get: (row) => row.sequence },
    { name: "project_id", type: "integer", get: (row) => row.projectId },
    { name: "received_at", type: "integer", get: (row) => row.receivedAt },
    { name: "trace_id", type: "uuid", get: (row) => row.traceId },
    { name: "span_id", type: "hex64", get: (row) => row.spanId },
    { name: "occurred_us", type: "integer", get: (row) => row.occurredUs },
    { name: "shift_us", type: "integer", get: (row) => row.shiftUs },
    { name: "tie_breaker", type: "integer", get: (row) => row.tieBreaker },
    { name: "level", type: "text", get: (row) => row.level },
    { name: "severity", type: "integer", get: (row) => row.severity },
    { name: "body", type: "text", get: (row) => row.body },
    { name: "template", type: "text", get: (row) => row.template },
    { name: "origin", type: "text", get: (row) => row.origin },
    { name: "logger", type: "text", get: (row) => row.logger },
    { name: "release", type: "text", get: (row) => row.release },
    { name: "environment", type: "text", get: (row) => row.environment },
    { name: "service", type: "text", get: (row) => row.service },
    { name: "server_address", type: "text", get: (row) => row.serverAddress },
    { name: "user_id", type: "text", get: (row) => row.userId },
    { name: "replay_id", type: "text", get: (row) => row.replayId },
    { name: "sdk_name", type: "text", get: (row) => row.sdkName },
    { name: "sdk_version", type: "text", get: (row) => row.sdkVersion },
    { name: "attributes", type: "text", get: (row) => row.attributes },
    { name: "rest", type: "text", get: (row) => row.rest },
    { name: "resource", type: "text", get: (row) => row.resource },
  ],
  lateColumns: [],
};
