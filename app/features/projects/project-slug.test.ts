import { describe, expect, test } from "vitest";
import { isSlug, toSlug } from "./project-slug.ts";

describe("project slugs", () => {
  test("are made from names", () => {
    expect(toSlug("  Web Shop (EU)  ")).toBe("web-shop-eu");
    expect(toSlug("Übergrößen & Café")).toBe("ubergro-en-cafe");
    expect(toSlug(`${"a".repeat(49)}-b`)).toBe("a".repeat(49));
  });

  test("are refused where they would be something else", () => {
    expect(toSlug("42")).toBeNull();
    expect(toSlug("New")).toBeNull();
    expect(toSlug("日本")).toBeNull();
    expect(isSlug("a-")).toBe(false);
    expect(isSlug("A")).toBe(false);
    expect(isSlug("a".repeat(51))).toBe(false);
  });
});
