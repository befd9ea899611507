/** Loaded with the first code: without it, most servers need 5 MB less. */
const load = () => import("otpauth");

/** The parameters of RFC 6238 that every app supports: SHA-1, six digits, thirty seconds. */
const OPTIONS = { algorithm: "SHA1", digits: 6, period: 30 } as const;
/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;
/** Codes of the previous and the next step are valid, too: clocks of phones are some seconds off. */
const WINDOW = 1;

/** A new secret, in base32. */
export async function makeSecret(): Promise<string> {
  const { Secret } = await load();
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The text of the QR code. Apps show `issuer` and `account` beside the code. */
export async function toKeyUri({
  secret,
  issuer,
  account,
}: {
  secret: string;
  issuer: string;
  account: string;
}): Promise<string> {
  const { Secret, TOTP } = await load();
  return new TOTP({ ...OPTIONS, secret: Secret.fromBase32(secret), issuer, label: account }).toString();
}

/** The time step of the code, which grows by one each thirty seconds; null: the code is not valid now. */
export async function findStep(secret: string, code: string, now: number): Promise<number | null> {
  const { Secret, TOTP } = await load();
  const totp = new TOTP({ ...OPTIONS, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? null : totp.counter({ timestamp: now }) + delta;
}

/** Six digits, also if typed with a blank in between; null: anything else. */
export function readCode(text: string): string | null {
  const digits = text.slice(0, 32).replace(/[\s-]/g, "");
  return /^\d{6}$/.test(digits) ? digits : null;
}
