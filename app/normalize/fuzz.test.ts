import { describe, expect, test } from "vitest";
import { parseJson } from "../protocol/parse-json.ts";
import { scrubEvent } from "../scrub/scrub-event.ts";
import { scrubJson } from "../scrub/scrub-json.ts";
import { normalizeTestEvent } from "./normalize-test-event.ts";

/** Mulberry32: the same numbers for the same seed, on every machine. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const KEYS = (
  "event_id type timestamp start_timestamp received platform level logger logentry message transaction culprit tags extra " +
  "transaction_info server_name site release dist environment modules fingerprint checksum exception threads stacktrace " +
  "breadcrumbs request user contexts template csp hpkp debug_meta sdk errors spans measurements breakdowns _meta values " +
  "frames vars mechanism data meta value module thread_id handled exception_id images url method query_string cookies " +
  "headers env fragment ip_address id email geo trace trace_id span_id os browser device runtime raw_description name version " +
  "packages integrations settings infer_ip crashed current held_locks lineno colno pre_context post_context context_line " +
  "in_app instruction_addr abs_path filename function params formatted category sentry.interfaces.Exception " +
  "sentry.interfaces.Http password token session __proto__ constructor toString hasOwnProperty length"
)
  .split(" ")
  .concat("", " ", "\u0000", "a/b", "x".repeat(300));

const LEAVES: unknown[] = [
  ...[null, true, false, 0, -1, 1, 40, 1.5, 1e300, -1e300, 1_767_323_045, 1_767_323_045_000, 4_111_111_111_111_111],
  ...[
    "",
    " ",
    "x",
    "error",
    "javascript",
    "transaction",
    "{{auto}}",
    "never",
    "1.2.3.4",
    "0".repeat(32),
    "a".repeat(32),
  ],
  ...[
    "2026-01-02T03:04:00Z",
    "0001-01-01",
    "-5",
    "NaN",
    "%s {} {0} %(a)s %%",
    "b'a=1'",
    "?a=1&b",
    "a=1; b=2",
    '{"a":1}',
  ],
  ...[
    "https://u:p@a.test/x?token=abc#f",
    "Bearer abc.def.123456",
    "4111 1111 1111 1111",
    "-----BEGIN PRIVATE KEY-----",
  ],
  ...[
    "\u0000\ud800",
    "😀".repeat(200),
    "x".repeat(20_000),
    "a\nb\nc",
    "[Filtered]",
    'password="',
    "webpack:///./src/a.js",
  ],
];

function createTree(random: () => number, depth: number): unknown {
  const kind = random();
  if (depth === 0 || kind < 0.35) return LEAVES[Math.floor(random() * LEAVES.length)];
  const count = Math.floor(random() * 6);
  if (kind < 0.55) return Array.from({ length: count }, () => createTree(random, depth - 1));
  return createObject(random, depth, count);
}

function createObject(random: () => number, depth: number, count: number): Record<string, unknown> {
  const entries = Array.from({ length: count }, () => [
    KEYS[Math.floor(random() * KEYS.length)],
    createTree(random, depth - 1),
  ]);
  // Defines `__proto__` as an own property, as JSON.parse does.
  return Object.fromEntries(entries);
}

/** An event that is right in places, so that what lies deeper is reached. */
function createEvent(random: () => number): unknown {
  const tree = () => createTree(random, 4);
  const list = (make: () => unknown) => Array.from({ length: Math.floor(random() * 4) }, make);
  const maybe = (value: unknown) => (random() < 0.8 ? value : tree());
  const frame = () => maybe(createObject(random, 4, 8));
  const exception = () =>
    maybe({ type: tree(), value: tree(), mechanism: tree(), stacktrace: maybe({ frames: list(frame) }) });
  return {
    ...createObject(random, 4, 12),
    exception: maybe({ values: list(exception) }),
    threads: maybe({ values: list(exception) }),
    breadcrumbs: maybe({ values: list(() => createObject(random, 4, 6)) }),
    request: maybe(createObject(random, 4, 10)),
    contexts: maybe({ trace: tree(), os: tree(), [KEYS[Math.floor(random() * KEYS.length)] ?? ""]: tree() }),
    _meta: maybe(createObject(random, 6, 5)),
    sdk: tree(),
    tags: tree(),
  };
}

