import { toLogSeverity } from "../../domain/logs/log-severity.ts";
import type { FieldValue } from "../../domain/search/condition.ts";
import type { SearchedRow } from "../../domain/search/matches-condition.ts";
import { listAttributeTexts, readListValues, toAttributeText } from "./attribute-text.ts";
import type { LogRow } from "./logs.ts";

/** A log line as searches see it in memory: the same as `toLogConditions` finds in the database. */
export function toSearchedLog(row: LogRow & { ordinal?: number }): SearchedRow {
  let read: Record<string, unknown> | null = null;
  const attributes = () => {
    read ??= row.attributes === null ? {} : (JSON.parse(row.attributes) as Record<string, unknown>);
    return read;
  };
  const tag = (key: string) => (Object.hasOwn(attributes(), key) ? toAttributeText(attributes()[key]) : null);
  return {
    field: (name) => readField(row, name),
    tag,
    listValues: (key) => readListValues(tag(key)),
    tagValues: () => Object.values(attributes()).flatMap(listAttributeTexts),
  };
}

function readField(row: LogRow & { ordinal?: number }, name: string): FieldValue {
  switch (name) {
    case "severity":
      return toLogSeverity(row.severity);
    case "severityNumber":
      return row.severity;
    case "occurredAt":
      return row.occurredUs / 1000;
    case "ordinal":
      return row.ordinal ?? null;
    case "sdk":
      return row.sdkName;
    case "text":
      return [row.body, row.traceId, row.spanId, row.service, row.logger, row.serverAddress, row.userId, row.attributes]
        .filter((text) => text !== null)
        .join("\n");
    case "projectId":
    case "body":
    case "template":
    case "traceId":
    case "spanId":
    case "service":
    case "logger":
    case "environment":
    case "release":
    case "serverAddress":
    case "userId":
    case "replayId":
    case "origin":
    case "sdkVersion":
      return row[name];
    default:
      throw new RangeError(`logs have no field ${name}`);
  }
}
