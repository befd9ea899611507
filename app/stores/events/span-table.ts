import { toNameGroup } from "../../domain/spans/name-group.ts";
import { TYPED_ATTRIBUTES } from "../../domain/spans/typed-attributes.ts";
import type { TableOf } from "./rows.ts";
import type { SpanRow } from "./spans.ts";

/** Spans of transactions and of containers, and spans that came alone. */
export const SPAN_ROWS: TableOf<SpanRow> = {
  name: "spans",
  columns: [
    { name: "sequence", type: "integer", get: (row) => row.sequence },
    { name: "project_id", type: "integer", get: (row) => row.projectId },
    { name: "received_at", type: "integer", get: (row) => row.receivedAt },
    { name: "category", type: "text", keeps: "whole", get: (row) => row.category },
    { name: "form", type: "text", keeps: "whole", get: (row) => row.form },
    { name: "trace_id", type: "uuid", get: (row) => row.traceId },
    { name: "span_id", type: "hex64", get: (row) => row.spanId },
    { name: "parent_span_id", type: "hex64", get: (row) => row.parentSpanId },
    { name: "segment_id", type: "hex64", get: (row) => row.segmentId },
    { name: "is_segment", type: "boolean", get: (row) => row.isSegment },
    { name: "started_us", type: "integer", get: (row) => row.startedUs },
    { name: "duration_us", type: "integer", get: (row) => row.durationUs },
    { name: "shift_us", type: "integer", get: (row) => row.shiftUs },
    { name: "op", type: "text", get: (row) => row.op },
    { name: "name", type: "text", get: (row) => row.name },
    { name: "name_group", type: "text", get: (row) => row.nameGroup },
    { name: "status", type: "text", get: (row) => row.status },
    { name: "kind", type: "text", get: (row) => row.kind },
    { name: "origin", type: "text", get: (row) => row.origin },
    { name: "segment", type: "text", get: (row) => row.segment },
    // By which transactions are summed.
    {
      name: "segment_group",
      type: "text",
      get: ({ segment, segmentGroup }) => segmentGroup ?? (segment === null ? null : toNameGroup(segment)),
    },
    { name: "release", type: "text", keeps: "whole", get: (row) => row.release },
    { name: "environment", type: "text", keeps: "whole", get: (row) => row.environment },
    { name: "sample_rate", type: "real", get: (row) => row.sampleRate },
    { name: "service", type: "text", get: (row) => row.service },
    { name: "sdk_name", type: "text", get: (row) => row.sdkName },
    { name: "sdk_version", type: "text", get: (row) => row.sdkVersion },
    ...TYPED_ATTRIBUTES.map(({ column, type }, index) => ({
      name: column,
      type,
      ...(column === "user_id" ? { keeps: "whole" as const } : {}),
      get: (row: SpanRow) => row.typed[index] ?? null,
    })),
    { name: "attributes", type: "text", keeps: "object", get: (row) => row.attributes },
    { name: "rest", type: "text", keeps: "object", get: (row) => row.rest },
    { name: "resource", type: "text", keeps: "object", get: (row) => row.resource },
    { name: "long_texts", type: "text", get: () => null },
  ],
  lateColumns: [],
  addedTexts: ["segment_group", "long_texts"],
  longTexts: "long_texts",
};
