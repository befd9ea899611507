import { expect, test } from "vitest";
import { isSaidByHeadline } from "./headline.ts";

test.each([
  ["an exception without words", { type: "Error", title: "Error", value: "" }, true],
  ["an exception whose words are its type", { type: "Error", title: "Error: Error", value: "Error " }, true],
  [
    "an exception whose words begin with its type",
    { type: "Error", title: "Error: Error while paying", value: "Error while paying" },
    false,
  ],
  ["a message", { type: null, title: "The cart is gone", value: "The cart is gone" }, true],
  ["a message that the title cuts", { type: null, title: "The cart is...", value: "The cart is gone" }, true],
])("the headline of %s", (_, issue, isSaid) => {
  expect(isSaidByHeadline(issue)).toBe(isSaid);
});
