import { describe, expect, test } from "vitest";
import { normalizeTestEvent, TEST_CONTEXT, TEST_RECEIVED_AT } from "./normalize-test-event.ts";

const RECEIVED = TEST_RECEIVED_AT / 1000;

describe("an event that says nothing", () => {
  test("has what every event has", () => {
    expect(normalizeTestEvent({})).toEqual({
      event_id: TEST_CONTEXT.eventId,
      type: "default",
      timestamp: RECEIVED,
      received: RECEIVED,
      platform: "other",
      level: "error",
      tags: [["level", "error"]],
    });
  });

  test.each([[null], ["text"], [5], [true], [[]], [[{ message: "m" }]], [undefined]])("is made even of %j", (raw) => {
    const event = normalizeTestEvent(raw);
    expect(event.event_id).toBe(TEST_CONTEXT.eventId);
    expect(event._meta?.[""]).toMatchObject({ err: [["invalid_data", { reason: "expected an object" }]] });
  });
});

describe("identity", () => {
  test("the id that the sender was told wins", () => {
    expect(normalizeTestEvent({ event_id: "1".repeat(32) }).event_id).toBe(TEST_CONTEXT.eventId);
    expect(normalizeTestEvent({ event_id: "1".repeat(32) })._meta).toBeUndefined();
  });

  test("an invalid id is noted", () => {
    expect(normalizeTestEvent({ event_id: "abc" })._meta).toEqual({
      event_id: { "": { err: [["invalid_data", { reason: "expected 32 characters of hex" }]], val: "abc" } },
    });
  });

  test.each([
    [{ exception: { type: "E" } }, "error"],
    [{ type: "default", exception: { type: "E" } }, "error"],
    [{ csp: { effective_directive: "img-src" } }, "csp"],
    [{ message: "m" }, "default"],
    [{ type: "transaction" }, "transaction"],
    [{ type: "nonsense" }, "default"],
    [{ type: 5 }, "default"],
  ])("the type of %j is %s", (raw, expected) => {
    expect(normalizeTestEvent(raw).type).toBe(expected);
  });

  test.each([
    ["python", "python"],
    ["Python", "python"],
    ["crystal", "crystal"],
    ["klingon", "other"],
    [5, "other"],
  ])("the platform %j is %s", (platform, expected) => {
    expect(normalizeTestEvent({ platform }).platform).toBe(expected);
  });

  test("old names of interfaces are understood", () => {
    const event = normalizeTestEvent({
      "sentry.interfaces.Exception": { values: [{ type: "E" }] },
      "sentry.interfaces.Message": { message: "hi %s", params: ["bob"] },
      "sentry.interfaces.Http": { url: "/" },
      "sentry.interfaces.User": { id: 1 },
      "sentry.interfaces.Breadcrumbs": { values: [{ message: "m" }] },
      "sentry.interfaces.Contexts": { os: { name: "x" } },
      "sentry.interfaces.Template": { filename: "a.html", lineno: "3" },
    });
    expect(event.exception?.values).toEqual([{ type: "E" }]);
    expect(event.logentry?.formatted).toBe("hi bob");
    expect(event.request).toEqual({ url: "/" });
    expect(event.user).toEqual({ id: "1" });
    expect(event.breadcrumbs?.values).toHaveLength(1);
    expect(event.contexts?.os).toEqual({ name: "x" });
    expect(event.template).toEqual({ filename: "a.html", lineno: 3 });
  });

  test("unknown fields are kept", () => {
    const event = normalizeTestEvent({
      my_field: { a: [1] },
      contexts: { mine: { b: 2 } },
      user: { id: "1", data: { c: 3 } },
    });
    expect(event).toMatchObject({ my_field: { a: [1] }, contexts: { mine: { b: 2 } }, user: { data: { c: 3 } } });
  });
});

