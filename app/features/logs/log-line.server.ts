import type { LogLine } from "../../domain/logs/log-line.ts";
import { toLogSeverity } from "../../domain/logs/log-severity.ts";
import { nameService, type ProjectSlugs } from "../../domain/traces/name-service.ts";
import { toAttributeText } from "../../stores/events/attribute-text.ts";
import type { LogRow } from "../../stores/events/logs.ts";
import { showLogText } from "./show-log-text.server.ts";

/** Characters. A longer text is cut in rows. The open line shows all of it. */
const MAX_ROW_TEXT = 500;

export function toLogLine(
  row: LogRow & { id: string },
  columns: readonly string[],
  slugs: ProjectSlugs = new Map(),
): LogLine {
  return {
    id: row.id,
    occurredUs: row.occurredUs,
    severity: toLogSeverity(row.severity),
    body: toRowText(row.body),
    values: columns.map((key) => {
      const value = key === "service" ? nameService(row, slugs) : readLogValue(row, key);
      return value === null ? null : toRowText(value);
    }),
  };
}

function toRowText(text: string): string {
  return showLogText(text).slice(0, MAX_ROW_TEXT);
}

/** The value for a key of the search, or for the name of an attribute. Null: the line has no such value. */
export function readLogValue(row: LogRow, key: string): string | null {
  const own = Object.hasOwn(OWN, key) ? OWN[key] : undefined;
  if (own) return own(row);
  if (row.attributes === null) return null;
  const attributes: Record<string, unknown> = JSON.parse(row.attributes);
  return Object.hasOwn(attributes, key) ? toAttributeText(attributes[key]) : null;
}

/** All values of a line by the keys of the search: first those with a column of their own, then the other attributes. */
export function toLogPairs(row: LogRow): Array<{ key: string; value: string }> {
  const attributes: Record<string, unknown> = row.attributes === null ? {} : JSON.parse(row.attributes);
  const own = Object.entries(OWN).map(([key, read]) => ({ key, value: read(row) }));
  const others = Object.entries(attributes)
    .map(([key, value]) => ({ key, value: toAttributeText(value) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  return [...own, ...others].flatMap(({ key, value }) => (value === null || value === "" ? [] : { key, value }));
}

const OWN: Readonly<Record<string, (row: LogRow) => string | null>> = {
  service: (row) => row.service,
  logger: (row) => row.logger,
  "message.template": (row) => row.template,
  environment: (row) => row.environment,
  release: (row) => row.release,
  trace: (row) => row.traceId,
  span_id: (row) => row.spanId,
  "server.address": (row) => row.serverAddress,
  "user.id": (row) => row.userId,
  replay: (row) => row.replayId,
  origin: (row) => row.origin,
  "sdk.name": (row) => row.sdkName,
  "sdk.version": (row) => row.sdkVersion,
};
