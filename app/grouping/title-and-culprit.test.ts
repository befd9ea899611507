import { describe, expect, test } from "vitest";
import { asEvent, readPlatformEvent, readRecorded } from "../../tests/support/grouping-fixtures.ts";
import type { SentryEvent } from "../domain/event.ts";
import { groupEvent } from "./group-event.ts";

describe("title and culprit", () => {
  test.each([
    ["python-django", "ZeroDivisionError: division by zero", "/cart/{id}"],
    ["java-spring", "CheckoutException: checkout of cart 8812 failed", "com.shop.cart.Checkout in checkout"],
    [
      "php-laravel",
      "RuntimeException: No price for SKU-12",
      "/app/Prices.php in class@anonymous/srv/app/app/Prices.php:14$0::of",
    ],
    [
      "go-http",
      "*errors.errorString: open cart-19.json: no such file or directory",
      "example.com/shop/codec in decode[...]",
    ],
    ["rust-panic", "panic: called `Option::unwrap()` on a `None` value", "shop::cart::Cart<T>::total::{{closure}}"],
    [
      "cocoa",
      "NSRangeException: *** -[__NSArrayM objectAtIndex:]: index 7 beyond bounds [0 .. 2]",
      "closure #1 in CartViewController.reload()",
    ],
    ["node-express", "TypeError: Cannot read properties of undefined (reading 'price')", "Object.totalOf(cart)"],
    [
      "react-native",
      "TypeError: undefined is not an object (evaluating 'cart.items')",
      "checkout$2(app:///main.jsbundle)",
    ],
    ["message", "Order 1881 of ada@example.com failed after 120ms", ""],
    ["message-template", "Order 1881 of ada@example.com failed", ""],
    ["csp", "Blocked 'image' from 'cdn.example.net'", "https://shop.example/cart"],
    ["threads-only", "the main thread was blocked for 5012 ms", "com.shop.Ui in render"],
    ["nothing", "<unlabeled event>", ""],
  ])("of %s", (name, title, culprit) => {
    expect(groupEvent(readPlatformEvent(name))).toMatchObject({ title, culprit });
  });

  test("a crash is called by its signal and what failed: the function, else the image", () => {
    expect(groupEvent(readPlatformEvent("native-cpp"))).toMatchObject({
      title: "SIGSEGV: Segfault in shop::Cart::total::lambda::operator()",
      type: "SIGSEGV",
      value: "Segfault",
    });
    const bare = readPlatformEvent("native-cpp");
    for (const exception of bare.exception?.values ?? []) delete exception.stacktrace;
    expect(groupEvent(bare).title).toBe("SIGSEGV: Segfault");
    const frames = [
      { package: "/data/app/libpay.so", image_addr: "0x1000", instruction_addr: "0x2c40", in_app: true },
      { function: "abort", package: "/apex/libc.so", in_app: false },
      { function: "__pthread_kill", package: "/apex/libc.so", in_app: false },
    ];
    for (const exception of bare.exception?.values ?? []) exception.stacktrace = { frames };
    expect(groupEvent(bare)).toMatchObject({ title: "SIGSEGV: Segfault in libpay.so", culprit: "libpay.so +0x1c40" });
  });

  const mechanism = { type: "minidump", synthetic: true };
  const abort = {
    frames: [{ function: "RaiseException", package: "C:\\Windows\\System32\\KERNELBASE.dll", in_app: false }],
  };
  test.each<[what: string, fields: Partial<SentryEvent>, title: string]>([
    [
      "the signal's name, where the type says nothing",
      {
        platform: "native",
        exception: {
          values: [{ type: "<unknown>", mechanism: { ...mechanism, meta: { signal: { name: "SIGBUS" } } } }],
        },
      },
      "SIGBUS",
    ],
    [
      "the value once, where it says the type again",
      {
        platform: "native",
        exception: { values: [{ type: "EXC_BAD_ACCESS", value: "Fatal Error: EXC_BAD_ACCESS", mechanism }] },
      },
      "EXC_BAD_ACCESS",
    ],
    [
      "what Apple's SDK found out, where it stands on a line of its own",
      {
        platform: "cocoa",
        exception: {
          values: [{ type: "EXC_BAD_ACCESS", value: "Exception 1, Code 1 > \nDereferenced a null pointer." }],
        },
      },
      "EXC_BAD_ACCESS: Exception 1, Code 1: Dereferenced a null pointer.",
    ],
    [
      "what was said, where nothing has a name",
      {
        platform: "native",
        logentry: { formatted: "out of memory" },
        exception: { values: [{ value: "<unknown>", mechanism, stacktrace: abort }] },
      },
      "out of memory",
    ],
    [
      "type and value of a made-up error elsewhere",
      { platform: "csharp", exception: { values: [{ type: "ANR", value: "blocked for 5 s", mechanism }] } },
      "ANR: blocked for 5 s",
    ],
    [
      "the function of a stack without words",
      { platform: "python", stacktrace: { frames: [{ function: "load", module: "shop.cart", in_app: true }] } },
      "load",
    ],
    [
      "a report that came without its sentence",
      { platform: "javascript", csp: { effective_directive: "img-src", blocked_uri: "https://cdn.example.net/a.png" } },
      "Blocked 'image' from 'cdn.example.net'",
    ],
    ["another report", { expectct: { hostname: "shop.example" } }, "Expect-CT failed for 'shop.example'"],
    ["a template", { template: { filename: "cart/show.html" } }, "Template show.html"],
    ["the logger, where nothing else is there", { logger: "shop.db" }, "shop.db"],
  ])("%s", (_what, fields, title) => {
    expect(groupEvent(event(fields)).title).toBe(title);
  });

  test("what a JavaScript program threw that is no error is called by its words", () => {
    expect(groupEvent(asEvent(readRecorded("chromium", "thrown-text")))).toMatchObject({
      title: "Error: a text of 12 words",
      type: "Error",
    });
    expect(groupEvent(asEvent(readRecorded("firefox", "rejection-with-object"))).title).toBe(
      "UnhandledRejection: Object captured as promise rejection with keys: code, why",
    );
  });

  test("a message with a stack attached is called by its words", () => {
    const exception = {
      value: "slow",
      mechanism: { type: "generic", synthetic: true },
      stacktrace: { frames: [{ function: "log", in_app: true }] },
    };
    expect(
      groupEvent(event({ platform: "node", logentry: { formatted: "slow" }, exception: { values: [exception] } }))
        .title,
    ).toBe("slow");
  });

  test("a group of one kind is called after its member", () => {
    const group = readPlatformEvent("python-exception-group");
    expect(groupEvent(group).title).toBe("ExceptionGroup: unhandled errors in a TaskGroup (2 sub-exceptions)");
    group.exception?.values.shift();
    expect(groupEvent(group).title).toBe("KeyError: 'sku'");
  });

  test("only the first line of a value is in the title, cut at a hundred characters", () => {
    const titled = (value: string) => groupEvent(event({ exception: { values: [{ type: "Error", value }] } })).title;
    expect(titled("\n first line \nsecond")).toBe("Error: first line");
    expect(titled("x".repeat(100))).toBe(`Error: ${"x".repeat(100)}`);
    expect(titled("x".repeat(101))).toBe(`Error: ${"x".repeat(97)}...`);
    expect(titled("")).toBe("Error");
    expect(groupEvent(event({ exception: { values: [{ value: "no type" }] } })).title).toBe("Error: no type");
  });

  test("an exception that a library threw has its culprit in the code of its cause", () => {
    const library = { module: "java.util.concurrent.CompletableFuture", function: "encodeThrowable", in_app: false };
    const own = { module: "com.shop.Cart", function: "total", in_app: true };
    const of = (source: string) =>
      groupEvent(
        event({
          platform: "java",
          exception: {
            values: [
              {
                type: "NullPointerException",
                stacktrace: { frames: [own] },
                mechanism: { type: "chained", source, exception_id: 1, parent_id: 0 },
              },
              {
                type: "CompletionException",
                stacktrace: { frames: [library] },
                mechanism: { type: "generic", exception_id: 0 },
              },
            ],
          },
        }),
      );
    expect(of("cause")).toMatchObject({ title: "CompletionException", culprit: "com.shop.Cart in total" });
    expect(of("suppressed[0]").culprit).toBe("java.util.concurrent.CompletableFuture in encodeThrowable");
  });

  test("values are kept up to 1,024 characters, culprits up to 200", () => {
    const long = groupEvent(
      event({
        transaction: "t".repeat(300),
        exception: { values: [{ type: "T".repeat(200), value: "v".repeat(5_000) }] },
      }),
    );
    expect([long.type?.length, long.value.length, long.culprit.length]).toEqual([128, 1_024, 200]);
  });

  test("in browsers the culprit is the innermost function of the app, not one of the engine", () => {
    const culprits = (["chromium", "firefox", "webkit"] as const).map(
      (browser) => groupEvent(asEvent(readRecorded(browser, "bad-json"))).culprit,
    );
    for (const culprit of culprits) expect(culprit).toMatch(/^(?:Module\.)?badJson\(\/assets\/shop-/);
  });
});

function event(fields: Partial<SentryEvent>): SentryEvent {
  return {
    event_id: "0".repeat(32),
    type: "error",
    timestamp: 1,
    received: 1,
    platform: "python",
    level: "error",
    ...fields,
  };
}
