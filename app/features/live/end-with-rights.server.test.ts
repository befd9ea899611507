import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Scope } from "../../domain/scope.ts";
import { HOUR_MS } from "../../domain/time.ts";
import { endWithRights } from "./end-with-rights.server.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const toScope = (projectIds: number[], rights: string[]) =>
  ({ organizationId: 1, projectIds, rights }) as unknown as Scope;
const USER = { id: 7 } as never;

/** A stream of a person who sees projects 1 and 2. The returned values can be changed. */
function watch() {
  const now = {
    hasSession: true,
    provider: null as { kind: string; checkedAt: number; sessionHours: number } | null,
    isMember: true,
    needsFactor: false,
    factor: null as object | null,
    scope: toScope([1, 2], ["event:read"]),
    fails: false,
  };
  const ending = new AbortController();
  const request = new Request("http://localhost/live", {
    headers: { cookie: `culprit_session=${encodeURIComponent(btoa(JSON.stringify("x".repeat(32))))}` },
    signal: ending.signal,
  });
  const entrance = {
    people: {
      getSession: async () => (now.hasSession ? { provider: now.provider } : null),
      getAccess: async () => (now.isMember ? {} : null),
    },
    secondFactors: { getSecondFactor: async () => now.factor },
    openWorkspace: async () => {
      if (now.fails) throw new Error("busy");
      return { scope: now.scope, organization: { requiresSecondFactor: now.needsFactor }, user: USER };
    },
  } as unknown as Parameters<typeof endWithRights>[0];
  const { signal, end } = endWithRights(entrance, { scope: now.scope, user: USER }, request);
  const wait = async (ms = 5_000) => {
    await vi.advanceTimersByTimeAsync(ms);
    return signal.aborted;
  };
  return { now, ending, end, wait };
}

test("a stream goes on while nothing of its rights changes, and when a look fails", async () => {
  const { now, ending, wait } = watch();
  now.scope = toScope([1, 2], ["event:read"]);
  expect(await wait()).toBe(false);
  Object.assign(now, { needsFactor: true, factor: { confirmedAt: 1 } });
  expect(await wait()).toBe(false);
  now.provider = { kind: "oidc", checkedAt: Date.now(), sessionHours: 1 };
  expect(await wait()).toBe(false);
  now.fails = true;
  expect(await wait()).toBe(false);
  ending.abort();
  expect(await wait(0)).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test.each<[string, (now: ReturnType<typeof watch>["now"]) => void]>([
  ["the session", (now) => Object.assign(now, { hasSession: false })],
  [
    "a session that has to ask its provider again",
    (now) => Object.assign(now, { provider: { kind: "oidc", checkedAt: Date.now() - HOUR_MS, sessionHours: 1 } }),
  ],
  ["the membership", (now) => Object.assign(now, { isMember: false })],
  ["a project", (now) => Object.assign(now, { scope: toScope([1], ["event:read"]) })],
  ["a second factor that is required and not there", (now) => Object.assign(now, { needsFactor: true })],
  [
    "a second factor that was begun only",
    (now) => Object.assign(now, { needsFactor: true, factor: { confirmedAt: null } }),
  ],
  ["a right", (now) => Object.assign(now, { scope: toScope([1, 2], []) })],
])("it ends with %s", async (_, change) => {
  const { now, wait } = watch();
  change(now);
  expect(await wait(4_999)).toBe(false);
  expect(await wait(1)).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test("nothing looks any more once the stream is over", async () => {
  const { end, wait } = watch();
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  end();
  expect(vi.getTimerCount()).toBe(0);
  expect(await wait(0)).toBe(true);
});
