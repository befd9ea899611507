import { describe, expect, test } from "vitest";
import { isLossReported, keepsRefusedReports, refusedCategoriesOf } from "./reported-loss.ts";

describe("isLossReported", () => {
  test("SDKs report what is refused, and not what is taken or limited", () => {
    for (const status of [200, 202, 302, 429]) expect(isLossReported(status, "sentry.python/2.75.0")).toBe(false);
    for (const status of [400, 403, 413, 415, 503]) expect(isLossReported(status, "sentry.python/2.75.0")).toBe(true);
  });

  test("the JavaScript SDKs report 413 alone", () => {
    expect(isLossReported(413, "sentry.javascript.node/10.75.2")).toBe(true);
    expect(isLossReported(400, "sentry.javascript.browser/10.75.2")).toBe(false);
    expect(isLossReported(403, "sentry.javascript.react-native/7.0.0")).toBe(true);
  });

  test("a sender that does not name itself may report all of it", () => {
    expect(isLossReported(403, null)).toBe(true);
    expect(isLossReported(429, null)).toBe(false);
  });
});

test("Java and .NET send the report of a refused envelope again", () => {
  for (const client of ["sentry.java/8.2.0", "sentry.java.android.react-native/8.2.0", "sentry.dotnet/5.1.0"]) {
    expect(keepsRefusedReports(client), client).toBe(true);
  }
  for (const client of ["sentry.javascript.node/10.75.2", "sentry.python/2.75.0", null]) {
    expect(keepsRefusedReports(client), String(client)).toBe(false);
  }
});

describe("refusedCategoriesOf", () => {
  test("a loss on the way may have been refused under its category, or unread", () => {
    expect(refusedCategoriesOf({ category: "error", reason: "send_error" })).toEqual(["error", "default", "unknown"]);
    expect(refusedCategoriesOf({ category: "error", reason: "network_error" })).not.toBeNull();
    expect(refusedCategoriesOf({ category: "default", reason: "send_error" })).toEqual(["default", "unknown"]);
  });

  test("knows SDKs' other words for categories", () => {
    expect(refusedCategoriesOf({ category: "metric", reason: "send_error" })?.[0]).toBe("trace_metric");
    expect(refusedCategoriesOf({ category: "profile", reason: "send_error" })?.slice(0, 2)).toEqual([
      "profile",
      "profile_chunk",
    ]);
    expect(refusedCategoriesOf({ category: "__proto__", reason: "send_error" })?.[0]).toBe("__proto__");
  });

  test("what an SDK dropped by itself was never refused", () => {
    for (const reason of ["sample_rate", "ratelimit_backoff", "before_send", "queue_overflow", "toString"]) {
      expect(refusedCategoriesOf({ category: "error", reason })).toBeNull();
    }
  });
});
