import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const { subtle } = globalThis.crypto;

export interface ReceivedPush {
  /** The message, decrypted. */
  message: { title: string; body: string; url: string | null; key: string };
  headers: Record<string, string | string[] | undefined>;
  /** What the server's token says. */
  claims: { aud: string; exp: number; sub?: string };
}

/** A push service (RFC 8030), and the browsers that subscribe with it: it checks who sends (RFC 8292), and decrypts what comes (RFC 8291). */
export async function startPushServer() {
  const received: ReceivedPush[] = [];
  const refused: string[] = [];
  const browsers = new Map<string, Browser>();
  /** What it answers; 201 takes the message. */
  const answers = { status: 201, body: "" };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", async () => {
      const browser = browsers.get(request.url ?? "");
      if (browser === undefined || answers.status !== 201) {
        response.writeHead(browser === undefined ? 404 : answers.status).end(answers.body);
        return;
      }
      try {
        const origin = `http://${request.headers.host}`;
        const claims = await readToken(String(request.headers.authorization), origin);
        const text = await decrypt(Buffer.concat(parts), browser);
        received.push({ message: JSON.parse(text), headers: request.headers, claims });
        response.writeHead(201, { location: `${origin}/message/1` }).end();
      } catch (error) {
        refused.push(String(error));
        response.writeHead(400).end(String(error));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    received,
    refused,
    answers,
    /** What a browser gives its page, as JSON. */
    async subscribe(name: string) {
      const pair = await subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
      const publicKey = Buffer.from(await subtle.exportKey("raw", pair.publicKey));
      const auth = Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(16)));
      browsers.set(`/push/${name}`, { privateKey: pair.privateKey, publicKey, auth });
      const keys = { p256dh: publicKey.toString("base64url"), auth: auth.toString("base64url") };
      return { endpoint: `${url}/push/${name}`, expirationTime: null, keys };
    },
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

interface Browser {
  privateKey: CryptoKey;
  publicKey: Buffer;
  auth: Buffer;
}

/** @throws when the token is not signed by the key that it names, or is for another service, or too long. */
async function readToken(authorization: string, origin: string): Promise<ReceivedPush["claims"]> {
  const [, token = "", key = ""] = /^vapid t=([^,]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = "", body = "", signature = ""] = token.split(".");
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const imported = await subtle.importKey("raw", Buffer.from(key, "base64url"), algorithm, false, ["verify"]);
  const signed = Buffer.from(`${head}.${body}`);
  if (!(await subtle.verify(algorithm, imported, Buffer.from(signature, "base64url"), signed)))
    throw new Error("the token is not signed by its key");
  const claims: ReceivedPush["claims"] = JSON.parse(Buffer.from(body, "base64url").toString());
  if (claims.aud !== origin) throw new Error(`the token is for ${claims.aud}`);
  if (claims.exp > Date.now() / 1_000 + 24 * 60 * 60) throw new Error("the token is valid for more than a day");
  return claims;
}

async function decrypt(body: Buffer, { privateKey, publicKey, auth }: Browser): Promise<string> {
  const salt = body.subarray(0, 16);
  const recordSize = body.readUInt32BE(16);
  const senderKey = body.subarray(21, 21 + (body[20] ?? 0));
  const record = body.subarray(21 + senderKey.length);
  if (record.length > recordSize) throw new Error("there is more than one record");
  const sender = await subtle.importKey(
    "raw",
    new Uint8Array(senderKey),
    { name: "ECDH", namedCurve: "P-256" },
    false,
    [],
  );
  const shared = await subtle.deriveBits({ name: "ECDH", public: sender }, privateKey, 256);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), publicKey, senderKey]);
  const secret = await derive(shared, auth, info, 32);
  const key = await derive(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const iv = await derive(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const aes = await subtle.importKey("raw", key, "AES-GCM", false, ["decrypt"]);
  const plain = Buffer.from(await subtle.decrypt({ name: "AES-GCM", iv }, aes, new Uint8Array(record)));
  const end = plain.lastIndexOf(2);
  if (end < 0 || plain.subarray(end + 1).some((byte) => byte !== 0))
    throw new Error("the record does not end as the last one");
  return plain.subarray(0, end).toString("utf8");
}

async function derive(secret: ArrayBuffer, salt: Uint8Array, info: Buffer, bytes: number): Promise<ArrayBuffer> {
  const key = await subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  return await subtle.deriveBits(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(salt), info: new Uint8Array(info) },
    key,
    bytes * 8,
  );
}