describe("the sender's clock", () => {
  const sentAt = (offsetSeconds: number) => new Date(TEST_RECEIVED_AT + offsetSeconds * 1000).toISOString();

  test("is left alone when it is off by less than 55 minutes", () => {
    const event = normalizeTestEvent({ timestamp: RECEIVED - 3_299 }, { sentAt: sentAt(-3_299) });
    expect(event.timestamp).toBe(RECEIVED - 3_299);
    expect(event.errors).toBeUndefined();
  });

  test("is corrected from 55 minutes on, to either side", () => {
    for (const drift of [-3_300, 3_300]) {
      const event = normalizeTestEvent({ timestamp: RECEIVED + drift - 5 }, { sentAt: sentAt(drift) });
      expect(event.timestamp).toBe(RECEIVED - 5);
    }
  });

  test("is corrected everywhere when it is off by more, and the event says so", () => {
    const drift = -86_400;
    const event = normalizeTestEvent(
      {
        type: "transaction",
        timestamp: RECEIVED + drift - 10,
        start_timestamp: RECEIVED + drift - 20,
        breadcrumbs: [{ timestamp: RECEIVED + drift - 15 }],
        spans: [
          { start_timestamp: RECEIVED + drift - 19, timestamp: new Date((RECEIVED + drift - 18) * 1000).toISOString() },
        ],
      },
      { sentAt: sentAt(drift) },
    );
    expect(event.timestamp).toBe(RECEIVED - 10);
    expect(event.start_timestamp).toBe(RECEIVED - 20);
    expect(event.breadcrumbs?.values[0]?.timestamp).toBe(RECEIVED - 15);
    expect(event.spans).toEqual([{ start_timestamp: RECEIVED - 19, timestamp: RECEIVED - 18 }]);
    const times = { sdk_time: "2026-01-01T03:04:05.000Z", server_time: "2026-01-02T03:04:05.000Z" };
    expect(event.errors).toEqual([{ type: "clock_drift", name: "timestamp", ...times }]);
    expect(event._meta).toEqual({ timestamp: { "": { err: [["clock_drift", times]] } } });
  });

  test.each([
    ["future_timestamp", 61],
    ["past_timestamp", -30 * 86_400 - 1],
  ])("%s moves the event to its arrival, breadcrumbs with it", (type, offset) => {
    const event = normalizeTestEvent({
      timestamp: RECEIVED + offset,
      breadcrumbs: [{ timestamp: RECEIVED + offset - 4 }],
    });
    expect(event.timestamp).toBe(RECEIVED);
    expect(event.breadcrumbs?.values[0]?.timestamp).toBe(RECEIVED - 4);
    expect(event.errors).toMatchObject([{ type }]);
  });

  test.each([[60], [-30 * 86_400]])("%i s off is still believed", (offset) => {
    expect(normalizeTestEvent({ timestamp: RECEIVED + offset })).toMatchObject({ timestamp: RECEIVED + offset });
  });

  test("a breadcrumb from before 1970 goes, one with an unreadable time loses the time", () => {
    const event = normalizeTestEvent({
      breadcrumbs: [
        { timestamp: -5, message: "a" },
        { timestamp: "0001-01-01T00:00:00Z" },
        { timestamp: "x", message: "b" },
      ],
    });
    expect(event.breadcrumbs?.values).toEqual([{ message: "b", type: "default", level: "info" }]);
  });
});

describe("stack traces find their exception", () => {
  const frames = [{ function: "f" }];
  const stacktrace = { frames: [{ function: "f", in_app: false }] };

  test("the event's own goes to a single exception", () => {
    const event = normalizeTestEvent({ exception: { type: "E" }, stacktrace: { frames } });
    expect(event.exception?.values[0]?.stacktrace).toEqual(stacktrace);
    expect(event.stacktrace).toBeUndefined();
  });

  test("the crashed thread's goes to a single exception", () => {
    const event = normalizeTestEvent({
      exception: { type: "E" },
      threads: [{ id: 1 }, { id: 2, crashed: true, stacktrace: { frames } }],
    });
    expect(event.exception?.values[0]?.stacktrace).toEqual(stacktrace);
    expect(event.threads?.values).toEqual([{ id: 1 }, { id: 2, crashed: true }]);
  });

  test("of several exceptions, the one of that thread gets it", () => {
    const event = normalizeTestEvent({
      exception: [
        { type: "A", thread_id: 1 },
        { type: "B", thread_id: "2" },
      ],
      threads: [{ id: 2, crashed: true, stacktrace: { frames } }],
    });
    expect(event.exception?.values.map((exception) => exception.stacktrace)).toEqual([undefined, stacktrace]);
  });

  test("nothing moves to an exception that has one, or from a thread that did not crash", () => {
    const own = { frames: [{ function: "g" }] };
    const kept = normalizeTestEvent({
      exception: { type: "E", stacktrace: own },
      threads: [{ id: 1, crashed: true, stacktrace: { frames } }],
    });
    expect(kept.threads?.values[0]?.stacktrace).toEqual(stacktrace);
    const other = normalizeTestEvent({ exception: { type: "E" }, threads: [{ id: 1, stacktrace: { frames } }] });
    expect(other.exception?.values[0]?.stacktrace).toBeUndefined();
  });
});

