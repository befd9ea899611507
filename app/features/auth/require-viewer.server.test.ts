import { describe, expect, test } from "vitest";
import { toLocalPath } from "./require-viewer.server.ts";

describe("where a form leads back to", () => {
  test("is the path that was asked for, with its query", () => {
    expect(toLocalPath("/issues/7?period=1d#json")).toBe("/issues/7?period=1d#json");
  });

  test("is written as in an address: a header takes no other characters", () => {
    expect(toLocalPath("/issues?query=gr\u00f6\u00dfe\u200b")).toBe("/issues?query=gr%C3%B6%C3%9Fe%E2%80%8B");
    expect(toLocalPath("/issues?query=%C3%B6%26")).toBe("/issues?query=%C3%B6%26");
    expect(toLocalPath("/\ud800")).toBe("/%EF%BF%BD");
  });

  test("is never another site", () => {
    const others = [
      "https://evil.example",
      "//evil.example",
      "/.//evil.example",
      "/issues/..//evil.example",
      "/%2e//evil.example",
      "/\\evil.example",
      "/\t/evil.example",
      "/\n/evil.example",
      "evil",
      "",
      null,
    ];
    for (const other of others) expect(toLocalPath(other), String(other)).toBe("/issues");
  });
});
