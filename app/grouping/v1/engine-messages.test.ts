import { describe, expect, test } from "vitest";
import { BROWSERS, readMessages } from "../../../tests/support/grouping-fixtures.ts";
import { canonicalEngineMessage, canonicalEngineType } from "./engine-messages.ts";

describe("one mistake has the same words in every browser", () => {
  test.each([
    ["readUndefined", 'property "first" of undefined'],
    ["readNull", 'property "first" of null'],
    ["readIndex", 'property "0" of undefined'],
    ["readDeep", 'property "d" of undefined'],
    ["writeUndefined", 'property "first" of undefined'],
    ["callMethodOfNull", 'property "addEventListener" of null'],
    ["callUndefinedMethod", "pay is not a function"],
    ["callOfCall", "pay is not a function"],
    ["notConstructor", "Cart is not a constructor"],
    ["notDefined", "cartOfNobody is not defined"],
    ["notIterable", "not iterable"],
    ["spreadUndefined", "not iterable"],
    ["destructureArrayUndefined", "not iterable"],
    ["destructureUndefined", "cannot be destructured"],
    ["destructureParameter", "cannot be destructured"],
    ["assignConst", "assignment to what is read-only"],
    ["frozenProperty", "assignment to what is read-only"],
    ["beforeInit", "used before initialization"],
    ["overflow", "stack exhausted"],
    ["jsonHtml", "not valid JSON"],
    ["jsonTruncated", "not valid JSON"],
    ["jsonCircular", "circular structure in JSON"],
    ["invalidDate", "invalid date"],
    ["uri", "malformed URI"],
    ["removeChild", "not found"],
    ["structuredClone", "cannot be cloned"],
  ])("%s", (mistake, words) => {
    for (const browser of BROWSERS) {
      const message = readMessages(browser)[mistake];
      expect(canonicalEngineMessage(message?.type, message?.value ?? "")).toBe(words);
    }
  });
});

test("different mistakes keep different words", () => {
  const said = (value: string) => canonicalEngineMessage("TypeError", value);
  expect(said("Cannot read properties of undefined (reading 'a')")).not.toBe(
    said("Cannot read properties of undefined (reading 'b')"),
  );
  expect(said("Cannot read properties of undefined (reading 'a')")).not.toBe(
    said("Cannot read properties of null (reading 'a')"),
  );
  expect(said("a.pay is not a function")).not.toBe(said("a.refund is not a function"));
});

test("what people throw themselves is left as it is", () => {
  expect(canonicalEngineMessage("Error", "config is undefined")).toBeNull();
  expect(canonicalEngineMessage("StockError", "cart is not iterable")).toBeNull();
  expect(canonicalEngineMessage("TypeError", "the price must be positive")).toBeNull();
});

test("an exhausted stack has one type", () => {
  expect(canonicalEngineType("InternalError", "too much recursion")).toBe("RangeError");
  expect(canonicalEngineType("InternalError", "allocation size overflow")).toBe("InternalError");
});
