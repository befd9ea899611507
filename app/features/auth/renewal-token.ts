import { hkdfSync } from "node:crypto";
import { openText, sealText } from "./sealed-text.ts";

const PURPOSE = "culprit renewal token";
const PREFIX = "sealed:";

/**
 * A provider's token as the store keeps it. The key comes from the session's own token, which only the browser has: whoever reads the
 * store or a backup of it cannot use what a provider gave.
 */
export function sealRenewalToken(renewalToken: string | null, sessionToken: string): string | null {
  return renewalToken && PREFIX + sealText(renewalToken, { key: toKey(sessionToken), purpose: PURPOSE });
}

/** Null: there is none, or it was sealed for another session. One that was stored before they were sealed is given as it is. */
export function openRenewalToken(stored: string | null, sessionToken: string): string | null {
  if (!stored?.startsWith(PREFIX)) return stored;
  return openText(stored.slice(PREFIX.length), { key: toKey(sessionToken), purpose: PURPOSE });
}

function toKey(sessionToken: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", sessionToken, "", PURPOSE, 32));
}
