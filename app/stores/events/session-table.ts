import type { TableOf } from "./rows.ts";
import type { SessionRow } from "./sessions.ts";

export const SESSION_ROWS: TableOf<SessionRow> = {
  name: "sessions",
  columns: [
    { name: "sequence", type: "integer", get: (row) => row.sequence },
    { name: "project_id", type: "integer", get: (row) => row.projectId },
    { name: "received_at", type: "integer", get: (row) => row.receivedAt },
    { name: "started_at", type: "integer", get: (row) => row.startedAt },
    { name: "release", type: "text", get: (row) => row.release },
    { name: "environment", type: "text", get: (row) => row.environment },
    { name: "status", type: "text", get: (row) => row.status },
    { name: "quantity", type: "integer", get: (row) => row.quantity },
    { name: "is_initial", type: "boolean", get: (row) => row.isInitial },
    { name: "is_errored", type: "boolean", get: (row) => row.isErrored },
    { name: "session_id", type: "uuid", get: (row) => row.sessionId },
    { name: "user_id", type: "uuid", get: (row) => row.userId },
    { name: "identity", type: "uuid", get: (row) => row.identity },
  ],
  lateColumns: [],
};
