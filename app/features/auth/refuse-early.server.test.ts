import { expect, test } from "vitest";
import type { PasswordHasher } from "../../domain/people/password-hasher.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import { refuseEarly } from "./refuse-early.server.ts";

const BUSY = { ok: false, reason: "busy", retryAfterSeconds: 5 } as const;

/** The queue of strangers is full, that of known browsers is not. */
function refuse(path: string, fields: Record<string, string>, { isKnown = false, method = "POST" } = {}) {
  const people: Pick<PeopleStore, "findCredentials" | "isKnownBrowser"> = {
    findCredentials: async () => ({ userId: 7, passwordHash: "" }),
    isKnownBrowser: async () => isKnown,
  };
  const passwords: Pick<PasswordHasher, "findBusy"> = { findBusy: (lane) => (lane === "strangers" ? BUSY : null) };
  const cookie = `culprit_browser=${Buffer.from(JSON.stringify("x".repeat(43))).toString("base64")}`;
  // The sender has left, so the answer does not wait.
  const request = new Request(`http://localhost${path}`, { method, headers: { cookie }, signal: AbortSignal.abort() });
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return refuseEarly({ people, passwords }, { request, form, clientAddress: "203.0.113.7" });
}

test("a sign-in that has no place in the queue is answered without the router, with a page that leads back", async () => {
  const answer = await refuse("/sign-in?to=%2Fissues%3Fq%3D%22a%22", { email: "ada@example.com" });
  expect(answer?.status).toBe(429);
  expect(answer?.headers.get("retry-after")).toBe("5");
  expect(answer?.headers.get("content-security-policy")).toContain("default-src 'none'");
  const page = await answer?.text();
  expect(page).toContain("Too many passwords are being checked right now.");
  expect(page).toContain('action="/sign-in?to=%2Fissues%3Fq%3D%22a%22"');
  expect(page).toContain('value="ada@example.com"');
});

test.each(["//sign-in/", "/SIGN-in", "/%73ign-in"])("however the path is written: %s", async (path) => {
  expect((await refuse(path, { email: "ada@example.com" }))?.status).toBe(429);
});

test("nothing in the address of the form can write into the page", async () => {
  const answer = await refuse('/sign-in?to="><script>', { email: "ada@example.com" });
  expect(await answer?.text()).not.toContain("<script>");
});

test("everything else goes its way", async () => {
  const email = "ada@example.com";
  expect(await refuse("/sign-in", { email }, { isKnown: true })).toBeNull();
  expect(await refuse("/sign-in", { intent: "passkey", email })).toBeNull();
  expect(await refuse("/sign-in", {})).toBeNull();
  expect(await refuse("/sign-in.data", { email })).toBeNull();
  expect(await refuse("/sign-in/code", { email })).toBeNull();
  expect(await refuse("/%", { email })).toBeNull();
  expect(await refuse("/sign-in", { email: `${"x".repeat(300)}@example.com` })).toBeNull();
});
