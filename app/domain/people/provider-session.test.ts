import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../time.ts";
import { isAwayTooLong, isDue, isToRenew, needsProvider, type ProviderSession } from "./provider-session.ts";

const session: ProviderSession = {
  id: 1,
  kind: "oidc",
  checkedAt: 0,
  renewedAt: 0,
  renewalToken: "t",
  sessionHours: 8,
};

test("a session with a token of its provider is renewed each hour, and one without never", () => {
  expect([HOUR_MS - 1, HOUR_MS].map((now) => isToRenew(session, now))).toEqual([false, true]);
  expect(isToRenew({ ...session, renewalToken: null }, 9 * HOUR_MS)).toBe(false);
});

test("a session is due after the hours that owners set, whatever its token said; an open form has 15 more minutes", () => {
  const renewed = { ...session, renewedAt: 8 * HOUR_MS };
  expect(isDue(renewed, 8 * HOUR_MS - 1, { isForm: false })).toBe(false);
  expect(isDue(renewed, 8 * HOUR_MS, { isForm: false })).toBe(true);
  expect(isDue(renewed, 8 * HOUR_MS + 15 * MINUTE_MS - 1, { isForm: true })).toBe(false);
  expect(isDue(renewed, 8 * HOUR_MS + 15 * MINUTE_MS, { isForm: true })).toBe(true);
});

test("accounts without a password need a provider; if only owners may use passwords, everybody else needs one, too", () => {
  const free = { role: "member", isRequired: false } as const;
  expect(needsProvider(free, true)).toBe(false);
  expect(needsProvider(free, false)).toBe(true);
  expect(needsProvider({ ...free, isRequired: true }, true)).toBe(true);
  expect(needsProvider({ ...free, isRequired: true, role: "owner" }, true)).toBe(false);
  expect(needsProvider({ ...free, isRequired: true, role: "owner" }, false)).toBe(true);
});

test("somebody is away too long when the days without a provider are over, or if they never came through one", () => {
  const standing = { role: "member", isRequired: false, tokenDays: 14 } as const;
  const away = (seenAt: number | null) => isAwayTooLong({ ...standing, seenAt }, 20 * DAY_MS);
  expect([away(null), away(6 * DAY_MS), away(6 * DAY_MS + 1)]).toEqual([true, true, false]);
});
