import { createHash, randomBytes } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { dataPaths } from "../../app/data-folder/data-paths.ts";
import { DAY_MS } from "../../app/domain/time.ts";
import { signIn } from "../support/browse.ts";
import { startServer } from "../support/start-server.ts";

test("a session that is used goes on, in the browser as on the server; signing out ends it all the same", async () => {
  await using server = await startServer();
  const { cookie } = await signIn(server);
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(server.url + path, { redirect: "manual", ...init, headers: { cookie, origin: server.url } });
  const setByAnswer = (answer: Response) =>
    answer.headers.getSetCookie().filter((text) => text.startsWith("culprit_session="));
  const age = (days: number) => {
    const state = new DatabaseSync(dataPaths(server.dataDir).state);
    state.exec("PRAGMA busy_timeout = 5000");
    state.prepare("UPDATE sessions SET expires_at = expires_at - ?").run(days * DAY_MS);
    state.close();
  };

  expect(setByAnswer(await ask("/projects"))).toEqual([]);
  age(2);
  const [extended] = setByAnswer(await ask("/projects"));
  expect(extended?.split(";")[0]).toBe(cookie);
  expect(extended).toContain("Max-Age=2592000");
  // Once a day is enough.
  expect(setByAnswer(await ask("/projects"))).toEqual([]);

  age(2);
  const ended = setByAnswer(await ask("/sign-out", { method: "POST" }));
  expect(ended).toHaveLength(1);
  expect(ended[0]).toContain("Max-Age=0");
  expect((await ask("/projects")).headers.get("location")).toContain("/sign-in");
});

test("a session that was made before better-auth goes on, and new ones have its tokens", async () => {
  await using server = await startServer();
  // As sessions were made until then: 32 random bytes, and a cookie of JSON in base64.
  const token = randomBytes(32).toString("base64url");
  const former = `culprit_session=${encodeURIComponent(Buffer.from(JSON.stringify(token)).toString("base64"))}`;
  const state = new DatabaseSync(dataPaths(server.dataDir).state);
  state.exec("PRAGMA busy_timeout = 5000");
  state
    .prepare("INSERT INTO sessions (token_hash, user_id, created_at, expires_at) VALUES (?, 1, ?, ?)")
    .run(createHash("sha256").update(token).digest("hex"), Date.now(), Date.now() + DAY_MS);
  state.close();
  const { cookie } = await signIn(server);
  for (const each of [former, cookie]) {
    const page = await fetch(`${server.url}/projects`, { redirect: "manual", headers: { cookie: each } });
    expect(page.status).toBe(200);
  }
  const value = decodeURIComponent(cookie.slice("culprit_session=".length));
  expect(JSON.parse(Buffer.from(value, "base64").toString())).toMatch(/^[A-Za-z0-9]{32}$/);
});
