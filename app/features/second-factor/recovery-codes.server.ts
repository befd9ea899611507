import { createHash, randomInt } from "node:crypto";

/** Without letters and digits that are taken for one another. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const GROUPS = 3;
const GROUP_LENGTH = 4;
const CODES = 10;

/** Ten codes like `k7qm-2xwb-9rtd`, of 59 random bits each. They are shown once; the store keeps their hashes. */
export function makeRecoveryCodes(): string[] {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return Array.from({ length: CODES }, () => Array.from({ length: GROUPS }, group).join("-"));
}

/** Case, blanks and hyphens do not matter. A code has enough chance that a plain hash is enough. */
export function hashRecoveryCode(userId: number, code: string): string {
  const plain = code
    .slice(0, 64)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
  return createHash("sha256").update(`${userId} ${plain}`).digest("hex");
}
