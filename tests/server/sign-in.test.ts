import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signIn as signInAt } from "../support/browse.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const BROWSER = "culprit_browser";

let server: TestServer;
/** For what is about the time that hashes take. */
let slowServer: TestServer;
beforeAll(async () => {
  const env = { TRUST_PROXY: "1" };
  [server, slowServer] = await Promise.all([startServer({ env }), startServer({ env, hasSlowPasswords: true })]);
});
afterAll(async () => {
  await Promise.all([server?.[Symbol.asyncDispose](), slowServer?.[Symbol.asyncDispose]()]);
});

interface Attempt {
  /** `server`, if not given. */
  to?: TestServer;
  email?: string;
  password?: string;
  /** As the proxy saw the sender. */
  from: string;
  cookie?: string;
  path?: string;
  signal?: AbortSignal;
}

function post({ to = server, email, password = "a guess", from, cookie, path = "/sign-in", signal }: Attempt) {
  return fetch(to.url + path, {
    method: "POST",
    redirect: "manual",
    headers: { origin: to.url, "x-forwarded-for": from, ...(cookie && { cookie }) },
    body: new URLSearchParams({ email: email ?? to.owner.email, password }),
    ...(signal && { signal }),
  });
}

const postRight = (attempt: Attempt) => post({ ...attempt, password: server.owner.password });

async function statusesOf(answers: Array<Promise<Response>>): Promise<number[]> {
  return (await Promise.all(answers)).map(({ status }) => status);
}

function findCookie(answer: Response, name: string): string {
  const found = answer.headers.getSetCookie().find((text) => text.startsWith(`${name}=`));
  if (!found) throw new Error(`the answer (${answer.status}) sets no ${name}`);
  return found;
}

const toPair = (setCookie: string) => setCookie.split(";", 1)[0] ?? "";

describe("what is too long is refused before anything else", () => {
  test("an address over 254 characters", async () => {
    const answer = await post({ email: `${"x".repeat(243)}@example.com`, from: "192.0.2.1" });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("An e-mail address has at most 254 characters.");
    // The longest one that is allowed is an account that is not there.
    const longest = await post({ email: `${"x".repeat(242)}@example.com`, from: "192.0.2.1" });
    expect(longest.status).toBe(400);
    expect(await longest.text()).toContain("E-mail or password is wrong.");
  });

  test("a password over 1,024 characters, which counts for no limit", async () => {
    const answers = Array.from({ length: 12 }, () => post({ password: "x".repeat(1_025), from: "192.0.2.2" }));
    expect(await statusesOf(answers)).toEqual(Array(12).fill(400));
    expect((await postRight({ from: "192.0.2.2" })).status).toBe(302);
  });

  test("a form over 16 KiB", async () => {
    const email = "x".repeat(16 * 1024);
    expect((await post({ email, from: "192.0.2.3" })).status).toBe(413);
  });
});

test("ten wrong passwords make an address wait, an IPv6 sender with all of its /64; others do not have to", async () => {
  const email = "somebody@example.com";
  const sameNetwork = (index: number) => `2001:db8:0:1::${index + 1}`;
  const answers = Array.from({ length: 10 }, (_, index) => post({ email, from: sameNetwork(index) }));
  expect(await statusesOf(answers)).toEqual(Array(10).fill(400));
  const refused = await post({ email, from: sameNetwork(10) });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(500);
  expect(await refused.text()).toContain("Too many attempts. Try again in 10 minutes.");
  expect((await post({ email, from: "2001:db8:0:2::1" })).status).toBe(400);
  expect((await post({ email, from: "[2001:db8:0:1::ff]:4711" })).status).toBe(429);
});

