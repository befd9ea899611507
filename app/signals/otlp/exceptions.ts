import { createHash } from "node:crypto";
import { parseStackText, type StackText } from "../../normalize/stack-texts/parse-stack-text.ts";
import type { Digested } from "../digested.ts";
import { ERROR } from "../error/error.ts";
import { readError } from "../error/read-error.ts";
import type { Json } from "../item-summary.ts";
import type { ArrivedItem, ReadContext } from "../signal.ts";
import { Losses } from "../span/span-rows.ts";
import { asSentBy, type Origin } from "./resource.ts";

/** Events that one request may make; ours. */
const MAX_EXCEPTIONS = 1_000;

const encoder = new TextEncoder();

/** An exception that was recorded in a span or a log. */
export interface RecordedException {
  origin: Origin;
  /** The attributes of the span event or of the log record. */
  attributes: Json;
  traceId: unknown;
  spanId: unknown;
  /** Seconds since 1970; null: unknown. */
  timestamp: number | null;
  level: string;
  /** The segment of the span. */
  transaction: string | null;
}

export function hasException(attributes: Json): boolean {
  return text(attributes["exception.type"]) !== null || text(attributes["exception.message"]) !== null;
}

/**
 * Reads the exception as the event of an SDK. Exporters send one as a span event, as a log record, or as both: its id is made of what
 * both say, so the second is a repeat.
 */
function readException(
  recorded: RecordedException,
  item: ArrivedItem,
  context: ReadContext,
): Digested | Promise<Digested> {
  const stack = parseStackText(text(recorded.attributes["exception.stacktrace"]) ?? "", recorded.origin.language);
  const event = toEvent(recorded, stack);
  const sent = asSentBy(item, recorded.origin);
  return readError(
    {
      ...sent,
      entry: { ...sent.entry, eventId: toEventId(recorded, stack) },
      signal: ERROR,
      header: { type: "event" },
      payload: encoder.encode(JSON.stringify(event)),
    },
    context,
  );
}

/**
 * Derives the event id. Of the stack only the throwing frame counts: a stack in a span includes frames of its tracer, a stack in a log
 * does not.
 */
function toEventId({ traceId, spanId, timestamp, attributes }: RecordedException, stack: StackText): string {
  const thrower = stack.exceptions[0]?.frames.at(-1) ?? text(attributes["exception.stacktrace"]);
  const { type, message } = toWords(attributes, stack);
  const says = [type, message?.replace(/^(['"])(.*)\1$/s, "$2") ?? null, thrower];
  // Without a trace, the time tells it from other exceptions of its kind.
  const from = typeof traceId === "string" && traceId !== "" ? [traceId, spanId] : [timestamp];
  return createHash("md5")
    .update(JSON.stringify([...from, ...says]).toLowerCase())
    .digest("hex");
}

/**
 * Type and value from the attributes. In Python, those of a log have the bare name of the class and the first argument of the exception.
 * Those of a span have the words of the traceback: `sqlite3.OperationalError`, and the message of a `KeyError` in quotes.
 */
function toWords(
  attributes: Json,
  { platform, exceptions }: StackText,
): { type: string | null; message: string | null } {
  const type = text(attributes["exception.type"]);
  const message = text(attributes["exception.message"]);
  const own = exceptions[0];
  if (platform !== "python" || own === undefined || own.type === null) return { type, message };
  if (type !== null && own.type !== type && !own.type.endsWith(`.${type}`)) return { type, message };
  return { type: own.type, message: message?.startsWith(own.value ?? "") ? message : own.value };
}

function toEvent(
  { origin, attributes, traceId, spanId, timestamp, level, transaction }: RecordedException,
  parsed: StackText,
): Json {
  const stack = text(attributes["exception.stacktrace"]);
  const [own, ...causes] = parsed.exceptions;
  const { type, message } = toWords(attributes, parsed);
  const { "exception.escaped": escaped } = attributes;
  const relations = toRelations(parsed.exceptions);
  const values = [
    {
      type: type ?? own?.type ?? "Error",
      value: message ?? own?.value ?? "",
      mechanism: {
        type: "opentelemetry",
        ...relations[0],
        ...(typeof escaped === "boolean" ? { handled: !escaped } : {}),
      },
      ...(own === undefined || own.frames.length === 0 ? {} : { stacktrace: { frames: own.frames } }),
    },
    ...causes.map(({ type, value, frames }, at) => ({
      type: type ?? "Error",
      value: value ?? "",
      ...(relations.length === 0 ? {} : { mechanism: { type: "chained", ...relations[at + 1] } }),
      ...(frames.length === 0 ? {} : { stacktrace: { frames } }),
    })),
  ];
  const serverName = text(origin.resource["host.name"]);
  return {
    platform: parsed.platform,
    level,
    ...(timestamp === null ? {} : { timestamp }),
    ...(origin.release === null ? {} : { release: origin.release }),
    ...(origin.environment === null ? {} : { environment: origin.environment }),
    ...(transaction === null ? {} : { transaction }),
    ...(origin.scopeName === null ? {} : { logger: origin.scopeName }),
    ...(serverName === null ? {} : { server_name: serverName }),
    ...(origin.service === null ? {} : { tags: { service: origin.service } }),
    // The oldest cause first, as SDKs send them.
    exception: { values: values.reverse() },
    ...(typeof traceId === "string" && traceId !== ""
      ? { contexts: { trace: { trace_id: traceId, span_id: spanId } } }
      : {}),
    // A stack trace that could not be parsed is kept as a text for people.
    ...(stack !== null && own === undefined ? { extra: { "exception.stacktrace": stack } } : {}),
  };
}

/**
 * The fields of `mechanism` that tie the exceptions to each other, one object for each exception. Empty where no exception is a member
 * of a group: without these fields, each exception is read as the cause of the one before it.
 */
function toRelations(exceptions: StackText["exceptions"]): Json[] {
  if (!exceptions.some(({ role }) => role === "member")) return [];
  const relations: Json[] = [];
  let led = 0;
  let members = 0;
  for (const [id, { role }] of exceptions.entries()) {
    const isMember = role === "member";
    const parent = id === 0 ? {} : { parent_id: led, source: isMember ? `exceptions[${members}]` : "__cause__" };
    relations.push({ exception_id: id, ...parent, ...(role === "group" && { is_exception_group: true }) });
    members = isMember ? members + 1 : 0;
    if (!isMember) led = id;
  }
  return relations;
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** Adds what the exceptions of a request become to the rest of it: at most `MAX_EXCEPTIONS`, and a count of the others. */
export function withExceptions(
  digested: Digested,
  exceptions: readonly RecordedException[],
  item: ArrivedItem,
  context: ReadContext,
): Digested | Promise<Digested> {
  const beyond = new Losses();
  beyond.add("exception_count", exceptions.length - MAX_EXCEPTIONS);
  const events = exceptions.slice(0, MAX_EXCEPTIONS).map((each) => readException(each, item, context));
  const join = (all: readonly Digested[]): Digested => ({
    items: [...digested.items, ...all.flatMap(({ items }) => items)],
    outcomes: [...digested.outcomes, ...beyond.outcomes(item, "error"), ...all.flatMap(({ outcomes }) => outcomes)],
    setAside: [...digested.setAside, ...all.flatMap(({ setAside }) => setAside)],
  });
  return events.some((each) => each instanceof Promise)
    ? Promise.all(events).then(join)
    : join(events as readonly Digested[]);
}
