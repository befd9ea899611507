import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import type { PushSubscription } from "../../domain/push/push-subscription.ts";

/** The size that every push service takes (RFC 8030, 7.2), including header and tag. */
const MAX_BODY_BYTES = 4_096;
const KEY_BYTES = 65;
const TAG_BYTES = 16;
const HEADER_BYTES = 16 + 4 + 1 + KEY_BYTES;
/** The most bytes of a message's text. One further byte marks its end. */
export const MAX_PUSH_BYTES = MAX_BODY_BYTES - HEADER_BYTES - TAG_BYTES - 1;

/**
 * The body of a push message (RFC 8291, encoded as `aes128gcm` of RFC 8188). The push service cannot read it.
 * @param chance salt and key pair, given only by tests: every real message needs new ones
 * @throws {RangeError} if the text is longer than `MAX_PUSH_BYTES`
 * @throws {Error} if the subscription's key is no point of the curve
 */
export function encryptPush(
  text: Uint8Array,
  { p256dh, auth }: Pick<PushSubscription, "p256dh" | "auth">,
  chance?: { salt: Uint8Array; privateKey: Uint8Array },
): Buffer {
  if (text.length > MAX_PUSH_BYTES) throw new RangeError(`a push message has at most ${MAX_PUSH_BYTES} bytes`);
  const receiver = Buffer.from(p256dh, "base64url");
  const pair = createECDH("prime256v1");
  if (chance === undefined) pair.generateKeys();
  else pair.setPrivateKey(chance.privateKey);
  const sender = pair.getPublicKey();
  const salt = chance?.salt ?? randomBytes(16);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), receiver, sender]);
  const secret = derive(pair.computeSecret(receiver), Buffer.from(auth, "base64url"), info, 32);
  const key = derive(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  const header = Buffer.alloc(HEADER_BYTES);
  header.set(salt);
  header.writeUInt32BE(MAX_BODY_BYTES, 16);
  header[20] = KEY_BYTES;
  header.set(sender, 21);
  // The byte 2 ends the last record, which is the only one.
  return Buffer.concat([
    header,
    cipher.update(text),
    cipher.update(Uint8Array.of(2)),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

function derive(secret: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, salt, info, length));
}
