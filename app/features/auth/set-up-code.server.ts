import { createHash, randomInt, timingSafeEqual } from "node:crypto";
import type { SetUpCode } from "../../domain/people/set-up-code.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import { AttemptCounter } from "./attempt-counter.ts";
import { toNetwork } from "./client-network.ts";

/** Letters and digits without those that people confuse. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const GROUPS = 3;
const GROUP_LENGTH = 4;

/** Wrong codes that may be tried: from one network, and from everywhere. There are 2^60 codes. */
export const SET_UP_LIMITS = {
  network: { maxAttempts: 10, windowMs: 10 * MINUTE_MS },
  everybody: { maxAttempts: 100, windowMs: HOUR_MS },
} as const;

/** Makes a new code, which is stored nowhere. `now`: milliseconds of a clock that never goes back. */
export function createSetUpCode(now: () => number = () => performance.now()): SetUpCode {
  const code = makeGroups();
  const fromNetwork = new AttemptCounter(SET_UP_LIMITS.network);
  const fromEverybody = new AttemptCounter(SET_UP_LIMITS.everybody);
  return {
    code,
    check(text, clientAddress) {
      const at = now();
      const network = toNetwork(clientAddress);
      const retryAfterSeconds = Math.max(
        fromNetwork.retryAfterSeconds(network, at),
        fromEverybody.retryAfterSeconds("", at),
      );
      if (retryAfterSeconds > 0) return { ok: false, retryAfterSeconds };
      if (timingSafeEqual(digest(text), digest(code))) return { ok: true };
      fromNetwork.record(network, at);
      fromEverybody.record("", at);
      return { ok: false, retryAfterSeconds: null };
    },
  };
}

function makeGroups(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return Array.from({ length: GROUPS }, group).join("-");
}

/** A value of the same length for every text, so that comparing takes the same time. */
function digest(text: string): Buffer {
  const plain = text
    .slice(0, 64)
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "");
  return createHash("sha256").update(plain).digest();
}
