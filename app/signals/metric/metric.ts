import { MIB } from "../../domain/bytes.ts";
import { parseTimestampMs } from "../../protocol/timestamps.ts";
import { summarizeContainer, toShortText } from "../item-summary.ts";
import { ALWAYS_BULK, defineSignal } from "../signal.ts";
import { storeBytes, storeJson } from "../stored-item.ts";

export const TRACE_METRIC = defineSignal({
  itemTypes: ["trace_metric"],
  category: "trace_metric",
  group: "trace_metric",
  limits: { maxItemBytes: 12 * MIB, maxTotalBytes: 12 * MIB, maxCount: 1 },
  isContainer: true,
  isBulk: ALWAYS_BULK,
  read: storeJson({
    summarize: (value) =>
      summarizeContainer(value, (first) => ({
        occurredAt: parseTimestampMs(first.timestamp),
        name: toShortText(first.name),
      })),
  }),
});

/** The format of older SDKs. */
export const METRIC_BUCKET = defineSignal({
  itemTypes: ["statsd", "metric_buckets", "metric_meta"],
  category: "metric_bucket",
  group: "metric",
  // The count is ours: SDKs that still send metrics batch them into one item.
  limits: { maxItemBytes: MIB, maxTotalBytes: 10 * MIB, maxCount: 100 },
  isBulk: ALWAYS_BULK,
  read: storeBytes(),
});
