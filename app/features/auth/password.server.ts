import { randomBytes, scryptSync, timingSafeEqual } from "node:crypto";

// OWASP's password storage cheat sheet (2025) recommends N=2^17, r=8, p=1 first, which needs 128 MiB for a tenth of a second.
// N=2^15, p=3 is its choice of equal strength with 32 MiB. That matters in a process that promises to stay small.
const COST = { N: 2 ** 15, r: 8, p: 3 } as const;
const KEY_BYTES = 32;
const SALT_BYTES = 16;

/** Takes as long to verify as a real hash. No password matches it. */
export const DECOY_HASH = toText(Buffer.alloc(SALT_BYTES), Buffer.alloc(KEY_BYTES));

/**
 * A hash of the form `scrypt$N$r$p$salt$key`, with salt and key in base64url. The parameters are stored with the hash, so they can
 * be raised later. It blocks the thread for a tenth of a second: only the password thread calls it; other code uses the
 * `PasswordHasher`.
 */
export function hashPasswordSync(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  return toText(salt, deriveKey(password, salt, KEY_BYTES, COST));
}

/** False for a wrong password, and for a hash that is not of this form. It blocks the thread like `hashPasswordSync`. */
export function verifyPasswordSync(password: string, hash: string): boolean {
  const [scheme, n, r, p, salt, key] = hash.split("$");
  if (scheme !== "scrypt" || !n || !r || !p || !salt || !key) return false;
  const expected = Buffer.from(key, "base64url");
  const cost = { N: Number(n), r: Number(r), p: Number(p) };
  return timingSafeEqual(deriveKey(password, Buffer.from(salt, "base64url"), expected.length, cost), expected);
}

function toText(salt: Buffer, key: Buffer): string {
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64url"), key.toString("base64url")].join("$");
}

function deriveKey(
  password: string,
  salt: Buffer,
  keyBytes: number,
  cost: { N: number; r: number; p: number },
): Buffer {
  // NFKC: the same characters from another keyboard are the same password.
  return scryptSync(password.normalize("NFKC"), salt, keyBytes, { ...cost, maxmem: 256 * cost.N * cost.r });
}
