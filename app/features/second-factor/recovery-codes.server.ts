import { createHash, randomInt } from "node:crypto";

/** Without letters and digits that look alike. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const GROUPS = 3;
const GROUP_LENGTH = 4;
const CODES = 10;

/** Ten codes like `k7qm-2xwb-9rtd`, with 59 random bits each. They are shown once; the store has their hashes. */
export function makeRecoveryCodes(): string[] {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return Array.from({ length: CODES }, () => Array.from({ length: GROUPS }, group).join("-"));
}

/** Ignores case, blanks and hyphens. A code has enough random bits for a plain hash. */
export function hashRecoveryCode(userId: number, code: string): string {
  const plain = code
    .slice(0, 64)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
  return createHash("sha256").update(`${userId} ${plain}`).digest("hex");
}