describe("a browser that has signed in before", () => {
  test("is remembered by a cookie that scripts and other sites do not get", async () => {
    const cookie = findCookie(await postRight({ from: "192.0.2.10" }), BROWSER);
    expect(cookie).toMatch(/; Max-Age=34560000; /);
    expect(cookie).toMatch(/; Path=\//);
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Lax/);
    expect(cookie).not.toMatch(/; Secure/);
    const secureUrl = server.url.replace("http:", "https:");
    const secure = await fetch(`${server.url}/sign-in`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: secureUrl, "x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.10" },
      body: new URLSearchParams(server.owner),
    });
    expect(findCookie(secure, BROWSER)).toMatch(/; Secure/);
    // The same browser keeps its token, and another account's or a made-up one is not taken over.
    const again = await postRight({ from: "192.0.2.10", cookie: toPair(cookie) });
    expect(toPair(findCookie(again, BROWSER))).toBe(toPair(cookie));
    const madeUp = `${BROWSER}=${Buffer.from(JSON.stringify("x".repeat(43))).toString("base64")}`;
    expect(toPair(findCookie(await postRight({ from: "192.0.2.10", cookie: madeUp }), BROWSER))).not.toBe(madeUp);
  });

  test("is not locked out by strangers, not even at its own address; they are", async () => {
    const from = "192.0.2.11";
    const known = toPair(findCookie(await postRight({ from }), BROWSER));
    expect(await statusesOf(Array.from({ length: 10 }, () => post({ from })))).toEqual(Array(10).fill(400));
    expect((await postRight({ from })).status).toBe(429);
    const made = `${BROWSER}=${Buffer.from(JSON.stringify("y".repeat(43))).toString("base64")}`;
    expect((await postRight({ from, cookie: made })).status).toBe(429);
    expect((await postRight({ from, cookie: known })).status).toBe(302);
    // An unknown browser elsewhere is not locked out by one stranger either.
    expect((await postRight({ from: "192.0.2.12" })).status).toBe(302);
    // Whoever has the browser may not guess for ever.
    const guesses = Array.from({ length: 10 }, () => post({ from, cookie: known }));
    expect(await statusesOf(guesses)).toEqual(Array(10).fill(400));
    expect((await postRight({ from, cookie: known })).status).toBe(429);
  });

  test("goes before the strangers that fill the queue, who are asked to come back", async () => {
    const known = toPair(findCookie(await postRight({ to: slowServer, from: "192.0.2.20" }), BROWSER));
    const strangers = Array.from({ length: 40 }, (_, index) =>
      post({ to: slowServer, email: `${index}@example.com`, from: `198.51.100.${index}` }),
    );
    const owner = postRight({ to: slowServer, from: "192.0.2.20", cookie: known });
    const answers = await Promise.all(strangers);
    expect((await owner).status).toBe(302);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 429]));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.map(({ headers }) => headers.get("retry-after"))).toEqual(refused.map(() => "5"));
    expect(await refused[0]?.text()).toContain("Too many passwords are being checked right now.");
  });
});

test("senders that leave give their places in the queue back", async () => {
  const leaving = new AbortController();
  const first = Array.from({ length: 40 }, (_, index) =>
    post({ to: slowServer, email: `left-${index}@example.com`, from: `203.0.113.${index}`, signal: leaving.signal }),
  );
  const ended = Promise.allSettled(first);
  // With the first answer, the places behind it are taken.
  const isAnswered = await Promise.any(
    first.map((answer) => answer.then(({ status }) => status === 400 || Promise.reject(new Error("refused")))),
  );
  expect(isAnswered).toBe(true);
  leaving.abort();
  await ended;
  // By the tenth answer the server has heard that they are gone.
  for (let time = 0; time < 10; time++) await fetch(`${slowServer.url}/healthz`);
  const next = Array.from({ length: 12 }, (_, index) =>
    post({ to: slowServer, email: `next-${index}@example.com`, from: "192.0.2.30" }),
  );
  expect(await statusesOf(next)).toEqual(Array(12).fill(400));
  // That they left is no fault: they would fill the log with it, and the server's own project.
  expect(slowServer.logLines().filter(({ level }) => level >= 40)).toEqual([]);
});

