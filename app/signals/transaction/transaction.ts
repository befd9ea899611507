import { normalizeEventId } from "../../protocol/event-id.ts";
import { parseTimestampMs } from "../../protocol/timestamps.ts";
import { EVENT_LIMITS } from "../error/event-limits.ts";
import { releaseAndEnvironment, toRecord, toShortText, toSummary } from "../item-summary.ts";
import { ALWAYS_BULK, defineSignal } from "../signal.ts";
import { storeJson } from "../stored-item.ts";
import { convertTransaction, splitTransaction, UNLABELED } from "./read-transaction-spans.ts";

export const TRANSACTION = defineSignal({
  itemTypes: ["transaction"],
  category: "transaction",
  ...EVENT_LIMITS,
  isEventLike: true,
  isBulk: ALWAYS_BULK,
  read: storeJson({
    summarize(value) {
      const trace = toRecord(toRecord(value.contexts).trace);
      const startedAt = parseTimestampMs(value.start_timestamp);
      const endedAt = parseTimestampMs(value.timestamp);
      if (!normalizeEventId(trace.trace_id)) return "missing_trace_id";
      if (!toShortText(trace.span_id)) return "missing_span_id";
      if (startedAt === null || endedAt === null) return "missing_timestamp";
      if (endedAt < startedAt) return "ends_before_start";
      return toSummary({
        ...releaseAndEnvironment(value),
        traceId: normalizeEventId(trace.trace_id),
        occurredAt: endedAt,
        name: toShortText(value.transaction) ?? UNLABELED,
      });
    },
    split: splitTransaction,
    // As with errors, the envelope's id wins (protocol 2.6). Ingest only takes the payload's id if the header has none.
    identify: (_, { entry }) => entry.eventId,
  }),
  convert: convertTransaction,
});
