import { describe, expect, test } from "vitest";
import { toLocalPath } from "./require-viewer.server.ts";

describe("where a form leads back to", () => {
  test("is the path that was asked for, with its query", () => {
    expect(toLocalPath("/issues/7?period=1d#json")).toBe("/issues/7?period=1d#json");
  });

  test("is never another site", () => {
    const others = [
      "https://evil.example",
      "//evil.example",
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
