import { expect, test } from "vitest";
import { toTitle } from "./feedback-words.ts";

test("the title of a message says who wrote what, and is short", () => {
  expect(toTitle({ name: "Mara", email: null, message: "The page went blank." })).toBe("Mara: The page went blank.");
  expect(toTitle({ name: null, email: null, message: "x".repeat(61) })).toBe(
    `Somebody without a name: ${"x".repeat(60)}…`,
  );
});
