import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";

/** The key pair by which push services know this server (RFC 8292): P-256, in base64url. */
export interface PushKeys {
  /** 65 bytes. Browsers subscribe with this key, and take messages only from its owner. */
  publicKey: string;
  /** 32 bytes. */
  privateKey: string;
}

/** RFC 8292 allows at most a day. */
const TOKEN_SECONDS = 12 * 60 * 60;

export function makePushKeys(): PushKeys {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "", d = "" } = privateKey.export({ format: "jwk" });
  const publicKey = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]).toString(
    "base64url",
  );
  return { publicKey, privateKey: d };
}

/**
 * The header that tells who sends a message.
 * @param subject a URL of https or mailto where the operator of a push service can complain
 * @param now milliseconds since 1970
 */
export function toVapidHeader(
  { publicKey, privateKey }: PushKeys,
  { endpoint, subject, now }: { endpoint: string; subject: string | null; now: number },
): string {
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(now / 1_000) + TOKEN_SECONDS,
    ...(subject !== null && { sub: subject }),
  };
  const text = [{ typ: "JWT", alg: "ES256" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const point = Buffer.from(publicKey, "base64url");
  const key = createPrivateKey({
    format: "jwk",
    key: {
      kty: "EC",
      crv: "P-256",
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
      d: privateKey,
    },
  });
  const signature = sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }).toString("base64url");
  return `vapid t=${text}.${signature}, k=${publicKey}`;
}
