import type { CredentialsResult } from "../protocol/auth-header.ts";
import { parseDsn } from "../protocol/dsn.ts";
import { normalizeEventId } from "../protocol/event-id.ts";
import { readQueryParameter } from "../protocol/query-string.ts";
import { toShortText } from "../signals/item-summary.ts";
import type { IngestAnswer } from "./answers.ts";
import { Refusal } from "./refusal.ts";
import { readReportBody } from "./report-body.ts";

/** The parts of the query that the server reads. The others are for the script in the user's browser. */
export interface DialogQuery {
  credentials: CredentialsResult;
  /** Null: it is missing, or no id. */
  eventId: string | null;
}

export function readDialogQuery(query: string): DialogQuery | Refusal {
  const dsn = parseDsn(readQueryParameter(query, "dsn"));
  if (dsn === null) return new Refusal("missing_dsn", "dsn: must be the DSN of a project");
  const { publicKey, projectId } = dsn;
  return {
    credentials: { ok: true, credentials: { publicKey, projectId, client: null } },
    eventId: normalizeEventId(readQueryParameter(query, "eventId")),
  };
}

/** The browser must not store the script: its address contains the user's name, and the origins that may load it can change. */
const SCRIPT_HEADERS = ["cache-control", "no-store", "x-content-type-options", "nosniff"];

export function toScriptAnswer(bytes: Uint8Array): IngestAnswer {
  const content = { contentType: "text/javascript; charset=utf-8", bytes, headers: SCRIPT_HEADERS };
  return { status: 200, body: null, content, retryAfterSeconds: null, rateLimits: null, error: null };
}

export function isFormMediaType(contentType: string | undefined): boolean {
  return /^\s*application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType ?? "");
}

/** Takes the fields `name`, `email` and `comments` of a form, and puts them into an envelope as other reports. */
export function readReportForm(body: Uint8Array, eventId: string): Uint8Array | Refusal {
  const form = Buffer.from(body.buffer, body.byteOffset, body.length).toString("utf8");
  const comments = readQueryParameter(form, "comments");
  // The digest would leave it out, and the user would never know.
  if (toShortText(comments) === null)
    return new Refusal("malformed_report", "comments: must not be empty", { reason: "empty_comments" });
  const report = {
    event_id: eventId,
    name: readQueryParameter(form, "name"),
    email: readQueryParameter(form, "email"),
    comments,
  };
  return readReportBody(Buffer.from(JSON.stringify(report)));
}
