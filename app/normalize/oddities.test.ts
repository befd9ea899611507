import { describe, expect, test } from "vitest";
import { normalizeTestEvent, TEST_RECEIVED_AT } from "./normalize-test-event.ts";

const RECEIVED = TEST_RECEIVED_AT / 1000;

/** What the event says about a node, under `_meta`. */
function noteAt(event: ReturnType<typeof normalizeTestEvent>, ...path: string[]): unknown {
  let node: unknown = event._meta;
  for (const key of [...path, ""]) node = (node as Record<string, unknown> | undefined)?.[key];
  return node;
}

describe("what SDKs really send in a user", () => {
  test.each([
    ["an integer id", { id: 42 }, { id: "42" }],
    ["a boolean id", { id: true }, { id: "True" }],
    ["a string for the user", "bob", { id: "bob" }],
    ["a number for the user", 7, { id: "7" }],
    ["an address with a port", { id: "1", ip_address: "198.51.100.2:4711" }, { id: "1", ip_address: "198.51.100.2" }],
    ["a bracketed address", { id: "1", ip_address: "[2001:db8::1]:443" }, { id: "1", ip_address: "2001:db8::1" }],
    ["a mapped address", { id: "1", ip_address: "::ffff:198.51.100.2" }, { id: "1", ip_address: "198.51.100.2" }],
    ["a list of addresses", { id: "1", ip_address: ["x", "198.51.100.2"] }, { id: "1", ip_address: "198.51.100.2" }],
    ["a list in text", { id: "1", ip_address: "unknown, 198.51.100.2" }, { id: "1", ip_address: "198.51.100.2" }],
    ["an empty address", { id: "1", ip_address: "" }, { id: "1" }],
    ["unknown keys", { id: 1, plan: "pro", segment: "x" }, { id: "1", data: { plan: "pro", segment: "x" } }],
    ["PHP's empty object", [], undefined],
    ["nothing but null", { id: null, email: null }, undefined],
    ["an empty object", {}, undefined],
  ])("%s", (_name, user, expected) => {
    expect(normalizeTestEvent({ user }).user).toEqual(expected);
  });

  test("an invalid address is dropped, with a note", () => {
    const event = normalizeTestEvent({ user: { id: "1", ip_address: "foo" } });
    expect(event.user).toEqual({ id: "1" });
    expect(noteAt(event, "user", "ip_address")).toEqual({
      err: [["invalid_data", { reason: "expected an ip address" }]],
      val: "foo",
    });
  });
});

