import type { PasskeySite } from "../../domain/people/passkey.ts";
import type { PasskeyStore } from "../../stores/state/passkey-store.ts";
import type { AuthParts } from "../sign-in/auth-parts.ts";

export type PasskeyParts = AuthParts & { passkeys: PasskeyStore };

/** Where a passkey is asked for, and of whom. */
export interface PasskeyAsk {
  site: PasskeySite & { ok: true };
  /** Somebody who is signed in or has given the first factor; null: anybody, who has nothing but the passkey. */
  person: { id: number; email: string } | null;
}
