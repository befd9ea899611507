import { expect, test } from "vitest";
import { makeAttempt, runAttempt } from "./attempt.server.ts";
import { keepInBrowser } from "./kept-in-browser.server.ts";
import type { Match } from "./rows.ts";

const NOON = Date.UTC(2026, 10, 28, 12);
const MINUTE = 60_000;

const steps = keepInBrowser("culprit_test");

/** Does it for a browser with these cookies, and gives the cookie that comes of it. */
async function ask<Result>(cookie: string, now: number, work: () => Promise<Result>) {
  const request = new Request("https://culprit.example/", { headers: { cookie } });
  const attempt = makeAttempt({ request, isSecure: true, now, by: "test" });
  const result = await runAttempt(attempt, work);
  return { result, setCookies: attempt.setCookies, cookie: attempt.setCookies[0]?.split(";")[0] ?? "" };
}

const keep = (identifier: string, now: number, kept = steps) =>
  ask("", now, () => kept.create({ identifier, value: `of ${identifier}`, expiresAt: new Date(now + MINUTE) }));

test("a step is found and taken by its name, once, where it is kept", async () => {
  const { cookie, setCookies } = await keep("a", NOON);
  expect(setCookies).toEqual([
    expect.stringMatching(/^culprit_test=.+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  ]);
  expect(cookie).not.toContain("of");
  const row = { id: "a", identifier: "a", value: "of a", expiresAt: new Date(NOON + MINUTE) };
  const find = (match: Match, now = NOON, jar = cookie) => ask(jar, now, () => steps.find(match));
  for (const match of [{}, { identifier: "a" }, { id: "a" }]) expect((await find(match)).result).toMatchObject([row]);
  expect((await find({ identifier: "b" })).result).toEqual([]);
  expect((await find({}, NOON, "")).result).toEqual([]);
  expect((await find({}, NOON + 10 * MINUTE)).result).toEqual([]);
  const takes = [1, 2, 3].map(() => ask(cookie, NOON + 1, () => steps.remove({ id: "a" })));
  const taken = await Promise.all(takes);
  expect(taken.map(({ result }) => result.length)).toEqual([1, 0, 0]);
  expect(taken[0]?.setCookies).toEqual([expect.stringMatching(/^culprit_test=; Max-Age=0/)]);
  expect((await find({ identifier: "a" })).result).toEqual([]);
});

test("what is kept by one name is of no use by another", async () => {
  const other = keepInBrowser("culprit_other");
  const { cookie } = await keep("a", NOON, other);
  expect((await ask(cookie, NOON, () => other.find({}))).result).toHaveLength(1);
  expect((await ask(cookie.replace("other", "test"), NOON, () => steps.find({}))).result).toEqual([]);
});

test("a used step is still used after a flood of others", async () => {
  const few = keepInBrowser("culprit_few", { maxUsed: 3 });
  const take = (cookie: string, now: number) => ask(cookie, now, () => few.remove({}));
  const kept = await Promise.all([1, 2, 3, 4, 5].map((at) => keep(`of ${at}`, NOON + at, few)));
  for (const { cookie } of kept) expect((await take(cookie, NOON + 6)).result).toHaveLength(1);
  for (const { cookie } of kept) expect((await take(cookie, NOON + 7)).result).toEqual([]);
  expect((await take((await keep("next", NOON + 8, few)).cookie, NOON + 9)).result).toHaveLength(1);
});
