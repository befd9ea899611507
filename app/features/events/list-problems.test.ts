import { describe, expect, test } from "vitest";
import type { SentryEvent } from "../../domain/event.ts";
import { listProblems } from "./list-problems.ts";

const base: SentryEvent = {
  event_id: "0".repeat(32),
  type: "error",
  timestamp: 1,
  received: 1,
  platform: "node",
  level: "error",
};

describe("what was wrong with an event", () => {
  test("is nothing for a clean one", () => {
    expect(listProblems(base)).toEqual([]);
  });

  test("errors and remarks are sentences with their path", () => {
    const problems = listProblems({
      ...base,
      errors: [{ type: "clock_drift", name: "timestamp", sdk_time: "a", server_time: "b" }],
      _meta: {
        user: { ip_address: { "": { err: [["invalid_data", { reason: "expected an ip address" }]], val: "foo" } } },
        message: { "": { len: 9000, rem: [["!limit", "s", 8189, 8192]] } },
        request: { data: { password: { "": { rem: [["@password", "s"]] } } } },
      },
    });
    expect(problems).toEqual([
      {
        path: "timestamp",
        message: "was corrected: the sender's clock was off (sdk time a, server time b)",
        isRemark: false,
      },
      { path: "user.ip_address", message: "is not valid: expected an ip address", value: "foo", isRemark: false },
      { path: "message", message: "was cut to the limit (it had 9,000 characters)", isRemark: true },
      { path: "request.data.password", message: "looked like a password and was removed", isRemark: true },
    ]);
  });

  test("JSON that had to be repaired is said so, with what was done", () => {
    const errors = [{ type: "invalid_json", reason: "NaN and Infinity became null" }];
    expect(listProblems({ ...base, errors })).toEqual([
      {
        path: null,
        message: "the JSON was repaired: NaN and Infinity became null",
        isRemark: false,
      },
    ]);
  });

  test("errors of source maps are said in words, with the file they are of", () => {
    const url = "https://shop.example/app.js";
    const errors = [
      { type: "missing_sourcemap", url },
      { type: "malformed_sourcemap", url, value: "it is not JSON" },
      { type: "missing_sourcemap", name: "not ours" },
    ];
    expect(listProblems({ ...base, errors })).toEqual([
      { path: url, message: "its source map was not uploaded", isRemark: false, isSourceMap: true },
      { path: url, message: "its source map cannot be read: it is not JSON", isRemark: false, isSourceMap: true },
      { path: "not ours", message: "missing sourcemap", isRemark: false },
    ]);
  });

  test("a tree that an SDK made up is survived", () => {
    expect(() =>
      listProblems({
        ...base,
        _meta: { a: null, "": { err: 5, rem: "x" }, b: { "": { err: [null, ["", null]] } } } as never,
      }),
    ).not.toThrow();
  });
});