describe("long and large things", () => {
  test("text is cut to its limit, and says so", () => {
    const event = normalizeTestEvent({
      message: "m".repeat(9_000),
      transaction: "t".repeat(201),
      logger: "l".repeat(201),
      server_name: "s".repeat(300),
      exception: { type: "T".repeat(200), value: "v".repeat(8_193) },
      tags: { long: "x".repeat(201) },
    });
    expect(event.logentry?.formatted).toHaveLength(8_192);
    expect(event.transaction).toHaveLength(200);
    expect(event.logger).toHaveLength(200);
    expect(event.server_name).toHaveLength(256);
    expect(event.exception?.values[0]?.type).toHaveLength(128);
    expect(event.exception?.values[0]?.value).toHaveLength(8_192);
    expect(event.tags?.[0]?.[1]).toHaveLength(200);
    expect(event._meta).toMatchObject({
      logentry: { formatted: { "": { len: 9_000, rem: [["!limit", "s", 8_189, 8_192]] } } },
      tags: { 0: { 1: { "": { len: 201, err: [["value_too_long", { max: 200 }]] } } } },
    });
  });

  test("the newest 100 breadcrumbs stay", () => {
    const breadcrumbs = Array.from({ length: 130 }, (_, index) => ({ message: `m${index}` }));
    const { values = [] } = normalizeTestEvent({ breadcrumbs: { values: breadcrumbs } }).breadcrumbs ?? {};
    expect(values).toHaveLength(100);
    expect(values[0]?.message).toBe("m30");
  });

  test("of more than 300 frames the 50 outermost and the 250 innermost stay, and the gap is named", () => {
    const framesOf = (count: number) => Array.from({ length: count }, (_, index) => ({ function: `f${index}` }));
    const { stacktrace } = normalizeTestEvent({ stacktrace: { frames: framesOf(1_000) } });
    const names = stacktrace?.frames.map((frame) => frame.function) ?? [];
    expect(names).toHaveLength(300);
    expect([names[0], names[49], names[50], names[299]]).toEqual(["f0", "f49", "f750", "f999"]);
    expect(stacktrace?.frames_omitted).toEqual([50, 750]);
    const whole = normalizeTestEvent({ stacktrace: { frames: framesOf(300) } }).stacktrace;
    expect([whole?.frames.length, whole?.frames_omitted]).toEqual([300, undefined]);
  });

  test("machine code is placed in its image where the client left that to the server", () => {
    const images = [
      { type: "elf", image_addr: "0x2000", image_size: 4096, code_file: "/data/app/lib/libpay.so" },
      { type: "elf", image_addr: "0x1000", image_size: 4096, code_file: "/apex/bionic/libc.so" },
    ];
    const addresses = ["0x1010", "0x2fff", "0x3000", "0xfff"];
    const { stacktrace } = normalizeTestEvent({
      platform: "native",
      stacktrace: { frames: addresses.map((address) => ({ instruction_addr: address })) },
      debug_meta: { images },
    });
    expect(stacktrace?.frames.map(({ package: image, image_addr, in_app }) => [image, image_addr, in_app])).toEqual([
      ["/apex/bionic/libc.so", "0x1000", false],
      ["/data/app/lib/libpay.so", "0x2000", true],
      [undefined, undefined, false],
      [undefined, undefined, false],
    ]);
  });

  test("of more than 50 frames the middle ones of the system lose their locals first", () => {
    const frames = Array.from({ length: 60 }, (_, index) => ({
      function: `f${index}`,
      in_app: index % 2 === 0,
      vars: { a: "1" },
      pre_context: ["x"],
    }));
    const kept = normalizeTestEvent({ stacktrace: { frames } }).stacktrace?.frames ?? [];
    const stripped = kept.flatMap((frame, index) => (frame.vars === undefined ? [index] : []));
    expect(stripped).toEqual([21, 23, 25, 27, 29, 31, 33, 35, 37, 39]);
    expect(kept.every((frame) => (frame.vars === undefined) === (frame.pre_context === undefined))).toBe(true);
  });
});

