import { toSentAttributes } from "../../domain/spans/sent-attributes.ts";
import type { LogRow } from "./logs.ts";
import { addOwnAttributes, INHERITED, SHARED_ATTRIBUTES, withoutUndefined } from "./sent-span.ts";

/** Attributes of logs that have a column of their own. */
export const LOG_ATTRIBUTES = {
  ...SHARED_ATTRIBUTES,
  template: "sentry.message.template",
  tieBreaker: "sentry.timestamp.sequence",
  logger: "logger.name",
  serverAddress: "server.address",
  userId: "user.id",
  replayId: "sentry.replay_id",
} as const;

/** Names the span of a log; the column is a copy of it. */
export const PARENT_SPAN_ID = "sentry.trace.parent_span_id";

/** The log as it was sent. Ids are in lower case, the time is seconds, to the microsecond; it always has a number of severity. */
export function toSentLog(row: LogRow): Record<string, unknown> {
  const attributes: Record<string, unknown> = row.attributes === null ? {} : JSON.parse(row.attributes);
  const { [INHERITED]: inherited, ...rest }: Record<string, unknown> = row.rest === null ? {} : JSON.parse(row.rest);
  const isCopy = row.spanId !== null && String(attributes[PARENT_SPAN_ID]).trim().toLowerCase() === row.spanId;
  addOwnAttributes(attributes, row, LOG_ATTRIBUTES, inherited);
  return withoutUndefined({
    timestamp: (row.occurredUs - (row.shiftUs ?? 0)) / 1e6,
    trace_id: row.traceId ?? undefined,
    span_id: isCopy ? undefined : (row.spanId ?? undefined),
    level: row.level ?? undefined,
    severity_number: row.severity,
    body: row.body,
    attributes: row.attributes === null ? undefined : toSentAttributes(attributes),
    ...rest,
  });
}