test("a new password makes other browsers strangers", async () => {
  await using own = await startServer({ env: { TRUST_PROXY: "1" } });
  const ask = (path: string, fields: Record<string, string>, headers: Record<string, string>) =>
    fetch(own.url + path, {
      method: "POST",
      redirect: "manual",
      headers: { origin: own.url, ...headers },
      body: new URLSearchParams(fields),
    });
  const signIn = (headers: Record<string, string>, password = own.owner.password) =>
    ask("/sign-in", { email: own.owner.email, password }, headers);
  const toCookies = (answer: Response) => answer.headers.getSetCookie().map(toPair).join("; ");
  const here = toCookies(await signIn({ "x-forwarded-for": "192.0.2.1" }));
  const elsewhere = toCookies(await signIn({ "x-forwarded-for": "192.0.2.2" }));
  const long = { intent: "password", current: "x".repeat(1_025), next: "a better password" };
  expect((await ask("/settings", long, { cookie: here })).status).toBe(400);
  const changed = await ask(
    "/settings",
    { intent: "password", current: own.owner.password, next: "a better password" },
    { cookie: here },
  );
  expect(changed.status).toBe(200);
  const from = "192.0.2.3";
  for (let time = 0; time < 10; time++) await signIn({ "x-forwarded-for": from });
  expect((await signIn({ "x-forwarded-for": from, cookie: elsewhere }, "a better password")).status).toBe(429);
  expect((await signIn({ "x-forwarded-for": from, cookie: here }, "a better password")).status).toBe(302);
});

test("a password is guessed ten times on the settings page, and no more", async () => {
  await using own = await startServer();
  const visitor = await signInAt(own);
  const guess = (current: string) =>
    visitor.post("/settings", { intent: "password", current, next: "a better password" });
  const change = { current: own.owner.password, next: "a better password" };
  for (const form of [change, { ...change, intent: "explode" }]) {
    const answer = await visitor.post("/settings", form);
    expect(answer.status).toBe(400);
    expect(answer.html).toContain("intent: ");
  }
  const statuses: number[] = [];
  for (let time = 0; time < 10; time++) statuses.push((await guess("not the password")).status);
  expect(statuses).toEqual(Array(10).fill(400));
  expect((await guess(own.owner.password)).status).toBe(429);
  const email = { intent: "profile", name: "Ada", email: "ada@example.com", confirm: own.owner.password };
  expect((await visitor.post("/settings", email)).status).toBe(429);
});

test("the set-up code can be tried ten times from one address", async () => {
  await using empty = await startServer({ project: null });
  const form = { name: "Eve", email: "eve@example.com", password: "correct horse", project: "Shop", platform: "go" };
  const guess = async (code: string) => {
    const answer = await fetch(`${empty.url}/set-up`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: empty.url },
      body: new URLSearchParams({ ...form, code }),
    });
    return { status: answer.status, headers: answer.headers, html: await answer.text() };
  };
  const statuses: number[] = [];
  for (let tries = 0; tries < 10; tries++) statuses.push((await guess("AAAA-AAAA-AAAA")).status);
  expect(statuses).toEqual(Array(10).fill(400));
  const refused = await guess(await empty.setUpCode());
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(500);
  // Without script the answer is the form itself: all that was typed can be sent again, except the password.
  for (const [name, value] of Object.entries(form))
    expect(refused.html.includes(`value="${value}"`)).toBe(name !== "password");
});

test("set-up hashes no password on a server that is set up, and takes no address over 254 characters", async () => {
  const fields = { name: "Eve", password: "correct horse", project: "Shop", platform: "javascript" };
  const setUp = (url: string, email: string, code = "AAAA-AAAA-AAAA") =>
    fetch(`${url}/set-up`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: url },
      body: new URLSearchParams({ ...fields, email, code }),
    });
  const answers = Array.from({ length: 40 }, () => setUp(slowServer.url, "eve@example.com"));
  const locations = (await Promise.all(answers)).map(({ headers }) => headers.get("location"));
  expect(locations).toEqual(Array(40).fill("/sign-in"));

  await using empty = await startServer({ project: null });
  const long = await setUp(empty.url, `${"x".repeat(243)}@example.com`);
  expect(long.status).toBe(400);
  expect(await long.text()).toContain("An e-mail address has at most 254 characters.");
  const code = await empty.setUpCode();
  const wrong = await setUp(empty.url, "ada@example.com");
  expect(wrong.status).toBe(400);
  expect(await wrong.text()).toContain("This is not the code of this server’s last start.");
  const missing = await setUp(empty.url, "ada@example.com", "");
  expect(await missing.text()).toContain("Copy it from the server’s log.");
  const done = await setUp(empty.url, "ada@example.com", code.toLowerCase());
  expect(findCookie(done, "culprit_session")).toBeTruthy();
  expect(findCookie(done, BROWSER)).toBeTruthy();
});