describe("what SDKs really send in a request", () => {
  test.each([
    ["pairs", [["host", "a"]], [["Host", "a"]]],
    ["an object", { "x-forwarded-for": "a" }, [["X-Forwarded-For", "a"]]],
    ["values in lists", { accept: ["a", "b"] }, [["Accept", "a,b"]]],
    ["numbers", { "content-length": 12 }, [["Content-Length", "12"]]],
    ["null values", { a: null, b: "1" }, [["B", "1"]]],
    ["PHP's empty object", [], undefined],
    ["objects in a list", [{ name: "a", value: "1" }], [["A", "1"]]],
  ])("headers: %s", (_name, headers, expected) => {
    expect(normalizeTestEvent({ request: { url: "/", headers } }).request?.headers).toEqual(expected);
  });

  test.each([
    [
      "text",
      "a=1&b=%20x+y",
      [
        ["a", "1"],
        ["b", " x y"],
      ],
    ],
    ["text with a question mark", "?a=1", [["a", "1"]]],
    ["pairs", [["a", "1"]], [["a", "1"]]],
    [
      "an object with lists",
      { a: ["1", "2"], b: 3 },
      [
        ["a", "1"],
        ["a", "2"],
        ["b", "3"],
      ],
    ],
    ["Python's bytes", "b'a=1'", [["a", "1"]]],
    ["broken percent-encoding", "a=%zz", [["a", "%zz"]]],
    ["nothing", "", undefined],
  ])("query string: %s", (_name, query_string, expected) => {
    expect(normalizeTestEvent({ request: { url: "/", query_string } }).request?.query_string).toEqual(expected);
  });

  test("the query and fragment move out of the URL", () => {
    expect(normalizeTestEvent({ request: { url: "https://a.test/p?x=1#top" } }).request).toEqual({
      url: "https://a.test/p",
      query_string: [["x", "1"]],
      fragment: "top",
    });
  });

  test("a query string of its own wins over the one in the URL", () => {
    const { request } = normalizeTestEvent({ request: { url: "https://a.test/p?x=1", query_string: "y=2" } });
    expect(request).toEqual({ url: "https://a.test/p", query_string: [["y", "2"]] });
  });

  test("the cookie header becomes cookies", () => {
    const { request } = normalizeTestEvent({ request: { headers: { Cookie: "a=1; b=2", Host: "x" } } });
    expect(request).toEqual({
      headers: [["Host", "x"]],
      cookies: [
        ["a", "1"],
        ["b", "2"],
      ],
    });
  });

  test.each([
    [
      "JSON by content type",
      { data: '{"a":1}', headers: { "content-type": "application/json; charset=utf-8" } },
      { a: 1 },
    ],
    ["JSON by its look", { data: '[{"a":1}]' }, [{ a: 1 }]],
    [
      "a form by content type",
      { data: "a=1&a=2&b=x+y", headers: { "Content-Type": "application/x-www-form-urlencoded" } },
      { a: ["1", "2"], b: "x y" },
    ],
    ["a form by its look", { data: "name=bob&age=7" }, { name: "bob", age: "7" }],
    ["Python's bytes", { data: "b'hello there'" }, "hello there"],
    ["base64", { data: "dGVzdA==" }, "dGVzdA=="],
    ["broken JSON", { data: '{"a":', headers: { "content-type": "application/json" } }, '{"a":'],
    ["an object", { data: { a: [1] } }, { a: [1] }],
    ["a number", { data: 5 }, "5"],
  ])("data: %s", (_name, request, expected) => {
    expect(normalizeTestEvent({ request }).request?.data).toEqual(expected);
  });

  test("huge data is cut, and says so", () => {
    const event = normalizeTestEvent({ request: { data: "x".repeat(100_000) } });
    expect(event.request?.data).toHaveLength(16_384);
    expect(noteAt(event, "request", "data")).toEqual({ rem: [["!limit", "s", 16_381, 16_384]], len: 100_000 });
  });
});

describe("null and strange things in lists", () => {
  test("null is dropped from frames, values, breadcrumbs, spans, tags and threads", () => {
    const event = normalizeTestEvent({
      exception: { values: [null, { type: "E", stacktrace: { frames: [null, { function: "f" }] } }] },
      breadcrumbs: [null, { message: "m" }],
      threads: { values: [null, { id: 1 }] },
      spans: [null, { span_id: "a" }],
      tags: [null, ["a", "1"]],
    });
    expect(event.exception?.values).toHaveLength(1);
    expect(event.exception?.values[0]?.stacktrace?.frames).toEqual([{ function: "f", in_app: false }]);
    expect(event.breadcrumbs?.values).toEqual([{ message: "m", type: "default", level: "info" }]);
    expect(event.threads?.values).toEqual([{ id: 1 }]);
    expect(event.spans).toEqual([{ span_id: "a" }]);
    expect(event.tags?.[0]).toEqual(["a", "1"]);
  });

  test.each([
    ["a single object", { type: "E", value: "v" }, [{ type: "E", value: "v" }]],
    ["a bare list", [{ type: "E" }], [{ type: "E" }]],
    ["values of null", { values: null }, undefined],
    ["PHP's empty object", [], undefined],
    ["PHP's list with a gap", { values: { 1: { type: "E" }, 3: { type: "F" } } }, [{ type: "E" }, { type: "F" }]],
    ["text", "boom", [{ value: "boom" }]],
    ["an object for the value", [{ type: "E", value: { code: 1 } }], [{ type: "E", value: '{"code":1}' }]],
    ["a number for the value", [{ type: "E", value: 404 }], [{ type: "E", value: "404" }]],
    ["no type", [{ value: "v" }], [{ value: "v" }]],
    ["neither type nor value", [{ module: "m" }], undefined],
    ["an empty stack trace", [{ type: "E", stacktrace: {} }], [{ type: "E" }]],
    ["no frames", [{ type: "E", stacktrace: { frames: [] } }], [{ type: "E" }]],
    ["a mechanism of text", [{ type: "E", mechanism: "chained" }], [{ type: "E", mechanism: { type: "chained" } }]],
    [
      "a mechanism without type",
      [{ type: "E", mechanism: { handled: null } }],
      [{ type: "E", mechanism: { type: "generic", handled: null } }],
    ],
  ])("exception: %s", (_name, exception, expected) => {
    expect(normalizeTestEvent({ exception }).exception?.values).toEqual(expected);
  });

  test.each([
    ["text", { lineno: "12", colno: "3" }, { lineno: 12, colno: 3 }],
    ["zero", { lineno: 0, colno: 0 }, {}],
    ["less than nothing", { lineno: -1 }, {}],
    ["no number", { lineno: "x" }, {}],
    ["a decimal address", { instruction_addr: 4096 }, { instruction_addr: "0x1000" }],
    [
      "a decimal address in text",
      { instruction_addr: "18446744073709551615" },
      { instruction_addr: "0xffffffffffffffff" },
    ],
    ["a hex address", { instruction_addr: "0xBEEF" }, { instruction_addr: "0xBEEF" }],
    ["a list of locals", { vars: ["a", "b"] }, { vars: { 0: "a", 1: "b" } }],
    ["lines in one text", { pre_context: "a\nb" }, { pre_context: ["a", "b"] }],
    ["holes between lines", { post_context: ["a", null, 3] }, { post_context: ["a", "", "3"] }],
  ])("frame: %s", (_name, frame, expected) => {
    const event = normalizeTestEvent({
      exception: { type: "E", stacktrace: { frames: [{ function: "f", ...frame }] } },
    });
    expect(event.exception?.values[0]?.stacktrace?.frames[0]).toEqual({ function: "f", in_app: false, ...expected });
  });
});

