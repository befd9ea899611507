import type { Level } from "../../domain/level.ts";
import { showLogText } from "../logs/show-log-text.server.ts";
import { levelOf } from "./mark-spans.ts";
import { originOf, type ReadTrace } from "./read-trace.server.ts";
import type { TraceOptions } from "./trace-options.ts";

export interface TraceLogLine {
  key: string;
  /** Microseconds since the trace began. */
  atUs: number;
  level: Level;
  body: string;
  service: string;
  spanId: string | null;
}

/** Log lines of the selected time and services. */
export function toLogLines(
  trace: ReadTrace,
  { window, services }: Pick<TraceOptions, "window" | "services">,
): TraceLogLine[] {
  const startedUs = originOf(trace);
  return trace.logs
    .map(({ occurredUs, severity, body, service, spanId }, index) => ({
      key: String(index),
      atUs: occurredUs - startedUs,
      level: levelOf(severity),
      body: showLogText(body),
      service,
      spanId,
    }))
    .filter(
      ({ atUs, service }) =>
        (window === null || (atUs >= window.fromUs && atUs <= window.toUs)) &&
        (services.length === 0 || services.includes(service)),
    );
}
