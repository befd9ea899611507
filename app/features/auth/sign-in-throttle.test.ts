import { describe, expect, test } from "vitest";
import { createSignInThrottle } from "./sign-in-throttle.ts";

describe("the sign-in throttle", () => {
  test("lets ten attempts through and then asks to wait for the rest of the window", () => {
    const throttle = createSignInThrottle();
    for (let attempt = 0; attempt < 10; attempt++) {
      expect(throttle.retryAfterSeconds("a@example.com", 1000)).toBe(0);
      throttle.recordAttempt("a@example.com", 1000);
    }
    expect(throttle.retryAfterSeconds("a@example.com", 61_000)).toBe(540);
    expect(throttle.retryAfterSeconds("b@example.com", 61_000)).toBe(0);
  });

  test("begins anew when the window is over", () => {
    const throttle = createSignInThrottle();
    for (let attempt = 0; attempt < 10; attempt++) throttle.recordAttempt("a@example.com", 0);
    expect(throttle.retryAfterSeconds("a@example.com", 600_000)).toBe(0);
    throttle.recordAttempt("a@example.com", 600_000);
    expect(throttle.retryAfterSeconds("a@example.com", 600_001)).toBe(0);
  });

  test("forgets an account that signed in", () => {
    const throttle = createSignInThrottle();
    for (let attempt = 0; attempt < 10; attempt++) throttle.recordAttempt("a@example.com", 0);
    throttle.forget("a@example.com");
    expect(throttle.retryAfterSeconds("a@example.com", 1)).toBe(0);
  });
});
