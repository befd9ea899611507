import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signIn } from "../support/browse.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

// Reads of the event store take turns by who asks: by session or by token, pages and the web API alike.

const PRELOAD = `--import ${new URL("../support/preload-read-limits.mjs", import.meta.url).href}`;
const folder = makeTempFolder();
const holdFile = join(folder.path, "reads-wait");
let server: TestServer;
let ownerCookie: string;
let guestCookie: string;

beforeAll(async () => {
  server = await startServer({ env: { NODE_OPTIONS: PRELOAD, READ_HOLD_FILE: holdFile } });
  const owner = await signIn(server);
  ownerCookie = owner.cookie;
  const { html } = await owner.post("/settings/invitations", { intent: "invite", role: "viewer", project: "1" });
  const [path] = /\/invitation\/[\w-]{43}/.exec(html) ?? [];
  const joined = await fetch(server.url + path, {
    method: "POST",
    redirect: "manual",
    headers: { origin: server.url },
    body: new URLSearchParams({ name: "Grace", email: "grace@example.com", password: "a password of a guest" }),
  });
  guestCookie = joined.headers.get("set-cookie")?.split(";")[0] ?? "";
});
afterAll(async () => {
  rmSync(holdFile, { force: true });
  await server?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

test("somebody who asks for too much at once is told so, in all tabs and by each token, and nobody else is", async () => {
  const page = (cookie: string, search: string) =>
    fetch(`${server.url}/traces?q=${search}`, { headers: { cookie, accept: "text/html" } });
  const asked = (search: string) =>
    fetch(`${server.url}/api/0/organizations/default/events/?dataset=spans&field=count()&query=${search}`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
  writeFileSync(holdFile, "");
  const many = Array.from({ length: 250 }, (_, index) => asked(`some.key:value${index}`));
  // What has found no place is answered first.
  const refused = await Promise.race(many);
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("10");
  expect(await refused.text()).toContain("Too many searches wait for their turn");
  const inTab = await page(ownerCookie, "some.key:tab");
  expect(inTab.status).toBe(503);
  expect(inTab.headers.get("retry-after")).toBe("10");
  expect(await inTab.text()).toContain("Too many searches wait for their turn");
  const ofGuest = page(guestCookie, "some.key:guest");
  const isFirst = await Promise.race([ofGuest, new Promise((done) => setTimeout(done, 1_000, "waits"))]);
  expect(isFirst).toBe("waits");
  rmSync(holdFile);
  expect((await ofGuest).status).toBe(200);
  const statuses = (await Promise.all(many)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(100);
});
