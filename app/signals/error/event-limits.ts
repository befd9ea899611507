import { MIB } from "../../domain/bytes.ts";

/** Event, transaction and security report exclude each other. */
export const EVENT_LIMITS = {
  group: "event",
  limits: { maxItemBytes: MIB, maxTotalBytes: MIB, maxCount: 1 },
} as const;
