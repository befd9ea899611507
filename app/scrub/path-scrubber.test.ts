import { describe, expect, test } from "vitest";
import type { SentryEvent } from "../domain/event.ts";
import { DEFAULT_PRIVACY } from "../domain/privacy/privacy-settings.ts";
import { toUserKey } from "../signals/error/user-key.ts";
import { compileScrubRules } from "./compile-scrub-rules.ts";
import { scrubEvent } from "./scrub-event.ts";
import { scrubJson } from "./scrub-json.ts";

const EVENT = {
  event_id: "a".repeat(32),
  timestamp: 1_780_000_000,
  level: "error",
  platform: "node",
  release: "shop@1.0.0",
  logentry: { formatted: "order ORD-12345 of ada@example.com failed" },
  exception: {
    values: [
      {
        type: "TypeError",
        value: "no cart for ada@example.com at 192.0.2.7",
        stacktrace: {
          frames: [{ filename: "src/cart.js", function: "add", lineno: 3, vars: { cart: "ORD-777", count: 3 } }],
        },
      },
    ],
  },
  user: { id: "7", email: "ada@example.com" },
  tags: [
    ["customer", "ada@example.com"],
    ["region", "eu"],
  ],
  contexts: { trace: { trace_id: "b".repeat(32) }, shop: { owner: { name: "Ada", age: 36 } } },
  extra: { note: "call 123-45-6789", list: ["DE89370400440532013000", 5], isGuest: false },
};

/** The event by these rules, beside the built-in ones. */
function scrub(rules: string): typeof EVENT & SentryEvent {
  const settings = { ...DEFAULT_PRIVACY, rules, hashKey: "secret" };
  return scrubEvent(structuredClone(EVENT) as unknown as SentryEvent, compileScrubRules(settings)) as never;
}

describe("rules that name places", () => {
  test("replace what their pattern finds, and nothing else", () => {
    const event = scrub("mask email from $string\nreplace /ORD-\\d+/ with [order] from $message");
    expect(event.logentry.formatted).toBe("order [order] of *************** failed");
    expect(event.exception.values[0]?.value).toBe("no cart for *************** at 192.0.2.7");
    expect(event.user.email).toBe("*".repeat(15));
    expect(event.tags).toContainEqual(["customer", "*".repeat(15)]);
    expect(event.tags).toContainEqual(["region", "eu"]);
    expect(event.extra).toEqual(EVENT.extra);
    expect(event._meta).toMatchObject({ logentry: { formatted: { "": { rem: [["@rule", "s"]] } } } });
  });

  test("replace whole values, also numbers, and all that is inside of a place", () => {
    const event = scrub(
      "replace anything with x from contexts.shop\nremove anything from extra.list\nremove usssn from **",
    );
    expect(event.contexts.shop).toEqual({ owner: { name: "x", age: "x" } });
    expect(event.extra).toMatchObject({ list: ["", ""], note: "call ", isGuest: false });
  });

  test("hash by the project's secret: the same value is the same hash, and the user still counts", () => {
    const event = scrub("hash anything from $user");
    expect(event.user.email).toMatch(/^[0-9a-f]{32}$/);
    expect(event.user.email).toBe(scrub("hash email from $user.email").user.email);
    expect(event.user.email).not.toBe(
      (
        scrubEvent(
          structuredClone(EVENT) as unknown as SentryEvent,
          compileScrubRules({ ...DEFAULT_PRIVACY, rules: "hash anything from $user", hashKey: "other" }),
        ) as typeof EVENT & SentryEvent
      ).user.email,
    );
    expect(toUserKey(event.user)).toBe(`id:${event.user.id}`);
    // A masked user names nobody.
    expect(toUserKey(scrub("mask anything from $user").user)).toBeNull();
    expect(toUserKey(scrub("remove anything from $user").user)).toBeNull();
  });

  test("leave what Culprit reads by: ids, times, code and names of errors", () => {
    const event = scrub("remove anything from **");
    expect(event).toMatchObject({
      event_id: EVENT.event_id,
      timestamp: EVENT.timestamp,
      level: "error",
      platform: "node",
      release: "shop@1.0.0",
      contexts: { trace: EVENT.contexts.trace },
    });
    const [exception] = event.exception.values;
    expect([exception?.type, exception?.value]).toEqual(["TypeError", ""]);
    expect(exception?.stacktrace.frames[0]).toEqual({
      filename: "src/cart.js",
      function: "add",
      lineno: 3,
      vars: { cart: "", count: "" },
    });
  });

  test("hold for other kinds of data, with attributes by their name", () => {
    const item = {
      trace_id: "c".repeat(32),
      body: "hello ada@example.com",
      attributes: { "user.mail": { type: "string", value: "ada@example.com" }, n: { type: "integer", value: 5 } },
    };
    const settings = { ...DEFAULT_PRIVACY, rules: "remove anything from attributes.'user.mail'\nmask email from body" };
    expect(scrubJson(structuredClone(item), compileScrubRules(settings))).toEqual({
      changed: true,
      value: {
        trace_id: item.trace_id,
        body: "hello ***************",
        attributes: { "user.mail": { type: "string", value: "" }, n: { type: "integer", value: 5 } },
      },
    });
  });

  test.each([
    ["creditcard", "4111 1111 1111 1111"],
    ["ip", "192.0.2.7"],
    ["ip", "2001:db8::1"],
    ["email", "ada.l+x@mail.example.co.uk"],
    ["iban", "DE89 3704 0044 0532 0130 00"],
    ["uuid", "123e4567-e89b-12d3-a456-426614174000"],
    ["mac", "00:1b:44:11:3a:b7"],
    ["usssn", "123-45-6789"],
  ])("%s finds %s", (kind, text) => {
    const settings = { ...DEFAULT_PRIVACY, masksData: false, rules: `replace ${kind} with X from note` };
    const { value } = scrubJson({ note: `it is ${text}, 10:45 and v1.2.3.` }, compileScrubRules(settings));
    expect(value).toEqual({ note: "it is X, 10:45 and v1.2.3." });
  });
});
