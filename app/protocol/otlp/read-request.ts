import { isRecord } from "../../domain/is-record.ts";
import { glanceAtJson, parseJson } from "../parse-json.ts";
import { decodeMessage, MalformedProtobufError } from "./decode-message.ts";
import { type MessageType, OTLP_GLANCES, OTLP_NAMES, OTLP_REQUESTS, type OtlpSignal } from "./messages.ts";
import { boundOrigin, createOriginDecoder } from "./raw-resources.ts";
import { TEXT_FIELDS } from "./refuse-item.ts";
import { isSaid } from "./refuse-value.ts";
import { measureOrigin, RESOURCE_SIZE, type WalkedRequest, walkRequest } from "./walk-request.ts";

type Json = Record<string, unknown>;

/** Messages in protobuf; ours. A request of 10,000 spans has about 300,000. */
const MAX_MESSAGES = 1_000_000;

/**
 * Messages that a glance reads: spans, logs or data points with what holds them. Ours: the main thread reads them in some 50 ms, and a
 * few hundred packed bytes can hold them.
 */
export const MAX_GLANCED_MESSAGES = 100_000;
/** Objects and lists in JSON, which a glance reads whole: some 200 ms of the main thread. 16 MiB of real spans have about 400,000. */
export const MAX_JSON_OBJECTS = 500_000;

/**
 * Resources and scopes of a request together; ours. Exporters send none that is empty, so 10,000 spans or logs, which is the most that is stored,
 * come with at most 10,000 of each. SDKs send one resource and a scope for each library, collectors at most 8,192 of each. An empty scope takes
 * three bytes: 536 bytes of gzip with 160,000 of them took 55 to 80 ms of the main thread and 30 to 45 of the digest.
 */
export const MAX_GROUPS = 20_000;

/** `reason` is a word of the ledger, `detail` a sentence for the sender. */
export interface OtlpRefusal {
  ok: false;
  reason: string;
  detail: string;
}

export type OtlpRequest = ({ ok: true } & WalkedRequest) | OtlpRefusal;

export function isJsonMediaType(contentType: string): boolean {
  return /^application\/json\b/i.test(contentType.trim());
}

/** Whether it is a content type of OTLP over HTTP. */
export function isOtlpMediaType(contentType: string | undefined): boolean {
  return /^\s*application\/(json|x-protobuf|protobuf)\s*(;|$)/i.test(contentType ?? "");
}

/** Reads a request of either encoding. */
export function readOtlpRequest(bytes: Uint8Array, signal: OtlpSignal, contentType: string): OtlpRequest {
  const read = isJsonMediaType(contentType)
    ? readJson(bytes, signal)
    : readProtobuf(bytes, signal, OTLP_REQUESTS[signal], MAX_MESSAGES);
  return read.ok ? { ok: true, ...walkRequest(read.request, signal) } : read;
}

/** The facts about a request that are known without reading the attributes of its spans or logs. */
export type OtlpGlance = Pick<WalkedRequest, "count" | "refused">;

/** Reads and counts. */
export function glanceAtOtlp(
  bytes: Uint8Array,
  signal: OtlpSignal,
  contentType: string,
): { ok: true; glance: OtlpGlance } | OtlpRefusal {
  const read = readGlance(bytes, signal, contentType);
  if (!read.ok) return read;
  return refusingProtobuf(() => ({ ok: true, glance: countGlanced(read.request, signal) }));
}

/** Keeps only these facts of a walk, so that the rest can be freed. */
function pickGlance({ count, refused }: WalkedRequest): OtlpGlance {
  return { count, refused };
}

type ReadRequest = { ok: true; request: Json } | OtlpRefusal;

/** Reads the part of a request that a glance needs. In protobuf, attributes are left out, and resources and scopes stay bytes. */
export function readGlance(bytes: Uint8Array, signal: OtlpSignal, contentType: string): ReadRequest {
  return isJsonMediaType(contentType)
    ? glanceAtJsonRequest(bytes, signal)
    : readProtobuf(bytes, signal, OTLP_GLANCES[signal], MAX_GLANCED_MESSAGES);
}

/**
 * The counts that the digest of the same request will come to. Resources and scopes are decoded only where they may be too large.
 *
 * @throws {MalformedProtobufError}
 */
