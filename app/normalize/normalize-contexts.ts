import type { RequestInterface } from "../domain/event.ts";
import { isRecord } from "../domain/is-record.ts";
import { normalizeEventId } from "../protocol/event-id.ts";
import { isNoObject, type JsonObject } from "./json-object.ts";
import type { MetaRecorder } from "./meta.ts";
import { getHeader } from "./normalize-request.ts";
import { TREE_LIMITS, toTrimmedObject } from "./trimming.ts";
import { type ClientHints, hasClientHints, parseUserAgent } from "./user-agent.ts";

export type Contexts = Record<string, JsonObject>;

/** Our own limit: more contexts than any SDK sends. */
const MAX_CONTEXTS = 100;

/** Null when there are none. The place of `meta` is the event. */
export function normalizeContexts(value: unknown, meta: MetaRecorder): Contexts | null {
  if (isNoObject(value)) return null;
  if (!isRecord(value)) {
    meta.invalid("contexts", "expected an object", value);
    return null;
  }
  meta.enter("contexts");
  let count = 0;
  for (const alias in value) {
    const before = value[alias];
    if (alias === "__proto__" || count === MAX_CONTEXTS) {
      delete value[alias];
      meta.removed(null);
      continue;
    }
    const context = toTrimmedObject(before, TREE_LIMITS.context, meta, alias);
    if (context === null) delete value[alias];
    else {
      count++;
      if (context !== before) value[alias] = context;
    }
  }
  // Every value is an object now.
  const contexts = value as Contexts;
  if (contexts.trace !== undefined) normalizeTrace(contexts.trace, meta);
  if (contexts.os !== undefined) completeFromDescription(contexts.os);
  if (contexts.runtime !== undefined) completeFromDescription(contexts.runtime);
  meta.leave();
  return count === 0 ? null : contexts;
}

function normalizeTrace(trace: JsonObject, meta: MetaRecorder): void {
  meta.enter("trace");
  normalizeId(trace, "trace_id", toTraceId, meta);
  normalizeId(trace, "span_id", toSpanId, meta);
  normalizeId(trace, "parent_span_id", toSpanId, meta);
  meta.leave();
}

function normalizeId(
  trace: JsonObject,
  key: string,
  toId: (value: unknown) => string | null,
  meta: MetaRecorder,
): void {
  const value = trace[key];
  if (value === undefined) return;
  const id = value === null ? null : toId(value);
  if (id === value) return;
  if (id === null) {
    delete trace[key];
    if (value !== null && value !== "") meta.invalid(key, "expected an id in hex, not all zero", value);
  } else trace[key] = id;
}

/** 32 lower-case hex characters, or null: of an event's and a trace's id the form is the same. */
function toTraceId(value: unknown): string | null {
  return normalizeEventId(value);
}

/** 16 lower-case hex characters, or null. */
function toSpanId(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const id = value.length === 16 ? value : value.replaceAll("-", "").trim();
  if (!/^[0-9a-f]{16}$/i.test(id) || id === "0000000000000000") return null;
  return id.toLowerCase();
}

/** A name is all but the last word that is a version. */
const DESCRIPTION = /^(.{1,80}?)\s+v?(\d[\w.+-]{0,40})/;

/** Fills a missing name and version of an `os` or `runtime` from the sentence that .NET and others send instead. */
function completeFromDescription(context: JsonObject): void {
  const { name, version, raw_description: description } = context;
  if (typeof description !== "string" || (name !== undefined && version !== undefined)) return;
  const match = DESCRIPTION.exec(description.trim());
  if (match === null) {
    if (description.trim() !== "") context.name ??= description.trim();
    return;
  }
  context.name ??= match[1];
  context.version ??= match[2];
}

export interface SenderFacts {
  platform: string;
  /** User agent of the HTTP request that brought the event. */
  userAgent: string | null;
  clientHints: ClientHints | null;
  /** Whether a browser itself sent the event, so that the request's own headers speak of the user's browser. */
  isFromBrowser: boolean;
}

/** Fills `browser`, `device` and the operating system from the user agent, each only where the SDK said nothing. */
export function addUserAgentContexts(
  contexts: Contexts | null,
  request: RequestInterface | null,
  sender: SenderFacts,
): Contexts | null {
  const osAlias = sender.platform === "javascript" ? "os" : "client_os";
  if (contexts?.browser !== undefined && contexts.device !== undefined && contexts[osAlias] !== undefined)
    return contexts;
  let userAgent = getHeader(request ?? undefined, "User-Agent") ?? null;
  let hints = request?.headers === undefined ? null : readHints(request);
  if (userAgent === null && hints === null && sender.isFromBrowser) {
    userAgent = sender.userAgent;
    hints = sender.clientHints !== null && hasClientHints(sender.clientHints) ? sender.clientHints : null;
  }
  if (userAgent === null && hints === null) return contexts;
  const facts = parseUserAgent(userAgent, hints);
  const result = contexts ?? {};
  if (facts.browser !== undefined) result.browser ??= { ...facts.browser };
  if (facts.device !== undefined) result.device ??= { ...facts.device };
  if (facts.os !== undefined) result[osAlias] ??= { ...facts.os };
  for (const _ in result) return result;
  return null;
}

function readHints(request: RequestInterface): ClientHints | null {
  let hints: Record<string, string> | null = null;
  for (const [name, value] of request.headers ?? []) {
    if (!name.startsWith("Sec-Ch-Ua")) continue;
    hints ??= {};
    hints[name.toLowerCase()] = value;
  }
  return hints !== null && hasClientHints(hints) ? hints : null;
}

/** Takes over what the envelope's trace header knows and the event's contexts do not say. */
export function addTraceContexts(contexts: Contexts | null, trace: unknown): Contexts | null {
  if (!isRecord(trace)) return contexts;
  const traceId = contexts?.trace === undefined ? toTraceId(trace.trace_id) : null;
  const replayId = contexts?.replay === undefined ? toTraceId(trace.replay_id) : null;
  if (traceId === null && replayId === null) return contexts;
  const result = contexts ?? {};
  if (traceId !== null) result.trace = { trace_id: traceId };
  if (replayId !== null) result.replay = { replay_id: replayId };
  return result;
}
