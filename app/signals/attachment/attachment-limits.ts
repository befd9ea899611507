import { MIB } from "../../domain/bytes.ts";

/** Attachments and user reports of one envelope together. */
export const ATTACHMENT_LIMITS = {
  group: "attachment",
  limits: { maxItemBytes: 200 * MIB, maxTotalBytes: 200 * MIB, maxCount: 30 },
} as const;
