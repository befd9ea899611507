import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCookieBrowser } from "../support/cookie-browser.ts";
import { makeSoftAuthenticator } from "../support/soft-authenticator.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

let server: TestServer;
/** Browsers make passkeys for names. */
let origin: string;
beforeAll(async () => {
  server = await startServer({ env: { TRUST_PROXY: "1" } });
  origin = `http://localhost:${server.port}`;
});
afterAll(() => server?.[Symbol.asyncDispose]());

type Browser = ReturnType<typeof openCookieBrowser>;

const open = (from: string) => openCookieBrowser(origin, { from });

async function signIn(from: string): Promise<Browser> {
  const browser = open(from);
  expect((await browser.post("/sign-in", { ...server.owner })).status).toBe(302);
  return browser;
}

/** The options that the server gives for a ceremony. */
async function begin(browser: Browser, fields: Record<string, string>) {
  const answer = await browser.post("/sign-in/passkey", fields);
  return { status: answer.status, options: JSON.parse(answer.html) };
}

async function add(browser: Browser, name: string, { isVerified = true } = {}) {
  const device = makeSoftAuthenticator();
  const { options } = await begin(browser, { purpose: "add", confirm: server.owner.password });
  const answer = device.create(options, { origin, isVerified });
  const added = await browser.post("/settings/security", { intent: "add-passkey", name, answer });
  expect(added.html).toContain(`“${name}” is added`);
  return device;
}

const give = (browser: Browser, answer: string, path = "/sign-in") => browser.post(path, { intent: "passkey", answer });

test("a passkey is added with the password, signs in alone, and is removed", async () => {
  const browser = await signIn("192.0.2.1");
  const refused = await begin(browser, { purpose: "add", confirm: "not the password" });
  expect([refused.status, refused.options.field]).toEqual([400, "confirm"]);
  expect((await begin(open("192.0.2.1"), { purpose: "add" })).status).toBe(401);
  const device = await add(browser, "Phone");
  expect((await open("192.0.2.1").open("/sign-in")).html).toContain("username webauthn");

  const fresh = open("192.0.2.2");
  const { options } = await begin(fresh, { purpose: "sign-in" });
  expect([options.rpId, options.userVerification, options.allowCredentials]).toEqual([
    "localhost",
    "required",
    undefined,
  ]);
  const signedIn = await give(fresh, device.get(options, { origin }), "/sign-in?to=%2Fprojects");
  expect([signedIn.status, signedIn.to]).toEqual([302, `${origin}/projects`]);
  expect((await fresh.open("/settings/security")).html).toContain("last used");
  const renamed = await browser.post("/settings/security", {
    intent: "rename-passkey",
    passkey: "1",
    name: "Old phone",
  });
  expect(renamed.html).toContain("Saved.");
  expect((await browser.open("/settings/audit")).html).toContain("renamed a passkey");
  const removed = await browser.post("/settings/security", { intent: "remove-passkey", passkey: "1" });
  expect(removed.html).toContain("“Old phone” is removed");
  const late = open("192.0.2.3");
  const after = await give(late, device.get((await begin(late, { purpose: "sign-in" })).options, { origin }));
  expect([after.status, after.html.includes("is not known here")]).toEqual([400, true]);
});

test("an answer is of use once, in the browser that asked, from the right site, and of the right person", async () => {
  const device = await add(await signIn("192.0.2.10"), "Key");
  const browser = open("192.0.2.11");
  const { options } = await begin(browser, { purpose: "sign-in" });
  const answer = device.get(options, { origin });
  expect((await give(open("192.0.2.12"), answer)).status).toBe(400);
  const other = open("192.0.2.13");
  await begin(other, { purpose: "sign-in" });
  expect((await give(other, answer)).html).toContain("was not accepted");
  const cookies = open("192.0.2.14");
  const again = await begin(cookies, { purpose: "sign-in" });
  const phished = device.get(again.options, { origin: "https://evil.example" });
  expect((await give(cookies, phished)).html).toContain("was not accepted");
  // Both leave before either has come: the cookie that ends the challenge is not there yet.
  const [one, two] = await Promise.all([give(browser, answer), give(browser, answer)]);
  expect([one.status, two.status].sort()).toEqual([302, 400]);
  // A challenge for adding one signs nobody in.
  const signedIn = await signIn("192.0.2.15");
  const adding = await begin(signedIn, { purpose: "add", confirm: server.owner.password });
  await signedIn.post("/sign-out", {});
  expect((await give(signedIn, device.get(adding.options, { origin }))).status).toBe(400);
  expect((await give(open("192.0.2.16"), "{}")).status).toBe(400);
  expect((await give(open("192.0.2.16"), "x".repeat(10_000))).status).toBe(400);
});

