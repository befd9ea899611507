import { describe, expect, test } from "vitest";
import { createSignInThrottle, SIGN_IN_LIMITS, type SignInSource, type SignInThrottle } from "./sign-in-throttle.ts";

const ADA = "ada@example.com";
const ALLOWED = { ok: true, refund: expect.any(Function) };

/** Returns the number of attempts that were allowed. */
function attempt(throttle: SignInThrottle, times: number, toSource: (index: number) => SignInSource): number {
  return Array.from({ length: times }, (_, index) => throttle.count(toSource(index))).filter(({ ok }) => ok).length;
}

describe("the sign-in throttle", () => {
  test("lets one network try ten passwords of an account, then asks it to wait for the rest of ten minutes", () => {
    let now = 1_000;
    const throttle = createSignInThrottle(() => now);
    const source = { account: ADA, network: "203.0.113.7" };
    expect(attempt(throttle, 11, () => source)).toBe(10);
    now = 61_000;
    expect(throttle.count(source)).toEqual({ ok: false, retryAfterSeconds: 540 });
    // Other accounts and other networks do not have to wait for that.
    expect(throttle.count({ ...source, account: "bob@example.com" })).toEqual(ALLOWED);
    expect(throttle.count({ ...source, network: "203.0.113.8" })).toEqual(ALLOWED);
    now = 601_000;
    expect(throttle.count(source)).toEqual(ALLOWED);
  });

  test("lets one network try fifty passwords, of whatever accounts", () => {
    const throttle = createSignInThrottle(() => 0);
    const toSource = (index: number) => ({ account: `${index}@example.com`, network: "203.0.113.7" });
    expect(attempt(throttle, 60, toSource)).toBe(SIGN_IN_LIMITS.network.maxAttempts);
    expect(throttle.count({ account: ADA, network: "203.0.113.7" })).toEqual({ ok: false, retryAfterSeconds: 600 });
    expect(throttle.count({ account: ADA, network: "203.0.113.8" })).toEqual(ALLOWED);
  });

  test("lets a hundred passwords of an account be tried in an hour, from however many networks", () => {
    let now = 0;
    const throttle = createSignInThrottle(() => now);
    const toSource = (index: number) => ({ account: ADA, network: `network ${index}` });
    expect(attempt(throttle, 110, toSource)).toBe(SIGN_IN_LIMITS.account.maxAttempts);
    now = 30 * 60_000;
    expect(throttle.count({ account: ADA, network: "mine" })).toEqual({ ok: false, retryAfterSeconds: 1_800 });
    now = 60 * 60_000;
    expect(throttle.count({ account: ADA, network: "mine" })).toEqual(ALLOWED);
  });

  test("counts a browser that the account knows by itself, whatever strangers do", () => {
    const throttle = createSignInThrottle(() => 0);
    attempt(throttle, 200, (index) => ({ account: ADA, network: `network ${index % 2}` }));
    attempt(throttle, 200, (index) => ({ account: ADA, network: `network ${index}` }));
    expect(attempt(throttle, 11, () => ({ browser: "hash of a token" }))).toBe(10);
    expect(throttle.count({ browser: "hash of another token" })).toEqual(ALLOWED);
  });

  test("takes an attempt back from every limit", () => {
    const throttle = createSignInThrottle(() => 0);
    for (let time = 0; time < 300; time++) {
      const counted = throttle.count({ account: ADA, network: "203.0.113.7" });
      expect(counted).toEqual(ALLOWED);
      if (counted.ok) counted.refund();
    }
  });

  test("an attempt that is refused counts for no limit", () => {
    const throttle = createSignInThrottle(() => 0);
    attempt(throttle, 500, () => ({ account: ADA, network: "203.0.113.7" }));
    expect(throttle.count({ account: "bob@example.com", network: "203.0.113.7" })).toEqual(ALLOWED);
    expect(throttle.count({ account: ADA, network: "203.0.113.8" })).toEqual(ALLOWED);
  });
});
