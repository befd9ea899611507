import { expect, test } from "vitest";
import { startPushServer } from "../../../tests/support/push-server.ts";
import { readPushSubscription } from "../../domain/push/push-subscription.ts";
import { encryptPush, MAX_PUSH_BYTES } from "./encrypt-push.server.ts";
import { createSendPush } from "./send-push.server.ts";
import { makePushKeys } from "./vapid.server.ts";

const KEY = "0123456789abcdef0123456789abcdef";
const NOTICE = { title: "[shop] New issue: Boom", body: "SHOP-1: 1 event", url: "https://errors.example.com/issues/1" };

function open(change: Partial<Parameters<typeof createSendPush>[0]> = {}) {
  const keys = makePushKeys();
  return createSendPush({
    getKeys: async () => keys,
    findSubject: async () => "mailto:errors@example.com",
    allowsPrivate: true,
    now: Date.now,
    ...change,
  });
}

function read(sent: unknown) {
  const subscription = readPushSubscription(sent);
  if (subscription === null) throw new Error("it is no subscription");
  return subscription;
}

test("encrypts as the example of RFC 8291 does (appendix A)", () => {
  const body = encryptPush(
    Buffer.from("When I grow up, I want to be a watermelon"),
    {
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
    },
    {
      salt: Buffer.from("DGv6ra1nlYgDCS1FRnbzlw", "base64url"),
      privateKey: Buffer.from("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", "base64url"),
    },
  );
  expect(body.toString("base64url")).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});

test("a push service can check who sends, and the browser alone can read what", async () => {
  await using service = await startPushServer();
  const send = open();
  const browser = read(await service.subscribe("ada"));
  expect(await send(browser, NOTICE, KEY)).toMatchObject({ ok: true, isGone: false });
  expect(service.refused).toEqual([]);
  expect(service.received).toMatchObject([
    {
      message: { ...NOTICE, key: KEY },
      headers: { "content-encoding": "aes128gcm", ttl: "86400", topic: KEY },
      claims: { sub: "mailto:errors@example.com" },
    },
  ]);
  // The longest that there can be still fits.
  const long = { title: "\u0001".repeat(5_000), body: "é".repeat(5_000), url: NOTICE.url };
  expect(await send(browser, long, KEY)).toMatchObject({ ok: true });
  expect(service.received[1]?.message.url).toBe(NOTICE.url);
  expect(Buffer.byteLength(JSON.stringify(service.received[1]?.message))).toBeLessThanOrEqual(MAX_PUSH_BYTES);
});

test("says what a push service answered, and who is gone", async () => {
  await using service = await startPushServer();
  const send = open();
  const browser = read(await service.subscribe("ada"));
  service.answers.status = 503;
  service.answers.body = "later";
  expect(await send(browser, NOTICE, KEY)).toMatchObject({
    ok: false,
    reason: "503 later",
    isPermanent: false,
    isGone: false,
  });
  service.answers.status = 410;
  expect(await send(browser, NOTICE, KEY)).toMatchObject({ ok: false, isPermanent: true, isGone: true });
  // A key of 65 bytes that is no point of the curve.
  const crooked = { ...browser, p256dh: Buffer.alloc(65, 4).toString("base64url") };
  expect(await send(crooked, NOTICE, KEY)).toMatchObject({ ok: false, isGone: true });
  expect(service.received).toEqual([]);
});

test("asks no address that is not of the public internet", async () => {
  await using service = await startPushServer();
  const send = open({ allowsPrivate: false });
  const result = await send(read(await service.subscribe("ada")), NOTICE, KEY);
  expect(result).toMatchObject({
    ok: false,
    reason: expect.stringContaining("not at a public address"),
    isGone: false,
  });
  expect(service.received).toEqual([]);
});

test.each([
  ["nothing", null],
  ["no keys", { endpoint: "https://push.example/1" }],
  ["a key that is too short", { endpoint: "https://push.example/1", keys: { p256dh: "BAAA", auth: "a".repeat(22) } }],
  [
    "a key that is compressed",
    { endpoint: "https://push.example/1", keys: { p256dh: "A".repeat(87), auth: "a".repeat(22) } },
  ],
  [
    "a secret of another length",
    { endpoint: "https://push.example/1", keys: { p256dh: "B".repeat(87), auth: "a".repeat(23) } },
  ],
  ["another protocol", { endpoint: "file:///etc/passwd", keys: { p256dh: "B".repeat(87), auth: "a".repeat(22) } }],
  ["credentials", { endpoint: "https://a:b@push.example/1", keys: { p256dh: "B".repeat(87), auth: "a".repeat(22) } }],
  [
    "a very long address",
    { endpoint: `https://push.example/${"a".repeat(1_000)}`, keys: { p256dh: "B".repeat(87), auth: "a".repeat(22) } },
  ],
])("takes no subscription with %s", (_, sent) => {
  expect(readPushSubscription(sent)).toBeNull();
});