test("a device that does not ask who holds it signs nobody in alone, and a counter that went back is refused", async () => {
  const device = await add(await signIn("192.0.2.20"), "Stick", { isVerified: false });
  const browser = open("192.0.2.21");
  const ask = async (how: Parameters<typeof device.get>[1]) =>
    await give(browser, device.get((await begin(browser, { purpose: "sign-in" })).options, how));
  expect((await ask({ origin, isVerified: false })).html).toContain("did not ask who you are");
  expect((await ask({ origin })).status).toBe(302);
  const copied = open("192.0.2.22");
  const { options } = await begin(copied, { purpose: "sign-in" });
  expect((await give(copied, device.get(options, { origin, counterStep: -1 }))).html).toContain("may have been copied");
});

test("after a password, a passkey stands for the code, also of a device without PIN", async () => {
  const browser = await signIn("192.0.2.30");
  const device = await add(browser, "Second", { isVerified: false });
  const begun = await browser.post("/settings/security", { intent: "begin-factor", confirm: server.owner.password });
  const key =
    /<code[^>]*>([A-Z2-7 ]{20,})</.exec(begun.html)?.[1] ?? /([A-Z2-7]{4} ){7}[A-Z2-7]{4}/.exec(begun.html)?.[0] ?? "";
  const on = await browser.post("/settings/security", { intent: "confirm-factor", code: toCode(key) });
  expect(on.html).toContain("Two-factor sign-in is on");
  const fresh = open("192.0.2.31");
  const first = await fresh.post("/sign-in", { ...server.owner });
  expect(first.to).toBe(`${origin}/sign-in/code`);
  // The password alone does not get in by asking for a challenge without it.
  expect((await begin(open("192.0.2.32"), { purpose: "code" })).status).toBe(401);
  const { options } = await begin(fresh, { purpose: "code" });
  expect(options.allowCredentials.length).toBeGreaterThan(0);
  const wrongStep = await give(fresh, device.get(options, { origin, isVerified: false }), "/sign-in");
  expect(wrongStep.status).toBe(400);
  const again = await begin(fresh, { purpose: "code" });
  const done = await give(fresh, device.get(again.options, { origin, isVerified: false }), "/sign-in/code");
  expect([done.status, done.to]).toEqual([302, `${origin}/issues`]);
  expect((await fresh.open("/settings/audit")).html).toContain("password, passkey");
  // With a passkey that asks who holds it, no code is asked for.
  const whole = open("192.0.2.33");
  const alone = await give(whole, device.get((await begin(whole, { purpose: "sign-in" })).options, { origin }));
  expect(alone.to).toBe(`${origin}/issues`);
});

test("wrong answers of one network have a bound, and right ones of others go on", async () => {
  const stranger = open("192.0.2.40");
  let last = 0;
  for (let tries = 0; tries <= 50; tries++) last = (await give(stranger, "{}")).status;
  expect(last).toBe(429);
  expect((await give(open("198.51.100.7"), "{}")).status).toBe(400);
});

test("at an address for which browsers make none, the page says why", async () => {
  const browser = openCookieBrowser(server.url, { from: "192.0.2.50" });
  const answer = await browser.post("/sign-in/passkey", { purpose: "sign-in" });
  expect([answer.status, answer.html.includes("an IP address: 127.0.0.1")]).toEqual([409, true]);
});

/** RFC 6238 of now. */
function toCode(key: string): string {
  const bits = [...key.replace(/ /g, "")].map((char) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(char).toString(2).padStart(5, "0"),
  );
  const bytes = Buffer.from((bits.join("").match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const mac = createHmac("sha1", bytes).update(step).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
