import type { Level } from "../../domain/level.ts";
import type { ClockSkew } from "../../domain/traces/clock-skew.ts";
import { kindOf } from "../../domain/traces/trace-spans.ts";
import type { TraceTree } from "../../domain/traces/trace-tree.ts";
import type { EventRow } from "../../stores/events/error-events.ts";
import type { LogRow } from "../../stores/events/logs.ts";

/** An error or a log line of a span, with its time in microseconds since 1970. */
export interface SpanMark {
  atUs: number;
  level: Level;
  isError: boolean;
}

/** Marks of one span. The span's details show all. */
const MAX_MARKS = 20;
const BY_WEIGHT: readonly Level[] = ["fatal", "error", "warning", "info", "debug"];

/** Marks by the id of their span. Their times are corrected like the clock of the span's service. */
export function markSpans({
  tree,
  errors,
  logs,
  skews,
}: {
  tree: TraceTree;
  errors: ReadonlyArray<Pick<EventRow, "spanId" | "occurredAt" | "level">>;
  logs: ReadonlyArray<Pick<LogRow, "spanId" | "occurredUs" | "severity">>;
  skews: readonly ClockSkew[];
}): Map<string, SpanMark[]> {
  const marks = new Map<string, SpanMark[]>();
  const add = (spanId: string | null, mark: SpanMark) => {
    if (spanId !== null) marks.set(spanId, [...(marks.get(spanId) ?? []), mark]);
  };
  for (const { spanId, occurredAt, level } of errors) add(spanId, { atUs: occurredAt * 1_000, level, isError: true });
  for (const { spanId, occurredUs, severity } of logs)
    add(spanId, { atUs: occurredUs, level: levelOf(severity), isError: false });
  const ahead = new Map(skews.map(({ service, aheadUs }) => [service, aheadUs]));
  for (const [spanId, found] of marks) {
    const index = ahead.size === 0 ? -1 : tree.spans.ids.indexOf(BigInt(`0x${spanId}`));
    const aheadUs = index < 0 ? 0 : (ahead.get(kindOf(tree.spans, index).service) ?? 0);
    const worst = found
      .sort((a, b) => Number(b.isError) - Number(a.isError) || BY_WEIGHT.indexOf(a.level) - BY_WEIGHT.indexOf(b.level))
      .slice(0, MAX_MARKS);
    marks.set(
      spanId,
      worst.map((mark) => ({ ...mark, atUs: mark.atUs - aheadUs })),
    );
  }
  return marks;
}

/** The level for an OpenTelemetry severity from 1 to 24. */
export function levelOf(severity: number): Level {
  if (severity >= 21) return "fatal";
  if (severity >= 17) return "error";
  if (severity >= 13) return "warning";
  return severity >= 9 ? "info" : "debug";
}
