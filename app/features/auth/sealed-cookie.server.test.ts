import { expect, test } from "vitest";
import { z } from "zod";
import { createSealedCookie } from "./sealed-cookie.server.ts";

const schema = z.object({ userId: z.number() });
const step = createSealedCookie("step", schema, { maxAgeMs: 60_000 });
const NOW = 1_000_000;

const requestWith = (cookie: string) => new Request("http://localhost/", { headers: { cookie } });
const toPair = (setCookie: string) => setCookie.split(";", 1)[0] ?? "";

test("a value comes back until its time is over", async () => {
  const setCookie = await step.seal({ userId: 7 }, { isSecure: true, now: NOW });
  expect(setCookie).toMatch(/; HttpOnly; Secure; SameSite=Lax/);
  expect(setCookie).not.toContain("userId");
  const request = requestWith(toPair(setCookie));
  expect(await step.open(request, NOW + 59_999)).toEqual({ userId: 7 });
  expect(await step.open(request, NOW + 60_000)).toBeNull();
});

test("what was changed, made up, or sealed for another step is nothing", async () => {
  const pair = toPair(await step.seal({ userId: 7 }, { isSecure: false, now: NOW }));
  const other = createSealedCookie("other", schema, { maxAgeMs: 60_000 });
  expect(await other.open(requestWith(pair.replace("step=", "other=")), NOW)).toBeNull();
  const text: string = JSON.parse(Buffer.from(decodeURIComponent(pair.slice(5)), "base64").toString());
  for (const wrong of [`${text.slice(0, -4)}AAAA`, `AAAA${text.slice(4)}`, text.slice(0, 20), "", "x".repeat(5_000)]) {
    const cookie = `step=${Buffer.from(JSON.stringify(wrong)).toString("base64")}`;
    expect(await step.open(requestWith(cookie), NOW)).toBeNull();
  }
  expect(await step.open(new Request("http://localhost/"), NOW)).toBeNull();
});
