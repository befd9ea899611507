import { createHash } from "node:crypto";
import { z } from "zod";
import type { Workspace } from "../../access/workspace.ts";
import { toShownImageType } from "../../domain/image-type.ts";
import type { Download } from "../../domain/open-download.ts";
import { narrowScope } from "../../domain/scope.ts";
import { toEventId } from "../../features/events/event-id.ts";
import {
  type Attachment,
  getAttachment,
  listFiles,
  openAttachment,
  readAttachment,
} from "../../features/events/get-attachment.server.ts";
import { nameOfFile } from "../../features/events/item-file-name.ts";
import type { ItemRow } from "../../stores/events/items.ts";
import { answer, answerPage, refusal, toIso } from "../answers.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { findFeedbackOfEvent } from "../find-feedback-of-event.server.ts";
import { requireEventRow } from "../get-event.server.ts";
import { PAGING, requireCursor, toPlace } from "../query.ts";

const ATTACHMENTS = "/projects/{organization}/{project}/events/{event}/attachments/";
const ANY_TYPE = "application/octet-stream";
const SCOPES: Endpoint["scopes"] = ["event:read", "project:read"];

const attachmentAnswer = z.object({
  id: z.string(),
  event_id: z.string(),
  type: z
    .string()
    .describe("as it was sent, like `event.attachment` or `event.minidump`; `profile` or `profile_chunk`"),
  name: z.string(),
  mimetype: z.string(),
  dateCreated: z.string(),
  size: z.int().describe("in bytes"),
  headers: z.object({ "Content-Type": z.string() }),
  sha1: z.string().describe("empty if the file can no longer be read"),
});

/** Files that came with an event. */
export const ATTACHMENT_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: ATTACHMENTS,
    scopes: SCOPES,
    summary: "Files that came with an event, or the profiles of a profile id or profiler id, the oldest first.",
    query: z.object(PAGING),
    answers: { 200: { what: "Files", json: z.array(attachmentAnswer) } },
    async handle({ workspace, project, params, query, url }) {
      const scope = narrowScope(workspace.scope, [project.id]);
      const eventId = requireEventId(params.event);
      const { cursor, limit } = toPlace(query);
      requireCursor(cursor, readSkip);
      const skip = readSkip(cursor ?? "0") ?? 0;
      const { rows, hasMore } = await listFiles(workspace, scope, eventId, { skip, limit });
      // Files of a transaction have no event of an issue, and profiles have ids of their own. So the event is required only if no file was
      // found.
      if (rows.length === 0 && skip === 0 && (await findFeedbackOfEvent(workspace, scope, eventId)) === null)
        await requireEventRow(workspace, { projectId: project.id, issueId: null, eventId });
      const files: Array<z.input<typeof attachmentAnswer>> = [];
      // One file after the other: a hundred files of 100 MB do not fit into memory together.
      for (const row of rows) files.push(await serializeRow(workspace, row));
      return answerPage(url, files, {
        previousCursor: skip === 0 ? null : String(Math.max(0, skip - limit)),
        nextCursor: hasMore ? String(skip + limit) : null,
      });
    },
  }),
  endpoint({
    method: "GET",
    path: `${ATTACHMENTS}{attachment}/`,
    scopes: SCOPES,
    summary: "The facts of one file, or the file itself.",
    query: z.object({ download: z.string().optional().describe("`1`: the file itself, as it was sent") }),
    answers: { 200: { what: "The file", json: attachmentAnswer, isFile: true } },
    async handle({ workspace, project, params, query, request }) {
      const scope = narrowScope(workspace.scope, [project.id]);
      const address = { eventId: requireEventId(params.event), item: params.attachment, scope };
      if (query.download !== undefined) return download(found(await openAttachment(workspace, address, request)));
      return answer(serialize(found(await getAttachment(workspace, address))));
    },
  }),
];

/** Reads a cursor, which is the number of files before its page. Null: it is something else. */
function readSkip(cursor: string): number | null {
  return /^\d{1,9}$/.test(cursor) ? Number(cursor) : null;
}

/** @throws a 404 answer. */
function requireEventId(text: string): string {
  const id = toEventId(text);
  if (id === null) throw refusal(404, "The requested event does not exist");
  return id;
}

/** @throws a 404 answer. */
function found<Found>(attachment: Found | null): Found {
  if (attachment === null) throw refusal(404, "The requested attachment does not exist");
  return attachment;
}

/** The facts of a file. Older rows do not have them: then they are read from the payload, which may be gone or damaged. */
async function serializeRow(workspace: Workspace, row: ItemRow): Promise<z.input<typeof attachmentAnswer>> {
  const found = row.contentSha1 === null ? await readAttachment(workspace, row) : null;
  return serialize(found ?? { row, name: nameOfFile(row), bytes: null, header: {} });
}

function serialize({
  row,
  name,
  bytes,
  header,
}: Omit<Attachment, "bytes"> & { bytes: Uint8Array | null }): z.input<typeof attachmentAnswer> {
  const { attachment_type: sentKind } = header;
  const mimetype = toMimetype({ row, header });
  return {
    id: `${row.sequence}-${row.itemIndex}`,
    event_id: row.eventId ?? "",
    type: row.attachmentType ?? (typeof sentKind === "string" ? sentKind : toKind(row)),
    name,
    mimetype,
    dateCreated: toIso(row.receivedAt),
    size: bytes?.length ?? row.contentBytes ?? row.payloadBytes,
    headers: { "Content-Type": mimetype },
    // @sentry/mcp-server refuses the whole list if one is null.
    sha1: row.contentSha1 ?? (bytes === null ? "" : createHash("sha1").update(bytes).digest("hex")),
  };
}

/** The media type that the sender gave. Without one: JSON for a profile, else any bytes. */
function toMimetype({ row, header: { content_type: sent } }: Pick<Attachment, "row" | "header">): string {
  return row.contentType ?? (typeof sent === "string" ? sent : isProfile(row) ? "application/json" : ANY_TYPE);
}

function toKind(row: ItemRow): string {
  return isProfile(row) ? row.type : "event.attachment";
}

function isProfile({ type }: ItemRow): boolean {
  return type !== "attachment";
}

/**
 * Sends the file so that it cannot run in a browser on this origin. Tools show pictures and text by their type. A picture is recognized by
 * its bytes, and every text is sent as plain text.
 */
function download(attachment: Download<Attachment>): Response {
  const { name, bytes, body, status, headers } = attachment;
  const fileName = encodeURIComponent(name.toWellFormed()).replaceAll("'", "%27");
  const isText = toMimetype(attachment).startsWith("text/");
  return new Response(body, {
    status,
    headers: {
      ...headers,
      "content-type": toShownImageType(bytes) ?? (isText ? "text/plain" : ANY_TYPE),
      "content-disposition": `attachment; filename*=UTF-8''${fileName}`,
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
    },
  });
}