describe("whatever it is given", () => {
  test.each([1, 2, 3, 4])("seed %i: an event comes out, that can be stored and normalised again", (seed) => {
    const random = createRandom(seed);
    for (let round = 0; round < 150; round++) {
      const text = JSON.stringify(round % 3 === 0 ? createTree(random, 6) : createEvent(random));
      const parsed = parseJson(Buffer.from(text));
      const event = normalizeTestEvent(parsed.ok ? parsed.value : null, {
        sdk: createTree(random, 3),
        trace: createTree(random, 3),
        sentAt: createTree(random, 1),
      });
      expect(Number.isFinite(event.timestamp)).toBe(true);
      const stored = JSON.stringify(scrubEvent(event));
      expect(stored.length).toBeLessThan(text.length * 2 + 60_000);
      expect(stored.includes('"__proto__":')).toBe(false);
      const again = normalizeTestEvent(JSON.parse(stored));
      expect(again.exception?.values.length).toBe(event.exception?.values.length);
      expect(again.tags?.length).toBe(event.tags?.length);
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test.each([5, 6])("seed %i: bytes are parsed or refused", (seed) => {
    const random = createRandom(seed);
    for (let round = 0; round < 150; round++) {
      const bytes = Buffer.from(JSON.stringify(createEvent(random)));
      const changes = Math.floor(random() * 4);
      for (let change = 0; change < changes; change++) {
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      }
      const parsed = parseJson(bytes.subarray(0, random() < 0.2 ? Math.floor(random() * bytes.length) : bytes.length));
      if (!parsed.ok) expect(["empty", "nested too deeply", "not JSON"]).toContain(parsed.reason);
      else {
        expect(normalizeTestEvent(structuredClone(parsed.value)).event_id).toHaveLength(32);
        expect(typeof scrubJson(parsed.value).changed).toBe("boolean");
      }
    }
  });

  test("nesting that JSON.parse survives but a careless walker would not", () => {
    const createDeep = () => {
      let deep: unknown = "bottom";
      for (let level = 0; level < 20_000; level++) deep = level % 2 === 0 ? { a: deep } : [deep];
      return deep;
    };
    const fields = "extra contexts user request message logentry tags modules sdk my_field _meta errors csp".split(" ");
    const raw = Object.fromEntries(fields.map((field) => [field, { deep: createDeep(), data: createDeep() }]));
    const stored = JSON.stringify(scrubEvent(normalizeTestEvent(raw)));
    expect(stored.length).toBeLessThan(300_000);
    const { value, changed } = scrubJson({ deep: createDeep() });
    expect(changed).toBe(true);
    expect(JSON.stringify(value).includes("nested too deeply")).toBe(true);
  });

  test.each([
    ["at signs", "@".repeat(8_000)],
    ["URLs without end", "://a:".repeat(1_600)],
    ["names without values", "session=".repeat(1_000)],
    ["starts of tokens", "-eyJ".repeat(2_000)],
    ["digits with gaps", "1 ".repeat(4_000)],
    ["starts of keys", "-----BEGIN ".repeat(700)],
    ["quotes", "session=\"password='".repeat(400)],
    ["braces", "{".repeat(8_000)],
    ["percent signs", "%(".repeat(4_000)],
    ["schemes", "bearer ".repeat(1_100)],
    ["semicolons and ampersands", ";&=?".repeat(2_000)],
    ["spaces", " ".repeat(8_000)],
  ])("an event full of %s is done in time", (_name, text) => {
    const extra = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, text]));
    const raw = {
      extra,
      message: text,
      request: { url: text, query_string: text, cookies: text, data: text, headers: text },
    };
    expect(scrubEvent(normalizeTestEvent({ ...raw, user: { ip_address: text }, timestamp: text })).extra).toBeDefined();
  });
});
