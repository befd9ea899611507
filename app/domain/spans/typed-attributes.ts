import { setField } from "../set-field.ts";

/**
 * Well-known attributes of spans that have their own column, with the names from OpenTelemetry's and Sentry's conventions (read in
 * 2026-11). A value in a column is not in the text of the other attributes.
 */
export interface TypedAttribute {
  column: string;
  key: string;
  type: "text" | "integer" | "boolean";
  /** Names that older SDKs give it. The column gets a copy then, and the attribute stays where it was. */
  olderKeys: readonly string[];
  /** Attributes that say a part of it. The column gets a copy of the first one if nothing says the whole. */
  partKeys: readonly string[];
}

const text = (column: string, key: string, ...olderKeys: string[]): TypedAttribute => ({
  column,
  key,
  type: "text",
  olderKeys,
  partKeys: [],
});

export const TYPED_ATTRIBUTES: readonly TypedAttribute[] = [
  text("http_method", "http.request.method", "http.method", "method"),
  text("http_route", "http.route"),
  // Servers of OpenTelemetry say the path alone.
  { ...text("url", "url.full", "http.url", "url"), partKeys: ["url.path", "http.target"] },
  text("server_address", "server.address", "net.peer.name", "http.host"),
  text("db_system", "db.system.name", "db.system"),
  text("db_operation", "db.operation.name", "db.operation"),
  text("db_collection", "db.collection.name", "db.sql.table", "db.mongodb.collection"),
  text("messaging_system", "messaging.system"),
  text("messaging_destination", "messaging.destination.name", "messaging.destination"),
  text("rpc_service", "rpc.service"),
  text("code_function", "code.function.name", "code.function"),
  text("error_type", "error.type"),
  text("ai_model", "gen_ai.request.model", "ai.model_id"),
  text("user_id", "user.id"),
  text("browser_name", "browser.name"),
  text("os_name", "os.name"),
  text("device_family", "device.family"),
  text("replay_id", "sentry.replay_id", "replay_id"),
  {
    column: "http_status",
    key: "http.response.status_code",
    type: "integer",
    olderKeys: ["http.status_code"],
    partKeys: [],
  },
  { column: "cache_hit", key: "cache.hit", type: "boolean", olderKeys: [], partKeys: [] },
];

/** A longer text stays with the other attributes, and its column is empty: nobody groups by it. */
export const MAX_TYPED_TEXT = 1_000;

export type TypedValue = string | number | boolean | null;
export type Attributes = Record<string, unknown>;

const COLUMN_OF_KEY = new Map(TYPED_ATTRIBUTES.map(({ key }, index) => [key, index]));
/** Attributes that may be copied to a column. */
export const COPIED_KEYS: ReadonlySet<string> = new Set(
  TYPED_ATTRIBUTES.flatMap(({ olderKeys, partKeys }) => [...olderKeys, ...partKeys]),
);

/** The values of the columns in the order of `TYPED_ATTRIBUTES`, and the attributes that are in none. */
export function splitAttributes(attributes: Attributes): { typed: TypedValue[]; others: Attributes } {
  const typed = toEmptyColumns();
  const others: Attributes = {};
  let hasCopied = false;
  for (const key in attributes) {
    const value = attributes[key];
    const column = COLUMN_OF_KEY.get(key);
    const cell = column === undefined ? null : toTyped(value, (TYPED_ATTRIBUTES[column] as TypedAttribute).type);
    if (column !== undefined && cell !== null) typed[column] = cell;
    else setField(others, key, value);
    hasCopied ||= COPIED_KEYS.has(key);
  }
  return { typed: hasCopied ? fillColumns(typed, others) : typed, others };
}

export function toEmptyColumns(): TypedValue[] {
  return new Array<TypedValue>(TYPED_ATTRIBUTES.length).fill(null);
}

/** Fills empty columns with attributes that were sent under older names, or that say a part. */
export function fillColumns(typed: readonly TypedValue[], others: Attributes): TypedValue[] {
  return typed.map((value, index) => fillColumn(value, TYPED_ATTRIBUTES[index] as TypedAttribute, others));
}

/** The attribute stays where it was, and so does the one of the newer name beside it. */
function fillColumn(value: TypedValue, attribute: TypedAttribute, others: Attributes): TypedValue {
  const { key, type, olderKeys, partKeys } = attribute;
  if (value !== null) {
    if (isCopy(value, attribute, others)) others[key] = value;
    return value;
  }
  const source = [...olderKeys, ...partKeys].find((each) => Object.hasOwn(others, each));
  return source === undefined ? null : toCopy(others[source], type);
}

/** Whether the value of a column is among the other attributes, too. */
function isCopy(value: TypedValue, { key, olderKeys, partKeys }: TypedAttribute, others: Attributes): boolean {
  return (
    [key, ...olderKeys].some((each) => Object.hasOwn(others, each)) || partKeys.some((each) => others[each] === value)
  );
}

/** The attributes as they were before they were split. */
export function joinAttributes(typed: readonly TypedValue[], others: Attributes): Attributes {
  const joined = { ...others };
  for (const [index, attribute] of TYPED_ATTRIBUTES.entries()) {
    const value = typed[index] ?? null;
    if (value !== null && !isCopy(value, attribute, others)) joined[attribute.key] = value;
  }
  return joined;
}

/** Null for a value of another type: it would not come back as it was. */
export function toTyped(value: unknown, type: TypedAttribute["type"]): TypedValue {
  if (type === "integer") return Number.isSafeInteger(value) && !Object.is(value, -0) ? (value as number) : null;
  if (type === "boolean") return typeof value === "boolean" ? value : null;
  return typeof value === "string" && value.length <= MAX_TYPED_TEXT ? value : null;
}

/** Older SDKs send numbers as texts. */
function toCopy(value: unknown, type: TypedAttribute["type"]): TypedValue {
  if (type === "integer" && typeof value === "string" && /^\d{1,15}$/.test(value)) return Number(value);
  return toTyped(value, type);
}
