import { describe, expect, test } from "vitest";
import { setSecurityHeaders } from "./security-headers.server.ts";

function headersFor(
  headers: Record<string, string>,
  reach: { publicUrl: string | null; trustProxy: boolean },
): Map<string, unknown> {
  const set = new Map<string, unknown>();
  const res = {
    setHeader(name: string, value: unknown) {
      set.set(name, value);
      return this as never;
    },
  };
  setSecurityHeaders({ headers }, res, reach);
  return set;
}

describe("a page", () => {
  const hasHsts = (headers: Record<string, string>, publicUrl: string | null, trustProxy: boolean) =>
    headersFor(headers, { publicUrl, trustProxy }).has("strict-transport-security");

  test("is never framed or sniffed", () => {
    const headers = headersFor({}, { publicUrl: null, trustProxy: false });
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("tells browsers to stay with https where PUBLIC_URL is https", () => {
    expect(hasHsts({}, "https://errors.example.com", false)).toBe(true);
    expect(hasHsts({}, "http://errors.example.com", false)).toBe(false);
    expect(hasHsts({}, null, false)).toBe(false);
  });

  test("tells them so where a trusted proxy says that they came by https", () => {
    expect(hasHsts({ "x-forwarded-proto": "https" }, null, true)).toBe(true);
    expect(hasHsts({ "x-forwarded-proto": "https, http" }, null, true)).toBe(true);
    expect(hasHsts({ "x-forwarded-proto": "http" }, "https://errors.example.com", true)).toBe(false);
  });

  test("does not believe a stranger who says so", () => {
    expect(hasHsts({ "x-forwarded-proto": "https" }, null, false)).toBe(false);
  });
});
