import type { LogSeverity } from "./log-severity.ts";

/** A line as a row of a list shows it. */
export interface LogLine {
  /** See stores/events/line-id.ts. */
  id: string;
  /** Microseconds since 1970. */
  occurredUs: number;
  severity: LogSeverity;
  body: string;
  /** The values of the requested columns. Null: the line has no such value. */
  values: Array<string | null>;
}
