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
