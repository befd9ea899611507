import { describe, expect, test } from "vitest";
import { headerOf, partsOf, startMailServer } from "../../tests/support/mail-server.ts";
import { isSigned, startWebhookReceiver } from "../../tests/support/webhook-receiver.ts";
import { type ChannelRequest, requestChannel } from "./request-channel.server.ts";
import { sendMail, toSmtpOptions } from "./send-mail.server.ts";
import { ROTATION_OVERLAP_MS, rotateSigningSecret, signatureHeaders } from "./sign-webhook.server.ts";

const KEY = "0123456789abcdef".repeat(2);
const NOW = Date.UTC(2026, 4, 20, 12);
const SECRET = "whsec_c2VjcmV0IG9mIHRoZSB0ZXN0cw==";
const FROM = "Culprit <errors@example.com>";
const signal = AbortSignal.timeout(60_000);
const mail = { subject: "[shop] New issue: Größe ‚x‘", text: "Text ä", html: "<p>HTML ä</p>" };

describe("mail", () => {
  test("arrives with both parts, and with an id that stays the same", async () => {
    await using server = await startMailServer();
    const config = { url: server.url, from: FROM };
    const sent = { to: "ada@example.com", mail, key: KEY, signal };
    expect(await sendMail(config, sent)).toEqual({ ok: true, answer: expect.stringContaining("250 queued") });
    await sendMail(config, sent);
    const [first, second] = server.received;
    if (!first || !second) throw new Error("two mails were sent");
    expect([first.from, first.to]).toEqual(["errors@example.com", ["ada@example.com"]]);
    expect(headerOf(first, "subject")).toBe(mail.subject);
    expect(headerOf(first, "from")).toBe(FROM);
    expect(headerOf(first, "message-id")).toBe(`<${KEY}@example.com>`);
    expect(headerOf(second, "message-id")).toBe(headerOf(first, "message-id"));
    expect(headerOf(first, "auto-submitted")).toBe("auto-generated");
    const parts = partsOf(first);
    expect(parts["text/plain"]).toContain("Text ä");
    expect(parts["text/html"]).toContain("<p>HTML ä</p>");
  });

  test("signs in, and never repeats the password", async () => {
    const account = { user: "culprit", password: "p@ss/wörd" };
    await using server = await startMailServer({ account });
    const right = await sendMail({ url: server.url, from: FROM }, { to: "ada@example.com", mail, key: KEY, signal });
    expect(right).toMatchObject({ ok: true });
    const url = server.url.replace(encodeURIComponent(account.password), "wrong-secret");
    const wrong = await sendMail({ url, from: FROM }, { to: "ada@example.com", mail, key: KEY, signal });
    expect(wrong).toMatchObject({ ok: false, isPermanent: false, reason: expect.stringContaining("535") });
    expect(JSON.stringify(wrong)).not.toContain("wrong-secret");
    expect(server.received).toHaveLength(1);
  });

  test("tells a recipient that will never do from a server that cannot now", async () => {
    await using server = await startMailServer({
      refuse: (address) =>
        address.startsWith("gone")
          ? { code: 550, message: "no such user" }
          : { code: 450, message: "mailbox busy, try later" },
    });
    const config = { url: server.url, from: FROM };
    const to = (address: string) => sendMail(config, { to: address, mail, key: KEY, signal });
    expect(await to("gone@example.com")).toMatchObject({ ok: false, isPermanent: true, reason: /550.*no such user/ });
    expect(await to("busy@example.com")).toMatchObject({ ok: false, isPermanent: false, reason: /450/ });
    const nowhere = await sendMail({ url: "smtp://127.0.0.1:1", from: FROM }, { to: "a@b.c", mail, key: KEY, signal });
    expect(nowhere).toMatchObject({ ok: false, isPermanent: false, reason: /ECONNREFUSED/ });
  });

  test("gives up a server that does not answer in time", async () => {
    await using server = await startMailServer({ delayMs: 5_000 });
    const short = AbortSignal.timeout(200);
    expect(await sendMail({ url: server.url, from: FROM }, { to: "a@b.c", mail, key: KEY, signal: short })).toEqual({
      ok: false,
      reason: "it took too long",
      isPermanent: false,
      retryAfterMs: null,
    });
  });

  test("a password goes over TLS alone, but to this machine", () => {
    expect(toSmtpOptions("smtp://mail.example.com")).toMatchObject({ port: 587, secure: false, requireTLS: false });
    expect(toSmtpOptions("smtp://u:p%40ss@mail.example.com:2525")).toMatchObject({
      host: "mail.example.com",
      port: 2525,
      requireTLS: true,
      auth: { user: "u", pass: "p@ss" },
    });
    expect(toSmtpOptions("smtps://u:p@mail.example.com")).toMatchObject({ port: 465, secure: true });
    expect(toSmtpOptions("smtp://u:p@127.0.0.1")).toMatchObject({ requireTLS: false });
    expect(toSmtpOptions("smtp://u:p@[::1]:25")).toMatchObject({ host: "::1", requireTLS: false });
  });
});

/** 127.0.0.1 stands for the public internet; every other address is what it is. */
const options: Options = { now: NOW, signal, isPublic: (address) => address === "127.0.0.1" };

type Options = Omit<ChannelRequest, "url" | "body">;

async function post(url: string, body: string, { secret = SECRET, ...request }: Options & { secret?: string }) {
  const headers = signatureHeaders({ secret }, { key: KEY, now: request.now, body });
  return (await requestChannel({ ...request, url, body, headers })).result;
}

