import { MIB } from "../signal.ts";

/** Event, transaction and security report exclude each other. */
export const EVENT_LIMITS = {
  group: "event",
  limits: { maxItemBytes: 1 * MIB, maxTotalBytes: 1 * MIB, maxCount: 1 },
} as const;