test.each([
  ["beside no frames", { frames: [], raw: "at foo\nat bar" }],
  ["alone", { raw: "at foo\nat bar" }],
])("a stack that is a text is kept for people: %s", (_name, stacktrace) => {
  const said = { err: [["invalid_data", { reason: "expected a list of frames" }]], val: JSON.stringify(stacktrace) };
  const event = normalizeTestEvent({ stacktrace, exception: { type: "E", stacktrace } });
  expect(noteAt(event, "stacktrace")).toEqual(said);
  expect(noteAt(event, "exception", "values", "0", "stacktrace")).toEqual(said);
  const bare = { frames: [], lang: "swift", registers: { pc: "0x1" } };
  expect(normalizeTestEvent({ stacktrace: bare })._meta).toBeUndefined();
});

describe("strange forms of simple fields", () => {
  test.each([
    ["text", "custom", ["custom"]],
    ["numbers and booleans", [1, true], ["1", "True"]],
    ["a nested list", ["a", ["b"]], ["a"]],
    ["null", ["a", null], ["a"]],
    ["nothing", [], undefined],
    ["an empty text", [""], undefined],
  ])("fingerprint: %s", (_name, fingerprint, expected) => {
    expect(normalizeTestEvent({ fingerprint }).fingerprint).toEqual(expected);
  });

  test.each([
    [
      "a list",
      [
        ["a", "1"],
        ["b", 2],
      ],
      [
        ["a", "1"],
        ["b", "2"],
      ],
    ],
    ["a list of objects", [{ key: "a", value: "1" }], [["a", "1"]]],
    ["an object", { a: true }, [["a", "True"]]],
    ["null and objects for values", { a: null, b: {}, c: "1" }, [["c", "1"]]],
    ["spaces", { " my key ": " v " }, [["my-key", "v"]]],
    [
      "a key twice",
      [
        ["a", "1"],
        ["a", "2"],
      ],
      [["a", "1"]],
    ],
    ["reserved keys", { release: "1", dist: "2", user: "3", filename: "4", function: "5", "sentry:x": "6" }, []],
    ["a forbidden sign in the key", { "a/b": "1" }, []],
    ["a line break in the value", { a: "1\n2" }, []],
    ["PHP's empty object", [], []],
  ])("tags: %s", (_name, tags, expected) => {
    expect(normalizeTestEvent({ tags }).tags).toEqual([...expected, ["level", "error"]]);
  });

  test.each([
    ["a list", [1, 2], { value: [1, 2] }],
    ["text", "x", { value: "x" }],
    ["PHP's empty object", [], undefined],
  ])("extra: %s", (_name, extra, expected) => {
    expect(normalizeTestEvent({ extra }).extra).toEqual(expected);
  });

  test.each([
    ["a scalar", { app: "x" }, { app: { value: "x" } }],
    ["a list", { app: [1] }, { app: { value: [1] } }],
    ["null", { app: null, os: { name: "Linux" } }, { os: { name: "Linux" } }],
    ["PHP's empty object", [], undefined],
    ["PHP's empty context", { app: [] }, undefined],
  ])("contexts: %s", (_name, contexts, expected) => {
    expect(normalizeTestEvent({ contexts }).contexts).toEqual(expected);
  });

  test("PHP's empty objects for modules and environment", () => {
    const event = normalizeTestEvent({ modules: [], request: { url: "/", env: [] } });
    expect(event.modules).toBeUndefined();
    expect(event.request).toEqual({ url: "/" });
  });

  test.each([
    ["critical", "fatal"],
    ["log", "info"],
    ["warn", "warning"],
    ["FATAL", "fatal"],
    [40, "error"],
    ["30", "warning"],
    ["silly", "error"],
    [null, "error"],
    [{}, "error"],
  ])("level %j is %s", (level, expected) => {
    expect(normalizeTestEvent({ level }).level).toBe(expected);
  });

  test.each([
    ["milliseconds", (RECEIVED - 1) * 1000, RECEIVED - 1],
    ["text", String(RECEIVED - 1.5), RECEIVED - 1.5],
    ["a naive time", "2026-01-02T03:04:00", RECEIVED - 5],
    ["an offset without colon", "2026-01-02T04:04:00+0100", RECEIVED - 5],
    ["nine digits", "2026-01-02T03:04:00.123456789Z", RECEIVED - 5 + 0.123456789],
    ["a space", "2026-01-02 03:04:00", RECEIVED - 5],
    ["the far future", "2036-01-02T03:04:00Z", RECEIVED],
    ["before 1970", "0001-01-01T00:00:00", RECEIVED],
    ["nonsense", "yesterday", RECEIVED],
  ])("timestamp: %s", (_name, timestamp, expected) => {
    expect(normalizeTestEvent({ timestamp }).timestamp).toBeCloseTo(expected, 5);
  });

  test.each([
    ["a number", 20241211, "20241211"],
    ["nothing", "", undefined],
    ["a word of a bundler", "undefined", "undefined"],
    ["a line break", "a\nb", undefined],
    ["a slash", "a/b", undefined],
    ["a reserved word", "Latest", undefined],
    ["too long", "x".repeat(201), undefined],
    ["as long as may be", "x".repeat(200), "x".repeat(200)],
  ])("release: %s", (_name, release, expected) => {
    const event = normalizeTestEvent({ release });
    expect(event.release).toBe(expected);
    expect(noteAt(event, "release") !== undefined).toBe(expected === undefined && release !== "");
  });

  test("a tag that is the server's own, or stands twice, is left out with a note", () => {
    const own = normalizeTestEvent({
      tags: { release: "mine", "sentry:x": "y", dist: "d" },
      release: "a@1",
      dist: "d",
    });
    expect(noteAt(own, "tags")).toMatchObject({
      err: [
        ["invalid_data", { reason: "the tag release is the server's own" }],
        ["invalid_data", { reason: "the tag sentry:x is the server's own" }],
      ],
      val: "mine",
    });
    const twice = normalizeTestEvent({
      tags: [
        ["a", "1"],
        ["a", "2"],
      ],
    });
    expect(twice.tags).toContainEqual(["a", "1"]);
    expect(noteAt(twice, "tags")).toEqual({
      err: [["invalid_data", { reason: "the tag a was set before" }]],
      val: "2",
    });
  });

  test.each([
    ["an empty rendering", { formatted: "" }, "real", "real"],
    ["an empty entry", { message: "", formatted: "" }, { message: "real" }, "real"],
    ["a rendering", { formatted: "rendered" }, "other", "rendered"],
    ["a template", { message: "of %s", params: ["x"] }, "of x, rendered", "of x, rendered"],
  ])("the message of the event counts where its entry says nothing: %s", (_name, logentry, message, expected) => {
    expect(normalizeTestEvent({ logentry, message }).logentry?.formatted).toBe(expected);
  });

  test("an address that is too long is cut with dots, and never inside a character", () => {
    const { request } = normalizeTestEvent({ request: { url: `https://a.test/${"p".repeat(2029)}😀😀😀` } });
    expect(request?.url).toHaveLength(2047);
    expect(request?.url?.endsWith("p...")).toBe(true);
    expect(request?.url?.isWellFormed()).toBe(true);
  });

  test("sizes may be larger than 4 GiB, lines may not", () => {
    const event = normalizeTestEvent({
      request: { url: "/", body_size: 5e9 },
      debug_meta: { images: [{ type: "elf", image_size: 6e9 }] },
      stacktrace: { frames: [{ function: "f", lineno: 5e9 }] },
    });
    expect(event.request?.body_size).toBe(5e9);
    expect(event.debug_meta?.images?.[0]?.image_size).toBe(6e9);
    expect(event.stacktrace?.frames[0]?.lineno).toBeUndefined();
  });

  test("what was done to its JSON stands among the errors of an event", () => {
    const { errors } = normalizeTestEvent(
      { message: "x" },
      { repairs: ["large-number", "not-a-number", "invalid-utf8"] },
    );
    expect(errors).toEqual([
      { type: "invalid_json", reason: "NaN and Infinity became null" },
      { type: "invalid_json", reason: "bytes that are no UTF-8 became U+FFFD" },
    ]);
  });

  test.each([
    ["nothing", "", undefined],
    ["a reserved word", "None", undefined],
    ["a slash", "a/b", undefined],
    ["a name", " prod ", "prod"],
  ])("environment: %s", (_name, environment, expected) => {
    expect(normalizeTestEvent({ environment }).environment).toBe(expected);
  });

  test.each([
    ["upper case and dashes", "4BC9B272-8380-4A4F-A7C0-0D0E7BB0DD9D", "4bc9b27283804a4fa7c00d0e7bb0dd9d"],
    ["all zero", "0".repeat(32), undefined],
    ["too short", "abc", undefined],
  ])("trace id: %s", (_name, trace_id, expected) => {
    expect(normalizeTestEvent({ contexts: { trace: { trace_id, op: "x" } } }).contexts?.trace).toEqual({
      ...(expected && { trace_id: expected }),
      op: "x",
    });
  });

  test("what only servers know is not believed", () => {
    const event = normalizeTestEvent({ project: 1, received: 5, key_id: "k", user: { id: "1", sentry_user: "id:2" } });
    expect(event).not.toHaveProperty("project");
    expect(event).not.toHaveProperty("key_id");
    expect(event.received).toBe(RECEIVED);
    expect(event.user).toEqual({ id: "1" });
  });
});

