import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Page, signIn } from "../support/browse.ts";
import { runCommand } from "../support/run-command.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env: { TRUST_PROXY: "1" } });
});
afterAll(() => server?.[Symbol.asyncDispose]());

const CODE = /\b[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}\b/g;

/** What a browser without JavaScript does: it keeps cookies and follows no redirect by itself. */
function openBrowser(from: string) {
  const jar = new Map<string, string>();
  return async (path: string, fields?: Record<string, string>) => {
    const answer = await fetch(server.url + path, {
      method: fields ? "POST" : "GET",
      redirect: "manual",
      headers: {
        accept: "text/html",
        "x-forwarded-for": from,
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(fields && { origin: server.url }),
      },
      ...(fields && { body: new URLSearchParams(fields) }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      jar.set(name, value);
    }
    return { status: answer.status, to: answer.headers.get("location"), html: await answer.text() };
  };
}

async function addMember(name: string) {
  const password = `the password of ${name}`;
  const owner = await signIn(server);
  const { html } = await owner.post("/settings/invitations", { intent: "invite", role: "member" });
  const path = /\/invitation\/[\w-]{43}/.exec(html)?.[0] ?? "";
  const browser = openBrowser("192.0.2.200");
  const email = `${name}@example.com`;
  const joined = await browser(path, { name, email, password });
  expect(joined.status).toBe(302);
  return { email, password, browser };
}

/** Turns the second factor on; codes of it come from the future, because each works once. */
async function turnOn(browser: ReturnType<typeof openBrowser>, password: string) {
  await browser("/settings/security", { intent: "begin-factor", confirm: password });
  const { html } = await browser("/settings/security");
  const key = /value="((?:[A-Z2-7]{4} ){7}[A-Z2-7]{4})"/.exec(html)?.[1] ?? "";
  expect(html).toContain("otpauth://totp/Culprit");
  const totp = new TOTP({ secret: Secret.fromBase32(key.replaceAll(" ", "")) });
  const on = await browser("/settings/security", { intent: "confirm-factor", code: totp.generate() });
  expect(on.html).toContain("Two-factor sign-in is on");
  const codes = [...new Set(on.html.match(CODE) ?? [])];
  expect(codes).toHaveLength(10);
  let steps = 0;
  return {
    codes,
    /** The code of the next thirty seconds, which the window allows once. */
    next: () => totp.generate({ timestamp: Date.now() + 30_000 * ++steps }),
    used: totp.generate(),
  };
}

test("sign-in asks for a code, takes each once, and gives no session before it", async () => {
  const { email, password, browser } = await addMember("ada");
  const { next, used, codes } = await turnOn(browser, password);
  const other = openBrowser("192.0.2.1");
  const first = await other("/sign-in?to=%2Freleases", { email, password });
  expect([first.status, first.to]).toEqual([302, "/sign-in/code?to=%2Freleases"]);
  expect((await other("/releases")).to).toContain("/sign-in");
  expect((await other("/sign-in/code")).html).toContain(email);
  // The one that turned it on is used.
  expect(await other("/sign-in/code", { code: used })).toMatchObject({ status: 400 });
  const right = next();
  const signedIn = await other("/sign-in/code?to=%2Freleases", { code: `${right.slice(0, 3)} ${right.slice(3)}` });
  expect([signedIn.status, signedIn.to]).toEqual([302, "/releases"]);
  expect((await other("/releases")).status).toBe(200);
  // Who saw the code over a shoulder, and knows the password, is too late.
  const late = openBrowser("192.0.2.2");
  await late("/sign-in?to=%2Freleases", { email, password });
  const replay = await late("/sign-in/code", { code: right });
  expect(replay.status).toBe(400);
  expect(replay.html).toContain("This code was used");
  // A recovery code leads to where one sees how many are left, and works once.
  const [code = ""] = codes;
  const recovered = await late("/sign-in/code?to=%2Freleases", { code: code.toUpperCase() });
  expect(recovered.status).toBe(302);
  const { html } = await late(recovered.to ?? "");
  expect(html).toContain("You signed in with a recovery code");
  expect(html).toMatch(/Recovery codes left: (<!-- -->)?9/);
  expect(html).toMatch(/href="\/releases"[^>]*>Go on</);
  const elsewhere = await late("/settings/security?used=recovery-code&to=%2F%2Fevil.example");
  expect(elsewhere.html).not.toContain('href="//evil.example');
  const again = openBrowser("192.0.2.3");
  await again("/sign-in", { email, password });
  expect((await again("/sign-in/code", { code })).status).toBe(400);
});

test("without the password nobody is asked for a code, and a changed password ends what was begun", async () => {
  const { email, password, browser } = await addMember("bob");
  await turnOn(browser, password);
  const stranger = openBrowser("192.0.2.10");
  await stranger("/sign-in", { email, password: "a guess" });
  expect(await stranger("/sign-in/code", { code: "123456" })).toMatchObject({ status: 302, to: "/sign-in" });
  const begun = openBrowser("192.0.2.11");
  await begun("/sign-in", { email, password });
  expect((await begun("/sign-in/code")).status).toBe(200);
  await browser("/settings", { intent: "password", current: password, next: "another long password" });
  expect(await begun("/sign-in/code")).toMatchObject({ status: 302, to: "/sign-in" });
});

test("wrong codes have a limit; a browser that is known keeps its own, and recovery codes theirs", async () => {
  const { email, password, browser } = await addMember("cleo");
  const { next, codes } = await turnOn(browser, password);
  const thief = openBrowser("192.0.2.20");
  await thief("/sign-in", { email, password });
  const tries = await Promise.all(Array.from({ length: 12 }, () => thief("/sign-in/code", { code: "000000" })));
  expect(tries.filter(({ status }) => status === 400)).toHaveLength(10);
  expect(tries.filter(({ status }) => status === 429)).toHaveLength(2);
  // From other addresses, until the hour of the account is used up.
  const others = Array.from({ length: 3 }, async (_, index) => {
    const one = openBrowser(`192.0.2.${30 + index}`);
    await one("/sign-in", { email, password });
    return await Promise.all(Array.from({ length: 5 }, () => one("/sign-in/code", { code: "000000" })));
  });
  expect((await Promise.all(others)).flat().filter(({ status }) => status === 400)).toHaveLength(10);
  const unknown = openBrowser("192.0.2.40");
  await unknown("/sign-in", { email, password });
  const right = next();
  expect((await unknown("/sign-in/code", { code: right })).status).toBe(429);
  expect((await unknown("/sign-in/code", { code: codes[0] ?? "" })).status).toBe(302);
  await browser("/sign-out", {});
  await browser("/sign-in", { email, password });
  expect(await browser("/sign-in/code", { code: right })).toMatchObject({ status: 302, to: "/issues" });
});

test("it is turned off with a code alone, and a link for a new password does not go around it", async () => {
  const { email, password, browser } = await addMember("dora");
  const { codes } = await turnOn(browser, password);
  expect((await browser("/settings/security", { intent: "turn-off-factor", code: "" })).status).toBe(400);
  const owner = await signIn(server);
  const id = /settings\/members\/(\d+)"[^>]*>dora/.exec((await owner.open("/settings/members?q=dora")).html)?.[1];
  const link = /\/reset-password\/[\w-]{43}/.exec(
    (await owner.post(`/settings/members/${id}`, { intent: "reset" })).html,
  )?.[0];
  const other = openBrowser("192.0.2.50");
  const reset = await other(link ?? "", { password: "a new long password" });
  expect([reset.status, reset.to]).toEqual([302, "/sign-in/code"]);
  expect((await other("/issues")).to).toContain("/sign-in");
  await other("/sign-in/code", { code: codes[0] ?? "" });
  const off = await other("/settings/security", { intent: "turn-off-factor", code: codes[1] ?? "" });
  expect(off.html).toContain("Two-factor sign-in is off");
  const plain = openBrowser("192.0.2.51");
  expect((await plain("/sign-in", { email, password: "a new long password" })).to).toBe("/issues");
});

test("who has lost phone and codes is let in by an owner, or by the operator", async () => {
  const { email, password, browser } = await addMember("eva");
  await turnOn(browser, password);
  const owner = await signIn(server);
  const members = await owner.open("/settings/members?q=eva");
  expect(members.html).toContain("Two factors");
  const id = /settings\/members\/(\d+)"[^>]*>eva/.exec(members.html)?.[1];
  // Nobody can put it back, so the page asks first.
  expect((await owner.open(`/settings/members/${id}`)).html).toContain("Let eva sign in with a password alone?");
  const reset: Page = await owner.post(`/settings/members/${id}`, { intent: "reset-factor" });
  expect(reset.html).toContain("The second factor of eva is off");
  expect((await browser("/issues")).to).toContain("/sign-in");
  expect((await browser("/sign-in", { email, password })).to).toBe("/issues");
  await turnOn(browser, password);
  expect((await runCommand("account", server.dataDir, ["list"])).stdout).toMatch(/eva@.*second factor/);
  const off = await runCommand("account", server.dataDir, ["turn-off-second-factor", email]);
  expect(off.stdout).toContain(`The second factor of ${email} is off.`);
  expect((await browser("/sign-in", { email, password })).to).toBe("/issues");
});

test("where the organization requires one, members see the page that sets it up, and nothing else", async () => {
  await using strict = await startServer();
  const owner = await signIn(strict);
  const early = await owner.post("/settings/sign-in", { intent: "require-second-factor" });
  expect(early.status).toBe(409);
  await owner.post("/second-factor", { intent: "begin-factor", confirm: strict.owner.password });
  const { html } = await owner.open("/second-factor");
  const key = /value="((?:[A-Z2-7]{4} ){7}[A-Z2-7]{4})"/.exec(html)?.[1] ?? "";
  const code = new TOTP({ secret: Secret.fromBase32(key.replaceAll(" ", "")) }).generate();
  await owner.post("/second-factor", { intent: "confirm-factor", code });
  const link = /\/invitation\/[\w-]{43}/.exec(
    (await owner.post("/settings/invitations", { intent: "invite", role: "viewer" })).html,
  )?.[0];
  const joined = await fetch(strict.url + link, {
    method: "POST",
    redirect: "manual",
    headers: { origin: strict.url },
    body: new URLSearchParams({ name: "Fay", email: "fay@example.com", password: "the password of fay" }),
  });
  const cookie = joined.headers.get("set-cookie")?.split(";")[0] ?? "";
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(strict.url + path, {
      redirect: "manual",
      ...init,
      headers: { cookie, origin: strict.url, accept: "text/html" },
    });
  expect((await ask("/issues")).status).toBe(200);
  const required = await owner.post("/settings/sign-in", { intent: "require-second-factor" });
  expect(required.html).toContain("1 of them has none yet");
  for (const path of ["/issues", "/projects", "/settings", "/nothing/here", "/find?text=x", "/live"]) {
    const { status, headers } = await ask(path);
    expect([path, status, headers.get("location")?.split("?")[0]]).toEqual([path, 302, "/second-factor"]);
  }
  expect((await ask("/api/0/projects/")).status).toBe(403);
  expect((await ask("/settings", { method: "POST", body: new URLSearchParams({ intent: "leave" }) })).status).toBe(403);
  expect(await (await ask("/second-factor")).text()).toContain("asks everybody for a code");
  // The owner's is on already, and cannot be turned off.
  expect((await owner.open("/issues")).status).toBe(200);
  expect((await owner.post("/settings/security", { intent: "turn-off-factor", code })).status).toBe(409);
});
