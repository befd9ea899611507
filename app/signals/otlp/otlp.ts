import { defineSignal } from "../signal.ts";
import { MAX_OTLP_BYTES } from "./otlp-limits.ts";
import { readOtlpLogs } from "./read-logs.ts";
import { readOtlpMetrics } from "./read-metrics.ts";
import { readOtlpTraces } from "./read-traces.ts";

// Requests of OpenTelemetry's exporters. Ingest journals them as they came, each as an item of one of these types.

const LIMITS = {
  group: "otlp",
  limits: { maxItemBytes: MAX_OTLP_BYTES, maxTotalBytes: MAX_OTLP_BYTES, maxCount: 1 },
  isContainer: true,
} as const;

export const OTLP_TRACES = defineSignal({
  itemTypes: ["otlp_traces"],
  category: "span",
  ...LIMITS,
  read: readOtlpTraces,
});

export const OTLP_LOGS = defineSignal({
  itemTypes: ["otlp_logs"],
  category: "log_item",
  ...LIMITS,
  read: readOtlpLogs,
});

export const OTLP_METRICS = defineSignal({
  itemTypes: ["otlp_metrics"],
  category: "trace_metric",
  ...LIMITS,
  read: readOtlpMetrics,
});