export function countGlanced(request: Json, signal: OtlpSignal): OtlpGlance {
  const bounded = walkRequest(request, signal, boundOrigin);
  if (!bounded.refused.has(RESOURCE_SIZE)) return pickGlance(bounded);
  const decode = createOriginDecoder();
  return pickGlance(walkRequest(request, signal, (part, type) => measureOrigin(decode(part, type))));
}

function readJson(bytes: Uint8Array, signal: OtlpSignal): ReadRequest {
  const parsed = parseJson(bytes, { textFields: TEXT_FIELDS });
  return parsed.ok ? toRequest(parsed.value, signal) : malformedJson(parsed.reason);
}

function glanceAtJsonRequest(bytes: Uint8Array, signal: OtlpSignal): ReadRequest {
  if (hasTooManyObjects(bytes))
    return {
      ok: false,
      reason: "too_many_objects",
      detail: `more than ${MAX_JSON_OBJECTS} objects and lists in a request`,
    };
  const value = glanceAtJson(bytes);
  return value === undefined ? malformedJson("invalid") : toRequest(value, signal);
}

/** Counts braces and brackets that open; those in texts count, too. */
function hasTooManyObjects(bytes: Uint8Array): boolean {
  let count = 0;
  for (let at = 0; at < bytes.length && count <= MAX_JSON_OBJECTS; at++)
    if (bytes[at] === 0x7b || bytes[at] === 0x5b) count++;
  return count > MAX_JSON_OBJECTS;
}

function malformedJson(reason: string): OtlpRefusal {
  return {
    ok: false,
    reason: `json_${reason.replaceAll(" ", "_").toLowerCase()}`,
    detail: `the body is not valid JSON (${reason})`,
  };
}

function readProtobuf(bytes: Uint8Array, signal: OtlpSignal, type: MessageType, maxMessages: number): ReadRequest {
  const budget = { left: maxMessages, of: maxMessages, what: "messages" };
  return refusingProtobuf(() => toRequest(decodeMessage(bytes, type, budget), signal));
}

/** Answers for the sender where bytes are no such message. */
export function refusingProtobuf<Result>(read: () => Result): Result | OtlpRefusal {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MalformedProtobufError)) throw error;
    return { ok: false, reason: "invalid_protobuf", detail: error.message };
  }
}

function toRequest(value: unknown, signal: OtlpSignal): ReadRequest {
  if (!isRecord(value)) return { ok: false, reason: "not_an_object", detail: "the body is not an object" };
  if (hasTooManyGroups(value, signal)) return TOO_MANY_GROUPS;
  const detail = findWrongShape(value, signal);
  return detail === null ? { ok: true, request: value } : { ok: false, reason: "wrong_shape", detail };
}

const TOO_MANY_GROUPS: OtlpRefusal = {
  ok: false,
  reason: "too_many_groups",
  detail: `more than ${MAX_GROUPS} resources and scopes in a request`,
};

/** Checked first, because all later work is done for each group. */
function hasTooManyGroups(request: Json, signal: OtlpSignal): boolean {
  const [resources, scopes] = OTLP_NAMES[signal];
  const list = request[resources];
  if (!Array.isArray(list)) return false;
  let count = list.length;
  for (const each of list) if (isRecord(each) && Array.isArray(each[scopes])) count += each[scopes].length;
  return count > MAX_GROUPS;
}

/**
 * What is wrong with the lists around spans, logs or metrics, as a sentence. Null: they can be read. Unknown fields are allowed, as OTLP
 * says. But a body with unknown fields and without the one known field belongs to another signal, or has wrong names.
 */
function findWrongShape(request: Json, signal: OtlpSignal): string | null {
  const [resources, scopes, items] = OTLP_NAMES[signal];
  const [other] = Object.keys(request);
  if (other !== undefined && !(resources in request)) return `the body has no ${resources}, but ${other.slice(0, 40)}`;
  for (const list of listsOf(request, resources)) {
    if (!isListOfObjects(list)) return `${resources} is not a list of objects`;
    for (const resource of list.flatMap((each) => listsOf(each, scopes))) {
      if (!isListOfObjects(resource)) return `${scopes} is not a list of objects`;
      for (const found of resource.flatMap((each) => listsOf(each, items)))
        if (!Array.isArray(found)) return `${items} is not a list`;
    }
  }
  return null;
}

/** The lists in the field, if it is set. */
function listsOf(message: Json, field: string): unknown[] {
  return isSaid(message[field]) ? [message[field]] : [];
}

function isListOfObjects(value: unknown): value is Json[] {
  return Array.isArray(value) && value.every(isRecord);
}