describe("what the server adds", () => {
  test("tags come behind the user's, whose word counts", () => {
    const event = normalizeTestEvent({
      tags: { level: "mine", a: "1" },
      server_name: "web1",
      site: "s",
      environment: "prod",
      release: "1.0",
      dist: "7",
      logger: "l",
      transaction: "/x",
      request: { url: "https://a.test/?q=1" },
      user: { email: "a@b.test" },
      exception: [
        { type: "A", mechanism: { type: "x", handled: true } },
        { type: "B", mechanism: { type: "y", handled: false } },
      ],
      contexts: {
        os: { name: "Windows", version: "11" },
        browser: { name: "Firefox", version: "1" },
        runtime: { name: "node", version: "24" },
        device: { model: "M1", family: "Mac" },
        client_os: { name: "iOS" },
      },
    });
    expect(event.tags).toEqual([
      ["level", "mine"],
      ["a", "1"],
      ["server_name", "web1"],
      ["site", "s"],
      ["logger", "l"],
      ["environment", "prod"],
      ["release", "1.0"],
      ["dist", "7"],
      ["transaction", "/x"],
      ["url", "https://a.test/"],
      ["handled", "no"],
      ["mechanism", "y"],
      ["os", "Windows 11"],
      ["os.name", "Windows"],
      ["browser", "Firefox 1"],
      ["browser.name", "Firefox"],
      ["device", "M1"],
      ["device.family", "Mac"],
      ["runtime", "node 24"],
      ["runtime.name", "node"],
      ["client_os", "iOS"],
      ["client_os.name", "iOS"],
      ["user", "email:a@b.test"],
    ]);
  });

  test("a version with a line break at its end, as it stands in a file, makes a tag all the same", () => {
    const event = normalizeTestEvent({ contexts: { os: { name: "Debian", version: "12.11\n" } } });
    expect(event.tags).toContainEqual(["os", "Debian 12.11"]);
    expect(event.contexts?.os?.version).toBe("12.11\n");
  });

  test("a runtime by another name is one by its type", () => {
    const rust = { type: "runtime", name: "rustc", version: "1.95.0" };
    expect(normalizeTestEvent({ contexts: { os: { name: "Linux" }, rust } }).tags).toContainEqual([
      "runtime",
      "rustc 1.95.0",
    ]);
    const own = normalizeTestEvent({ contexts: { rust, runtime: { name: "node" } } });
    expect(own.tags).toContainEqual(["runtime", "node"]);
  });

  test("an environment tag fills a missing environment", () => {
    expect(normalizeTestEvent({ tags: { environment: "prod" } }).environment).toBe("prod");
    expect(normalizeTestEvent({ tags: { environment: "prod" }, environment: "dev" }).environment).toBe("dev");
  });

  test("the SDK and the trace of the envelope fill what the event lacks", () => {
    const trace = { trace_id: "4BC9B27283804A4FA7C00D0E7BB0DD9D", replay_id: "a".repeat(32) };
    const event = normalizeTestEvent({}, { sdk: { name: "sentry.x", version: "1" }, trace });
    expect(event.sdk).toEqual({ name: "sentry.x", version: "1" });
    expect(event.contexts).toEqual({
      trace: { trace_id: "4bc9b27283804a4fa7c00d0e7bb0dd9d" },
      replay: { replay_id: "a".repeat(32) },
    });
    const own = normalizeTestEvent(
      { sdk: { name: "mine" }, contexts: { trace: { op: "x" } } },
      { sdk: { name: "y" }, trace },
    );
    expect(own.sdk).toEqual({ name: "mine" });
    expect(own.contexts?.trace).toEqual({ op: "x" });
  });
});

describe("transactions", () => {
  test("have a level, a name and a source of their own", () => {
    expect(normalizeTestEvent({ type: "transaction" })).toMatchObject({
      level: "info",
      transaction: "<unlabeled transaction>",
      transaction_info: { source: "unknown" },
    });
  });

  test.each([
    ["/users?id=5", undefined, "/users"],
    ["https://a.test/users?id=5", "url", "https://a.test/users"],
    ["/users?id=5", "route", "/users?id=5"],
    ["/api/(?P<pk>\\d+)/", undefined, "/api/(?P<pk>\\d+)/"],
    ["what? no", undefined, "what? no"],
  ])("the name %j from %s is %j", (transaction, source, expected) => {
    const event = normalizeTestEvent({ type: "transaction", transaction, transaction_info: { source } });
    expect(event.transaction).toBe(expected);
  });

  test("measurements have a value and a unit", () => {
    const measurements = { lcp: { value: 12.5, unit: "millisecond" }, fp: 3, bad: { value: "x" }, none: null };
    expect(normalizeTestEvent({ type: "transaction", measurements }).measurements).toEqual({
      lcp: { value: 12.5, unit: "millisecond" },
      fp: { value: 3, unit: "none" },
    });
  });
});

describe("hostile keys", () => {
  test("never reach a prototype, wherever they stand", () => {
    const hostile = () => JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":"1"}');
    const event = normalizeTestEvent({
      ...hostile(),
      tags: hostile(),
      extra: hostile(),
      contexts: hostile(),
      user: hostile(),
      modules: hostile(),
      request: {
        url: "/",
        headers: hostile(),
        cookies: hostile(),
        query_string: hostile(),
        env: hostile(),
        data: hostile(),
      },
      exception: { ...hostile(), type: "E", stacktrace: { frames: [{ ...hostile(), vars: hostile() }] } },
      breadcrumbs: [{ data: hostile() }],
      measurements: hostile(),
      _meta: hostile(),
      sdk: hostile(),
    });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(JSON.stringify(event)).not.toContain('"__proto__":');
    expect(event.extra).toMatchObject({ a: "1" });
    expect(Object.getPrototypeOf(event.extra)).toBe(Object.prototype);
  });

  test("a form body cannot reach one either", () => {
    const event = normalizeTestEvent({ request: { data: "__proto__=1&constructor=2&a=3" } });
    expect(event.request?.data).toEqual({ constructor: "2", a: "3" });
  });
});
