import { describe, expect, test } from "vitest";
import { findSignal } from "./registry.ts";
import { itemQuantity } from "./signal.ts";

describe("findSignal", () => {
  test("gives each item its category in the ledger", () => {
    const categories = [
      "event",
      "transaction",
      "raw_security",
      "attachment",
      "user_report",
      "sessions",
      "client_report",
      "check_in",
    ];
    expect(categories.map((type) => findSignal({ type }).category)).toEqual([
      "error",
      "transaction",
      "security",
      "attachment",
      "default",
      "session",
      "internal",
      "monitor",
    ]);
  });

  test("knows no type by the names of the language", () => {
    for (const type of ["constructor", "__proto__", "toString", "", "from-the-future"]) {
      expect(findSignal({ type }).category).toBe("unknown");
    }
  });

  test("tells a container of spans from one span by its content type", () => {
    expect(findSignal({ type: "span" })).toMatchObject({ isContainer: false, limits: { maxCount: 25 } });
    expect(findSignal({ type: "span", content_type: "application/vnd.sentry.items.span.v2+json" })).toMatchObject({
      isContainer: true,
      limits: { maxCount: 1 },
    });
    expect(findSignal({ type: "span", content_type: 7 }).isContainer).toBe(false);
  });

  test("excludes event, transaction and security report from one another, and lets sessions share a limit", () => {
    expect(
      new Set(["event", "transaction", "security", "raw_security"].map((type) => findSignal({ type }).group)).size,
    ).toBe(1);
    expect(findSignal({ type: "session" }).group).toBe(findSignal({ type: "sessions" }).group);
  });
});

describe("itemQuantity", () => {
  const log = findSignal({ type: "log" });

  test("is what a container says it holds, within what its bytes can hold", () => {
    expect(itemQuantity(log, { item_count: 100 }, 16_000)).toBe(100);
    expect(itemQuantity(log, { item_count: 1e15 }, 1600)).toBe(100);
    expect(itemQuantity(log, { item_count: 5 }, 0)).toBe(1);
  });

  test("is one for everything else, and for containers that do not say", () => {
    expect(itemQuantity(findSignal({ type: "event" }), { item_count: 100 }, 16_000)).toBe(1);
    for (const item_count of [undefined, null, "5", -1, 0, 1.5, Number.NaN]) {
      expect(itemQuantity(log, { item_count }, 16_000)).toBe(1);
    }
  });
});
