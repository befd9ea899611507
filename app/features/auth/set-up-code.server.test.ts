import { expect, test } from "vitest";
import { createSetUpCode, SET_UP_LIMITS } from "./set-up-code.server.ts";

const wrong = { ok: false, retryAfterSeconds: null };

test("a code has 60 bits in three groups, and is another one each time", () => {
  const codes = Array.from({ length: 50 }, () => createSetUpCode().code);
  for (const code of codes) expect(code).toMatch(/^(?:[A-HJ-NP-Z2-9]{4}-){2}[A-HJ-NP-Z2-9]{4}$/);
  expect(new Set(codes).size).toBe(50);
});

test("the right code is right however it is typed", () => {
  const setUpCode = createSetUpCode();
  expect(setUpCode.check(setUpCode.code, null)).toEqual({ ok: true });
  expect(setUpCode.check(` ${setUpCode.code.toLowerCase().replaceAll("-", " ")} `, null)).toEqual({ ok: true });
  expect(setUpCode.check("", null)).toEqual(wrong);
  expect(setUpCode.check(setUpCode.code.slice(1), null)).toEqual(wrong);
});

test("one network uses up its own tries, and not those of others", () => {
  let now = 0;
  const setUpCode = createSetUpCode(() => now);
  for (let tries = 0; tries < SET_UP_LIMITS.network.maxAttempts; tries++)
    expect(setUpCode.check("wrong", "203.0.113.7")).toEqual(wrong);
  expect(setUpCode.check(setUpCode.code, "203.0.113.7")).toEqual({ ok: false, retryAfterSeconds: 600 });
  expect(setUpCode.check(setUpCode.code, "198.51.100.1")).toEqual({ ok: true });
  now = SET_UP_LIMITS.network.windowMs;
  expect(setUpCode.check(setUpCode.code, "203.0.113.7")).toEqual({ ok: true });
});

test("many networks together use up the tries of everybody", () => {
  let now = 0;
  const setUpCode = createSetUpCode(() => now);
  for (let tries = 0; tries < SET_UP_LIMITS.everybody.maxAttempts; tries++)
    setUpCode.check("wrong", `203.0.113.${tries}`);
  expect(setUpCode.check(setUpCode.code, "198.51.100.1")).toEqual({ ok: false, retryAfterSeconds: 3600 });
  now = SET_UP_LIMITS.everybody.windowMs;
  expect(setUpCode.check(setUpCode.code, "198.51.100.1")).toEqual({ ok: true });
});
