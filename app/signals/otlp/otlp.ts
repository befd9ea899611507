import { ALWAYS_BULK, defineSignal } from "../signal.ts";
import { MAX_OTLP_BYTES } from "./otlp-limits.ts";
import { readOtlpLogs } from "./read-logs.ts";
import { readOtlpMetrics } from "./read-metrics.ts";
import { readOtlpTraces } from "./read-traces.ts";

/** An exception has an attribute that begins so (`hasException`), and becomes an event. */
const EXCEPTION = "exception.";

// Requests of OpenTelemetry's exporters. Ingest journals them as they came, each as an item of one of these types.

const TRAITS = {
  group: "otlp",
  limits: { maxItemBytes: MAX_OTLP_BYTES, maxTotalBytes: MAX_OTLP_BYTES, maxCount: 1 },
  isContainer: true,
  // The payload is not parsed before the digest. Both encodings contain attribute names as plain text, so a search is enough.
  isBulk: (payload: Uint8Array) => !Buffer.from(payload.buffer, payload.byteOffset, payload.length).includes(EXCEPTION),
} as const;

export const OTLP_TRACES = defineSignal({
  itemTypes: ["otlp_traces"],
  category: "span",
  ...TRAITS,
  read: readOtlpTraces,
});

export const OTLP_LOGS = defineSignal({
  itemTypes: ["otlp_logs"],
  category: "log_item",
  ...TRAITS,
  read: readOtlpLogs,
});

export const OTLP_METRICS = defineSignal({
  itemTypes: ["otlp_metrics"],
  category: "trace_metric",
  ...TRAITS,
  isBulk: ALWAYS_BULK,
  read: readOtlpMetrics,
});
