/** Severities of log lines, least to most severe. */
export const LOG_SEVERITIES = ["trace", "debug", "info", "warning", "error", "fatal"] as const;
export type LogSeverity = (typeof LOG_SEVERITIES)[number];

/** OpenTelemetry gives each severity four numbers, from 1 to 24. */
const NUMBERS_EACH = 4;

/** The severity of a number from 1 to 24. Numbers outside count as the nearest one. */
export function toLogSeverity(number: number): LogSeverity {
  const index = Math.floor((number - 1) / NUMBERS_EACH);
  return LOG_SEVERITIES[Math.min(Math.max(index, 0), LOG_SEVERITIES.length - 1)] as LogSeverity;
}