describe("webhooks", () => {
  test("arrive signed, with the key of the message", async () => {
    await using receiver = await startWebhookReceiver();
    expect(await post(receiver.url, '{"ä":1}', options)).toEqual({ ok: true, answer: "200 ok" });
    const [received] = receiver.received;
    if (!received) throw new Error("nothing was received");
    expect(received.body).toBe('{"ä":1}');
    expect(received.headers).toMatchObject({
      "content-type": "application/json",
      "webhook-id": KEY,
      "webhook-timestamp": String(NOW / 1000),
    });
    expect(isSigned(received, SECRET)).toBe(true);
    expect(isSigned({ ...received, body: '{"ä":2}' }, SECRET)).toBe(false);
    expect(isSigned(received, "whsec_b3RoZXI=")).toBe(false);
  });

  test("are signed with both secrets for a day after a rotation", async () => {
    await using receiver = await startWebhookReceiver();
    const secrets = rotateSigningSecret({ url: receiver.url, secret: SECRET }, NOW);
    const twice = rotateSigningSecret(secrets, NOW);
    const send = async (now: number) => {
      const headers = signatureHeaders(secrets, { key: KEY, now, body: "{}" });
      await requestChannel({ ...options, now, url: secrets.url ?? "", body: "{}", headers });
      const hook = receiver.received.at(-1);
      return hook ? [isSigned(hook, secrets.secret), isSigned(hook, SECRET)] : [];
    };
    expect(await send(NOW + ROTATION_OVERLAP_MS - 1)).toEqual([true, true]);
    expect(await send(NOW + ROTATION_OVERLAP_MS)).toEqual([true, false]);
    expect(twice.previousSecret).toBe(secrets.secret);
    expect(twice.url).toBe(receiver.url);
  });

  test("say what the receiver answered, at most its start", async () => {
    await using receiver = await startWebhookReceiver({
      answer: (_, res) => {
        res.writeHead(500);
        res.write(`no\u0007 ${"x".repeat(300)}`);
        // Goes on for ever: what was read is enough.
        res.write("y".repeat(64 * 1024));
      },
    });
    const result = await post(receiver.url, "{}", options);
    expect(result).toMatchObject({ ok: false, isPermanent: false, reason: expect.stringMatching(/^500 no x+$/) });
    expect(JSON.stringify(result).length).toBeLessThan(400);
  });

  test("do what Retry-After asks, up to six hours", async () => {
    await using receiver = await startWebhookReceiver();
    const ask = async (value: string) => {
      receiver.answerWith((_, res) => void res.writeHead(429, { "retry-after": value }).end());
      const result = await post(receiver.url, "{}", options);
      return result.ok ? null : result.retryAfterMs;
    };
    expect(await ask("120")).toBe(120_000);
    expect(await ask(new Date(NOW + 60_000).toUTCString())).toBe(60_000);
    expect(await ask("999999999")).toBe(6 * 3_600_000);
    expect(await ask("soon")).toBeNull();
    expect(await ask("-5")).toBeNull();
  });

  test("follow no redirect", async () => {
    await using inside = await startWebhookReceiver();
    await using receiver = await startWebhookReceiver({
      answer: (_, res) => void res.writeHead(307, { location: inside.url }).end(),
    });
    expect(await post(receiver.url, "{}", options)).toMatchObject({
      ok: false,
      reason: "307: it redirects, which is not followed",
    });
    expect(inside.received).toEqual([]);
  });

  test("reach no private address: by number, by name, by a second answer of the name server", async () => {
    await using receiver = await startWebhookReceiver();
    const publicOnly: Options = { now: NOW, signal };
    const refused = { ok: false, reason: expect.stringContaining("not at a public address") };
    expect(await post(receiver.url, "{}", publicOnly)).toMatchObject(refused);
    expect(await post("http://[::ffff:127.0.0.1]/", "{}", publicOnly)).toMatchObject(refused);
    expect(await post("http://169.254.169.254/latest", "{}", publicOnly)).toMatchObject(refused);
    const { port } = new URL(receiver.url);
    const named = (address: string) => async () => [{ address, family: 4 }];
    const byName = { ...publicOnly, resolve: named("127.0.0.1") };
    expect(await post(`http://hooks.example.com:${port}/`, "{}", byName)).toMatchObject(refused);
    // The name is asked for once: the connection goes to the address that was checked.
    let asked = 0;
    const rebinding = async () => [{ address: asked++ === 0 ? "127.0.0.1" : "10.0.0.1", family: 4 }];
    const once = { ...options, resolve: rebinding };
    expect(await post(`http://hooks.example.com:${port}/`, "{}", once)).toMatchObject({ ok: true });
    expect([asked, receiver.received.length]).toEqual([1, 1]);
  });

  test("give up a receiver that does not answer, and one that is not there", async () => {
    await using receiver = await startWebhookReceiver({ answer: () => {} });
    const short = { ...options, signal: AbortSignal.timeout(200) };
    expect(await post(receiver.url, "{}", short)).toMatchObject({ ok: false, reason: "it took too long" });
    expect(await post("http://127.0.0.1:1/", "{}", options)).toMatchObject({
      ok: false,
      reason: "the connection failed (ECONNREFUSED)",
    });
    expect(await post("ftp://127.0.0.1/", "{}", options)).toMatchObject({ ok: false });
    expect(await post("nonsense", "{}", options)).toMatchObject({ ok: false });
  });
});
