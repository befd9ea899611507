import { measureJson } from "../../domain/measure-json.ts";
import { cleanText, toPlainAttributes, toPlainValue, withJsonTexts } from "../../protocol/otlp/attributes.ts";
import { droppedCounts } from "../../protocol/otlp/dropped-counts.ts";
import { readSeverityNumber } from "../../protocol/otlp/enum-numbers.ts";
import { readOtlpRequest } from "../../protocol/otlp/read-request.ts";
import { toMicroseconds } from "../../protocol/otlp/to-microseconds.ts";
import { scrubJson } from "../../scrub/scrub-json.ts";
import type { ScrubRules } from "../../scrub/scrub-rules.ts";
import type { Digested } from "../digested.ts";
import type { Json } from "../item-summary.ts";
import { isLogTooLarge, MAX_LOG_CHARACTERS, type ReadLog, readLog, toLogRows } from "../log/read-logs.ts";
import { type ArrivedItem, itemQuantity, malformed, type ReadContext } from "../signal.ts";
import { Losses } from "../span/span-rows.ts";
import { digestGroups, type ReadGroup } from "./digest-groups.ts";
import { hasException, type RecordedException, withExceptions } from "./exceptions.ts";
import { NOTHING_TOGETHER, type Origin, toOrigin } from "./resource.ts";

/** Log records of an export request: each is a row, as one of a container is. One with an exception is an event as well. */
export function readOtlpLogs(item: ArrivedItem, context: ReadContext): Digested | Promise<Digested> {
  const request = readOtlpRequest(item.payload, "logs", String(item.header.content_type ?? ""));
  if (!request.ok) return malformed(item, request.reason, itemQuantity(item.signal, item.header, item.payload.length));
  const losses = new Losses(request.refused);
  const arrivedUs = item.entry.receivedAt * 1000;
  const scrubRules = context.scrubRulesOf(item.entry.projectId);
  const exceptions: RecordedException[] = [];
  const read: Array<ReadGroup<ReadLog>> = [];
  for (const group of request.groups) {
    const origin = toOrigin(group);
    const logs: ReadLog[] = [];
    for (const sent of group.items) {
      const attributes = toPlainAttributes(sent.attributes);
      const log = readRecord(sent, attributes, origin, { arrivedUs, scrubRules });
      if (typeof log === "string") losses.add(log);
      else if (isLogTooLarge(log)) losses.add("log_size");
      else {
        logs.push(log);
        if (hasException(attributes)) exceptions.push(toException(sent, attributes, origin, log));
      }
    }
    read.push({ resource: group.resource, origin, items: logs });
  }
  const digested = digestGroups(item, read, {
    endOf: ({ occurredUs }) => occurredUs,
    toRows: (logs, common) => toLogRows(logs, item, common),
    losses,
  });
  return withExceptions(digested, exceptions, item, context);
}

const FATAL = 21;
const ERROR = 17;
const WARNING = 13;

function toException(
  { traceId, spanId }: Json,
  attributes: Json,
  origin: Origin,
  { occurredUs, severity }: ReadLog,
): RecordedException {
  const level = severity >= FATAL ? "fatal" : severity >= WARNING && severity < ERROR ? "warning" : "error";
  return { origin, attributes, traceId, spanId, timestamp: occurredUs / 1e6, level, transaction: null };
}

function readRecord(
  sent: Json,
  own: Json,
  origin: Origin,
  { arrivedUs, scrubRules }: { arrivedUs: number; scrubRules: ScrubRules },
): ReadLog | string {
  const body = toBody(sent, own);
  const severityText = toText(sent.severityText);
  const eventName = toText(sent.eventName);
  // The size is checked before JSON is made: 16 MiB of control characters would become 112 MiB of JSON. A text stays as it is.
  const said = [typeof body === "string" ? "" : body, own, severityText, eventName];
  if (measureJson(said, MAX_LOG_CHARACTERS) > MAX_LOG_CHARACTERS) return "log_size";
  const severityNumber = readSeverityNumber(sent.severityNumber);
  const isNumbered = severityNumber > 0;
  const level = isNumbered ? LEVELS[Math.floor((severityNumber - 1) / 4)] : "info";
  const microseconds = toMicroseconds(sent.timeUnixNano) ?? toMicroseconds(sent.observedTimeUnixNano);
  const log: Json = {
    ...(microseconds === null ? {} : { timestamp: microseconds / 1e6 }),
    ...(sent.traceId ? { trace_id: sent.traceId } : {}),
    ...(sent.spanId ? { span_id: sent.spanId } : {}),
    level: severityText === "" ? level : severityText.toLowerCase(),
    ...(isNumbered ? { severity_number: severityNumber } : {}),
    body,
    attributes: {
      ...origin.attributes,
      ...(origin.scopeName === null ? {} : { "logger.name": origin.scopeName }),
      "sentry.origin": "auto.otlp.logs",
      ...(eventName === "" ? {} : { "event.name": eventName }),
      ...droppedCounts(sent),
      ...withJsonTexts(own),
    },
  };
  return readLog(scrubJson(log, scrubRules).value as Json, NOTHING_TOGETHER, arrivedUs);
}

function toText(value: unknown): string {
  return typeof value === "string" ? cleanText(value) : "";
}

const LEVELS = ["trace", "debug", "info", "warn", "error", "fatal"];

/** The body of a log. A record of an event or an exception may have none: its name takes the place of the body. */
function toBody({ body, eventName }: Json, attributes: Json): unknown {
  const value = toPlainValue(body);
  if (value !== null) return value;
  const type = attributes["exception.type"];
  const message = attributes["exception.message"];
  const exception = [type, message].filter((each) => typeof each === "string" && each !== "").join(": ");
  if (exception !== "") return exception;
  return typeof eventName === "string" ? cleanText(eventName) : "";
}
