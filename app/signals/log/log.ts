import { MIB } from "../../domain/bytes.ts";
import { ALWAYS_BULK, defineSignal } from "../signal.ts";
import { storeBytes } from "../stored-item.ts";
import { convertLogs, readLogs } from "./read-logs.ts";

const LIMITS = { group: "log", limits: { maxItemBytes: 12 * MIB, maxTotalBytes: 12 * MIB, maxCount: 1 } } as const;

export const LOG = defineSignal({
  itemTypes: ["log"],
  category: "log_item",
  ...LIMITS,
  isContainer: true,
  isBulk: ALWAYS_BULK,
  read: readLogs,
  convert: convertLogs,
});

/** Logs in a proxy's own format. Nothing sends it to a server. */
export const OTEL_LOG = defineSignal({
  itemTypes: ["otel_log"],
  category: "log_item",
  ...LIMITS,
  isBulk: ALWAYS_BULK,
  read: storeBytes(),
});
