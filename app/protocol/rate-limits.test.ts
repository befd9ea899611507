import { describe, expect, test } from "vitest";
import { formatRateLimits, LIMITABLE_CATEGORIES, retryAfterSeconds } from "./rate-limits.ts";

describe("formatRateLimits", () => {
  test("writes seconds, categories, scope and reason", () => {
    expect(
      formatRateLimits([{ seconds: 60, categories: ["error", "transaction"], scope: "key", reasonCode: "key_quota" }]),
    ).toBe("60:error;transaction:key:key_quota");
  });

  test("joins several limits", () => {
    const limits = [
      { seconds: 1, categories: ["error"], scope: "key", reasonCode: "a" },
      { seconds: 2700, categories: [], scope: "organization", reasonCode: "b" },
    ] as const;
    expect(formatRateLimits(limits)).toBe("1:error:key:a, 2700::organization:b");
    expect(retryAfterSeconds(limits)).toBe(2700);
  });

  test("names metrics and profiles as every SDK names them, each once", () => {
    const categories = ["trace_metric", "profile", "profile_chunk"] as const;
    expect(formatRateLimits([{ seconds: 5, categories, scope: "key", reasonCode: "q" }])).toBe(
      "5:trace_metric;metric;profile;profile_chunk;profile_chunk_ui:key:q",
    );
  });

  test("writes whole seconds, at least one", () => {
    expect(formatRateLimits([{ seconds: 0.2, categories: ["error"], scope: "key", reasonCode: "q" }])).toBe(
      "1:error:key:q",
    );
    expect(formatRateLimits([{ seconds: 1.2, categories: ["error"], scope: "key", reasonCode: "q" }])).toBe(
      "2:error:key:q",
    );
  });

  test("leaves client reports out of what a key is limited in", () => {
    expect(LIMITABLE_CATEGORIES).toContain("error");
    expect(LIMITABLE_CATEGORIES).not.toContain("internal");
  });
});
