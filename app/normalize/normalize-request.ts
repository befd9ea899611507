import type { RequestInterface } from "../domain/event.ts";
import { isRecord } from "../domain/is-record.ts";
import { isNoObject, type JsonObject } from "./json-object.ts";
import { toLenientString } from "./lenient-string.ts";
import type { MetaRecorder } from "./meta.ts";
import {
  normalizePairs,
  type Pair,
  type PairForm,
  parseCookiePairs,
  parseHeaderPairs,
  parseQueryPairs,
  toTitleCase,
  unwrapBytesRepr,
} from "./name-value-pairs.ts";
import { createFieldRules, INTEGER, normalizeFields, OWN, object, text } from "./normalize-fields.ts";
import { parseRequestData } from "./parse-request-data.ts";
import { LIMITS, TREE_LIMITS, trimText, trimTree } from "./trimming.ts";

const REQUEST_RULES = createFieldRules({
  url: text(LIMITS.url * 4),
  method: OWN,
  query_string: OWN,
  data: OWN,
  cookies: OWN,
  headers: OWN,
  env: object(TREE_LIMITS.small),
  fragment: text(LIMITS.otherText),
  inferred_content_type: text(LIMITS.tagValue),
  api_target: text(LIMITS.tagValue),
  protocol: text(LIMITS.tagValue),
  body_size: INTEGER,
});

const QUERY: PairForm = { parseText: (value) => parseQueryPairs(unwrapBytesRepr(value)), joinsLists: false };
const COOKIES: PairForm = { parseText: parseCookiePairs, joinsLists: true };
const HEADERS: PairForm = { parseText: parseHeaderPairs, toName: toTitleCase, joinsLists: true };

/** Null when it is empty. The place of `meta` is the event. */
export function normalizeRequest(value: unknown, meta: MetaRecorder): RequestInterface | null {
  if (isNoObject(value)) return null;
  if (typeof value === "string" && value !== "") return normalizeRequest({ url: value }, meta);
  if (!isRecord(value)) {
    meta.invalid("request", "expected an object", value);
    return null;
  }
  meta.enter("request");
  normalizeFields(value, REQUEST_RULES, meta);
  value.method = normalizeMethod(value.method, meta);
  const headers = normalizePairs(value.headers, HEADERS, meta, "headers");
  const cookies = normalizePairs(value.cookies, COOKIES, meta, "cookies");
  value.cookies = takeCookieHeader(headers, cookies, meta) ?? undefined;
  value.headers = headers === null || headers.length === 0 ? undefined : headers;
  value.query_string = normalizePairs(value.query_string, QUERY, meta, "query_string") ?? undefined;
  splitUrl(value, meta);
  normalizeData(value, headers, meta);
  meta.leave();
  for (const key in value) {
    // Narrowed field by field above.
    if (value[key] !== undefined && value[key] !== null) return value as RequestInterface;
  }
  return null;
}

/** The value of a header in its normal form, by its Title-Case name. */
export function getHeader(request: RequestInterface | undefined, name: string): string | undefined {
  if (request?.headers === undefined) return undefined;
  for (const header of request.headers) if (header[0] === name) return header[1];
  return undefined;
}

function normalizeMethod(value: unknown, meta: MetaRecorder): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") {
    if (/^[A-Z]{3,10}$/.test(value)) return value;
    const method = value.trim().toUpperCase();
    if (/^[A-Z][A-Z_-]{0,31}$/.test(method)) return method;
  }
  meta.invalid("method", "expected an HTTP method", value);
  return undefined;
}

/** Takes the `Cookie` header out of `headers`; it counts where the SDK sent no cookies of its own. */
function takeCookieHeader(headers: Pair[] | null, cookies: Pair[] | null, meta: MetaRecorder): Pair[] | null {
  const index = headers?.findIndex((header) => header[0] === "Cookie") ?? -1;
  if (headers === null || index < 0) return cookies;
  const [header] = headers.splice(index, 1);
  meta.enter("headers");
  if (meta.hasNotes()) {
    meta.relocate((key) => {
      const at = Number(key);
      return at === index ? null : at > index ? [String(at - 1)] : undefined;
    });
  }
  meta.leave();
  if (cookies !== null || header === undefined) return cookies;
  // SDKs send this text in place of filtered cookies.
  if (header[1] === "[Filtered]") return [["Cookie", "[Filtered]"]];
  return normalizePairs(header[1], COOKIES, meta, "cookies");
}

function splitUrl(request: JsonObject, meta: MetaRecorder): void {
  const { url } = request;
  if (typeof url !== "string") return;
  let rest = url;
  const hashAt = rest.indexOf("#");
  if (hashAt >= 0) {
    const fragment = rest.slice(hashAt + 1);
    rest = rest.slice(0, hashAt);
    if (fragment !== "") request.fragment ??= fragment;
  }
  const queryAt = rest.indexOf("?");
  if (queryAt >= 0) {
    const query = rest.slice(queryAt + 1);
    rest = rest.slice(0, queryAt);
    request.query_string ??= normalizePairs(query, QUERY, meta, "query_string") ?? undefined;
  }
  rest = trimText(rest, LIMITS.url, meta, "url");
  if (rest !== url) request.url = rest === "" ? undefined : rest;
}

function normalizeData(request: JsonObject, headers: Pair[] | null, meta: MetaRecorder): void {
  const { data } = request;
  if (data === undefined) return;
  if (data === null || data === "") {
    request.data = undefined;
    return;
  }
  if (typeof data !== "string") {
    request.data =
      typeof data === "object" ? trimTree(data, TREE_LIMITS.requestData, meta, "data") : toLenientString(data);
    return;
  }
  const declared = headers?.find((header) => header[0] === "Content-Type")?.[1];
  const parsed = parseRequestData(unwrapBytesRepr(data), declared ?? request.inferred_content_type);
  if (parsed.contentType !== null) request.inferred_content_type ??= parsed.contentType;
  request.data = trimTree(parsed.data, TREE_LIMITS.requestData, meta, "data");
}
