import { expect, test } from "vitest";
import { interpolateMessage } from "./interpolate-message.ts";
import { normalizeTestEvent } from "./normalize-test-event.ts";

test.each([
  ["Hello %s, %d times", ["bob", 3], "Hello bob, 3 times"],
  ["%.2f of %5d at 100%%", [1.5, 2], "1.5 of 2 at 100%"],
  ["Hello %(name)s", { name: "bob" }, "Hello bob"],
  ["{0} and {1} and {0}", ["a", "b"], "a and b and a"],
  ["{} and {}", ["a", "b"], "a and b"],
  ["User {UserId:D4} did {@What}", ["7", { x: 1 }], 'User 7 did {"x":1}'],
  ["User {name} did {what!r}", { name: "bob", what: "it" }, "User bob did it"],
  ["%s of %s", ["one"], "one of %s"],
  ["{0} {5}", ["a"], "a {5}"],
  ["%s {name}", ["a"], "a {name}"],
  ["100% sure", ["a"], "100% sure"],
  ['{"a": 1}', ["x"], '{"a": 1}'],
  ["plain", ["a"], "plain"],
  ["%s", null, "%s"],
  ["%(constructor)s", {}, "%(constructor)s"],
  ["%s", [null], "null"],
  ["%s", [true], "True"],
])("%j with %j is %j", (template, params, expected) => {
  expect(interpolateMessage(template, params)).toBe(expected);
});

test("a short list that is asked for again and again does not grow without bound", () => {
  expect(interpolateMessage("{0}".repeat(2_700), ["x".repeat(8_000)]).length).toBeLessThan(40_000);
});

test.each([
  ["a string", { message: "hi" }, { formatted: "hi" }],
  [
    "an entry",
    { logentry: { message: "hi %s", params: ["b"] } },
    { message: "hi %s", params: ["b"], formatted: "hi b" },
  ],
  ["an entry of text", { logentry: "hi" }, { formatted: "hi" }],
  [
    "an entry beside a string",
    { logentry: { message: "hi %s" }, message: "hi b" },
    { message: "hi %s", formatted: "hi b" },
  ],
  ["an object", { message: { message: "a", formatted: "b" } }, { message: "a", formatted: "b" }],
  ["a number", { message: 5 }, { formatted: "5" }],
  ["a list", { message: [1, 2] }, { formatted: "[1,2]" }],
  ["nothing", { message: "" }, undefined],
  ["an empty entry", { logentry: {} }, undefined],
])("the message of an event: %s", (_name, raw, expected) => {
  expect(normalizeTestEvent(raw).logentry).toEqual(expected);
});
