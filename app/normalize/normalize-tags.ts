import type { SentryEvent } from "../domain/event.ts";
import { isRecord } from "../domain/is-record.ts";
import { isMaskedUserPart } from "../domain/privacy/masked-user.ts";
import { isNoObject, type JsonObject } from "./json-object.ts";
import { toLenientString } from "./lenient-string.ts";
import type { MetaRecorder } from "./meta.ts";
import { LIMITS, trimString, trimText } from "./trimming.ts";

export type Tags = Array<[key: string, value: string]>;

/** Tags that have fields of their own, or that frames are asked for by: a user's would be mistaken for them. */
const RESERVED = new Set(["release", "dist", "user", "filename", "function", "device.class"]);
const KEY = /^[a-zA-Z0-9_.:-]+$/;
/** Our own limit for the tags of an event. */
const MAX_TAGS = 200;

/** The user's tags, and the `environment` among them, which counts if the event has none. */
export interface UserTags {
  tags: Tags;
  environment: string | undefined;
  /** Tags whose names are the server's own. */
  reserved: Tags;
}

/** The place of `meta` is the event. */
export function normalizeTags(value: unknown, meta: MetaRecorder): UserTags {
  const result: UserTags = { tags: [], environment: undefined, reserved: [] };
  if (isNoObject(value)) return result;
  const collector: Collector = { ...result, seen: new Set(), meta };
  meta.enter("tags");
  if (Array.isArray(value)) collectList(value, collector);
  else if (isRecord(value)) collectObject(value, collector);
  else meta.invalid(null, "expected an object or a list of pairs", value);
  meta.leave();
  return { tags: collector.tags, environment: collector.environment, reserved: collector.reserved };
}

interface Collector extends UserTags {
  seen: Set<string>;
  meta: MetaRecorder;
}

function collectObject(tags: JsonObject, collector: Collector): void {
  const moves = collector.meta.hasNotes() ? new Map<string, string[] | null>() : null;
  for (const key in tags) {
    const index = collector.tags.length;
    const isAdded = add(key, tags[key], collector);
    moves?.set(key, isAdded ? [String(index), "1"] : null);
  }
  if (moves !== null) collector.meta.relocate((key) => moves.get(key));
}

function collectList(tags: unknown[], collector: Collector): void {
  const moves = collector.meta.hasNotes() ? new Map<string, string[] | null>() : null;
  for (let from = 0; from < tags.length; from++) {
    const entry = tags[from];
    const index = collector.tags.length;
    let isAdded = false;
    if (Array.isArray(entry)) isAdded = add(entry[0], entry[1], collector);
    else if (isRecord(entry)) isAdded = add(entry.key, entry.value, collector);
    else if (entry !== null) collector.meta.invalid(null, "expected a pair", entry);
    moves?.set(String(from), isAdded ? [String(index)] : null);
  }
  if (moves !== null) collector.meta.relocate((key) => moves.get(key));
}

function add(rawKey: unknown, rawValue: unknown, collector: Collector): boolean {
  const { tags, seen, meta } = collector;
  if (rawValue === null || rawValue === undefined || rawValue === "") return false;
  const key = toKey(rawKey);
  if (key === null) {
    meta.error(null, "invalid_data", {
      reason: `expected a tag key: up to ${LIMITS.tagKey} of the characters a-z, A-Z, 0-9, "_", ".", ":" and "-"`,
      key: trimString(toLenientString(rawKey) ?? "", 64),
    });
    return false;
  }
  let value = toLenientString(rawValue);
  if (value === null) {
    meta.error(null, "invalid_data", { reason: "expected a tag value: text", key }, rawValue);
    return false;
  }
  value = value.trim();
  if (value === "") return false;
  if (key === "environment") {
    collector.environment ??= value;
    return false;
  }
  if (RESERVED.has(key) || key.startsWith("sentry:")) {
    if (collector.reserved.length < MAX_TAGS) collector.reserved.push([key, value]);
    return false;
  }
  if (seen.has(key)) {
    const isSame = tags.some((tag) => tag[0] === key && tag[1] === value);
    if (!isSame) meta.invalid(null, `the tag ${key} was set before`, value);
    return false;
  }
  if (value.includes("\n")) {
    meta.error(null, "invalid_data", { reason: "a tag value has no line break", key }, value);
    return false;
  }
  if (tags.length === MAX_TAGS) {
    meta.removed(null);
    return false;
  }
  if (value.length > LIMITS.tagValue) {
    meta.enter(tags.length);
    meta.error(1, "value_too_long", { max: LIMITS.tagValue });
    value = trimText(value, LIMITS.tagValue, meta, 1);
    meta.leave();
  }
  seen.add(key);
  tags.push([key, value]);
  return true;
}

