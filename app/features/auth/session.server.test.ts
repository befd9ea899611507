import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import { SESSION_MS } from "../../domain/user.ts";
import { getViewer, isSignedIn, serializeSession } from "./session.server.ts";

const NOW = Date.UTC(2026, 10, 29);

/** Reads the viewer of a request whose session was last extended two days ago. Extending it fails with `fault`, if there is one. */
async function ask(fault: Error | null) {
  const people = {
    getSession: async () => ({ userId: 1, expiresAt: NOW + SESSION_MS - 2 * DAY_MS, provider: null }),
    getUser: async () => ({ id: 1 }),
    extendSession: async () => {
      if (fault) throw fault;
    },
  };
  const cookie = (await serializeSession("t".repeat(32), { isSecure: false })).split(";", 1)[0] ?? "";
  const request = new Request("http://culprit.test/issues", { headers: { cookie } });
  return await getViewer({ people } as never, { request, isSecure: false, proxyIdentity: null, now: NOW });
}

test("a session that cannot be extended because the disk is full still shows pages", async () => {
  expect(await ask(null)).toMatchObject({ viewer: { id: 1 }, cookie: expect.stringContaining("culprit_session=") });
  const full = Object.assign(new Error("database or disk is full"), { errcode: 13 });
  expect(await ask(full)).toEqual({ viewer: { id: 1 }, cookie: null });
  await expect(ask(new Error("something else"))).rejects.toThrow("something else");
});

test("a form that was open when the provider's hours ended is taken for 15 more minutes, a page is not", async () => {
  const cookie = (await serializeSession("t".repeat(32), { isSecure: false })).split(";", 1)[0] ?? "";
  const provider = {
    id: 1,
    kind: "github",
    checkedAt: NOW,
    renewedAt: NOW,
    renewalToken: null,
    sessionHours: 8,
  } as const;
  const people = { getSession: async () => ({ userId: 1, expiresAt: NOW + SESSION_MS, provider }) } as never;
  const ask = (method: string, now: number) =>
    isSignedIn(people, { request: new Request("http://culprit.test/", { method, headers: { cookie } }), now });
  const ended = NOW + 8 * HOUR_MS;
  expect(await Promise.all(["GET", "HEAD", "POST"].map((method) => ask(method, ended - 1)))).toEqual([
    true,
    true,
    true,
  ]);
  expect(await Promise.all(["GET", "HEAD", "POST"].map((method) => ask(method, ended)))).toEqual([false, false, true]);
  expect(await ask("POST", ended + 15 * MINUTE_MS)).toBe(false);
});
