import { expect, test } from "vitest";
import { DAY_MS } from "../../domain/time.ts";
import { SESSION_MS } from "../../domain/user.ts";
import { getViewer, serializeSession } from "./session.server.ts";

const NOW = Date.UTC(2026, 10, 29);

/** Who sends a request with a session that has not been extended for two days, where extending it fails with this. */
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