function toKey(value: unknown): string | null {
  if (typeof value === "string" && value.length <= LIMITS.tagKey && KEY.test(value)) return value;
  const key = toLenientString(value)?.trim().replaceAll(" ", "-");
  return key !== undefined && key.length <= LIMITS.tagKey && KEY.test(key) ? key : null;
}

/** Notes the user's tags that say something else than the server's of that name. The place of `meta` is the event. */
export function noteReservedTags(reserved: Tags, tags: Tags, meta: MetaRecorder): void {
  for (const [key, value] of reserved) {
    const isSame = tags.some((tag) => tag[0] === key && tag[1] === value);
    if (!isSame) meta.invalid("tags", `the tag ${key} is the server's own`, value);
  }
}

/** Adds the server's tags behind the user's own, which win. */
export function addServerTags(tags: Tags, event: SentryEvent, site: string | undefined): void {
  const { contexts, request, user } = event;
  const userCount = tags.length;
  add("server_name", event.server_name);
  add("site", site);
  add("level", event.level);
  add("logger", event.logger);
  add("environment", event.environment);
  add("release", event.release);
  add("dist", event.dist);
  add("transaction", event.transaction);
  add("url", request?.url);
  const exceptions = event.exception?.values;
  if (exceptions !== undefined) {
    add("handled", toHandled(exceptions));
    add("mechanism", exceptions.findLast((exception) => exception.mechanism !== undefined)?.mechanism?.type);
  }
  if (contexts !== undefined) {
    addNamed("os", contexts.os);
    addNamed("browser", contexts.browser);
    add("device", contexts.device?.model);
    add("device.family", contexts.device?.family);
    // Rust's SDK names the context `rust`: its type tells what kind of context it is (protocol 4.2).
    addNamed("runtime", contexts.runtime ?? Object.values(contexts).find(({ type }) => type === "runtime"));
    addNamed("client_os", contexts.client_os);
  }
  if (user !== undefined) add("user", toUserTag(user));

  function add(key: string, value: unknown): void {
    // SDKs read versions out of files, with the line break at their end.
    const whole = typeof value === "string" ? value.trim() : "";
    if (whole === "" || whole === "Other") return;
    for (let index = 0; index < userCount; index++) if (tags[index]?.[0] === key) return;
    const text = whole.length > LIMITS.tagValue ? trimString(whole, LIMITS.tagValue) : whole;
    if (!text.includes("\n")) tags.push([key, text]);
  }

  function addNamed(key: string, context: JsonObject | undefined): void {
    if (context === undefined) return;
    const { name, version } = context;
    if (typeof name !== "string" || name.trim() === "") return;
    add(key, typeof version === "string" ? `${name.trim()} ${version}` : name);
    add(`${key}.name`, name);
  }
}

type Exceptions = NonNullable<SentryEvent["exception"]>["values"];

function toHandled(exceptions: Exceptions): "yes" | "no" | undefined {
  let answer: "yes" | "no" | undefined;
  for (const { mechanism } of exceptions) {
    if (mechanism?.handled === false) return "no";
    if (mechanism?.handled === true) answer = "yes";
  }
  return answer;
}

/** The tag by which affected users are counted: the first known field of the user. */
export function toUserTag(user: SentryEvent["user"]): string | undefined {
  if (isKnown(user?.id)) return `id:${user.id}`;
  if (isKnown(user?.email)) return `email:${user.email}`;
  if (isKnown(user?.username)) return `username:${user.username}`;
  return isKnown(user?.ip_address) ? `ip:${user.ip_address}` : undefined;
}

function isKnown(part: string | undefined): part is string {
  return part !== undefined && !isMaskedUserPart(part);
}
