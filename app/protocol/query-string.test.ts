import { describe, expect, test } from "vitest";
import { decodePercent, readQueryParameter } from "./query-string.ts";

describe("readQueryParameter", () => {
  test("finds a parameter wherever it stands, and the first of several", () => {
    expect(readQueryParameter("a=1&b=2&a=3", "a")).toBe("1");
    expect(readQueryParameter("a=1&b=2", "b")).toBe("2");
    expect(readQueryParameter("aa=1&a=2", "a")).toBe("2");
  });

  test("tells an empty value from an absent parameter", () => {
    expect(readQueryParameter("a=&b", "a")).toBe("");
    expect(readQueryParameter("a=&b", "b")).toBe("");
    expect(readQueryParameter("a=&b", "c")).toBeNull();
    expect(readQueryParameter("", "a")).toBeNull();
  });

  test("decodes percent and plus, and leaves broken encoding alone", () => {
    expect(readQueryParameter("a=x%2Fy+z", "a")).toBe("x/y z");
    expect(readQueryParameter("a=100%", "a")).toBe("100%");
    expect(decodePercent("%e4%zz")).toBe("%e4%zz");
  });
});
