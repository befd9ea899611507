import type {
  Breadcrumb,
  Frame,
  RequestInterface,
  SentryEvent,
  SentryException,
  Stacktrace,
  Thread,
} from "../domain/event.ts";
import { toIsoOrNull } from "./answers.ts";

const ENTRIES = [
  ["exception", "exception"],
  ["stacktrace", "stacktrace"],
  ["threads", "threads"],
  ["logentry", "message"],
  ["breadcrumbs", "breadcrumbs"],
  ["request", "request"],
  ["template", "template"],
  ["csp", "csp"],
  ["hpkp", "hpkp"],
  ["expectct", "expectct"],
  ["expectstaple", "expectstaple"],
  ["debug_meta", "debugmeta"],
] as const satisfies ReadonlyArray<readonly [keyof SentryEvent, string]>;

/**
 * The interfaces of an event as `entries` of Sentry's API. Some fields have other names there than in the event that an SDK sends. For
 * example, tools read `lineNo` and `context`: with the names of the event they would show a stack without lines.
 */
export function serializeEntries(event: SentryEvent): Array<{ type: string; data: unknown }> {
  const renamed: Partial<Record<keyof SentryEvent, unknown>> = {
    exception: event.exception && { ...event.exception, values: event.exception.values.map(serializeException) },
    stacktrace: event.stacktrace && serializeStacktrace(event.stacktrace),
    threads: event.threads && { ...event.threads, values: event.threads.values.map(serializeThread) },
    breadcrumbs: event.breadcrumbs && {
      ...event.breadcrumbs,
      values: event.breadcrumbs.values.map(serializeBreadcrumb),
    },
    request: event.request && serializeRequest(event.request),
  };
  return ENTRIES.flatMap(([field, type]) => {
    const data = renamed[field] ?? event[field];
    return data === undefined ? [] : [{ type, data }];
  });
}

function serializeException({
  thread_id,
  stacktrace,
  raw_stacktrace,
  raw_type,
  raw_module,
  ...exception
}: SentryException) {
  return {
    ...exception,
    threadId: thread_id ?? null,
    stacktrace: stacktrace ? serializeStacktrace(stacktrace) : null,
    rawStacktrace: raw_stacktrace ? serializeStacktrace(raw_stacktrace) : null,
    rawType: raw_type ?? null,
    rawModule: raw_module ?? null,
  };
}

function serializeThread({ held_locks, stacktrace, raw_stacktrace, ...thread }: Thread) {
  return {
    ...thread,
    heldLocks: held_locks ?? null,
    stacktrace: stacktrace ? serializeStacktrace(stacktrace) : null,
    rawStacktrace: raw_stacktrace ? serializeStacktrace(raw_stacktrace) : null,
  };
}

function serializeStacktrace({ frames, frames_omitted, registers }: Stacktrace) {
  return {
    frames: frames.map(serializeFrame),
    framesOmitted: frames_omitted ?? null,
    registers: registers ?? null,
    hasSystemFrames: frames.some(({ in_app }) => in_app) && frames.some(({ in_app }) => !in_app),
  };
}

function serializeFrame(frame: Frame) {
  return {
    filename: frame.filename ?? null,
    absPath: frame.abs_path ?? null,
    module: frame.module ?? null,
    package: frame.package ?? null,
    platform: frame.platform ?? null,
    function: frame.function ?? null,
    rawFunction: frame.raw_function ?? null,
    lineNo: frame.lineno ?? null,
    colNo: frame.colno ?? null,
    context: listContext(frame),
    inApp: frame.in_app ?? false,
    vars: frame.vars ?? null,
    sourceLink: frame.source_link ?? null,
    instructionAddr: frame.instruction_addr ?? null,
    symbolAddr: frame.symbol_addr ?? null,
    addrMode: frame.addr_mode ?? null,
    symbol: frame.symbol ?? null,
    trust: frame.trust ?? null,
    lock: frame.lock ?? null,
    data: frame.data ?? {},
  };
}

/**
 * The lines of source around the frame, each with its number. Tools need a number for each line. If the frame has no `lineno`, its own line
 * gets 0, which is no place in a file.
 */
function listContext({
  lineno = 0,
  pre_context = [],
  context_line,
  post_context = [],
}: Frame): Array<[number, string]> {
  if (context_line === undefined) return [];
  const first = lineno - pre_context.length;
  return [...pre_context, context_line, ...post_context].map((line, index) => [first + index, line]);
}

/** Converts the time of a breadcrumb: tools read a number here as milliseconds. */
function serializeBreadcrumb({ timestamp, ...crumb }: Breadcrumb) {
  return {
    timestamp: typeof timestamp === "number" ? toIsoOrNull(timestamp * 1000) : (timestamp ?? null),
    ...crumb,
  };
}

function serializeRequest({ query_string, inferred_content_type, api_target, ...request }: RequestInterface) {
  return {
    ...request,
    query: query_string ?? [],
    inferredContentType: inferred_content_type ?? null,
    apiTarget: api_target ?? null,
  };
}