describe("the sender's own notes", () => {
  test("are kept, and added to", () => {
    const event = normalizeTestEvent({
      level: "silly",
      extra: { a: "x..." },
      _meta: { extra: { a: { "": { len: 900, rem: [["!limit", "s", 1, 4]] } } }, level: { "": { len: 3 } } },
    });
    expect(noteAt(event, "extra", "a")).toEqual({ len: 900, rem: [["!limit", "s", 1, 4]] });
    expect(noteAt(event, "level")).toEqual({
      len: 3,
      err: [["invalid_data", { reason: "expected a level" }]],
      val: "silly",
    });
  });

  test("follow what they are about to its new place", () => {
    const note = { "": { len: 9 } };
    const event = normalizeTestEvent({
      message: "m",
      exception: [null, { type: "E", value: "v" }],
      tags: { a: null, b: "1" },
      request: { headers: { accept: "x", authorization: "y" } },
      breadcrumbs: { values: [null, { message: "m" }] },
      _meta: {
        message: note,
        exception: { 1: { value: note } },
        tags: { b: note },
        request: { headers: { authorization: note } },
        breadcrumbs: { values: { 1: { message: note } } },
      },
    });
    expect(noteAt(event, "logentry", "formatted")).toEqual({ len: 9 });
    expect(noteAt(event, "exception", "values", "0", "value")).toEqual({ len: 9 });
    expect(noteAt(event, "tags", "0", "1")).toEqual({ len: 9 });
    expect(noteAt(event, "request", "headers", "1", "1")).toEqual({ len: 9 });
    expect(noteAt(event, "breadcrumbs", "values", "0", "message")).toEqual({ len: 9 });
  });

  test("that are no notes are dropped", () => {
    expect(normalizeTestEvent({ _meta: "x" })._meta).toBeUndefined();
    expect(
      normalizeTestEvent({ _meta: { a: 1, b: { "": "x" }, c: { "": { err: [5], rem: {} } } } })._meta,
    ).toBeUndefined();
  });
});
