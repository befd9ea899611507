import { MIB } from "../../domain/bytes.ts";
import { parseTimestampMs } from "../../protocol/timestamps.ts";
import { summarizeContainer, toShortText } from "../item-summary.ts";
import { defineSignal } from "../signal.ts";
import { storeBytes, storeJson } from "../stored-item.ts";

const LIMITS = { group: "log", limits: { maxItemBytes: 12 * MIB, maxTotalBytes: 12 * MIB, maxCount: 1 } } as const;

export const LOG = defineSignal({
  itemTypes: ["log"],
  category: "log_item",
  ...LIMITS,
  isContainer: true,
  read: storeJson({
    summarize: (value) =>
      summarizeContainer(value, (first) => ({
        occurredAt: parseTimestampMs(first.timestamp),
        name: toShortText(first.body),
      })),
  }),
});

export const OTEL_LOG = defineSignal({ itemTypes: ["otel_log"], category: "log_item", ...LIMITS, read: storeBytes() });
