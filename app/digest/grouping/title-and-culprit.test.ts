import { describe, expect, test } from "vitest";
import { asEvent, readPlatformEvent, readRecorded } from "../../../tests/support/grouping-fixtures.ts";
import type { SentryEvent } from "../../domain/event.ts";
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
    [
      "rust-panic",
      "panic: called `Option::unwrap()` on a `None` value",
      "shop::cart::Cart<T>::total::{{closure}}::h0a1b2c3d4e5f6071",
    ],
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

  test("a made-up exception is called after the function that crashed", () => {
    expect(groupEvent(readPlatformEvent("native-cpp"))).toMatchObject({
      title: expect.stringMatching(/^shop::Cart</),
      type: null,
      value: "Segfault",
    });
    const event = readPlatformEvent("native-cpp");
    for (const exception of event.exception?.values ?? []) delete exception.stacktrace;
    expect(groupEvent(event).title).toBe("<unknown>");
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
