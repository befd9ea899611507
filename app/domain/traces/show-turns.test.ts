import { expect, test } from "vitest";
import { showTurns } from "./show-turns.ts";

test("characters that turn the direction are shown", () => {
  expect(showTurns("photo\u202egnp.exe")).toBe("photo\\u202Egnp.exe");
  expect(showTurns("\u2067a\u2069")).toBe("\\u2067a\\u2069");
});

test("names of scripts that are written from right to left stay as they are", () => {
  expect(showTurns("שלום GET /a")).toBe("שלום GET /a");
});
