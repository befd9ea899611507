import type { LogSeverity } from "./log-severity.ts";

/** A line as a row of a list shows it. */
export interface LogLine {
  /** See stores/events/line-id.ts. */
  id: string;
  /** Microseconds since 1970. */
  occurredUs: number;
  severity: LogSeverity;
  body: string;
  /** Of the columns that were asked for; null: it has none. */
  values: Array<string | null>;
}
