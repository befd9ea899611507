import { expect, test } from "vitest";
import { parseShortId, toShortId, toShortIdPrefix } from "./short-id.ts";

test("numbers are written in base 32", () => {
  expect(toShortId("WEB", 1)).toBe("WEB-1");
  expect(toShortId("WEB", 31)).toBe("WEB-Z");
  expect(toShortId("WEB", 32)).toBe("WEB-10");
  expect(toShortId("WEB", 4 * 1024 + 15 * 32 + 2)).toBe("WEB-4F2");
});

test("the prefix is the slug in capitals", () => {
  expect(toShortIdPrefix("my-app_2")).toBe("MY-APP_2");
});

test("letters that look like digits are digits in the number, and letters in the slug", () => {
  expect(parseShortId("lolo-lo")).toBe("LOLO-10");
  expect(parseShortId("web-4f2")).toBe("WEB-4F2");
  expect(parseShortId("")).toBe("");
});
