import { hkdfSync } from "node:crypto";
import { openText, sealText } from "./sealed-text.ts";

const PURPOSE = "culprit renewal token";
const PREFIX = "sealed:";

/**
 * A provider's token in the form in which it is stored. The key is made from the session's own token, which only the browser has.
 * So nobody who reads the store or a backup can use the provider's token.
 */
export function sealRenewalToken(renewalToken: string | null, sessionToken: string): string | null {
  return renewalToken && PREFIX + sealText(renewalToken, { key: toKey(sessionToken), purpose: PURPOSE });
}

/** Null: there is none, or it was sealed for another session. Tokens that were stored before sealing existed are returned as they are. */
export function openRenewalToken(stored: string | null, sessionToken: string): string | null {
  if (!stored?.startsWith(PREFIX)) return stored;
  return openText(stored.slice(PREFIX.length), { key: toKey(sessionToken), purpose: PURPOSE });
}

function toKey(sessionToken: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", sessionToken, "", PURPOSE, 32));
}
