import { describe, expect, test } from "vitest";
import { createOriginCheck } from "./allowed-origins.ts";

function allows(patterns: string[], origin: string | undefined, referer?: string): boolean {
  return createOriginCheck(patterns)(origin, referer);
}

describe("createOriginCheck", () => {
  test("allows everything without patterns, and with *", () => {
    expect(allows([], "https://anywhere.example")).toBe(true);
    expect(allows([" ", ""], "https://anywhere.example")).toBe(true);
    expect(allows(["a.example", "*"], "null")).toBe(true);
  });

  test("allows requests that say nothing of where they come from", () => {
    expect(allows(["a.example"], undefined)).toBe(true);
    expect(allows(["a.example"], "")).toBe(true);
  });

  test.each([
    ["example.com", "https://example.com", true],
    ["example.com", "http://example.com:8080", true],
    ["Example.COM", "https://EXAMPLE.com", true],
    ["example.com", "https://www.example.com", false],
    ["example.com", "https://notexample.com", false],
    ["example.com", "https://example.com.evil.org", false],
    ["*.example.com", "https://a.b.example.com", true],
    ["*.example.com", "https://example.com", true],
    ["*.example.com", "https://evilexample.com", false],
    ["https://example.com", "https://example.com", true],
    ["https://example.com/", "https://example.com", true],
    ["https://example.com", "http://example.com", false],
    ["https://example.com", "https://example.com:8443", false],
    ["https://*.example.com", "https://a.example.com", true],
    ["https://*.example.com", "http://a.example.com", false],
    ["localhost:5173", "http://localhost:5173", true],
    ["localhost:5173", "http://localhost:5174", false],
    ["example.com:443", "https://example.com", true],
    ["example.com", "null", false],
    ["example.com", "nonsense", false],
  ])("%s for %s: %s", (pattern, origin, isAllowed) => {
    expect(allows([pattern], origin)).toBe(isAllowed);
  });

  test("asks the referrer where there is no origin", () => {
    expect(allows(["example.com"], undefined, "https://example.com/page?x")).toBe(true);
    expect(allows(["example.com"], undefined, "https://other.org/page")).toBe(false);
    expect(allows(["example.com"], "https://other.org", "https://example.com/")).toBe(false);
  });
});
