import type { Chance } from "./fuzz-run.ts";

/** A list nested so deep that recursion over it would overflow. */
function nested(depth: number): unknown {
  let value: unknown = "deep";
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Values that SDKs, proxies and attackers put where something else is expected. */
const ODD_VALUES: ReadonlyArray<() => unknown> = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 1.5,
  () => 1e308,
  () => 2 ** 60,
  () => "",
  () => " ",
  () => "\0",
  () => "\ud800",
  () => "undefined",
  () => "null",
  () => "x".repeat(10_000),
  () => "\n".repeat(1000),
  // Whatever a text is cut to, one of these is cut inside a character.
  () => "😀".repeat(5000),
  () => `x${"😀".repeat(5000)}`,
  () => "%ZZ{{default}}{{ type }}",
  () => "2026-13-45T99:99:99Z",
  () => "0x7fff5fbff8a0",
  () => "https://user:pass@example.com:99999/a?b=c#d",
  () => "::ffff:999.1.1.1",
  () => [],
  () => [null],
  () => [[]],
  () => [["a", "b"], ["a"], "a", null, 3],
  () => ({}),
  () => ({ "": "" }),
  () => ({ values: null }),
  () => ({ values: [null, {}, [], "x"] }),
  () => ({ frames: [null, {}, 7] }),
  () => JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":1},"toString":null}'),
  () => nested(50),
  () => nested(2000),
  () => Array.from({ length: 2000 }, (_, at) => at),
  () => Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`k${at}`, at])),
];

/** Names that events have, so that odd values land where they are read. */
const EVENT_KEYS = [
  "event_id", "type", "timestamp", "start_timestamp", "platform", "level", "logger", "logentry", "message", "transaction",
  "transaction_info", "server_name", "release", "dist", "environment", "tags", "extra", "modules", "fingerprint", "exception",
  "stacktrace", "threads", "breadcrumbs", "request", "user", "contexts", "template", "csp", "debug_meta", "sdk", "errors",
  "checksum", "spans", "measurements", "_meta", "values", "frames", "value", "module", "mechanism", "filename", "abs_path",
  "function", "lineno", "colno", "context_line", "pre_context", "vars", "in_app", "instruction_addr", "headers", "cookies",
  "query_string", "url", "data", "env", "method", "ip_address", "id", "email", "username", "trace", "trace_id", "span_id",
  "device", "os", "formatted", "params", "images", "category", "exception_id", "parent_id", "is_exception_group", "handled",
  "__proto__", "constructor",
] as const; // biome-ignore format: a word list

/** Changes a few places of a JSON value, by its structure. The given value is changed in place. */
export function mutateJson(root: Record<string, unknown>, chance: Chance): Record<string, unknown> {
  const changes = 1 + chance.int(5);
  for (let change = 0; change < changes; change++) mutatePlace(root, chance);
  return root;
}

function mutatePlace(root: Record<string, unknown>, chance: Chance): void {
  let place: Record<string, unknown> = root;
  // Walks down until chance says stop, or there is nothing below.
  while (!chance.oneIn(3)) {
    const below = Object.values(place).filter(isObject);
    if (below.length === 0) break;
    place = chance.pick(below);
  }
  const keys = Object.keys(place);
  const key = keys.length === 0 || chance.oneIn(4) ? chance.pick(EVENT_KEYS) : chance.pick(keys);
  // Own keys only: `place.__proto__` would hand out the prototype of everything, to be mutated next.
  const present = Object.hasOwn(place, key) ? place[key] : null;
  switch (chance.int(5)) {
    case 0:
      delete place[key];
      return;
    case 1:
      setOwn(place, chance.pick(EVENT_KEYS), present);
      return;
    case 2:
      setOwn(place, key, [present]);
      return;
    default:
      setOwn(place, key, chance.pick(ODD_VALUES)());
  }
}

/** As JSON.parse does: a key named `__proto__` is a key like any other. */
function setOwn(place: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(place, key, { value, enumerable: true, configurable: true, writable: true });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
