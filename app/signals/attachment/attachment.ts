import { createHash } from "node:crypto";
import { toShortText, toSummary } from "../item-summary.ts";
import { ALWAYS_BULK, defineSignal } from "../signal.ts";
import { storeBytes } from "../stored-item.ts";
import { ATTACHMENT_LIMITS } from "./attachment-limits.ts";
import { toFileName } from "./file-name.ts";

/** The type of a file if the sender does not give one. */
const ANY_FILE = { contentType: "application/octet-stream", attachmentType: "event.attachment" };

/** An envelope may have the same file twice and mean it: no identity. */
export const ATTACHMENT = defineSignal({
  itemTypes: ["attachment"],
  category: "attachment",
  ...ATTACHMENT_LIMITS,
  dependsOnEvent: true,
  hasEventId: true,
  isBulk: ALWAYS_BULK,
  read: storeBytes({
    summarize: ({ header }) => toSummary({ name: toFileName(header.filename) }),
    readFacts: ({ header, payload }) => ({
      contentType: toShortText(header.content_type) ?? ANY_FILE.contentType,
      attachmentType: toShortText(header.attachment_type) ?? ANY_FILE.attachmentType,
      contentSha1: createHash("sha1").update(payload).digest("hex"),
    }),
  }),
});
